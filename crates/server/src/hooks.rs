//! Webhooks: what a destination may be, how a call is signed (DESIGN D10; conventions A7 and D),
//! and the making of one call. When it is made again is decided in the room `delivery`.

mod action;
mod call;
mod sign;

pub use action::{Action, ActionError};
pub use call::{Tried, call};
pub use sign::{Signatures, secrets_in_use, signatures};
