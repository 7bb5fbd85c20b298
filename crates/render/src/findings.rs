//! Findings of validation on a page: a list, and a mark at each place that has one.

use std::collections::{BTreeMap, HashMap};

use quoin_model::{Finding, Flag, Language};
use quoin_xml::tree::{Element, NodeId};

use crate::harmless::harmless;
use crate::page::{
    PageCell, PageColumn, PagePart, PageRow, PageSection, PageTable, PageText, TextStyle,
};
use crate::words::PageWord;

/// Findings that a page lists at most; a report has no more either.
pub(crate) const MAX_LISTED: usize = quoin_model::finding::MAX_FINDINGS;

/// Which findings, by number from 1, are at which element.
pub(crate) fn places(root: Element<'_>, findings: &[Finding]) -> BTreeMap<NodeId, Vec<usize>> {
    let mut wanted: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, finding) in findings.iter().take(MAX_LISTED).enumerate() {
        if let Some(location) = finding.location.as_ref().filter(|one| !one.xpath.is_empty()) {
            let (path, _) = location.xpath.split_once("/@").unwrap_or((&location.xpath, ""));
            wanted.entry(path.to_owned()).or_default().push(place + 1);
        }
    }
    let mut found = BTreeMap::new();
    if !wanted.is_empty() {
        let mut path = root.parent().map(Element::path).unwrap_or_default();
        walk(root, 1, &mut path, &wanted, &mut found);
    }
    found
}

/// One walk that counts siblings as it goes; as deep as the parser lets a document be.
fn walk(
    element: Element<'_>,
    place: usize,
    path: &mut String,
    wanted: &HashMap<String, Vec<usize>>,
    found: &mut BTreeMap<NodeId, Vec<usize>>,
) {
    let length = path.len();
    path.push_str(&format!("/{}[{place}]", element.qualified_name()));
    if let Some(numbers) = wanted.get(path.as_str()) {
        found.insert(element.id(), numbers.clone());
    }
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for child in element.elements() {
        let place = places.entry((child.namespace(), child.local())).or_default();
        *place += 1;
        let place = *place;
        walk(child, place, path, wanted, found);
    }
    path.truncate(length);
}

/// The list of all findings; `None` where there is none.
pub(crate) fn section(findings: &[Finding], language: Language) -> Option<PageSection> {
    if findings.is_empty() {
        return None;
    }
    let column = |title: PageWord, share| {
        let title = title.text(language).to_owned();
        PageColumn { title, is_numeric: false, share }
    };
    let rows = findings.iter().take(MAX_LISTED).enumerate();
    let rows = rows.map(|(place, finding)| row(place + 1, finding, language));
    let left = findings.len().saturating_sub(MAX_LISTED);
    let table = PageTable {
        caption: PageWord::Findings.text(language).to_owned(),
        columns: vec![
            PageColumn { title: "#".to_owned(), is_numeric: true, share: 5 },
            column(PageWord::Rule, 20),
            column(PageWord::Message, 75),
        ],
        rows: rows.collect(),
        remark: (left > 0).then(|| format!("{left} {}", PageWord::Omitted.text(language))),
    };
    let mut section = PageSection::new(PageWord::Findings.text(language));
    section.parts.push(PagePart::Table(table));
    Some(section)
}

fn row(number: usize, finding: &Finding, language: Language) -> PageRow {
    let flag = match finding.flag {
        Flag::Fatal => PageWord::Fatal,
        Flag::Warning => PageWord::Warning,
        Flag::Information => PageWord::Information,
    };
    let small = |text: &str| PageText::styled(harmless(text, language), TextStyle::Small);
    let rule = vec![
        PageText::styled(harmless(&finding.rule, language), TextStyle::Strong),
        PageText::styled(flag.text(language), TextStyle::Small),
    ];
    let mut message = vec![PageText::from(harmless(&finding.message, language))];
    message.extend(finding.location.as_ref().map(|place| small(&place.xpath)));
    let cell = |texts| PageCell { texts, fields: Vec::new() };
    let count = vec![PageText::from(number.to_string())];
    let cells = vec![cell(count), cell(rule), cell(message)];
    PageRow { cells, marks: Vec::new(), finding: Some(number) }
}
