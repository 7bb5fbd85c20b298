//! Webhooks: what a destination may be, how a call is signed (DESIGN D10; conventions A7 and D),
//! and the making of one call. When it is made again is decided in the room `delivery`.

mod action;
mod call;
mod secrets;
mod sign;

pub use action::{ActionError, HookAction, check_init, checked_secret};
pub use call::call;
pub use secrets::secrets_after;
pub use sign::{ROTATION, Signatures, previous_until, rotated, secrets_in_use, signatures};
