//! SFTP: the action of SFTP hooks, and the writing of one file. When it is
//! written again is decided in the room `delivery`.
//!
//! A file is written under a name that begins with a dot and renamed when it is whole, so that
//! nobody over there sees half a document. Its name holds the document's id: an attempt that is
//! made again, even after a crash between the upload and our commit, writes over its own file and
//! over no other. The SSH below is the crate `russh`; the few messages of SFTP are ours
//! ([`wire`]), since handles of files are bytes and not text.

mod action;
mod aside;
mod client;
mod connection;
mod fault;
mod folder;
mod idle;
mod leash;
mod login;
mod target;
mod upload;
mod wire;

pub use action::{SftpAction, SftpError};
pub use client::{SftpClient, SftpReport};
pub use fault::{SftpFault, SftpFaultKind};
pub use folder::{FolderContent, FolderFile, SftpFolder};
pub use login::SftpLogin;
pub use target::SftpTarget;

use std::time::Duration;

/// The longest file that is written, in bytes.
pub const SFTP_BYTES: usize = 32 << 20;
/// How long a whole attempt may take, which is less than the lease of a step.
pub const SFTP_LIMIT: Duration = Duration::from_secs(240);
