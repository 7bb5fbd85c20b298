//! The service: doors, hands and configuration around the pure rooms. The binary is `quoin`.

pub mod config;
pub mod net;
pub mod tls;
