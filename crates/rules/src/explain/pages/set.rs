//! The page of a set: its releases, its rules that have a page, and the rows of its structure
//! tables.

use std::collections::{BTreeMap, BTreeSet};

use quoin_model::vocabulary;
use quoin_model::{Flag, Language, vocabulary::Word};

use super::{PageSpan, PageTopic, RulePage, capital, more, releases, sentences};
use crate::explain::{of_set, words};
use crate::releases::span;
use crate::rules::RuleSet;

/// Places that a row names at most.
const PLACES: usize = 2;

/// The page; `None` where there is no such set.
pub(super) fn page(id: &str, language: Language) -> Option<RulePage> {
    let (id, releases) = releases().remove_entry(id)?;
    let word = |word: Word| word.in_language(language).to_owned();
    let text = |word: Word| vec![PageSpan::Text(capital(word.in_language(language)))];
    let mut page = RulePage::new(PageTopic::Set(id.to_owned()), id.to_owned(), language);
    let days = releases.iter().rev().map(|set| {
        let (from, until) = span(set.coordinate);
        let day =
            |day: Option<_>| day.map_or_else(String::new, |day: jiff::civil::Date| day.to_string());
        let [from, until] = [from, until].map(|own| vec![PageSpan::Text(day(own))]);
        vec![vec![PageSpan::Code(set.coordinate.to_owned())], from, until]
    });
    let head = vec![text(words::RELEASE), text(words::FROM), text(words::UNTIL)];
    page.table(head, days.collect());
    let (own, rows): (Vec<_>, Vec<_>) =
        asked(&releases, language).into_iter().partition(|row| sentences().contains(row.rule));
    if !own.is_empty() {
        page.head(word(words::WITH_PAGE));
        let names: BTreeSet<&str> = own.iter().map(|row| row.rule).collect();
        let mut links = Vec::new();
        for (at, rule) in names.into_iter().enumerate() {
            links.extend((at > 0).then(|| PageSpan::Text(", ".to_owned())));
            links.push(PageSpan::Link(rule.to_owned(), PageTopic::Rule(rule.to_owned())));
        }
        page.say(links);
    }
    if !rows.is_empty() {
        page.head(word(words::STRUCTURE));
        let head = [words::RULE, words::FLAG, words::PAGE_AT, words::ASKS].map(text);
        let rows = rows.iter().map(|row| row.cells(releases.len(), language));
        page.table(head.to_vec(), rows.collect());
    }
    page.say(vec![PageSpan::Link(word(words::ALL_RULES), PageTopic::Index)]);
    Some(page)
}

/// A row of a structure table, in some of the releases of its set.
struct Row {
    rule: &'static str,
    flag: Flag,
    places: Vec<String>,
    asks: String,
    releases: BTreeSet<&'static str>,
}

/// What is asked, in the order of the newest release, and the releases that ask it.
fn asked(releases: &[&'static RuleSet], language: Language) -> Vec<Row> {
    let mut order: Vec<Row> = Vec::new();
    let mut at: BTreeMap<(&str, &str, String, Vec<String>), usize> = BTreeMap::new();
    for set in releases.iter().rev() {
        for (rule, meaning) in of_set(set, language) {
            let places: Vec<_> = meaning.tested.into_iter().flat_map(|own| own.places).collect();
            let (asks, flag) = (meaning.asks, meaning.flag);
            let key = (rule, flag.as_str(), asks.clone(), places.clone());
            let known = *at.entry(key).or_insert(order.len());
            if known == order.len() {
                order.push(Row { rule, flag, places, asks, releases: BTreeSet::new() });
            }
            if let Some(row) = order.get_mut(known) {
                row.releases.insert(set.coordinate);
            }
        }
    }
    order
}

impl Row {
    fn cells(&self, releases: usize, language: Language) -> Vec<Vec<PageSpan>> {
        let mut places = Vec::new();
        for (at, place) in self.places.iter().take(PLACES).enumerate() {
            places.extend((at > 0).then(|| PageSpan::Text(", ".to_owned())));
            places.push(PageSpan::Code(place.clone()));
        }
        let rest = more(self.places.len(), PLACES, language);
        places.extend(rest.map(|rest| PageSpan::Text(format!(", {rest}"))));
        let mut asks = self.asks.clone();
        // A row of every release needs no names of releases.
        if self.releases.len() < releases {
            let names = self.releases.iter().map(|own| own.rsplit(':').next().unwrap_or(own));
            let names = names.collect::<Vec<_>>().join(", ");
            let only = words::ONLY_IN.in_language(language).replace("{}", &names);
            asks.push_str(&format!(" {only}"));
        }
        let flag = vocabulary::flag(self.flag).in_language(language).to_owned();
        let text = |text: String| vec![PageSpan::Text(text)];
        vec![text(self.rule.to_owned()), text(flag), places, text(asks)]
    }
}
