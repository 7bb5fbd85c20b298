#!/bin/sh
# Converters of others beside ours, in one run (see peers.py and speed.py), installed into a folder:
#
#     interop/convert/peers.sh FOLDER [COLLECTION...]
#
# Needs cargo, a Python of 3.12 or newer (PYTHON), a JDK with Maven, and the official documents.
set -eu
cd "$(dirname "$0")/../.."
shared="${QUOIN_SHARED:-../shared}"
here="$PWD/interop/convert"
python="${PYTHON:-python3}"
mkdir -p "$1"
place="$(cd "$1" && pwd)"
shift
if [ ! -x "$place/bin/en16931" ]; then
    cargo install --quiet en16931-cli --version 0.8.0 --root "$place"
fi
if [ ! -x "$place/python/bin/python" ]; then
    "$python" -m venv "$place/python"
    "$place/python/bin/pip" install --quiet euinvoice==0.2.0
fi
if [ ! -f "$place/Phax.class" ]; then
    cp "$here/phax.xml" "$place/pom.xml"
    (cd "$place" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib)
    javac -cp "$place/lib/*" -d "$place" "$here/Phax.java"
fi
cat > "$place/peers.tsv" <<PEERS
en16931-cli 0.8.0	$place/bin/en16931 convert {source} --to {syntax} --output {target}
euinvoice 0.2.0	$place/python/bin/python $here/euinvoice_cli.py {source} {target} {syntax}
phax cii2ubl 3.1.3, ubl2cii 2.1.0	java -cp $place:$place/lib/* Phax {source} {target} {syntax}
PEERS
if [ $# -eq 0 ]; then
    for one in en16931 cii peppol-bis-billing xrechnung facturx-zugferd nlcius-si-ubl \
        peppol-selfbilling transform-cii2ubl transform-gobl; do
        set -- "$@" "$shared/corpora/$one"
    done
fi
program="target/release/quoin"
[ -x "$program" ] || cargo build --release
"$python" "$here/speed.py" "$program" "$place/bin/en16931" "$place/python/bin/python"
exec "$python" "$here/peers.py" "$shared/research/formats/01_en16931_ubl_cii.tsv" \
    "$program" "$place/peers.tsv" "$@"
