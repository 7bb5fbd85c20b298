#!/bin/sh
# Fuzzes every target for a number of seconds (default 20), two at a time. A crash ends it with an
# error, and its input lies in fuzz/artifacts; a crash that was found becomes a test of the crate.
set -eu
cd "$(dirname "$0")"

./build.sh
# `syntaxes`, which takes longest, goes first.
cargo fuzz list | sed '/^syntaxes$/d; 1i syntaxes' | xargs -n 1 -P 2 ./one.sh "${1:-20}"
