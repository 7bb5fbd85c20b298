//! Tests of `writer`.
