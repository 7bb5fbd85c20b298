//! The pages of the rules: an index, a page for each rule, a page for each set, in the language of
//! the reader; as Markdown for programs and files, as HTML for people.
//!
//! ```text
//! Topic ── page(language) ──► Page ── markdown(links) or html(links) ──► text
//! ```
//! A rule with a sentence of its own has a page in the index; the rows of structure tables stand
//! together on the page of their set. The page of any other rule can be asked for.

mod set;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use quoin_model::vocabulary;
use quoin_model::{Language, vocabulary::Word};

use super::{Explanation, RuleMeaning, SetRelease, Tested, explain, ids, words};
use crate::own;
use crate::releases::RULE_SETS;
use crate::rules::RuleSet;
use crate::rules::texts::RuleDescription;
pub use text::{Block, Links, PageSpan, RulePage};

/// Places that the page of a rule names at most.
const PLACES: usize = 12;

/// What a page is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageTopic {
    /// All rules and sets.
    Index,
    /// A rule, by its identifier.
    Rule(String),
    /// A set, by its name: `en16931-ubl`.
    Set(String),
}

impl PageTopic {
    /// The topics of the index, and the index.
    pub fn all() -> Vec<PageTopic> {
        let rules = told().into_iter().map(|id| PageTopic::Rule(id.to_owned()));
        let sets = releases().into_keys().map(|id| PageTopic::Set(id.to_owned()));
        std::iter::once(PageTopic::Index).chain(rules).chain(sets).collect()
    }

    /// Its page; `None` where there is no such rule or set.
    pub fn page(&self, language: Language) -> Option<RulePage> {
        match self {
            PageTopic::Index => Some(index(language)),
            PageTopic::Rule(id) => explain(id, language).map(|told| rule(&told)),
            PageTopic::Set(id) => set::page(id, language),
        }
    }
}

/// The rules that are in the index: those with a sentence of their own.
fn told() -> BTreeSet<&'static str> {
    let own: BTreeSet<&str> = own::all().map(|row| row.id).collect();
    ids().into_iter().filter(|id| own.contains(id) || sentences().contains(id)).collect()
}

/// The rules of sets that have sentences.
fn sentences() -> &'static BTreeSet<&'static str> {
    static FOUND: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
        let all = RULE_SETS.iter().flat_map(|set| set.ids().map(move |id| (set, id)));
        let is_told = |(set, id): &(&'static RuleSet, &'static str)| {
            RuleDescription::of(set, id)
                .is_some_and(|entry| !entry.template(Language::En).is_empty())
        };
        all.filter(is_told).map(|(_, id)| id).collect()
    });
    &FOUND
}

/// The releases of each set, the oldest first.
fn releases() -> BTreeMap<&'static str, Vec<&'static RuleSet>> {
    let mut sets: BTreeMap<&str, Vec<&RuleSet>> = BTreeMap::new();
    for set in RULE_SETS.iter() {
        sets.entry(set.id).or_default().push(set);
    }
    sets
}

fn index(language: Language) -> RulePage {
    let word = |word: Word| word.in_language(language).to_owned();
    let mut page = RulePage::new(PageTopic::Index, word(words::RULES), language);
    page.say(vec![PageSpan::Text(word(words::INTRODUCTION))]);
    page.head(word(words::SETS));
    let sets = releases().into_iter().map(|(id, releases)| {
        let mut line = vec![PageSpan::Link(id.to_owned(), PageTopic::Set(id.to_owned()))];
        for (at, set) in releases.into_iter().enumerate() {
            line.push(PageSpan::Text(if at == 0 { ": ".to_owned() } else { ", ".to_owned() }));
            line.push(PageSpan::Code(set.coordinate.to_owned()));
        }
        line
    });
    page.list(sets.collect());
    let link =
        |id: &&str| vec![PageSpan::Link((*id).to_owned(), PageTopic::Rule((*id).to_owned()))];
    let told = told();
    page.head(word(words::RULES));
    page.list(told.iter().filter(|id| sentences().contains(**id)).map(link).collect());
    let own: BTreeSet<&str> = own::all().map(|row| row.id).collect();
    page.head(word(words::OWN_FINDINGS));
    page.list(told.iter().filter(|id| own.contains(**id)).map(link).collect());
    page
}

fn rule(told: &Explanation) -> RulePage {
    let word = |word: Word| word.in_language(told.language).to_owned();
    let mut page = RulePage::new(PageTopic::Rule(told.id.clone()), told.id.clone(), told.language);
    for meaning in &told.meanings {
        meaning_of(&mut page, meaning);
    }
    page.head(word(words::FIX));
    let fixes = capital(vocabulary::fix_by(told.fix_by).in_language(told.language));
    let mut fix = format!("{fixes}.");
    if told.patch {
        let patch = capital(words::HAS_PATCH.in_language(told.language));
        fix.push_str(&format!(" {patch}."));
    }
    page.say(vec![PageSpan::Text(fix)]);
    if !told.terms.is_empty() {
        let names: Vec<&str> = told.terms.iter().map(|term| term.name.as_str()).collect();
        page.head(word(words::ABOUT));
        page.say(vec![PageSpan::Text(format!("{}.", names.join(", ")))]);
    }
    page.say(vec![PageSpan::Link(word(words::ALL_RULES), PageTopic::Index)]);
    page
}

fn meaning_of(page: &mut RulePage, meaning: &RuleMeaning) {
    let language = page.language;
    let word = |word: Word| word.in_language(language).to_owned();
    let flag = capital(vocabulary::flag(meaning.flag).in_language(language));
    page.say(vec![
        PageSpan::Strong(format!("{flag}.")),
        PageSpan::Text(format!(" {}", meaning.asks)),
    ]);
    if let Some(example) = &meaning.example {
        let both = [(words::RIGHT, &example.holds), (words::WRONG, &example.breaks)];
        for (label, text) in
            both.into_iter().filter_map(|(label, text)| Some((label, text.as_ref()?)))
        {
            let label = format!("{}: ", capital(&word(label)));
            page.say(vec![PageSpan::Text(label), PageSpan::Code(text.clone())]);
        }
    }
    meaning.tested.iter().for_each(|tested| tested_in(page, tested));
}

fn tested_in(page: &mut RulePage, tested: &Tested) {
    let language = page.language;
    let word = |word: Word| word.in_language(language).to_owned();
    page.say(vec![PageSpan::Text(format!("{}:", word(words::PAGE_IN)))]);
    let sets = tested.sets.iter().map(|release| {
        vec![
            PageSpan::Link(release.set.to_owned(), PageTopic::Set(release.set.to_owned())),
            PageSpan::Text(" ".to_owned()),
            PageSpan::Code(release.coordinate.to_owned()),
            PageSpan::Text(days(release, language)),
        ]
    });
    page.list(sets.collect());
    if tested.places.is_empty() {
        return;
    }
    page.say(vec![PageSpan::Text(format!("{}:", word(words::PAGE_AT)))]);
    let shown = tested.places.iter().take(PLACES).map(|place| vec![PageSpan::Code(place.clone())]);
    let mut lines: Vec<Vec<PageSpan>> = shown.collect();
    lines
        .extend(more(tested.places.len(), PLACES, language).map(|text| vec![PageSpan::Text(text)]));
    page.list(lines);
}

/// How many are not shown, where there are such.
fn more(all: usize, shown: usize, language: Language) -> Option<String> {
    let rest = all.checked_sub(shown).filter(|rest| *rest > 0)?;
    Some(words::MORE.in_language(language).replace("{}", &rest.to_string()))
}

fn days(release: &SetRelease, language: Language) -> String {
    let from = release.from.map(|day| format!(" {} {day}", words::FROM.in_language(language)));
    let until = release.until.map(|day| format!(" {} {day}", words::UNTIL.in_language(language)));
    format!("{}{}", from.unwrap_or_default(), until.unwrap_or_default())
}

/// A text that begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
