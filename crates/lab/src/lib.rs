//! Whole networks on loopback: the lab with its authorities, the testbed that tests an access
//! point,
//! and the national system of Poland.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod ksef;
pub mod lab;
mod rsa_keys;
pub mod testbed;
