//! The lists as they are committed and reviewed: `lists.txt`.
//!
//! ```text
//! = iso4217@peppol-bis3-2025-q2
//! name iso4217
//! title ISO 4217 Currency codes
//! agency ISO
//! releases peppol-bis3-2025-q2 peppol-bis3-cii-2025-05
//!   AED AFN ALL
//!   BAM
//! ```

use super::CodeList;
use super::pool::CodePool;

/// The lists.
pub(super) const LISTS: &str = include_str!("lists.txt");
/// How a code is written that has no characters.
const EMPTY: &str = "''";

/// Reads all lists.
pub(super) fn read(text: &'static str) -> (CodePool, Vec<CodeList>) {
    let mut pool = CodePool::new();
    let lists = text.split("\n= ").skip(1).map(|own| list(own, &mut pool)).collect();
    (pool, lists)
}

/// The codes of lines, in their order.
pub(super) fn codes(written: &'static str) -> impl Iterator<Item = &'static str> {
    let words = written.split_ascii_whitespace();
    words.map(|word| if word == EMPTY { "" } else { word })
}

/// Reads one list, from behind its sign to the sign of the next.
fn list(text: &'static str, pool: &mut CodePool) -> CodeList {
    let (facts, written) = text.split_once("\n  ").unwrap_or((text, ""));
    let mut lines = facts.lines();
    let key = lines.next().unwrap_or_default();
    let mut list = CodeList {
        key,
        name: "",
        title: "",
        agency: "",
        version: "",
        releases: Vec::new(),
        written,
        members: codes(written).filter_map(|code| pool.number(code)).collect(),
    };
    list.members.sort_unstable();
    for (fact, value) in lines.filter_map(|line| line.split_once(' ')) {
        match fact {
            "name" => list.name = value,
            "title" => list.title = value,
            "agency" => list.agency = value,
            "version" => list.version = value,
            "releases" => list.releases.extend(value.split(' ')),
            _ => {}
        }
    }
    list
}
