//! Both verdicts on a document, and what they come to over many.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quoin_model::Flag;
use quoin_rules::rules::{Facts, RuleSet};
use quoin_testing::shared;
use quoin_xml::schematron::{
    Cause, FileResolver, PhaseChoice, RunOptions, SchematronCheck, SchematronSchema,
};
use quoin_xml::tree::Document;

use super::Folder;
use super::aim::Prefixes;

/// The day for which rules that ask for one are judged.
const DAY: jiff::civil::Date = jiff::civil::date(2026, 11, 21);

/// A built-in set and the official files with the same rules.
pub struct Judge {
    pub set: &'static RuleSet,
    schemas: Vec<SchematronSchema>,
    pub prefixes: Prefixes,
    /// The checks of the official files that are the set's, by context, identifier and test; an
    /// official file may repeat those of another set.
    numbers: HashMap<(String, String, String), usize>,
    pub checks: Vec<SchematronCheck>,
}

/// What one side says about a rule at an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    Information,
    Fatal,
    /// It could not be computed, which ends a run.
    Failed,
}

type Verdicts = BTreeMap<(String, String), Said>;

/// How the built-in rules differ from the official ones at an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Fires,
    IsQuiet,
    /// One side could not compute what the other one did.
    Computes,
    /// Another weight.
    Weighs,
}

/// What a set came to.
#[derive(Debug, Default)]
pub struct Tally {
    pub documents: usize,
    pub same_verdict: usize,
    pub same_fatal: usize,
    /// Checks that fired, and that were kept where they apply.
    pub fired: BTreeSet<usize>,
    pub held: BTreeSet<usize>,
    /// Rule and kind: how often, and a document.
    pub differences: BTreeMap<(String, Kind), (usize, String)>,
}

impl Judge {
    /// Of a set; `None` where an official file is not known or not at hand.
    pub fn new(set: &'static RuleSet) -> Option<Judge> {
        let files = super::official::files(set)?;
        let load = |(folder, name): (String, String)| {
            let folder = Folder(shared(&format!("corpora/{folder}"))?);
            let schema = SchematronSchema::load(&folder, &name, &PhaseChoice::default()).unwrap();
            Some((folder, schema))
        };
        let loaded: Vec<(Folder, SchematronSchema)> =
            files.into_iter().map(load).collect::<Option<_>>()?;
        let own: BTreeSet<&str> = set.ids().collect();
        let (mut numbers, mut checks) = (HashMap::new(), Vec::new());
        for (folder, schema) in &loaded {
            for check in schema.checks() {
                let id = check.id.clone().or_else(|| told(folder, check));
                let named = SchematronCheck { id, ..check.clone() };
                if own.contains(name(&named).as_str()) {
                    numbers.entry(key(check)).or_insert(checks.len());
                    checks.push(named);
                }
            }
        }
        let schemas: Vec<SchematronSchema> = loaded.into_iter().map(|(_, schema)| schema).collect();
        let pairs = schemas.iter().flat_map(SchematronSchema::namespaces);
        let prefixes = pairs.map(|(prefix, uri)| (prefix.to_owned(), uri.to_owned())).collect();
        Some(Judge { set, schemas, prefixes, numbers, checks })
    }

    /// Judges a document on both sides, and answers the contexts of the checks that apply to it.
    pub fn compare(&self, name: &str, document: &Document, tally: &mut Tally) -> Vec<String> {
        let ours = self.ours(document);
        let mut theirs = Verdicts::new();
        let mut applied = Vec::new();
        for schema in &self.schemas {
            applied.extend(self.run(schema, document, &mut theirs, tally));
        }
        tally.documents += 1;
        let fatal = |all: &Verdicts| -> BTreeSet<String> {
            let fatal = all.iter().filter(|(_, said)| **said >= Said::Fatal);
            fatal.map(|((rule, _), _)| rule.clone()).collect()
        };
        let (our_fatal, their_fatal) = (fatal(&ours), fatal(&theirs));
        tally.same_verdict += usize::from(our_fatal.is_empty() == their_fatal.is_empty());
        let (we_fail, they_fail) = (fails(&ours), fails(&theirs));
        // A processor that meets an error ends without a list.
        let same = (we_fail && they_fail) || (we_fail == they_fail && our_fatal == their_fatal);
        tally.same_fatal += usize::from(same);
        let all: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
        for (at, one, other) in all.into_iter().map(|at| (at, ours.get(at), theirs.get(at))) {
            let kind = match (one, other) {
                (one, other) if one == other => continue,
                (Some(Said::Failed), _) | (_, Some(Said::Failed)) if we_fail && they_fail => {
                    continue;
                }
                (Some(Said::Failed), _) | (_, Some(Said::Failed)) => Kind::Computes,
                (Some(_), Some(_)) => Kind::Weighs,
                (Some(_), None) => Kind::Fires,
                _ => Kind::IsQuiet,
            };
            let seen = tally.differences.entry((at.0.clone(), kind)).or_default();
            seen.0 += 1;
            if seen.1.is_empty() {
                seen.1 = format!("{name} at {}, {one:?} and {other:?}", at.1);
            }
        }
        applied
    }

    fn ours(&self, document: &Document) -> Verdicts {
        let mut found = Verdicts::new();
        self.set.check(&Facts::new(document.root(), DAY), &mut |hit| {
            let said = match (hit.failed, hit.flag) {
                (true, _) => Said::Failed,
                (false, Flag::Fatal) => Said::Fatal,
                (false, _) => Said::Information,
            };
            found.insert((hit.id.to_owned(), hit.context.path()), said);
        });
        found
    }

    fn run(
        &self,
        schema: &SchematronSchema,
        document: &Document,
        found: &mut Verdicts,
        tally: &mut Tally,
    ) -> Vec<String> {
        let now = DAY.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).ok();
        let now = now.map(|day| day.timestamp());
        let options = RunOptions { trace: true, now, ..RunOptions::default() };
        let outcome = schema.validate(document, &options);
        assert!(outcome.is_complete);
        let mut applied: BTreeMap<String, usize> = BTreeMap::new();
        for rule in outcome.rules {
            *applied.entry(rule.context).or_default() += 1;
        }
        let mut fired: BTreeMap<usize, usize> = BTreeMap::new();
        for one in outcome.fired {
            let Some(number) = self.numbers.get(&key(&one.check)) else { continue };
            *fired.entry(*number).or_default() += 1;
            let rule = name(&self.checks[*number]);
            let is_fatal = one.check.flag.as_deref().is_none_or(|flag| flag == "fatal");
            let said = match (matches!(one.cause, Cause::Error { .. }), is_fatal) {
                (true, _) => Said::Failed,
                (false, true) => Said::Fatal,
                (false, false) => Said::Information,
            };
            // A rule about an attribute is ours at its element, and one about the whole document
            // at the document element.
            let path = match one.location.path.split("/@").next().unwrap_or_default() {
                "" | "/" => document.root().path(),
                path => path.to_owned(),
            };
            let known = found.entry((rule, path)).or_insert(said);
            *known = (*known).max(said);
        }
        for (number, check) in self.checks.iter().enumerate() {
            let times = fired.get(&number).copied().unwrap_or_default();
            if applied.get(&check.context).copied().unwrap_or_default() > times {
                tally.held.insert(number);
            }
        }
        tally.fired.extend(fired.into_keys());
        applied.into_keys().collect()
    }
}

/// Whether something could not be computed.
fn fails(all: &Verdicts) -> bool {
    all.values().any(|said| *said == Said::Failed)
}

/// The identifier of a check; some reports of Factur-X have none.
pub fn name(check: &SchematronCheck) -> String {
    check.id.clone().unwrap_or_else(|| "FX-SCH-NOT-USED".to_owned())
}

fn key(check: &SchematronCheck) -> (String, String, String) {
    (check.context.clone(), check.id.clone().unwrap_or_default(), check.test.clone())
}

/// The identifier that a check without one has in its message, `[SI-V20-INV-R000]`.
fn told(folder: &Folder, check: &SchematronCheck) -> Option<String> {
    let text = String::from_utf8(folder.read(&check.origin.file).ok()?).ok()?;
    let from = text.lines().skip(check.origin.position.line as usize - 1);
    let element = from.collect::<Vec<_>>().join("\n");
    let (tag, message) = element.split_once("</")?.0.split_once('>')?;
    let id = message.trim_start().strip_prefix('[')?.split_once(']')?.0;
    (!tag.is_empty()).then(|| id.to_owned())
}
