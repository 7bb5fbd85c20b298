#!/usr/bin/env bash
# The pure rooms build for a browser: no clock, no threads, no files and no C in them. Takes the
# target of rustup where it is installed, else the packages of Debian (rustc-web, rust-web-src, lld).
set -euo pipefail
cd "$(dirname "$0")/.."
TARGET=wasm32-unknown-unknown
ROOMS=(-p quoin-xml -p quoin-model -p quoin-formats -p quoin-rules)
export CARGO_TARGET_DIR=target/browser CARGO_INCREMENTAL=0

has_target() { [[ -d "$(rustc --print sysroot)/lib/rustlib/$TARGET/lib" ]]; }
has_sources() { [[ -x /usr/bin/rustc && -d /usr/lib/rustlib/src/rust/library ]]; }

if ! has_target && ! has_sources && command -v rustup >/dev/null; then
  rustup target add "$TARGET" 2>/dev/null || true
fi
if has_target; then
  cargo check --quiet --target "$TARGET" "${ROOMS[@]}"
  echo "browser: the pure rooms build for $TARGET"
  exit
fi
if ! has_sources && command -v apt-get >/dev/null; then
  apt-get update -qq && apt-get install -y -qq rustc-web rust-web-src lld || true
fi
if ! has_sources; then
  echo "browser: SKIPPED: neither the target $TARGET nor its sources can be had here" >&2
  exit
fi
# The sources of the standard library belong to the compiler of the distribution.
RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc \
  cargo check --quiet -Z build-std=std,panic_abort --target "$TARGET" "${ROOMS[@]}"
echo "browser: the pure rooms build for $TARGET"
