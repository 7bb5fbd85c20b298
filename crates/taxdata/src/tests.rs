//! What is told without official files.

mod taken_back;
mod vectors;
