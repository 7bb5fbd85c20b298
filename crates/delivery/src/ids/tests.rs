//! Tests of `ids`.
