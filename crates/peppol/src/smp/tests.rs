//! SMP documents and addresses.

mod addresses;
mod answers;
mod business_cards;
mod samples;
