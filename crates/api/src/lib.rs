//! The HTTP interface: handlers, problems, tokens, its description and its pages. It records what
//! is asked for; the worker of the access point carries it out.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod api;
pub mod http;
