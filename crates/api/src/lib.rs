//! The HTTP interface: handlers, problems, tokens, its description and its pages. It records what
//! is asked for; the worker of the access point carries it out.

pub mod api;
pub mod http;
