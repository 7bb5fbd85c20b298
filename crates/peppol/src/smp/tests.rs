//! SMP documents and addresses.

mod addresses;
mod answers;
mod bdxr;
mod business_cards;
mod samples;
mod submitted;
