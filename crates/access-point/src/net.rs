//! Everything that leaves this machine: one HTTP client with a guard against addresses of the own
//! network, and one resolver for the records that lead to an SMP.

mod client;
mod disk;
mod dns;
mod guard;
mod roots;

pub use client::{CallError, CutAnswer, HttpAnswer, HttpCall, HttpClient, HttpSettings, host};
pub use disk::BodySource;
pub use dns::{Dns, DnsError, NaptrAnswer};
pub use guard::{AddressRefusal, Guard, is_public};
pub use roots::{RootsError, TlsRoot, client_identity, client_tls, extra_roots};
