//! Official containers and documents, truncated and changed: always an answer.

use quoin_formats::unwrap;
use quoin_formats::unwrap::UnwrapLimits;

use crate::golden::{bytes, listed};

/// Files that are looked at, spread over the manifest, and mutants of each.
const FILES: usize = 60;
const MUTANTS: usize = 6;
/// Bytes of a file above which it is left out, so that the test stays short.
const MAX_BYTES: usize = 170_000;

/// A sequence of numbers that looks random and is the same in every run (xorshift).
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

#[test]
fn mutants_of_official_files_are_answered() {
    let all = listed();
    let is_container = |path: &str| path.ends_with(".pdf") || path.ends_with(".p7m");
    let step = all.len() / FILES + 1;
    let chosen = all
        .iter()
        .enumerate()
        .filter(|(at, row)| at % step == 0 || is_container(&row.path))
        .filter_map(|(_, row)| bytes(&row.path))
        .filter(|bytes| !bytes.is_empty() && bytes.len() < MAX_BYTES);
    let (limits, mut state) =
        (UnwrapLimits { unpacked: 8 << 20, ..UnwrapLimits::default() }, 88_172_645_463);
    for original in chosen {
        for mutant in 0..MUTANTS {
            let mut bytes = original.clone();
            if mutant % 2 == 0 {
                bytes.truncate(next(&mut state) % original.len());
            }
            for _ in 0..mutant * 4 {
                let at = next(&mut state) % original.len();
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = next(&mut state) as u8;
                }
            }
            let unwrapped = unwrap(&bytes, &limits);
            assert!(!unwrapped.documents.is_empty() || !unwrapped.closed.is_empty());
        }
    }
}
