//! The store's contract, from the outside: what every engine must keep.

mod absorbed;
mod alarms;
mod apart;
mod claims;
mod clearances;
mod counted;
mod crash;
mod documents;
mod enrolment;
mod growth;
mod hook_lives;
mod hooks;
mod jobs;
mod kept;
mod levels;
mod ownership;
mod publications;
mod purchases;
mod registry;
mod returned;
mod statuses;
mod stopping;
mod tax;
mod trust;
mod turns;
mod world;
