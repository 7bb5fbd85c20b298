//! Tests of `migrations`.
