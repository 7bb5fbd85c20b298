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
# All of it with the features that the tests are built with, so that nothing is built twice.
(cd .. && cargo build --quiet --workspace --bins --examples)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./pki.sh "$work/pki" POP000001 POP000002 POP000003
export PATH="$here/.venv/bin:$PATH"
# The official artefacts lie beside the checkout, or where QUOIN_SHARED says.
shared=${QUOIN_SHARED:-$here/../../shared}
programs=${CARGO_TARGET_DIR:-../target}/debug

# What talks over the network: messages with others, the customers' interface in a browser, every
# operation against its description, and the national system of Poland, by a client of somebody else.
services() {
  timeout 600 .venv/bin/python suite.py "$programs" "$work/pki" "$work" \
    ../crates/formats/samples/bis3-invoice-16-lines.xml &&
    timeout 600 .venv/bin/python interface/page.py &&
    timeout 900 .venv/bin/python interface/contract.py &&
    PYTHON=$here/.venv/bin/python ksef/run.sh
}

# Whether there is something to look at.
has_artefacts() {
  [ -d "$shared/corpora" ] && return
  echo "skipped: $1: no official artefacts at $shared"
  return 1
}

# What others say of our verdicts and of our pages. Of the pages a sample of the collections;
# `render/run.sh all` looks at every document.
looks() {
  if has_artefacts "verdicts of structure and rules"; then verdicts || return 1; fi
  render/run.sh 40
}

verdicts() {
  timeout 900 .venv/bin/python xsd.py "$programs" "$shared" &&
    timeout 1200 .venv/bin/python schematron.py "$programs/examples/schematron" "$shared/corpora"
}

conversions() {
  has_artefacts "conversions" || return 0
  # Thousands of calls: by the release build where there is one.
  quoin=$programs/quoin
  if [ -x "$programs/../release/quoin" ]; then quoin=$programs/../release/quoin; fi
  # Every conversion, read again by a parser of its own; the page is made anew with
  # matrix.py QUOIN ../docs/reference/conversion.md FOLDER.
  timeout 1500 .venv/bin/python convert/matrix.py "$quoin" "$work/conversion.md" "$shared/corpora" ||
    return 1
  # The terms of UBL and CII by the table of EN 16931, and what is written by the official schemas.
  timeout 900 .venv/bin/python convert/terms.py "$shared/research/formats/01_en16931_ubl_cii.tsv" \
    "$quoin" "$shared/corpora" > "$work/terms.txt" || { tail -n 20 "$work/terms.txt"; return 1; }
  timeout 1500 .venv/bin/python convert/schemas.py "$shared" "$quoin" > "$work/schemas.txt" ||
    { grep "not valid" "$work/schemas.txt"; return 1; }
  tail -n 1 "$work/terms.txt"
  grep "not valid" "$work/schemas.txt"
}

# Side by side: each waits or works on one core.
conversions > "$work/conversions.txt" 2>&1 &
beside=$!
if services && looks; then looked=0; else looked=1; fi
if wait "$beside"; then converted=0; else converted=1; fi
cat "$work/conversions.txt"
[ "$looked" = 0 ] && [ "$converted" = 0 ]
