//! Stories: the real doors on ports that the system chooses, spoken to by real clients.

mod api;
mod crossing;
mod dns;
mod doors;
mod hooks;
mod lab_api;
mod tokens;
mod world;
