//! The official rule sets and their own unit tests, as their publishers deliver them.

mod families;
mod folder;
mod loading;
mod samples;
mod unit_tests;
mod xrechnung;
