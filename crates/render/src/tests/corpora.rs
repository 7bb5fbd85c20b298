//! Every document of the official collections: nothing hidden, nothing invented.

use std::collections::{BTreeMap, HashSet};

use quoin_formats::ParsedDocument;
use quoin_model::Language;
use quoin_xml::tree::Element;

use super::{request, texts};
use crate::numbers;
use crate::page::PageTree;
use crate::{PageWord, page};

/// Files over this size are left to the benches.
const MAX_BYTES: usize = 600_000;

/// The XML files of the collections, by the manifest.
pub(crate) fn files() -> Vec<String> {
    let Some(manifest) = quoin_testing::shared_text("corpora/MANIFEST.tsv") else {
        return Vec::new();
    };
    let path = |line: &str| line.split('\t').next().map(str::to_owned);
    let wanted = |path: &String| path.ends_with(".xml");
    manifest.lines().filter_map(path).filter(wanted).collect()
}

/// A document of the collections.
#[allow(clippy::disallowed_methods, reason = "official artefacts, not all of them UTF-8")]
pub(crate) fn document(file: &str) -> Option<ParsedDocument> {
    let bytes = std::fs::read(quoin_testing::shared("corpora")?.join(file)).ok()?;
    let parsed = quoin_formats::read(&bytes);
    (bytes.len() < MAX_BYTES && parsed.tree().is_ok()).then_some(parsed)
}

/// A text without what a page may change: white space, and the signs that it writes otherwise.
fn bare(text: &str) -> String {
    let shown = crate::harmless::harmless(text, Language::En);
    let shown = shown.replace("\r", "");
    shown.chars().filter(|one| !one.is_whitespace()).collect()
}

/// Whether a leaf is on the page, as it is or as the language writes it.
fn is_said(text: &str, leaf: &str, element: Element<'_>, language: Language) -> bool {
    let has = |wanted: &str| text.contains(&bare(wanted));
    if has(leaf) {
        return true;
    }
    let forms = (0..4).filter_map(|decimals| numbers::number(leaf, decimals, language));
    let compact = |leaf: &str| {
        let date =
            (leaf.len() == 8).then(|| format!("{}-{}-{}", &leaf[..4], &leaf[4..6], &leaf[6..]));
        date.and_then(|date| quoin_model::text::date(&date))
    };
    let day =
        || quoin_model::text::date(leaf).or_else(|| leaf.is_ascii().then(|| compact(leaf))?);
    if forms.into_iter().any(|form| has(&form))
        || day().is_some_and(|day| has(&numbers::day(day, language)))
        || has(&numbers::account(leaf))
    {
        return true;
    }
    use crate::codes::{SpelledList, spelled};
    let lists = [SpelledList::Unit, SpelledList::Country, SpelledList::Response];
    if lists.iter().any(|list| spelled(*list, leaf, language).is_some_and(&has)) {
        return true;
    }
    // Said by the words of the page: VAT, allowance or charge, the form of a day.
    let name = element.local();
    if crate::appendix::own_text(element).as_deref() == Some(crate::appendix::SECRET) {
        return true;
    }
    let by_words = (leaf == "VAT" || leaf == "VA" || leaf == "102")
        || (name.ends_with("Indicator") || name == "charges" || name == "allowances");
    // Embedded bytes are shown by their size and digest.
    let is_embedded = ["Binary", "Attachment", "Allegato"].iter().any(|part| name.contains(part));
    by_words || is_embedded || (leaf.len() > 100 && !leaf.contains(' '))
}

fn shown(page: &PageTree) -> String {
    texts(page).iter().map(|text| bare(text) + "\n").collect()
}

#[test]
fn every_leaf_of_every_document_is_on_its_page() {
    let (mut documents, mut leaves, mut capped) = (0_usize, 0_usize, 0_usize);
    let mut hidden = BTreeMap::new();
    for (place, file) in files().iter().enumerate() {
        let Some(document) = document(file) else { continue };
        let Some(root) = document.root() else { continue };
        let language = Language::ALL[place % 5];
        let page = page(&document, &request(language)).unwrap();
        let text = shown(&page);
        let whole: HashSet<&str> = text.lines().collect();
        documents += 1;
        if text.contains(&bare(PageWord::Omitted.text(language))) {
            capped += 1;
            continue;
        }
        for element in root.descendants() {
            let own = crate::appendix::own_text(element);
            let own = own.map(|text| text.trim().to_owned()).into_iter();
            for leaf in own.chain(element.attributes().map(|one| one.value.trim().to_owned())) {
                leaves += 1;
                let is_whole = leaf.is_empty() || whole.contains(bare(&leaf).as_str());
                if !is_whole && !is_said(&text, &leaf, element, language) {
                    let list: &mut Vec<String> = hidden.entry(file.clone()).or_default();
                    list.push(format!("{} = {leaf}", element.path()));
                }
            }
        }
    }
    println!("{documents} documents, {leaves} leaves, {capped} over a limit that the page names");
    println!("{} with a hidden leaf", hidden.len());
    for (file, list) in hidden.iter().take(40) {
        println!("{file}: {} such as {}", list.len(), list[0]);
    }
    assert!(hidden.is_empty());
    assert!(capped < 30, "{capped}");
    assert!(documents == 0 || documents > 2_000, "{documents}");
}

/// The tokens of a text: runs of letters and digits.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|one: char| !one.is_alphanumeric()).filter(|token| !token.is_empty())
}

/// Every word that a page may say by itself.
fn own_words() -> HashSet<String> {
    let tables = [
        include_str!("../codes/codes.txt"),
        include_str!("../codes/countries.txt"),
        include_str!("../codes/currencies.txt"),
        include_str!("../names.txt"),
    ];
    let mut words: HashSet<String> = HashSet::new();
    let mut add = |text: &str| words.extend(tokens(text).map(str::to_lowercase));
    tables.iter().for_each(|table| add(table));
    PageWord::ALL.iter().for_each(|word| {
        Language::ALL.iter().for_each(|language| add(word.text(*language)));
    });
    let titles = crate::kinds::KINDS.iter().flat_map(|(_, titles)| titles.iter());
    titles.for_each(|title| add(title));
    // The name that an attribute of an item has which SETU says in an attribute of its own.
    add("HourType");
    for month in 1..=12 {
        Language::ALL.iter().for_each(|language| {
            add(&numbers::day(jiff::civil::date(2000, month, 1), *language));
        });
    }
    words
}

#[test]
fn no_page_says_what_its_document_does_not() {
    let own = own_words();
    let (mut documents, mut invented) = (0_usize, BTreeMap::new());
    for (place, file) in files().iter().enumerate() {
        let Some(document) = document(file) else { continue };
        let Some(root) = document.root() else { continue };
        let language = Language::ALL[(place + 2) % 5];
        let page = page(&document, &request(language)).unwrap();
        documents += 1;
        let mut said = String::new();
        for element in root.descendants() {
            said.push_str(&format!("{} {}\n", element.qualified_name(), element.text()));
            for one in element.attributes() {
                said.push_str(&format!("{} {}\n", one.local, one.value));
            }
        }
        let said = said.to_lowercase();
        let whole: HashSet<&str> = tokens(&said).collect();
        let digits: String = said.chars().filter(|one| !one.is_whitespace()).collect();
        for text in texts(&page) {
            for token in tokens(&text) {
                let lower = token.to_lowercase();
                let is_number = lower.chars().all(|one| one.is_ascii_digit());
                let is_known = own.contains(&lower)
                    || whole.contains(lower.as_str())
                    || digits.contains(&lower)
                    || is_number
                    // The country before a number for VAT, which FatturaPA has in two elements.
                    || lower.get(2..).is_some_and(|rest| rest.len() > 2 && digits.contains(rest))
                    || text.contains("[U+")
                    || lower.len() == 64;
                if !is_known {
                    let list: &mut Vec<String> = invented.entry(file.clone()).or_default();
                    list.push(format!("{token} of {text}"));
                }
            }
        }
    }
    println!("{documents} documents, {} that say something of their own", invented.len());
    for (file, list) in invented.iter().take(40) {
        println!("{file}: {} such as {}", list.len(), list[0]);
    }
    assert!(invented.is_empty());
}
