//! Every built-in set against its official file: on documents of the corpora, and on changes aimed
//! at each check. `cargo xtask parity` does all of it and writes `docs/reference/parity.md`; the
//! test does a part, and holds the page against the sets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

use quoin_rules::releases::RULE_SETS;
use quoin_rules::rules::RuleSet;
use quoin_testing::shared;
use quoin_xml::schematron::testset::TestSet;
use quoin_xml::tree::{Document, Limits};

use super::aim::Aim;
use super::edits::{Edit, Numbers, changed, mutant};
use super::peppol::cii;
use super::peppol::countries::{self, COUNTRIES};
use super::postaward::NUMBERS;
use super::sheet::{Sheet, reason};
use super::tally::{Judge, Tally, name};
use super::unreached::{self, Never};
use super::wide::Pool;
use super::{aimed, files, official, pint};

/// Bytes of a document that is changed.
const CHANGED: usize = 40_000;
/// Bytes from which on a document is more than a fragment.
const WHOLE_FROM: usize = 3_000;

/// A document: name, bytes, local name of the document element.
type Known = (String, Vec<u8>, String);

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
    /// Seeded changes with parts and values of other documents.
    wide: u64,
}

const WHOLE: Effort =
    Effort { every: 1, checks: 1, changes: 120, combined: 60, seeded: 400, wide: 1_500 };
const DAILY: Effort =
    Effort { every: 83, checks: 97, changes: 8, combined: 2, seeded: 5, wide: 10 };

/// The documents at hand.
struct Corpus(Vec<Known>);

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
    let fits = |own: &&Known| roots.contains(&own.2.as_str());
    let documents: Vec<_> = corpus.0.iter().filter(fits).step_by(effort.every).collect();
    let home = official::home(judge.set).unwrap_or_default();
    // The smallest document to which the checks of a context apply, and the smallest one that comes
    // with the rules and is more than a fragment.
    let mut bases: BTreeMap<String, [Option<&Known>; 2]> = BTreeMap::new();
    for &own in &documents {
        let (name, bytes, _) = own;
        let Ok(document) = Document::parse(bytes, &Limits::default()) else { continue };
        let is_whole = bytes.len() > WHOLE_FROM && name.starts_with(&home);
        for context in judge.compare(name, &document, &mut tally) {
            let [any, whole] = bases.entry(context).or_default();
            for base in std::iter::once(any).chain(is_whole.then_some(whole)) {
                let is_smaller = base.is_none_or(|known| bytes.len() < known.1.len());
                *base = if is_smaller { Some(own) } else { *base };
            }
        }
    }
    for (name, text) in aimed::documents(judge) {
        try_one(judge, &name, &text, &mut tally);
    }
    let whole = |own: &&&Known| own.1.len() > WHOLE_FROM;
    let smallest = |home: &str| {
        let own = documents.iter().filter(whole).filter(|own| own.0.starts_with(home));
        own.min_by_key(|own| own.1.len()).copied()
    };
    let largest = || documents.iter().max_by_key(|own| own.1.len()).copied();
    let general = smallest(&home).or_else(|| smallest("")).or_else(largest);
    for (number, check) in judge.checks.iter().enumerate().step_by(effort.checks) {
        let known = bases.get(&check.context).copied().unwrap_or_default();
        let abroad = general.and_then(|own| in_country(&name(check), own));
        let all = known.into_iter().chain([abroad.as_ref(), general]);
        let mut own: Vec<&Known> = all.flatten().collect();
        own.retain(|own| own.1.len() < CHANGED);
        own.dedup_by_key(|own| &own.0);
        aim(judge, number, &own, effort, &mut tally);
    }
    if let Some(general) = general.filter(|_| effort.checks == 1) {
        identified(judge, general, &mut tally);
    }
    for seed in 0..effort.seeded.min(documents.len() as u64 * 20) {
        let (name, bytes, _) = documents[seed as usize * 7919 % documents.len()];
        if bytes.len() < CHANGED
            && let Some(text) = mutant(bytes, seed)
        {
            try_one(judge, &format!("{name} seed {seed}"), &text, &mut tally);
        }
    }
    widely(judge, (&documents, &home), effort, &mut tally);
    tally
}

/// A document for parties of the country whose rule it is, `NL-R-001`.
fn in_country(rule: &str, (name, bytes, root): &Known) -> Option<Known> {
    let rule = rule.strip_prefix("BR-").unwrap_or(rule);
    let is_of = |code| rule.strip_prefix(code).is_some_and(|rest: &str| rest.starts_with('-'));
    let country = COUNTRIES.iter().find(|own| is_of(own.code))?;
    let text = String::from_utf8_lossy(bytes);
    let moved = if root == "CrossIndustryInvoice" { cii::moved } else { countries::moved };
    let name = format!("{name} in {}", country.code);
    Some((name, moved(&text, country).into_bytes(), root.clone()))
}

/// Tries numbers of each scheme, right and wrong, in elements that have the number of a scheme.
fn identified(judge: &Judge, (name, bytes, _): &Known, tally: &mut Tally) {
    let Ok(document) = Document::parse(bytes, &Limits::default()) else { return };
    let mut seen = BTreeSet::new();
    for element in document.root().descendants() {
        let above = element.parent().map(|up| up.local());
        if element.attribute("schemeID").is_none() || !seen.insert((above, element.local())) {
            continue;
        }
        for (scheme, numbers) in NUMBERS {
            for number in *numbers {
                let scheme = Edit::Attribute("schemeID".into(), Some((*scheme).into()));
                let edits = [scheme, Edit::Text((*number).into())];
                let text = changed(&document, &edits.map(|edit| (element.id(), edit)));
                try_one(judge, &format!("{name} with {number}"), &text, tally);
            }
        }
    }
}

/// Tries seeded changes with parts and values of other documents: those of the effort, or as many
/// as `QUOIN_WIDE` asks for from the seed `QUOIN_SEED` on.
fn widely(judge: &Judge, (documents, home): (&[&Known], &str), effort: Effort, tally: &mut Tally) {
    let asked = |name| std::env::var(name).ok().and_then(|count| count.parse().ok());
    let (count, first) = (asked("QUOIN_WIDE").unwrap_or(effort.wide), asked("QUOIN_SEED"));
    let small: Vec<_> = documents.iter().filter(|own| own.1.len() < CHANGED).collect();
    if count == 0 || small.is_empty() {
        return;
    }
    let mut pool = Pool::default();
    for (_, bytes, _) in small.iter().step_by(small.len().div_ceil(300)) {
        Document::parse(bytes, &Limits::default()).iter().for_each(|own| pool.take(own));
    }
    for check in &judge.checks {
        Aim::of(check).values(|name, value| pool.value(name, value));
    }
    // Every other one is a document that comes with the rules.
    let at_home: Vec<_> = small.iter().filter(|own| own.0.starts_with(home)).collect();
    let own: Vec<_> = at_home.iter().map(|own| (own.0.clone(), own.1.clone())).collect();
    let set = judge.set.id;
    pint::tuned(set, &own, count, &mut |name, text| try_one(judge, &name, &text, tally));
    let first = first.unwrap_or_default();
    for seed in first..first + count {
        let mut numbers = Numbers(seed);
        let (name, bytes, _) = match seed % 2 == 0 && !at_home.is_empty() {
            true => at_home[numbers.below(at_home.len())],
            false => small[numbers.below(small.len())],
        };
        if let Some(text) = pool.mutant(bytes, seed) {
            try_one(judge, &format!("{name} wide seed {seed}"), &text, tally);
        }
    }
}

/// Judges a document, if it is one; the first with a difference is kept in the folder that
/// `QUOIN_KEEP` names.
fn try_one(judge: &Judge, name: &str, text: &str, tally: &mut Tally) {
    if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
        let known = tally.differences.len();
        judge.compare(name, &document, tally);
        if let Ok(folder) = std::env::var("QUOIN_KEEP")
            && tally.differences.len() > known
        {
            let file = format!("{} {name}.xml", judge.set.coordinate).replace(['/', ':'], "_");
            std::fs::write(Path::new(&folder).join(file), text).unwrap();
        }
    }
}

/// Changes documents until a check has fired and has been kept.
fn aim(judge: &Judge, number: usize, bases: &[&Known], effort: Effort, tally: &mut Tally) {
    let never = |what| unreached::reason(judge, tally, number, what).is_some();
    let (no_fire, no_hold) = (never(Never::Fired), never(Never::Kept));
    let done = |tally: &Tally| {
        (no_fire || tally.fired.contains(&number)) && (no_hold || tally.held.contains(&number))
    };
    if done(tally) {
        return;
    }
    let check = &judge.checks[number];
    let (aim, what) = (Aim::of(check), format!("aimed at {}", name(check)));
    let parse = |text: &[u8]| Document::parse(text, &Limits::default()).ok();
    let mut documents: Vec<Document> = bases.iter().filter_map(|own| parse(&own.1)).collect();
    let Some(general) = documents.last() else { return };
    let added = aim.with_context(general, &judge.prefixes);
    added.iter().for_each(|text| try_one(judge, &what, text, tally));
    documents.extend(added.iter().filter_map(|text| parse(text.as_bytes())).take(3));
    for document in documents {
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
