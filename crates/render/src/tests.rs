//! Tests of pages over samples of our own and the official collections.
