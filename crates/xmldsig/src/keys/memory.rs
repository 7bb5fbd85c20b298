//! A lack of memory, which the library of keys tells as it tells a forgery.

use std::alloc::{Layout, handle_alloc_error};
use std::hint::black_box;

use super::KeyError;

/// Bytes for which there has to be memory, more than any operation of a key asks for.
const PROBE: usize = 1 << 20;

/// A failure of a key as it is, where there is memory. Where there is none, the process ends, as it
/// does wherever else memory runs out: what others signed and encrypted rightly is not refused for
/// that, and is done again after the next start.
pub(super) fn unless_out_of_memory(error: KeyError) -> KeyError {
    end_without_memory();
    error
}

/// Ends the process where there is no memory: to be asked where a key or a signature fails.
pub fn end_without_memory() {
    let mut probe: Vec<u8> = Vec::new();
    if probe.try_reserve_exact(PROBE).is_err() {
        handle_alloc_error(Layout::new::<[u8; PROBE]>());
    }
    black_box(&probe);
}
