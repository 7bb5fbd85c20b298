#!/bin/sh
# Shows documents of the official collections as PDF and as Factur-X, and asks veraPDF.
#
#     interop/render/run.sh [HOW-MANY]        (default 40; `all` for every document)
#
# Needs Java, Maven and poppler-utils. veraPDF is inside the Mustang-CLI of the Maven registry.
set -eu
cd "$(dirname "$0")/../.."
many=${1:-40}
shared=${QUOIN_SHARED:-../shared}
work=target/interop-render
rm -rf "$work"
mkdir -p "$work/pdf" "$work/hybrid"
jar=target/Mustang-CLI-2.26.0.jar
if [ ! -f "$jar" ]; then
    mvn -q -B dependency:copy -Dartifact=org.mustangproject:Mustang-CLI:2.26.0 \
        -DoutputDirectory=target
fi
cargo build -q -p quoin-render --example render
find "$shared/corpora" -name '*.xml' -size -200k | sort >"$work/all"
if [ "$many" = all ]; then cp "$work/all" "$work/some"; else
    step=$(($(wc -l <"$work/all") / many + 1))
    awk "NR % $step == 1" "$work/all" >"$work/some"
fi
place=0
while IFS= read -r file; do
    place=$((place + 1))
    copy="$work/$place.xml"
    cp "$file" "$copy"
    target/debug/examples/render de pdf "$work/pdf" "$copy" 2>>"$work/refused" || true
    target/debug/examples/render fr factur-x "$work/hybrid" "$copy" 2>>"$work/refused" || true
done <"$work/some"
echo "$(ls "$work/pdf" | wc -l) PDF, $(ls "$work/hybrid" | wc -l) hybrids"
find "$work/pdf" "$work/hybrid" -name '*.pdf' -print0 |
    xargs -0 java -cp "$jar" interop/render/VeraPdf.java
