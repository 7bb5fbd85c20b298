//! Whole networks on loopback: the lab with its authorities, and the testbed that tests an access
//! point.

pub mod lab;
pub mod testbed;
