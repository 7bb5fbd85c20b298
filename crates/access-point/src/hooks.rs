//! Hooks: what their actions may be, and what becomes of their secrets when they change. When
//! a call is made again is decided in the room `delivery`; how one is made and signed is in
//! [`crate::https`].

mod action;
mod allowed;
#[cfg(test)]
mod bare;
mod init;
mod secrets;

pub use crate::https::{
    ROTATION, Signatures, UnusableSecret, call, checked_secret, previous_until, rotated,
    secrets_in_use, signatures,
};
pub use action::{ActionError, HookAction};
pub use allowed::{check_id, check_topics};
#[cfg(test)]
pub(crate) use bare::bare_hook;
pub use init::{STARS, has_secret, init_after, shown_init};
pub use secrets::secrets_after;
