#!/bin/sh
# Builds every target.
#
# Without a sanitizer the stable compiler does: our crates forbid unsafe code, so panics, overflows,
# endless loops and memory are what there is to find; targets/limits.rs holds each input to a time and
# a memory by its length.
set -eu
cd "$(dirname "$0")"

if ! cargo fuzz --version >/dev/null 2>&1; then
  cargo install --quiet --locked cargo-fuzz
fi
cargo fuzz build --sanitizer none
