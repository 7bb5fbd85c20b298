//! The PKI against authorities made for the test, and against the published ones.

mod revocation;
mod roles;
pub(crate) mod samples;
pub(crate) mod world;
