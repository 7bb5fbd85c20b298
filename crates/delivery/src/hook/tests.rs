//! Tests of `hook`.
