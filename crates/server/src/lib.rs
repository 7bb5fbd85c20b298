//! From a configuration to a running service.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod ending;
pub mod seeds;
pub mod start;
