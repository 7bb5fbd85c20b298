#!/bin/sh
# The built-in rules beside SaxonC with the official stylesheets of EN 16931 and Peppol, in one run.
set -eu
cd "$(dirname "$0")"
if ! .venv/bin/python -c 'import saxonche, lxml' 2>/dev/null; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --requirement requirements.txt
fi
(cd .. && cargo build --quiet --release --package quoin-rules --bench judge)
shared=${QUOIN_SHARED:-../../shared}
judge=$(find "${CARGO_TARGET_DIR:-../target}/release/deps" -name "judge-*" -perm -u+x -type f |
  xargs ls -t | head -n 1)
.venv/bin/python bench_builtin.py "$judge" \
  "$shared/corpora" ../crates/formats/samples/bis3-invoice-16-lines.xml "$@"
