//! A door: a listening address, TLS or plain, HTTP/1.1 and HTTP/2, limits on connections and on
//! the time a head may take, and an orderly end.

mod material;
mod serve;

pub use material::{MaterialError, mutual_tls, server_tls, server_tls_from_files};
pub use serve::{ClientCertificate, Door, DoorLimits, OpenDoor, Peer, Shutdown};
