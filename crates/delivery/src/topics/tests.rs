//! Tests of `topics`.
