#!/bin/sh
# The built-in rules beside SaxonC with the official stylesheets of EN 16931 and Peppol, in one run.
set -eu
cd "$(dirname "$0")"
if ! .venv/bin/python -c 'import saxonche, lxml' 2>/dev/null; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --requirement requirements.txt
fi
(cd .. && cargo build --quiet --release --package quoin-document --example judge)
shared=${QUOIN_SHARED:-../../shared}
.venv/bin/python bench_builtin.py "${CARGO_TARGET_DIR:-../target}/release/examples/judge" \
  "$shared/corpora" ../crates/document/samples/bis3-invoice-16-lines.xml "$@"
