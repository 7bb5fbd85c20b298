//! Every built-in set against its official file: on documents of the corpora, and on changes aimed
//! at each check. `cargo xtask parity` does all of it and writes `docs/reference/parity.md`; the
//! test does a part, and holds the page against the sets.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use quoin_document::rules::{RULE_SETS, RuleSet};
use quoin_testing::shared;
use quoin_xml::schematron::testset::TestSet;
use quoin_xml::tree::{Document, Limits};

use super::aim::Aim;
use super::edits::{Numbers, changed, mutant};
use super::sheet::{Sheet, reason};
use super::tally::{Judge, Tally, name};
use super::{aimed, files, official};

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
    for (name, text) in aimed::documents(judge) {
        try_one(judge, &name, &text, &mut tally);
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

/// Runs the sets that have an official file here, and tells what each came to.
fn all(
    effort: Effort,
    wanted: &(dyn Fn(&RuleSet) -> bool + Sync),
    done: &(dyn Fn(&Judge, &Tally) + Sync),
) {
    let Some(corpus) = Corpus::read() else { return };
    let queue = Mutex::new(RULE_SETS.iter().filter(|set| wanted(set)));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(set) = next else { return };
                    let Some(judge) = Judge::new(set) else { continue };
                    let tally = run(&judge, &corpus, effort);
                    println!("{}: {} documents", set.coordinate, tally.documents);
                    done(&judge, &tally);
                }
            });
        }
    });
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/parity.md")
}

#[test]
fn the_page_tells_how_equal_the_rules_are() {
    let sheet = Sheet::read(&std::fs::read_to_string(path()).unwrap_or_default());
    if let Ok(asked) = std::env::var("QUOIN_PARITY") {
        let is_asked = |set: &RuleSet| asked == "all" || set.coordinate.contains(&asked);
        let kept = Mutex::new(sheet);
        all(WHOLE, &is_asked, &|judge, tally| {
            let mut sheet = kept.lock().unwrap();
            sheet.take(judge, tally);
            std::fs::write(path(), sheet.text()).unwrap();
            for (what, (_, example)) in &tally.differences {
                println!("{what:?}: {example}");
            }
        });
        return;
    }
    all(DAILY, &|set| sheet.has(set), &|judge, tally| {
        let set = judge.set;
        assert_eq!(sheet.checks(set), Some(judge.checks.len()), "{}", set.coordinate);
        for ((rule, kind), (_, example)) in &tally.differences {
            let told = sheet.tells(set, rule) || reason(set, rule, *kind).is_some();
            assert!(told, "{}: {rule} {kind:?}: {example}", set.coordinate);
        }
    });
    assert!(sheet.len() >= 4, "{} sets on the page", sheet.len());
}
