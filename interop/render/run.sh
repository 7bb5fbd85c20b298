#!/bin/sh
# Shows documents of the official collections, and asks others about every form of them.
#
#     interop/render/run.sh [HOW-MANY]        (default 40; `all` for every document)
#
# - pdftotext (poppler-utils): every leaf of a document is in the text of its PDF and of its HTML.
# - PyPI `factur-x` and `pikepdf`, and Mustang: hybrids of every profile, read back.
# - veraPDF: PDF/A-3u and PDF/UA-1. It is inside the Mustang-CLI of the Maven registry.
# - axe-core (npm) in Chromium: the pages in five languages.
# - pictures of the pages of every sample (`target/interop-render/images`), to be looked at.
#
# What is not there and cannot be fetched is named as skipped; the rest runs.
set -eu
cd "$(dirname "$0")/../.."
many=${1:-40}
shared=${QUOIN_SHARED:-../shared}
work=$(pwd)/target/interop-render
samples=crates/formats/samples
rm -rf "$work"
mkdir -p "$work/pdf" "$work/hybrid" "$work/pages"

if ! command -v pdftotext >/dev/null && command -v apt-get >/dev/null; then
    apt-get update -q >/dev/null && apt-get install -y -q poppler-utils >/dev/null
fi
python=interop/.venv/bin/python
if ! $python -c 'import facturx, pikepdf' 2>/dev/null; then
    python3 -m venv interop/.venv
    interop/.venv/bin/pip install --quiet --requirement interop/requirements.txt
fi
jar=target/Mustang-CLI-2.26.0.jar
if [ ! -f "$jar" ] && command -v mvn >/dev/null; then
    timeout 300 mvn -q -B dependency:copy -DoutputDirectory=target \
        -Dartifact=org.mustangproject:Mustang-CLI:2.26.0 || true
fi
[ -f "$jar" ] || echo "skipped: veraPDF and Mustang: there is no $jar"
# Thousands of calls where every document is shown: by the release build where there is one.
quoin=${CARGO_TARGET_DIR:-target}/release/quoin
if [ "$many" != all ] || ! [ -x "$quoin" ]; then
    # With examples, that is with the features of tests: else half of the rooms would be built again.
    cargo build -q --workspace --bins --examples
    quoin=${CARGO_TARGET_DIR:-target}/debug/quoin
fi

# Every profile of hybrids, of each syntax that has what they need.
timeout 600 $python interop/render/hybrids.py "$quoin" "$work/hybrid" \
    $( [ ! -f "$jar" ] || echo "$jar" ) $samples/bis3-invoice-16-lines.xml \
    $samples/bis3-credit-note.xml $samples/cii-invoice.xml $samples/every-term-ubl-invoice.xml

if [ -d "$shared/corpora" ]; then
    timeout 3600 $python interop/render/leaves.py "$quoin" "$shared/corpora" "$many"
    find "$shared/corpora" -name '*.xml' -size -200k | sort >"$work/all"
else
    echo "skipped: leaves of documents: no official artefacts at $shared"
    find $samples -name '*.xml' | sort >"$work/all"
fi
step=1
[ "$many" = all ] || step=$(($(wc -l <"$work/all") / many + 1))
place=0
awk "NR % $step == 0" "$work/all" | while IFS= read -r file; do
    place=$((place + 1))
    "$quoin" render "$file" --as pdf --language de --output "$work/pdf/$place.pdf" \
        2>>"$work/refused" || true
    "$quoin" render "$file" --as factur-x --language fr --output "$work/hybrid/$place.pdf" \
        2>>"$work/refused" || true
done
echo "$(ls "$work/pdf" | wc -l) PDF, $(ls "$work/hybrid" | grep -c pdf) hybrids"
if [ -f "$jar" ]; then
    find "$work/pdf" "$work/hybrid" -name '*.pdf' -print0 |
        xargs -0 timeout 3600 java -cp "$jar" interop/render/VeraPdf.java
fi

# Pictures of the first two sheets of each sample, for who looks at them.
mkdir -p "$work/images"
for sample in $samples/*.xml; do
    name=$(basename "$sample" .xml)
    "$quoin" render "$sample" --as pdf --findings --output "$work/images/$name.pdf" &&
        pdftoppm -r 75 -l 2 -png "$work/images/$name.pdf" "$work/images/$name"
done
echo "$(ls "$work/images" | grep -c png) pictures in $work/images"

if command -v chromium >/dev/null && command -v npm >/dev/null; then
    (cd "$work" && npm pack --silent axe-core@4 >/dev/null && tar xzf axe-core-*.tgz)
    for language in en nl de fr pl; do
        for name in every-term-ubl-invoice order ksef-correction; do
            "$quoin" render $samples/$name.xml --findings --language $language \
                --output "$work/pages/$name-$language.html"
        done
    done
    timeout 600 $python interop/render/axe.py "$work/package/axe.min.js" "$work"/pages/*.html
else
    echo "skipped: axe-core: there is no chromium, or no npm"
fi
