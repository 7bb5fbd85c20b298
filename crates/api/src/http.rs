//! What the doors have in common: problem bodies with a code for everything that can go wrong,
//! request ids, bodies read within limits, and tokens.

pub mod auth;
pub mod body;
pub mod codes;
mod coding;
pub mod connect;
pub mod frame;
pub(crate) mod headers;
pub(crate) mod held;
pub mod issuers;
pub mod members;
pub(crate) mod names;
pub(crate) mod pages;
pub mod password;
pub mod problem;
pub(crate) mod query;
pub mod rate;
#[cfg(test)]
pub(crate) mod refusals;
pub mod sentences;
pub(crate) mod taken;
pub mod throttle;
pub mod token;
pub mod words;

pub use auth::{AccountRights, AccountsFault, Caller, ClientRecord, Clients, UserRecord};
pub use problem::Problem;
