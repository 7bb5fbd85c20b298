//! What reading files takes of memory that lead to one thing from many places.

use quoin_testing::growth::{MemoryCase, check_memory};

use super::files::{distant_names, long_names, shared_kids, shared_names, zip};
use super::open;

/// What is shared inside a file is held once, however many places lead to it.
const HELD: &[MemoryCase] = &[
    MemoryCase {
        name: "kids that share their kids",
        make: || shared_kids(1_000, 300),
        times: 32,
        run: open,
    },
    MemoryCase {
        name: "kids that share their names",
        make: || shared_names(1_000, 100_000),
        times: 32,
        run: open,
    },
    MemoryCase {
        name: "kids that share their names by way of others",
        make: || distant_names(1_000, 100_000),
        times: 32,
        run: open,
    },
    MemoryCase {
        name: "files that share a long name",
        make: || long_names(900),
        times: 32,
        run: open,
    },
    MemoryCase {
        name: "an archive in a part with a long media type",
        make: || {
            let head = format!("--a\nContent-Type: x/{}\n", "y".repeat(4_000));
            let lines = format!(" {}\n", "y".repeat(3_900)).repeat(2);
            let entries = zip(990, b"x", true);
            [head.as_bytes(), lines.as_bytes(), b"\n", &entries, b"\n--a--"].concat()
        },
        times: 32,
        run: open,
    },
];

#[test]
fn what_is_shared_in_a_file_is_held_once() {
    check_memory(HELD);
}
