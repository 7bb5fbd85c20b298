//! Stories: the real doors on ports that the system chooses, spoken to by real clients.

mod api;
mod bad_input;
mod batches;
mod certificates;
mod channels;
mod crossing;
mod dns;
mod documents;
mod doors;
mod events;
mod hook_admin;
mod hook_load;
mod hooks;
mod kill;
mod lab_api;
mod mail;
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
