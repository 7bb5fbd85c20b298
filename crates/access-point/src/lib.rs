//! The access point: what it takes in, sends, publishes and tells others, around the pure rooms and
//! the store. Who asks for it over HTTP is in `quoin-api`; how it is started in `quoin-server`.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod alarms;
pub mod as4_inbound;
pub mod authorities;
pub mod budget;
pub mod channels;
pub mod clock;
pub mod collaboration;
pub mod config;
pub mod cxml;
pub mod declared;
pub mod dico;
pub mod disk;
pub mod dossier;
pub mod endpoints;
pub mod enrolment;
pub mod health;
pub mod hooks;
pub mod https;
pub mod identity;
pub mod keyfile;
pub mod ksef;
pub mod loading;
pub mod lookup;
pub mod mail;
pub mod mailbox;
pub mod metrics;
pub mod naming;
pub mod net;
pub mod oauth;
pub mod partner;
pub mod pemfile;
pub mod plainfile;
pub mod plan;
pub mod provider;
pub mod reading;
pub mod registers;
pub mod reports;
pub mod rules;
pub mod sending;
pub mod sftp;
pub mod smp_publisher;
pub mod step;
pub mod tax;
pub mod tls;
pub mod trust;
pub mod worker;
pub mod zip;

#[cfg(test)]
mod growth;
