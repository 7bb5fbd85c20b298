//! Every built-in set against its official file: on documents of the corpora, and on changes aimed
//! at each check. `cargo xtask parity` does all of it and writes `docs/reference/parity.md`; the
//! test does a part, and holds the page against the sets.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;

use quoin_document::rules::{RULE_SETS, RuleSet};
use quoin_testing::shared;
use quoin_xml::schematron::testset::TestSet;
use quoin_xml::tree::{Document, Limits};

use super::aim::Aim;
use super::edits::{Numbers, changed, mutant};
use super::tally::{Judge, Kind, Tally, name};
use super::{files, official};

/// Bytes of a document that is changed.
const CHANGED: usize = 40_000;

/// How much is done.
#[derive(Clone, Copy)]
struct Effort {
    /// Documents of the corpora; every so many.
    every: usize,
    /// Checks that are aimed at; every so many.
    checks: usize,
    /// Changes for one check at most.
    changes: usize,
    /// Changes of several kinds at once for one check.
    combined: u64,
    /// Seeded changes of any kind.
    seeded: u64,
}

const WHOLE: Effort = Effort { every: 1, checks: 1, changes: 120, combined: 60, seeded: 400 };
const DAILY: Effort = Effort { every: 83, checks: 97, changes: 8, combined: 2, seeded: 5 };

/// The documents at hand: name, bytes, local name of the document element.
struct Corpus(Vec<(String, Vec<u8>, String)>);

impl Corpus {
    fn read() -> Option<Corpus> {
        let folder = shared("corpora")?;
        let mut all = Vec::new();
        let mut add = |name: &str, bytes: Vec<u8>| {
            if let Ok(document) = Document::parse(&bytes, &Limits::default()) {
                all.push((name.to_owned(), bytes, document.root().local().to_owned()));
            }
        };
        for file in files(&folder) {
            let bytes = std::fs::read(&file).unwrap();
            let name = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
            match TestSet::read(&bytes) {
                Ok(Some(tests)) => tests.tests.iter().for_each(|test| {
                    let text = test.document.source().as_bytes().to_vec();
                    add(&format!("{name}#{}", test.name), text);
                }),
                _ => add(&name, bytes),
            }
        }
        Some(Corpus(all))
    }
}

/// Runs one set.
fn run(judge: &Judge, corpus: &Corpus, effort: Effort) -> Tally {
    let mut tally = Tally::default();
    let roots = official::roots(judge.set);
    let fits = |own: &&(String, Vec<u8>, String)| roots.contains(&own.2.as_str());
    let documents: Vec<_> = corpus.0.iter().filter(fits).step_by(effort.every).collect();
    // The smallest document to which the checks of a context apply.
    let mut bases: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, (name, bytes, _)) in documents.iter().enumerate() {
        let Ok(document) = Document::parse(bytes, &Limits::default()) else { continue };
        for context in judge.compare(name, &document, &mut tally) {
            let base = bases.entry(context).or_insert((bytes.len(), at));
            *base = (*base).min((bytes.len(), at));
        }
    }
    let general = documents.iter().filter(|own| own.1.len() > 3_000).min_by_key(|own| own.1.len());
    for (number, check) in judge.checks.iter().enumerate().step_by(effort.checks) {
        let base = bases.get(&check.context).filter(|base| base.0 < CHANGED);
        let base = base.and_then(|(_, at)| documents.get(*at)).or(general);
        if let Some((_, bytes, _)) = base {
            let general = general.map(|own| own.1.as_slice());
            aim(judge, number, (bytes, general), effort, &mut tally);
        }
    }
    for seed in 0..effort.seeded.min(documents.len() as u64 * 20) {
        let (name, bytes, _) = documents[seed as usize * 7919 % documents.len()];
        if bytes.len() < CHANGED
            && let Some(text) = mutant(bytes, seed)
        {
            try_one(judge, &format!("{name} seed {seed}"), &text, &mut tally);
        }
    }
    tally
}

fn try_one(judge: &Judge, name: &str, text: &str, tally: &mut Tally) {
    if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
        judge.compare(name, &document, tally);
    }
}

/// Changes documents until a check has fired and has been kept.
fn aim(
    judge: &Judge,
    number: usize,
    (base, general): (&[u8], Option<&[u8]>),
    effort: Effort,
    tally: &mut Tally,
) {
    let done = |tally: &Tally| tally.fired.contains(&number) && tally.held.contains(&number);
    if done(tally) || judge.checks[number].test.trim() == "true()" {
        return;
    }
    let check = &judge.checks[number];
    let (aim, what) = (Aim::of(check), format!("aimed at {}", name(check)));
    let parse = |text: &[u8]| Document::parse(text, &Limits::default()).ok();
    let Some(first) = parse(base) else { return };
    let added = general.and_then(parse).unwrap_or_else(|| parse(base).expect("it was read"));
    let added = aim.with_context(&added, &judge.prefixes);
    added.iter().for_each(|text| try_one(judge, &what, text, tally));
    let others = added.iter().filter_map(|text| parse(text.as_bytes())).take(3);
    for document in std::iter::once(first).chain(others) {
        let changes = aim.changes(&document, &judge.prefixes);
        for change in changes.iter().take(effort.changes) {
            if done(tally) {
                return;
            }
            try_one(judge, &what, &changed(&document, std::slice::from_ref(change)), tally);
        }
        if changes.is_empty() {
            continue;
        }
        let mut numbers = Numbers(number as u64);
        for _ in 0..effort.combined {
            if done(tally) {
                return;
            }
            let some = |numbers: &mut Numbers| changes[numbers.below(changes.len())].clone();
            let several: Vec<_> = (0..2 + numbers.below(2)).map(|_| some(&mut numbers)).collect();
            try_one(judge, &what, &changed(&document, &several), tally);
        }
    }
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

fn reason(set: &RuleSet, rule: &str, kind: Kind) -> Option<&'static str> {
    let all = reasons();
    let own = all.iter().find(|(id, own, _)| (*id == "*" || *id == set.id) && *own == rule);
    let computes = "XPath leaves the order of conditions open, and with it whether an error is \
                    met before an answer.";
    own.map(|row| row.2).or((kind == Kind::Computes).then_some(computes))
}

/// The sets that have an official file here, each with what it came to.
fn all(effort: Effort, wanted: &(dyn Fn(&RuleSet) -> bool + Sync)) -> Vec<(usize, Judge, Tally)> {
    let Some(corpus) = Corpus::read() else { return Vec::new() };
    let sets = RULE_SETS.iter().enumerate().filter(|(_, set)| wanted(set));
    let (queue, done) = (Mutex::new(sets), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((at, set)) = next else { return };
                    let Some(judge) = Judge::new(set) else { continue };
                    let tally = run(&judge, &corpus, effort);
                    println!("{}: {} documents", set.coordinate, tally.documents);
                    done.lock().unwrap().push((at, judge, tally));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, ..)| *at);
    done
}

const HEAD: &str = "\
# Parity

The built-in rules and the official rule files judge the same documents: the ones of the visible
corpora, changes aimed at each official check (what it names is removed, added, emptied, doubled,
given other values) and seeded changes of any kind. `cargo xtask parity` runs this and writes the
page; a test runs a part of it every time.

*Checks* are the official assertions; *fired* and *kept* count those that were broken, and that
were kept where they apply, in at least one document. The *verdict* is whether a document is
refused. The fatal rules of a document on which a test cannot be computed are not compared beyond
that: an XPath processor ends there, and the published validators give no list; both sides have to
say so.
";

fn percent(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn page(all: &[(usize, Judge, Tally)]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(
        "\n| set | checks | fired | kept | documents | same verdict | same fatal rules |\n",
    );
    text.push_str("|---|--:|--:|--:|--:|--:|--:|\n");
    for (_, judge, tally) in all {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            judge.set.coordinate,
            judge.checks.len(),
            tally.fired.len(),
            tally.held.len(),
            tally.documents,
            percent(tally.same_verdict, tally.documents),
            percent(tally.same_fatal, tally.documents),
        );
    }
    text.push_str("\n## Differences that remain\n");
    for (_, judge, tally) in all.iter().filter(|(.., tally)| !tally.differences.is_empty()) {
        let _ = writeln!(text, "\n`{}`\n", judge.set.coordinate);
        for ((rule, kind), (count, example)) in &tally.differences {
            let what = match kind {
                Kind::Fires => "fires",
                Kind::IsQuiet => "is quiet",
                Kind::Computes => "is computed by one side alone",
                Kind::Weighs => "has another weight",
            };
            let why = reason(judge.set, rule, *kind);
            let why = why.map_or_else(|| format!("Open: {example}."), str::to_owned);
            let _ = writeln!(text, "- {rule} {what} at {count} elements. {why}");
        }
    }
    text.push_str("\n## Checks that never fired\n");
    for (_, judge, tally) in all {
        let missing = |has: &BTreeSet<usize>| {
            let numbers = (0..judge.checks.len()).filter(|number| !has.contains(number));
            let names: BTreeSet<String> = numbers.map(|at| name(&judge.checks[at])).collect();
            names.into_iter().collect::<Vec<_>>().join(", ")
        };
        let (fired, held) = (missing(&tally.fired), missing(&tally.held));
        if !fired.is_empty() {
            let _ = writeln!(text, "\n`{}`: {fired}.", judge.set.coordinate);
        }
        if !held.is_empty() {
            let _ = writeln!(text, "\n`{}`, never kept: {held}.", judge.set.coordinate);
        }
    }
    text
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/parity.md")
}

/// The rows of the page: coordinate and number of checks.
fn rows(page: &str) -> BTreeMap<&str, &str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    rows.map(|(set, rest)| (set, rest.split(' ').next().unwrap_or_default())).collect()
}

#[test]
fn the_page_tells_how_equal_the_rules_are() {
    let asked = std::env::var("QUOIN_PARITY").ok();
    if let Some(asked) = asked {
        let all = all(WHOLE, &|set| asked == "all" || set.coordinate.contains(&asked));
        let page = page(&all);
        match asked.as_str() {
            "all" => std::fs::write(path(), page).unwrap(),
            _ => {
                println!("{page}");
                let found = all.iter().flat_map(|(.., tally)| &tally.differences);
                found.for_each(|(what, (_, example))| println!("{what:?}: {example}"));
            }
        }
        return;
    }
    let page = std::fs::read_to_string(path()).unwrap();
    let rows = rows(&page);
    for (_, judge, tally) in all(DAILY, &|set| rows.contains_key(set.coordinate)) {
        let (set, checks) = (judge.set, judge.checks.len().to_string());
        assert_eq!(rows.get(set.coordinate), Some(&checks.as_str()), "{}", set.coordinate);
        for ((rule, kind), (_, example)) in &tally.differences {
            let told = page.contains(&format!("- {rule} "));
            assert!(told || reason(set, rule, *kind).is_some(), "{rule} {kind:?}: {example}");
        }
    }
    assert!(rows.len() >= 4, "{} sets on the page", rows.len());
}
