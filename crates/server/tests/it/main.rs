//! Stories: the real doors on ports that the system chooses, spoken to by real clients.

mod crossing;
mod dns;
mod doors;
mod tokens;
