//! Whole networks on loopback: the lab with its authorities, and the testbed that tests an access
//! point.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod lab;
pub mod testbed;
