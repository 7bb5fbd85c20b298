//! Tests of `retry`.
