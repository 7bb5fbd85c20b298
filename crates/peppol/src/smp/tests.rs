//! SMP documents and addresses.

mod addresses;
mod answers;
mod samples;
