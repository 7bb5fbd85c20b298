//! The loader and the runs, on small rule sets written for them.

mod loading;
mod running;
mod unit_tests;
