#!/bin/sh
# Fuzzes one target, which is built: `one.sh SECONDS TARGET`.
set -eu
cd "$(dirname "$0")"
seconds=$1 target=$2

seeds=../crates/formats/samples
[ -d "seeds/$target" ] && seeds="seeds/$target"
time=$seconds
case $target in
  # Takes the samples of every syntax itself, and begins with them unchanged; it has the time of
  # as many targets as there are readers.
  syntaxes) seeds="" time=$((seconds * $(ls ../crates/formats/src/*/read.rs | wc -l))) ;;
  read_taxdata) seeds="" ;;
esac
mkdir -p "corpus/$target"
# shellcheck disable=SC2086 # there may be no folder of seeds
if ! cargo fuzz run --sanitizer none "$target" "corpus/$target" $seeds -- \
  -max_total_time="$time" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
  -print_final_stats=1 >"corpus/$target.log" 2>&1; then
  tail -n 40 "corpus/$target.log"
  exit 255 # no further one is begun
fi
echo "fuzzed $target for $time s:" \
  "$(grep -E 'number_of_executed_units|peak_rss' "corpus/$target.log" | tr -s ' \n' ' ')"
