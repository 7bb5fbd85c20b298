//! The pages of the rules: every rule with a sentence has one, every link leads somewhere, and all
//! of them stay small.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use quoin_model::Language;
use quoin_rules::explain::pages::{Block, Links, PageSpan, PageTopic, RulePage};
use quoin_rules::own::OWN;
use quoin_rules::releases::RULE_SETS;
use quoin_rules::rules::texts::RuleDescription;

/// Bytes of all pages at most; a release of Peppol adds 53 kB.
const TOTAL: usize = 3_000_000;

/// Made once for all tests.
static PAGES: LazyLock<BTreeMap<PageTopic, RulePage>> = LazyLock::new(|| {
    let page = |topic: PageTopic| {
        let page = topic.page(Language::En).unwrap_or_else(|| panic!("{topic:?} has no page"));
        (topic, page)
    };
    PageTopic::all().into_iter().map(page).collect()
});

/// The parts of all lines of a page.
fn parts(page: &RulePage) -> Vec<&PageSpan> {
    let mut found = Vec::new();
    for block in &page.blocks {
        match block {
            Block::Heading(_) => {}
            Block::Paragraph(parts) => found.extend(parts),
            Block::List(lines) => found.extend(lines.iter().flatten()),
            Block::Table(head, rows) => {
                found.extend(head.iter().flatten());
                found.extend(rows.iter().flatten().flatten());
            }
        }
    }
    found
}

#[test]
fn every_rule_with_a_sentence_has_a_page_and_every_link_leads_to_one() {
    let pages = &*PAGES;
    let own = OWN.iter().map(|row| row.id);
    let told = RULE_SETS.iter().flat_map(|set| {
        let is_told = move |id: &&str| {
            RuleDescription::of(set, id)
                .is_some_and(|entry| !entry.template(Language::En).is_empty())
        };
        // A rule by hand that no table of the set has a row for is shared, and asks nothing here.
        set.ids()
            .filter(is_told)
            .filter(|id| quoin_rules::explain::explain(id, Language::En).is_some())
    });
    for id in own.chain(told) {
        assert!(pages.contains_key(&PageTopic::Rule(id.to_owned())), "{id} has no page");
    }
    for set in RULE_SETS.iter() {
        assert!(pages.contains_key(&PageTopic::Set(set.id.to_owned())), "{} has no page", set.id);
    }
    let mut links = 0;
    for (topic, page) in pages {
        for part in parts(page) {
            if let PageSpan::Link(_, to) = part {
                assert!(pages.contains_key(to), "{topic:?} leads to {to:?}, which is no page");
                links += 1;
            }
        }
    }
    assert!(pages.len() > 1_000 && links > 5_000, "{} pages, {links} links", pages.len());
}

#[test]
fn the_pages_stay_small_and_have_files_of_their_own() {
    let pages = &*PAGES;
    let mut files = BTreeMap::new();
    for (topic, page) in pages {
        let file = Links::Files.place(topic).to_lowercase();
        let text = page.markdown(Links::Files);
        assert!(text.starts_with("# ") && !text.contains("\n\n\n"), "{topic:?}");
        if let Some(other) = files.insert(file, (topic, text.len())) {
            panic!("{topic:?} and {:?} are one file", other.0);
        }
    }
    let total: usize = files.values().map(|(_, length)| length).sum();
    assert!(total < TOTAL, "{total} bytes of pages, at most {TOTAL}");
    // Links of files lead to the files, those of addresses to the addresses.
    let set = PageTopic::Set("en16931-ubl".to_owned());
    let rule = PageTopic::Rule("BR-CO-15".to_owned());
    let rows = [
        (&PageTopic::Index, &rule, "BR-CO-15.md", "rules/BR-CO-15"),
        (&PageTopic::Index, &set, "sets/en16931-ubl.md", "rules/sets/en16931-ubl"),
        (&rule, &set, "sets/en16931-ubl.md", "sets/en16931-ubl"),
        (&rule, &PageTopic::Index, "README.md", "../rules"),
        (&set, &rule, "../BR-CO-15.md", "../BR-CO-15"),
        (&set, &PageTopic::Index, "../README.md", "../../rules"),
    ];
    for (from, to, file, address) in rows {
        assert_eq!(Links::Files.between(from, to), file);
        assert_eq!(Links::Addresses.between(from, to), address);
    }
}

#[test]
fn a_page_is_told_in_each_language_and_is_safe_as_html() {
    let rule = PageTopic::Rule("BR-CO-15".to_owned());
    for (language, fix) in [
        (Language::En, "## Who can fix it\n\nThe program that made the document."),
        (Language::Nl, "## Wie het kan herstellen\n\nHet programma dat het document maakte."),
        (Language::De, "## Wer es beheben kann\n\nDas Programm, das das Dokument erstellt hat."),
        (Language::Fr, "## Qui peut le corriger\n\nLe programme qui a produit le document."),
        (Language::Pl, "## Kto może to poprawić\n\nProgram, który utworzył dokument."),
    ] {
        let text = rule.page(language).unwrap().markdown(Links::Files);
        assert!(text.contains(fix), "{text}");
    }
    let title = "a<b>&\"c\"'d'".to_owned();
    let parts = vec![
        PageSpan::Code(title.clone()),
        PageSpan::Link(title.clone(), PageTopic::Rule(title.clone())),
    ];
    let blocks = vec![Block::Heading(title.clone()), Block::Paragraph(parts)];
    let page = RulePage { topic: PageTopic::Index, title, language: Language::En, blocks };
    let html = page.html(Links::Addresses);
    assert_eq!(html.matches("a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;").count(), 4, "{html}");
    assert!(html.contains("href=\"rules/a%3Cb%3E%26%22c%22%27d%27\""), "{html}");
    assert!(PageTopic::Rule("NO-SUCH".to_owned()).page(Language::En).is_none());
    assert!(PageTopic::Set("no-such".to_owned()).page(Language::En).is_none());
}
