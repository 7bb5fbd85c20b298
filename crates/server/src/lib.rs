//! The service: doors, hands and configuration around the pure rooms. The binary is `quoin`.

pub mod clock;
pub mod config;
pub mod http;
pub mod lab;
pub mod net;
pub mod tls;
