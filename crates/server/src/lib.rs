//! The service: doors, hands and configuration around the pure rooms. The binary is `quoin`.

pub mod api;
pub mod as4_door;
pub mod authorities;
pub mod cli;
pub mod clock;
pub mod config;
pub mod dossier;
pub mod hooks;
pub mod http;
pub mod identity;
pub mod keyfile;
pub mod lab;
pub mod lookup;
pub mod mail;
pub mod net;
pub mod pemfile;
pub mod registers;
pub mod rules;
pub mod seeds;
pub mod sending;
pub mod smp_door;
pub mod start;
pub mod tls;
pub mod trust;
pub mod worker;
