#!/bin/sh
# Interoperability with independent implementations: builds what is needed, runs the suite, ends.
set -eu
cd "$(dirname "$0")"
here=$(pwd)

if ! command -v xmlsec1 >/dev/null || ! command -v xmllint >/dev/null || ! [ -e /usr/share/java/xmlsec.jar ]; then
  apt-get update -q >/dev/null
  apt-get install -y -q xmlsec1 libxml-security-java libxml2-utils >/dev/null
fi
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
  apt-get update -q >/dev/null
  # Without a browser the page is not looked at, and says so.
  apt-get install -y -q chromium chromium-driver >/dev/null || true
fi
if ! .venv/bin/python -c 'import xmlschema, saxonche, schemathesis, ksef_client' 2>/dev/null; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --requirement requirements.txt
fi
(cd .. && cargo build --quiet --package quoin-peppol --example as4_peer &&
  cargo build --quiet --package quoin &&
  cargo build --quiet --package quoin-xml --example schematron --example xsd &&
  cargo build --quiet --package quoin-lab --example ksef &&
  cargo build --quiet --package xtask)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./pki.sh "$work/pki" POP000001 POP000002 POP000003
export PATH="$here/.venv/bin:$PATH"
timeout 600 .venv/bin/python suite.py "${CARGO_TARGET_DIR:-../target}/debug" "$work/pki" "$work" \
  ../crates/formats/samples/bis3-invoice-16-lines.xml

# The customers' interface: its page in a browser, and every operation against its description.
timeout 300 .venv/bin/python interface/page.py
timeout 420 .venv/bin/python interface/contract.py

# The national system of Poland: the laboratory's, by a client of somebody else.
PYTHON=$here/.venv/bin/python ksef/run.sh

# The official artefacts lie beside the checkout, or where QUOIN_SHARED says.
shared=${QUOIN_SHARED:-$here/../../shared}
programs=${CARGO_TARGET_DIR:-../target}/debug
if [ -d "$shared/corpora" ]; then
  timeout 300 .venv/bin/python xsd.py "$programs" "$shared"
  timeout 600 .venv/bin/python schematron.py "$programs/examples/schematron" "$shared/corpora"
  # Thousands of calls: by the release build where there is one.
  quoin=$programs/quoin
  if [ -x "$programs/../release/quoin" ]; then quoin=$programs/../release/quoin; fi
  # Every conversion, read again by a parser of its own; the page is made anew with
  # matrix.py QUOIN ../docs/reference/conversion.md FOLDER.
  timeout 600 .venv/bin/python convert/matrix.py "$quoin" "$work/conversion.md" "$shared/corpora"
  # The terms of UBL and CII by the table of EN 16931, and what is written by the official schemas.
  timeout 300 .venv/bin/python convert/terms.py "$shared/research/formats/01_en16931_ubl_cii.tsv" \
    "$quoin" "$shared/corpora" > "$work/terms.txt" || { tail -n 20 "$work/terms.txt"; exit 1; }
  timeout 600 .venv/bin/python convert/schemas.py "$shared" "$quoin" > "$work/schemas.txt" ||
    { grep "not valid" "$work/schemas.txt"; exit 1; }
  tail -n 1 "$work/terms.txt"
  grep "not valid" "$work/schemas.txt"
else
  echo "skipped: verdicts of structure and rules: no official artefacts at $shared"
fi

# Pages, PDF and hybrids, a sample of the collections; `render/run.sh all` looks at every document.
render/run.sh 40
