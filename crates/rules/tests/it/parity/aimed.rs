//! Documents made by hand for checks that no change by rule reaches: of a document of the corpora,
//! some texts are replaced.

use std::collections::BTreeMap;

use quoin_rules::releases::RULE_SETS;
use quoin_testing::shared;
use quoin_xml::tree::{Document, Limits};

use super::tally::{Judge, Tally, name};

/// Set, rule, `fires` or `keeps`, document, and texts with what replaces them.
struct Row {
    set: &'static str,
    rule: &'static str,
    fires: bool,
    document: &'static str,
    changes: Vec<&'static str>,
}

fn rows() -> impl Iterator<Item = Row> {
    let lines = include_str!("aimed.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_else(|| panic!("four cells and pairs: {line}"));
        let (set, rule, does, document) = (next(), next(), next(), next());
        let changes: Vec<&str> = cells.collect();
        assert!(["fires", "keeps"].contains(&does) && changes.len().is_multiple_of(2), "{line}");
        Row { set, rule, fires: does == "fires", document, changes }
    })
}

impl Row {
    /// The document with its changes, each of which there is something to make of.
    fn text(&self) -> Option<String> {
        let path = shared(&format!("corpora/{}", self.document))?;
        let mut text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        for pair in self.changes.chunks_exact(2) {
            assert!(text.contains(pair[0]), "{} has no {}", self.document, pair[0]);
            text = text.replace(pair[0], pair[1]);
        }
        Some(text)
    }
}

/// The documents for the checks of a set.
pub fn documents(judge: &Judge) -> Vec<(String, String)> {
    let own = rows().filter(|row| row.set == judge.set.id);
    own.filter_map(|row| Some((format!("made for {}", row.rule), row.text()?))).collect()
}

#[test]
fn each_document_does_what_it_is_made_for_on_both_sides() {
    let mut judges: BTreeMap<&str, Judge> = BTreeMap::new();
    for row in rows() {
        let Some(text) = row.text() else { return };
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        for set in RULE_SETS.iter().filter(|set| set.id == row.set) {
            if !judges.contains_key(set.coordinate) {
                let Some(judge) = Judge::new(set) else { continue };
                judges.insert(set.coordinate, judge);
            }
            let (judge, mut tally) = (&judges[set.coordinate], Tally::default());
            judge.compare(row.rule, &document, &mut tally);
            let done = if row.fires { &tally.fired } else { &tally.held };
            let is_done = done.iter().any(|number| name(&judge.checks[*number]) == row.rule);
            let Row { rule, fires, document, .. } = &row;
            assert!(is_done, "{} {rule}: fires is not {fires} in {document}", set.coordinate);
            assert!(tally.differences.is_empty(), "{rule}: {:#?}", tally.differences);
        }
    }
}
