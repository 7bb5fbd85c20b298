//! What a page lists is what there is: the modules of the access point, the pure rooms. And no file
//! cites what nobody can open.

use std::collections::BTreeSet;
use std::path::Path;

use super::PURE;
use super::sources::Source;

/// Where the modules are listed.
const ARCHITECTURE: &str = "ARCHITECTURE.md";
/// Where the pure rooms are.
const CONTRIBUTING: &str = "CONTRIBUTING.md";

/// Every module or room that one side has and the other has not.
pub fn check(root: &Path, found: &mut Vec<String>) -> Result<(), String> {
    let read =
        |name: &str| std::fs::read_to_string(root.join(name)).map_err(|e| format!("{name}: {e}"));
    let lib = read("crates/access-point/src/lib.rs")?;
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    compare(ARCHITECTURE, &listed(&read(ARCHITECTURE)?), &modules.collect(), found);
    let page = read(CONTRIBUTING)?;
    compare(CONTRIBUTING, &pure(&page), &PURE.iter().copied().collect(), found);
    Ok(())
}

fn compare(page: &str, listed: &BTreeSet<&str>, there: &BTreeSet<&str>, found: &mut Vec<String>) {
    let missing = there.difference(listed).map(|name| format!("{page}: no row or word for {name}"));
    let gone = listed.difference(there).map(|name| format!("{page}: there is no {name}"));
    found.extend(missing.chain(gone));
}

/// The modules in the first column of the table of the access point.
pub fn listed(architecture: &str) -> BTreeSet<&str> {
    let (_, rest) = architecture.split_once("\nInside `access-point`").unwrap_or_default();
    let rows = rest.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| row.split('|').nth(1));
    names.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

/// The rooms in the brackets behind the words "Pure rooms".
pub fn pure(contributing: &str) -> BTreeSet<&str> {
    let (_, rest) = contributing.split_once("Pure rooms (").unwrap_or_default();
    let (names, _) = rest.split_once(')').unwrap_or_default();
    names.split('`').skip(1).step_by(2).collect()
}

/// A source cites the page of the architecture, a decision in `docs/adr` or what is published.
pub fn citations(source: &Source, found: &mut Vec<String>) {
    // Written in two halves, so that this file does not cite them.
    let gone = ["DESIGN", "section"].join(" ");
    let decision = ["DESIGN", "D"].join(" ");
    for (number, line) in source.text.lines().enumerate() {
        let is_decision = line
            .split(&decision)
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if line.contains(&gone) || is_decision {
            let place = format!("{}:{}", source.path, number + 1);
            found.push(format!("{place}: cites what is not here; ARCHITECTURE.md says what holds"));
        }
    }
}
