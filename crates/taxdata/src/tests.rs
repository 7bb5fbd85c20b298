//! What is told without official files.

mod vectors;
