//! What findings say: who fixes a rule, its business terms, and a sentence in five languages.
//!
//! The sentences are data, in `texts/*.txt`, in our own words:
//! ```text
//! ~ vat-amount-zero                           a family: sentences that several rules share
//! en {BT-117} is {found} in {category}; it must be 0.
//! nl …  de …  fr …  pl …
//!
//! = BR-CO-10 s BT-106 BT-131                  a rule: s source system, m master data, r receiver
//! en {BT-106} is {found}[, but the lines add up to {expected}].
//! nl …  de …  fr …  pl …
//!
//! = BR-Z-09 s BT-117 ~ vat-amount-zero category=VAT-Z
//! = BR-CL-01 s BT-3                           a row of a table, whose own sentence is enough
//! = BR-CL-25 m+ BT-34                         its findings may come with a patch
//! ```
//! `{found}` (in quotes, `{value}` without), `{expected}`, `{element}` (the name of the wrong
//! element) and `{rule}` come from the finding; `{BT-117}` is the name of a term, of
//! `texts/names.txt`; any other is a parameter of the rule, looked up among the names too.
//! What stands in `[…]` is left out where a value inside it is not known. A rule that says
//! something else in one set is `= pint-ae/IBR-1`.

mod asks;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::{BrokenRule, RuleSet, names};
use crate::subset::Outline;
use quoin_model::FixBy;
use quoin_model::Language;
use quoin_model::text::SPACE;
use quoin_model::text::shortened;

pub use asks::term;

/// The files of sentences.
const FILES: &[&str] = &[
    include_str!("texts/any.txt"),
    include_str!("texts/en16931.txt"),
    include_str!("texts/peppol.txt"),
    include_str!("texts/xrechnung.txt"),
    include_str!("texts/nlcius.txt"),
    include_str!("texts/facturx.txt"),
    include_str!("texts/pint.txt"),
    include_str!("texts/postaward.txt"),
    include_str!("texts/logistics.txt"),
    include_str!("texts/mls.txt"),
    include_str!("texts/sbdh.txt"),
    include_str!("texts/tax_data.txt"),
    include_str!("texts/ksef.txt"),
];

/// A sentence in each language, English first.
type Sentences = [&'static str; 5];

/// What is known about a rule.
#[derive(Debug)]
pub struct RuleDescription {
    /// Who can fix it.
    pub fix_by: FixBy,
    /// The business terms and groups that it is about.
    pub terms: Vec<&'static str>,
    /// Whether its findings may come with a safe change ([`super::Patch`]).
    pub patch: bool,
    sentences: Sentences,
    parameters: Vec<(&'static str, &'static str)>,
}

struct Catalogue {
    rules: HashMap<&'static str, RuleDescription>,
    families: HashMap<&'static str, Sentences>,
    /// Lines that were not understood; a test has them empty.
    wrong: Vec<String>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::read);

impl RuleDescription {
    /// What is known about a rule of a set; `None` for a row of a table whose test explains itself.
    pub fn of(set: &RuleSet, rule: &str) -> Option<&'static RuleDescription> {
        let rules = &CATALOGUE.rules;
        rules.get(format!("{}/{rule}", set.id).as_str()).or_else(|| rules.get(rule))
    }

    /// The sentence with its placeholders; empty where the row of a table explains itself.
    pub fn template(&self, language: Language) -> &'static str {
        sentence(&self.sentences, language)
    }
}

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingText {
    /// The sentence.
    pub message: String,
    /// The value that is wrong.
    pub found: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
}

/// Puts a hit into words: by the sentence of its rule; for a row of a table that has none, by what
/// the row tests.
pub fn explain(
    set: &RuleSet,
    hit: &BrokenRule<'_>,
    outline: &Outline<'_>,
    language: Language,
) -> FindingText {
    let entry = RuleDescription::of(set, hit.id);
    let told = hit.row.map(|(table, row)| table.message(row, hit.context, outline, language));
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let told_found = told.as_ref().and_then(|told| told.found.clone());
    let told_expected = told.as_ref().and_then(|told| told.expected.clone());
    let found = text(&hit.detail.found).or(told_found);
    let expected = text(&hit.detail.expected).or(told_expected);
    let family = |name| CATALOGUE.families.get(name).map(|all| sentence(all, language));
    let template = match (entry, told) {
        _ if hit.failed => family("not-computable"),
        (Some(entry), _) if !entry.template(language).is_empty() => Some(entry.template(language)),
        (_, Some(told)) => return FindingText { message: told.text, found, expected },
        (_, None) => family("broken"),
    };
    let speech = Speech {
        hit,
        found: found.as_deref(),
        expected: expected.as_deref(),
        parameters: entry.map_or(&[], |entry| &entry.parameters),
        language,
    };
    let template = template.unwrap_or("{rule}");
    let message = fill(template, &|key| speech.value(key));
    // A name that a sentence begins with is written as its beginning, but not a name of XML.
    let is_named = template.starts_with('{') && !template.starts_with("{element}");
    let message = if is_named { capitalised(message) } else { message };
    FindingText { message, found, expected }
}

fn capitalised(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}

/// What fills a template.
struct Speech<'s, 'd> {
    hit: &'s BrokenRule<'d>,
    found: Option<&'s str>,
    expected: Option<&'s str>,
    parameters: &'s [(&'static str, &'static str)],
    language: Language,
}

impl Speech<'_, '_> {
    fn value(&self, key: &str) -> Option<String> {
        let element = self.hit.detail.element.unwrap_or(self.hit.context);
        Some(match key {
            "value" => shortened(written(self.found?)).into_owned(),
            "found" => format!("\"{}\"", shortened(written(self.found?))),
            "expected" => shortened(self.expected?).into_owned(),
            "element" => element.qualified_name().into_owned(),
            "rule" => self.hit.id.to_owned(),
            _ => {
                let known = self.parameters.iter().find(|(own, _)| *own == key);
                let key = known.map_or(key, |(_, value)| value);
                names::of(key, self.language).unwrap_or_else(|| key.to_owned())
            }
        })
    }
}

/// A value as it is told: without the white space around it, unless it is a number or a day, which
/// may be wrong for that alone.
fn written(found: &str) -> &str {
    let trimmed = found.trim_matches(SPACE);
    let is_of_number = |c: char| c.is_ascii_digit() || "+-.:TZ".contains(c);
    let has_digits = trimmed.contains(|c: char| c.is_ascii_digit());
    if has_digits && trimmed.chars().all(is_of_number) { found } else { trimmed }
}

/// A template with its values; what stands in brackets is left out without one of its values.
fn fill(template: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut text = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('[') {
        plain(before, value, &mut text);
        let (inner, end) = after.split_once(']').unwrap_or((after, ""));
        let mut part = String::new();
        if plain(inner, value, &mut part) {
            text.push_str(&part);
        }
        rest = end;
    }
    plain(rest, value, &mut text);
    text
}

/// Adds a template without brackets; answers whether every value was there.
fn plain(template: &str, value: &dyn Fn(&str) -> Option<String>, text: &mut String) -> bool {
    let mut complete = true;
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (key, end) = after.split_once('}').unwrap_or((after, ""));
        match value(key) {
            Some(value) => text.push_str(&value),
            None => complete = false,
        }
        rest = end;
    }
    text.push_str(rest);
    complete
}

fn sentence(all: &Sentences, language: Language) -> &'static str {
    let at = Language::ALL.iter().position(|own| *own == language).unwrap_or_default();
    all.get(at).copied().unwrap_or_default()
}

impl Catalogue {
    fn read() -> Catalogue {
        let (rules, families) = (HashMap::new(), HashMap::new());
        let mut read = Catalogue { rules, families, wrong: Vec::new() };
        let mut borrowed = Vec::new();
        for text in FILES {
            read.file(text, &mut borrowed);
        }
        for (rule, family) in borrowed {
            match (read.rules.get_mut(rule), read.families.get(family)) {
                (Some(entry), Some(sentences)) => entry.sentences = *sentences,
                _ => read.wrong.push(format!("{rule}: no family {family}")),
            }
        }
        read
    }

    fn file(&mut self, text: &'static str, borrowed: &mut Vec<(&'static str, &'static str)>) {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut last = None;
        for line in lines {
            let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
            match sign {
                "~" => last = Some(SentenceOwner::Family(rest)),
                "=" => match self.rule(rest, borrowed) {
                    Some(id) => last = Some(SentenceOwner::Rule(id)),
                    None => self.wrong.push(line.to_owned()),
                },
                code => {
                    let language = Language::ALL.iter().position(|own| own.code() == code);
                    let sentences = last.and_then(|last| self.sentences(last));
                    let sentence = language.zip(sentences).and_then(|(at, all)| all.get_mut(at));
                    match sentence.filter(|text| text.is_empty()) {
                        Some(text) => *text = rest,
                        None => self.wrong.push(line.to_owned()),
                    }
                }
            }
        }
    }

    fn sentences(&mut self, of: SentenceOwner) -> Option<&mut Sentences> {
        match of {
            SentenceOwner::Family(name) => Some(self.families.entry(name).or_default()),
            SentenceOwner::Rule(id) => self.rules.get_mut(id).map(|entry| &mut entry.sentences),
        }
    }

    /// `BR-Z-09 s BT-117 ~ vat-amount-zero category=VAT-Z`
    fn rule(
        &mut self,
        line: &'static str,
        borrowed: &mut Vec<(&'static str, &'static str)>,
    ) -> Option<&'static str> {
        let (own, family) = line.split_once(" ~ ").unwrap_or((line, ""));
        let mut words = own.split(' ');
        let id = words.next()?;
        let fix_by = words.next()?;
        let patch = fix_by.ends_with('+');
        let fix_by = match fix_by.trim_end_matches('+') {
            "s" => FixBy::SourceSystem,
            "m" => FixBy::MasterData,
            "r" => FixBy::Receiver,
            _ => return None,
        };
        let mut parameters = Vec::new();
        let mut given = family.split(' ').filter(|word| !word.is_empty());
        if let Some(name) = given.next() {
            borrowed.push((id, name));
        }
        for word in given {
            parameters.push(word.split_once('=')?);
        }
        let terms = words.collect();
        let entry =
            RuleDescription { fix_by, terms, patch, sentences: Sentences::default(), parameters };
        self.rules.insert(id, entry).is_none().then_some(id)
    }
}

/// What a sentence belongs to.
#[derive(Clone, Copy)]
enum SentenceOwner {
    Family(&'static str),
    Rule(&'static str),
}

#[cfg(test)]
mod tests;
