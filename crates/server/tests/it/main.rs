//! Stories: the real doors on ports that the system chooses, spoken to by real clients.

mod api;
mod bad_input;
mod certificates;
mod crossing;
mod dns;
mod doors;
mod hooks;
mod kill;
mod lab_api;
mod official_rules;
mod receiving;
mod refusals;
mod repeats;
mod stage;
mod tenancy;
mod tokens;
mod validate;
mod webhooks;
mod world;
