//! Tests of `filter`.
