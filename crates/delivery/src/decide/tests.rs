//! Tests of `decide`.
