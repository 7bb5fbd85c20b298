//! The service: doors, hands and configuration around the pure rooms. The binary is `quoin`.

pub mod api;
pub mod clock;
pub mod config;
pub mod hooks;
pub mod http;
pub mod lab;
pub mod net;
pub mod seeds;
pub mod tls;
