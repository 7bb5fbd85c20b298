//! From a configuration to a running service.

pub mod ending;
pub mod seeds;
pub mod start;
