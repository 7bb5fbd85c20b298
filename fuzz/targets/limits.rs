//! What one input may cost: processor time and memory by its length. An input that costs more is a
//! finding, as a crash is.

use std::alloc::System;

use cap::Cap;
use cpu_time::ThreadTime;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Time that any input may take, and that each of its bytes may.
const CALL_MICROS: u128 = 300_000;
const BYTE_MICROS: u128 = 20;
/// The same of memory.
const CALL_BYTES: usize = 64 << 20;
const BYTE_BYTES: usize = 2_048;

/// Runs a reader on an input within its limits.
pub fn within(bytes: &[u8], read: impl FnOnce(&[u8])) {
    let room = CALL_BYTES + BYTE_BYTES * bytes.len();
    // Beyond it an allocation fails, which ends the run.
    MEMORY.set_limit(MEMORY.allocated() + room).expect("more than is allocated");
    let begun = ThreadTime::now();
    read(bytes);
    let took = begun.elapsed().as_micros();
    MEMORY.set_limit(usize::MAX).expect("no limit");
    let most = CALL_MICROS + BYTE_MICROS * bytes.len() as u128;
    assert!(took <= most, "{took} microseconds for {} bytes, at most {most}", bytes.len());
}
