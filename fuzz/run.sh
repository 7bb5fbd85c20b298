#!/bin/sh
# Fuzzes every target for a number of seconds (default 20). A crash ends it with an error, and its
# input lies in fuzz/artifacts; a crash that was found becomes a test of the crate.
set -eu
cd "$(dirname "$0")"
seconds=${1:-20}

if ! cargo fuzz --version >/dev/null 2>&1; then
  cargo install --quiet --locked cargo-fuzz
fi
# Without a sanitizer the stable compiler does: our crates forbid unsafe code, so panics, overflows,
# endless loops and memory are what there is to find; targets/limits.rs holds each input to a time and
# a memory by its length.
cargo fuzz build --sanitizer none
for target in $(cargo fuzz list); do
  mkdir -p "corpus/$target"
  seeds=../crates/formats/samples
  [ -d "seeds/$target" ] && seeds="seeds/$target"
  time=$seconds
  case $target in
    # Takes the samples of every syntax itself, and begins with them unchanged; it has the time of
    # as many targets as there are readers.
    syntaxes) seeds="" time=$((seconds * $(ls ../crates/formats/src/*/read.rs | wc -l))) ;;
    read_taxdata) seeds="" ;;
  esac
  echo "fuzzing $target for $time s"
  if ! cargo fuzz run --sanitizer none "$target" "corpus/$target" $seeds -- \
    -max_total_time="$time" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -verbosity=0 \
    -print_final_stats=1 >"corpus/$target.log" 2>&1; then
    tail -n 40 "corpus/$target.log"
    exit 1
  fi
  grep -E 'number_of_executed_units|peak_rss' "corpus/$target.log"
done
