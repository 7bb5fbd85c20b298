//! A door: a listening address, TLS or plain, HTTP/1.1 and HTTP/2, limits on connections and on
//! the time that a head, a silence or a write may take, and an orderly end.

mod connection;
mod host;
mod linger;
mod material;
mod roster;
mod serve;

pub use material::{DoorMaterial, MaterialError, mutual_tls, server_tls, server_tls_from_files};
pub use roster::network;
pub use serve::{ClientCertificate, Door, DoorLimits, OpenDoor, PeerAddress, Shutdown};
