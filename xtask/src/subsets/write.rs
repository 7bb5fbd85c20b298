//! Writes what was read: a table of patterns for each rule set, the list of the sets, the list of
//! the rules to write by hand, and a summary.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::notation::{Path as Place, Test};
use super::{Output, Pattern, Set, sources};
use crate::codes::MARK;

const FOLDER: &str = "crates/rules/src/subset";

/// Every file, by its path from the root of the checkout.
pub fn files(sets: &[Set]) -> Output {
    let mut patterns: Vec<(String, &Pattern)> = Vec::new();
    let mut tables: BTreeMap<&str, String> = BTreeMap::new();
    let mut rows = String::new();
    for set in sets {
        let mut names = Vec::new();
        for pattern in &set.patterns {
            let known = patterns.iter().find(|(_, known)| *known == pattern);
            names.push(known.map(|(name, _)| name.clone()).unwrap_or_else(|| {
                let own = patterns.iter().filter(|(name, _)| is_of(name, &set.source.id)).count();
                let name = format!("{}/{}", set.source.id, own + 1);
                patterns.push((name.clone(), pattern));
                let table = tables.entry(&set.source.id).or_insert_with(head);
                write_pattern(table, &name, pattern);
                name
            }));
        }
        let _ = writeln!(
            rows,
            "    SetFacts {{ id: {:?}, release: {:?}, patterns: &{names:?} }},",
            set.source.id, set.source.release
        );
    }
    let mut files: BTreeMap<String, String> = tables
        .iter()
        .map(|(id, text)| (format!("{FOLDER}/tables/{id}.txt"), text.clone()))
        .collect();
    files.insert(format!("{FOLDER}/sets.rs"), sets_file(&tables, &rows));
    files.insert("docs/reference/rules-by-hand.tsv".to_owned(), by_hand(sets));
    Output { files, summary: summary(sets) }
}

fn is_of(name: &str, set: &str) -> bool {
    name.rsplit_once('/').is_some_and(|(own, _)| own == set)
}

fn head() -> String {
    MARK.replace("//", "#")
}

fn sets_file(tables: &BTreeMap<&str, String>, rows: &str) -> String {
    let mut out = format!(
        "{MARK}//! The rule sets whose structure rules are tables, and where their patterns are.\n\n\
         use super::SetFacts;\n\n"
    );
    let _ = writeln!(out, "/// The prefixes of the tables and their namespaces.");
    let _ = writeln!(out, "#[rustfmt::skip]");
    let _ = writeln!(out, "pub(super) static PREFIXES: &[(&str, &str)] = &[");
    for (prefix, namespace) in sources::namespaces() {
        let _ = writeln!(out, "    ({prefix:?}, {namespace:?}),");
    }
    let _ = writeln!(out, "];\n\n/// The tables of patterns.\n#[rustfmt::skip]");
    let _ = writeln!(out, "pub(super) static TABLES: &[(&str, &str)] = &[");
    for id in tables.keys() {
        let _ = writeln!(out, "    ({id:?}, include_str!(\"tables/{id}.txt\")),");
    }
    let _ = writeln!(out, "];\n\n/// The rule sets, a row for each release.\n#[rustfmt::skip]");
    let _ = writeln!(out, "pub(super) static SETS: &[SetFacts] = &[\n{rows}];");
    out
}

fn write_pattern(out: &mut String, name: &str, pattern: &Pattern) {
    let _ = writeln!(out, "= {name}");
    let mut before: Option<&Place> = None;
    for rule in &pattern.rules {
        let places: Vec<String> = match rule.context.as_slice() {
            [place] => {
                let text = shortened(place, before);
                before = Some(place);
                vec![text]
            }
            places => places.iter().map(ToString::to_string).collect(),
        };
        let _ = writeln!(out, "@ {}", places.join(" | "));
        for row in &rule.rows {
            let test = row.test.as_ref().map_or("(hand)".to_owned(), ToString::to_string);
            let _ = writeln!(out, "{} {} {test}", row.flag, row.id);
        }
    }
}

/// A place, with `^n` for its first n steps where they are those of the place before.
fn shortened(place: &Place, before: Option<&Place>) -> String {
    let same = before.filter(|before| before.from_root == place.from_root).map_or(0, |before| {
        place.steps.iter().zip(&before.steps).take_while(|(own, other)| own == other).count()
    });
    // The last step is always written, and one step is not worth the sign.
    let same = same.min(place.steps.len().saturating_sub(1));
    if same < 2 {
        return place.to_string();
    }
    let rest = Place { from_root: true, steps: place.steps[same..].to_vec() };
    format!("^{same}{rest}")
}

/// Set, releases, rule, flag, place and why, once for all releases that agree.
fn by_hand(sets: &[Set]) -> String {
    let mut rows: Vec<([String; 5], Vec<String>)> = Vec::new();
    let mut add =
        |key: [String; 5], release: &str| match rows.iter_mut().find(|(known, _)| *known == key) {
            Some((_, releases)) if releases.iter().any(|known| known == release) => {}
            Some((_, releases)) => releases.push(release.to_owned()),
            None => rows.push((key, vec![release.to_owned()])),
        };
    for set in sets {
        let id = set.source.id.clone();
        for rule in set.patterns.iter().flat_map(|pattern| &pattern.rules) {
            let places: Vec<String> = rule.context.iter().map(ToString::to_string).collect();
            for row in rule.rows.iter().filter(|row| row.test.is_none()) {
                let (row_id, flag, place) =
                    (row.id.clone(), row.flag.to_string(), places.join(" | "));
                add([id.clone(), row_id, flag, "test".to_owned(), place], &set.source.release);
            }
        }
        for lost in &set.lost {
            let place = lost.context.split_whitespace().collect::<Vec<_>>().join(" ");
            let (row_id, flag) = (lost.id.clone(), lost.flag.to_string());
            add([id.clone(), row_id, flag, lost.why.to_owned(), place], &set.source.release);
        }
    }
    let mut out = "set\treleases\trule\tflag\tnot a table because of\tplace\n".to_owned();
    for ([set, rule, flag, why, place], releases) in rows {
        let releases = releases.join(",");
        let _ = writeln!(out, "{set}\t{releases}\t{rule}\t{flag}\t{why}\t{place}");
    }
    out
}

/// Rows by kind for each set, and what is left.
fn summary(sets: &[Set]) -> String {
    let mut out = String::new();
    for set in sets {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let rows = set.patterns.iter().flat_map(|pattern| &pattern.rules).flat_map(|r| &r.rows);
        for row in rows {
            *kinds.entry(row.test.as_ref().map_or("~ by hand", Test::kind)).or_default() += 1;
        }
        let hand = kinds.remove("~ by hand").unwrap_or_default();
        let total: usize = kinds.values().sum();
        let kinds: Vec<String> =
            kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let _ = writeln!(
            out,
            "{} {}: {total} rows ({}); by hand {hand} with a place, {} without",
            set.source.id,
            set.source.release,
            kinds.join(", "),
            set.lost.len()
        );
    }
    out
}
