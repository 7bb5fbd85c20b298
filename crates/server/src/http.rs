//! What the doors have in common: problem bodies with a code for everything that can go wrong,
//! request ids, bodies read within limits, and tokens.

pub mod auth;
pub mod body;
pub mod codes;
pub mod connect;
pub mod frame;
pub mod issuers;
pub mod password;
pub mod problem;
pub mod throttle;
pub mod token;

pub use auth::{Caller, ClientRecord, Clients, Standing, UserRecord};
pub use problem::Problem;
