#!/bin/sh
# Interoperability with independent implementations: builds what is needed, runs the suite, ends.
set -eu
cd "$(dirname "$0")"
here=$(pwd)

if ! command -v xmlsec1 >/dev/null || ! [ -e /usr/share/java/xmlsec.jar ]; then
  apt-get update -q >/dev/null
  apt-get install -y -q xmlsec1 libxml-security-java >/dev/null
fi
if [ ! -x .venv/bin/python ]; then
  python3 -m venv .venv
  .venv/bin/pip install --quiet --requirement requirements.txt
fi
(cd .. && cargo build --quiet --package quoin-peppol --example as4_peer &&
  cargo build --quiet --package quoin-server)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
./pki.sh "$work/pki" POP000001 POP000002 POP000003
export PATH="$here/.venv/bin:$PATH"
timeout 600 .venv/bin/python suite.py "${CARGO_TARGET_DIR:-../target}/debug" "$work/pki" "$work" \
  ../crates/document/samples/bis3-invoice-16-lines.xml
