//! A Peppol network on loopback: certificates shaped like the real ones, an SML that SMPs register
//! at and that answers real DNS questions, revocation lists and responders, two access points, and
//! recipients that misbehave.

pub mod directory;
pub mod faults;
pub mod locator;
pub mod mailbox;
pub mod name_server;
pub mod network;
pub mod partner;
pub mod pki;
pub mod pki_http;
pub mod sink;
pub mod sml;
pub mod story;
pub mod tax_office;
