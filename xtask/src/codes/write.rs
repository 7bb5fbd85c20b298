//! Writes the lists as a table: every code once, in order, with a hash over all of them, and each
//! list as the numbers of its codes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Lists, MARK};

/// A slot without a code.
const EMPTY: u16 = u16::MAX;

/// The table as Rust.
///
/// # Errors
/// Where there are more codes than a `u16` counts.
pub fn table(lists: &Lists) -> Result<String, String> {
    let pool: BTreeSet<&str> =
        lists.lists.iter().flat_map(|list| list.codes.iter().map(String::as_str)).collect();
    let pool: Vec<&str> = pool.into_iter().collect();
    if pool.len() >= usize::from(EMPTY) {
        return Err(format!("{} codes are more than the table holds", pool.len()));
    }
    let mut out = format!(
        "{MARK}//! The code lists: every code once, and each list as numbers of codes.\n\n\
         use super::List;\n\n"
    );
    let _ = writeln!(out, "/// Every code, in order, one after the other.");
    let _ = writeln!(out, "pub(super) static POOL: &str = concat!(");
    for codes in pool.chunks(12) {
        let _ = writeln!(out, "    {:?},", codes.concat());
    }
    let _ = writeln!(out, ");\n");
    let mut at = 0;
    let starts = pool.iter().map(|code| {
        at += code.len();
        at - code.len()
    });
    let mut starts: Vec<usize> = starts.collect();
    starts.push(pool.iter().map(|code| code.len()).sum());
    numbers(
        &mut out,
        "Where each code begins in `POOL`, and where the last ends.",
        "STARTS: [u32",
        &starts,
    );
    let slots = slots(&pool);
    let slots: Vec<usize> = slots.into_iter().map(usize::from).collect();
    numbers(
        &mut out,
        "The number of the code of each hash; 65535 where there is none.",
        "SLOTS: [u16",
        &slots,
    );
    let _ = writeln!(out, "/// The lists, in the order of their sources.");
    let _ = writeln!(out, "#[rustfmt::skip]\npub(super) static LISTS: &[List] = &[");
    for list in &lists.lists {
        let family = lists.families.get(&list.name).cloned().unwrap_or_default();
        let members: Vec<String> = list
            .codes
            .iter()
            .filter_map(|code| pool.binary_search(&code.as_str()).ok())
            .map(|at| at.to_string())
            .collect();
        let _ = writeln!(
            out,
            "    List {{ key: {:?}, name: {:?}, title: {:?}, agency: {:?}, version: {:?}, \
             releases: &{:?},\n        members: &[{}] }},",
            list.key,
            list.name,
            family.title,
            family.agency,
            list.version,
            list.releases,
            members.join(",")
        );
    }
    out.push_str("];\n");
    Ok(out)
}

fn numbers(out: &mut String, what: &str, name: &str, numbers: &[usize]) {
    let _ = writeln!(out, "/// {what}\n#[rustfmt::skip]");
    let _ = writeln!(out, "pub(super) static {name}; {}] = [", numbers.len());
    for line in numbers.chunks(24) {
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "    {},", line.join(","));
    }
    let _ = writeln!(out, "];\n");
}

/// A hash table with the next free slot for what collides, at most half full.
fn slots(pool: &[&str]) -> Vec<u16> {
    let size = (2 * pool.len().max(1)).next_power_of_two();
    let mut slots = vec![EMPTY; size];
    for (number, code) in pool.iter().enumerate() {
        let mut at = hash(code) as usize & (size - 1);
        while slots[at] != EMPTY {
            at = (at + 1) & (size - 1);
        }
        slots[at] = number as u16;
    }
    slots
}

/// FNV-1a of 32 bits, as `model::codes` computes it.
fn hash(code: &str) -> u32 {
    code.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
