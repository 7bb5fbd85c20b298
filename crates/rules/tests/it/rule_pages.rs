//! The pages of `docs/rules` are what the rules say. `cargo xtask rules` writes them anew.
//!
//! A rule with a sentence of its own has a page; the rows of structure tables stand together on
//! the page of their set.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use quoin_model::Flag;
use quoin_model::Language;
use quoin_rules::explain::{Explanation, RuleMeaning, SetRelease, explain, ids, of_set};
use quoin_rules::own::OWN;
use quoin_rules::releases::{RULE_SETS, span};
use quoin_rules::rules::RuleSet;
use quoin_rules::rules::texts::RuleDescription;

/// Bytes of all pages at most.
const TOTAL: usize = 3_000_000;
/// Places that a page names at most.
const PLACES: usize = 12;

const HEAD: &str = "\
# Rules

What the built-in rules ask. These pages are written from the rules themselves by
`cargo xtask rules`; a test compares them. The same, in en, nl, de, fr and pl, is told by
`quoin explain RULE --lang LANGUAGE`.

A rule with a sentence of its own has a page. What only says that an element is not used, must be
there or has a code of a list stands on the page of its set.
";

/// Pages by their paths below `docs/rules`.
type Pages = BTreeMap<String, String>;

fn pages() -> Pages {
    let mut pages = Pages::new();
    let own: BTreeSet<&str> = OWN.iter().map(|row| row.id).collect();
    let sentences = sentences();
    for id in ids() {
        if own.contains(id) || sentences.contains(id) {
            let told = explain(id, Language::En).unwrap();
            pages.insert(format!("{}.md", file(id)), rule_page(&told));
        }
    }
    for (id, releases) in releases() {
        pages.insert(format!("sets/{id}.md"), set_page(id, &releases, &sentences));
    }
    let index = index(&pages, &own, &sentences);
    pages.insert("README.md".to_owned(), index);
    pages
}

/// The rules that have sentences.
fn sentences() -> BTreeSet<&'static str> {
    let all = RULE_SETS.iter().flat_map(|set| set.ids().map(move |id| (set, id)));
    let told = |(set, id): &(&'static RuleSet, &'static str)| {
        RuleDescription::of(set, id).is_some_and(|entry| !entry.template(Language::En).is_empty())
    };
    all.filter(told).map(|(_, id)| id).collect()
}

/// The releases of each set, in the order of their days.
fn releases() -> BTreeMap<&'static str, Vec<&'static RuleSet>> {
    let mut sets: BTreeMap<&str, Vec<&RuleSet>> = BTreeMap::new();
    for set in RULE_SETS.iter() {
        sets.entry(set.id).or_default().push(set);
    }
    sets.values_mut().for_each(|releases| releases.sort_by_key(|set| span(set.coordinate)));
    sets
}

/// A rule as the name of a file. Two rules that differ in case alone have different ones, for
/// file systems that do not tell case apart.
fn file(id: &str) -> String {
    static TWINS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
        let mut seen = BTreeSet::new();
        ids().into_iter().filter(|id| !seen.insert(id.to_ascii_lowercase())).collect()
    });
    let safe = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let name: String = id.chars().map(|letter| if safe(letter) { letter } else { '_' }).collect();
    if TWINS.contains(id) { name + "_" } else { name }
}

fn days(release: &SetRelease) -> String {
    let from = release.from.map(|day| format!(" from {day}"));
    let until = release.until.map(|day| format!(" until {day}"));
    format!("{}{}", from.unwrap_or_default(), until.unwrap_or_default())
}

fn rule_page(told: &Explanation) -> String {
    let mut page = format!("# {}\n", told.id);
    for meaning in &told.meanings {
        meaning_of(&mut page, meaning);
    }
    page.push_str("\n## Who can fix it\n\n");
    let _ = writeln!(page, "This is for {} to fix.", told.fix_by.as_str());
    if told.patch {
        page.push_str("Findings may come with a change that fixes them for sure.\n");
    }
    if !told.terms.is_empty() {
        let names: Vec<&str> = told.terms.iter().map(|term| term.name.as_str()).collect();
        let _ = writeln!(page, "\n## About\n\n{}.", names.join(", "));
    }
    page
}

fn meaning_of(page: &mut String, meaning: &RuleMeaning) {
    let _ = writeln!(page, "\n**{}.** {}", word(meaning.flag), escaped(&meaning.asks));
    if let Some(example) = &meaning.example {
        for (label, text) in [("Right", &example.holds), ("Wrong", &example.breaks)] {
            if let Some(text) = text {
                let _ = writeln!(page, "\n{label}: {}", code(text));
            }
        }
    }
    for tested in &meaning.tested {
        page.push_str("\nIn:\n\n");
        for release in &tested.sets {
            let (set, coordinate) = (release.set, release.coordinate);
            let _ = writeln!(page, "- [{set}](sets/{set}.md) `{coordinate}`{}", days(release));
        }
        if !tested.places.is_empty() {
            page.push_str("\nAt:\n\n");
        }
        for place in tested.places.iter().take(PLACES) {
            let _ = writeln!(page, "- {}", code(place));
        }
        if tested.places.len() > PLACES {
            let _ = writeln!(page, "- and {} more", tested.places.len() - PLACES);
        }
    }
}

fn set_page(id: &str, releases: &[&'static RuleSet], sentences: &BTreeSet<&str>) -> String {
    let mut page = format!("# {id}\n\n| release | from | until |\n|---|---|---|\n");
    // What is asked, in the order of the newest release, and the releases that ask it.
    let mut order: Vec<Row> = Vec::new();
    let mut at: BTreeMap<(&str, String, String), usize> = BTreeMap::new();
    for set in releases.iter().rev() {
        let (from, until) = span(set.coordinate);
        let [from, until] = [from, until].map(|day| day.map(|day| day.to_string()));
        let (from, until) = (from.unwrap_or_default(), until.unwrap_or_default());
        let _ = writeln!(page, "| `{}` | {from} | {until} |", set.coordinate);
        for (rule, meaning) in of_set(set, Language::En) {
            let places: Vec<_> = meaning.tested.into_iter().flat_map(|own| own.places).collect();
            let asks = format!("{} | {}", meaning.flag.as_str(), meaning.asks);
            let known = *at.entry((rule, asks, places.join(" | "))).or_insert(order.len());
            match order.get_mut(known) {
                Some(row) => {
                    row.releases.insert(set.coordinate);
                }
                None => {
                    let releases = BTreeSet::from([set.coordinate]);
                    let (asks, flag) = (meaning.asks, meaning.flag);
                    order.push(Row { rule, flag, places, asks, releases });
                }
            }
        }
    }
    let (own, rows): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|row| sentences.contains(row.rule));
    if !own.is_empty() {
        page.push_str("\n## Rules with a page\n\n");
        let names: BTreeSet<&str> = own.iter().map(|row| row.rule).collect();
        let links = names.iter().map(|rule| format!("[{rule}](../{}.md)", file(rule)));
        let _ = writeln!(page, "{}", links.collect::<Vec<_>>().join(",\n"));
    }
    if !rows.is_empty() {
        page.push_str("\n## Structure\n\n| rule | flag | at | asks |\n|---|---|---|---|\n");
    }
    for row in rows {
        row.write(&mut page, releases.len());
    }
    page
}

/// A row of a structure table, in some of the releases of its set.
struct Row {
    rule: &'static str,
    flag: Flag,
    places: Vec<String>,
    asks: String,
    releases: BTreeSet<&'static str>,
}

impl Row {
    fn write(&self, page: &mut String, releases: usize) {
        let shown = self.places.iter().take(2).map(|place| cell(&code(place)));
        let mut places = shown.collect::<Vec<_>>().join(", ");
        if self.places.len() > 2 {
            let _ = write!(places, " and {} more", self.places.len() - 2);
        }
        let (rule, flag, asks) = (self.rule, self.flag.as_str(), cell(&escaped(&self.asks)));
        let _ = write!(page, "| {rule} | {flag} | {places} | {asks}");
        // A row of every release needs no names of releases.
        if self.releases.len() < releases {
            let names = self.releases.iter().map(|own| own.rsplit(':').next().unwrap());
            let _ = write!(page, " Only in {}.", names.collect::<Vec<_>>().join(", "));
        }
        page.push_str(" |\n");
    }
}

fn index(pages: &Pages, own: &BTreeSet<&str>, sentences: &BTreeSet<&str>) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## Sets\n\n");
    for (id, releases) in releases() {
        let names: Vec<String> =
            releases.iter().map(|set| format!("`{}`", set.coordinate)).collect();
        let _ = writeln!(page, "- [{id}](sets/{id}.md): {}", names.join(", "));
    }
    for (title, rules) in [("Rules", sentences), ("Findings of our own", own)] {
        let _ = writeln!(page, "\n## {title}\n");
        for id in rules.iter().filter(|id| pages.contains_key(&format!("{}.md", file(id)))) {
            let _ = writeln!(page, "- [{id}]({}.md)", file(id));
        }
    }
    page
}

fn word(flag: Flag) -> &'static str {
    match flag {
        Flag::Fatal => "Fatal",
        Flag::Warning => "Warning",
        Flag::Information => "Information",
    }
}

fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    format!("{fence}{text}{fence}")
}

/// A text whose signs mean nothing to Markdown.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if "*_<>[]`\\".contains(letter) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// A text inside a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the pages lie in the checkout")]
fn the_pages_of_rules_are_what_the_rules_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let pages = pages();
    let total: usize = pages.values().map(String::len).sum();
    assert!(total < TOTAL, "{total} bytes of pages, at most {TOTAL}");
    if std::env::var_os("UPDATE").is_some() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("sets")).unwrap();
        for (name, page) in &pages {
            std::fs::write(folder.join(name), page).unwrap();
        }
        println!("wrote {} pages, {total} bytes", pages.len());
    }
    let again = "run `cargo xtask rules` and commit docs/rules";
    for (name, page) in &pages {
        let known = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let line = page.lines().find(|line| !known.contains(line)).unwrap_or_default();
        assert!(known == *page, "docs/rules/{name} is not up to date ({line}): {again}");
    }
    for path in written(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
        assert!(pages.contains_key(&name), "docs/rules/{name} is of no rule any more: {again}");
    }
}

/// The files of a folder and of the folders in it.
fn written(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(written(&path)),
            false => found.push(path),
        }
    }
    found
}
