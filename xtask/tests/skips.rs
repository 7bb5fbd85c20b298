//! The last program of `cargo test --workspace`: it says how many tests were skipped. It has to be
//! the last, so it is the only integration test of the last package by name.

fn main() {
    quoin_testing::say_skipped();
}
