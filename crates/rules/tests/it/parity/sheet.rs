//! The page `docs/reference/parity.md`: a row and a section for each set.

use std::collections::BTreeMap;
use std::fmt::Write;

use quoin_rules::releases::RULE_SETS;
use quoin_rules::rules::RuleSet;

use super::tally::{Judge, Kind, Tally};
use super::unreached::{Never, by_reason};

const HEAD: &str = "\
# Parity

The built-in rules and the official rule files judge the same documents: the ones of the visible
corpora, changes aimed at each official check (what it names is removed, added, emptied, doubled,
given other values), seeded changes of any kind, and seeded changes with parts and values of other
documents, values at the edge of what is a number, a date or a code, and other forms of the same
XML. `cargo xtask parity` runs this and writes the page, `cargo xtask parity PART` runs the sets of
a name and writes theirs anew; `QUOIN_WIDE=20000 QUOIN_SEED=5000` makes so many of the last kind,
from that seed on, and `QUOIN_KEEP=FOLDER` keeps the first document of each difference. A test runs
a part of it every time.

*Checks* are the official assertions; *fired* and *kept* count those that were broken, and that
were kept where they apply, in at least one document; what no document can do is told with the
reason. The *verdict* is whether a document is
refused. The fatal rules of a document on which a test cannot be computed are not compared beyond
that: an XPath processor ends there, and the published validators give no list; both sides have to
say so. The Peppol envelope is not here: no official file judges it; nor is EN 16931 1.3.15 in CII,
whose file is not among the official ones here.

| set | checks | fired | kept | documents | same verdict | same fatal rules |
|---|--:|--:|--:|--:|--:|--:|
";

/// What the page has: of each set, by its coordinate, the row and the section.
#[derive(Default)]
pub struct Sheet(BTreeMap<String, (String, String)>);

impl Sheet {
    pub fn read(page: &str) -> Sheet {
        let rows = page.lines().filter_map(|line| {
            let (set, _) = line.strip_prefix("| `")?.split_once("` | ")?;
            Some((set.to_owned(), (format!("{line}\n"), String::new())))
        });
        let mut sheet = Sheet(rows.collect());
        for section in page.split("\n## `").skip(1) {
            let (set, text) = section.split_once("`\n").unwrap_or((section, ""));
            if let Some((_, own)) = sheet.0.get_mut(set) {
                *own = text.to_owned();
            }
        }
        sheet
    }

    /// The page: its sets in their order, without those that there are no more.
    pub fn text(&self) -> String {
        let sets = || {
            let known = RULE_SETS.iter().map(|set| set.coordinate);
            known.filter_map(|set| Some((set, self.0.get(set)?)))
        };
        let mut text = HEAD.to_owned();
        sets().for_each(|(_, (row, _))| text.push_str(row));
        for (set, (_, section)) in sets().filter(|(_, (_, section))| !section.is_empty()) {
            let _ = write!(text, "\n## `{set}`\n{section}");
        }
        text
    }

    /// Whether a set is there.
    pub fn has(&self, set: &RuleSet) -> bool {
        self.0.contains_key(set.coordinate)
    }

    /// How many sets are there.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How many checks of a set are told.
    pub fn checks(&self, set: &RuleSet) -> Option<usize> {
        let (row, _) = self.0.get(set.coordinate)?;
        row.split('|').nth(2)?.trim().parse().ok()
    }

    /// Whether it is told that a rule of a set differs.
    pub fn tells(&self, set: &RuleSet, rule: &str) -> bool {
        let told = format!("- {rule} ");
        self.0.get(set.coordinate).is_some_and(|(_, section)| section.contains(&told))
    }

    /// Takes what a set came to.
    pub fn take(&mut self, judge: &Judge, tally: &Tally) {
        let set = judge.set.coordinate;
        let row = format!(
            "| `{set}` | {} | {} | {} | {} | {} | {} |\n",
            judge.checks.len(),
            tally.fired.len(),
            tally.held.len(),
            tally.documents,
            percent(tally.same_verdict, tally.documents),
            percent(tally.same_fatal, tally.documents),
        );
        self.0.insert(set.to_owned(), (row, section(judge, tally)));
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn section(judge: &Judge, tally: &Tally) -> String {
    let mut text = String::new();
    for ((rule, kind), (count, example)) in &tally.differences {
        let what = match kind {
            Kind::Fires => "fires",
            Kind::IsQuiet => "is quiet",
            Kind::Computes => "is computed by one side alone",
            Kind::Weighs => "has another weight",
        };
        let why = reason(judge.set, rule, *kind);
        let why = why.map_or_else(|| format!("Open: {example}."), str::to_owned);
        let lead = if text.is_empty() { "\n" } else { "" };
        let _ = writeln!(text, "{lead}- {rule} {what} at {count} elements. {why}");
    }
    for (never, open, closed) in [
        (Never::Fired, "Never fired", "Cannot fire"),
        (Never::Kept, "Never kept", "Cannot be kept"),
    ] {
        for (why, names) in by_reason(judge, tally, never) {
            let _ = match why {
                Some(why) => writeln!(text, "\n{closed}, because {why}: {names}."),
                None => writeln!(text, "\n{open}: {names}."),
            };
        }
    }
    text
}

/// What is known about the differences that remain: set or `*`, rule, reason.
fn reasons() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = include_str!("reasons.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?))
    };
    lines.map(|line| row(line).unwrap_or_else(|| panic!("three cells: {line}"))).collect()
}

/// Why a rule differs, where that is known.
pub fn reason(set: &RuleSet, rule: &str, kind: Kind) -> Option<&'static str> {
    let all = reasons();
    let own = all.iter().find(|(id, own, _)| (*id == "*" || *id == set.id) && *own == rule);
    let computes = "XPath leaves the order of conditions open, and with it whether an error is \
                    met before an answer.";
    own.map(|row| row.2).or((kind == Kind::Computes).then_some(computes))
}

#[test]
fn a_page_comes_back() {
    let set = RULE_SETS[0].coordinate;
    let text = format!("{HEAD}| `{set}` | 7 | 6 | 5 | 4 | 3 | 2 |\n\n## `{set}`\n\n- R-1 fires\n");
    let sheet = Sheet::read(&text);
    assert_eq!(sheet.text(), text);
    assert_eq!((sheet.checks(&RULE_SETS[0]), sheet.len()), (Some(7), 1));
    assert!(sheet.tells(&RULE_SETS[0], "R-1") && !sheet.tells(&RULE_SETS[0], "R"));
}
