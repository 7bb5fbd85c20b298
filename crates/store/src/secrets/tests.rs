//! Tests of `secrets`.
