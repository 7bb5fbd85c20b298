//! What no section of a page had a place for: every other leaf of the document, with its path.

use std::collections::HashMap;

use quoin_xml::tree::{Element, Node};

use crate::draft::PageDraft;
use crate::harmless::harmless;
use crate::page::{
    PageCell, PageColumn, PagePart, PageRow, PageSection, PageTable, PageText, TextStyle,
};
use crate::words::PageWord;

/// Rows that an appendix has at most; a sentence says how many values there are beyond.
pub const MAX_ROWS: usize = 5_000;

/// A leaf that is nowhere else on the page; the same text at the same path is one row.
#[derive(Debug)]
struct LeftOver {
    path: String,
    text: String,
    count: usize,
}

/// The leaves in document order, those that say the same at the same kind of place together.
#[derive(Debug, Default)]
struct LeftOvers {
    rows: Vec<LeftOver>,
    places: HashMap<(String, String), usize>,
    omitted: usize,
}

impl LeftOvers {
    fn add(&mut self, path: &str, text: &str, language: quoin_model::Language) {
        let key = (path.to_owned(), harmless(text.trim(), language));
        if let Some(row) = self.places.get(&key).and_then(|place| self.rows.get_mut(*place)) {
            row.count += 1;
        } else if self.rows.len() < MAX_ROWS {
            self.places.insert(key.clone(), self.rows.len());
            let (path, text) = key;
            self.rows.push(LeftOver { path, text, count: 1 });
        } else {
            self.omitted += 1;
        }
    }
}

/// The section of everything that is not on the page yet; empty where that is nothing.
pub(crate) fn section(draft: &PageDraft<'_>, root: Element<'_>) -> PageSection {
    let mut left = LeftOvers::default();
    let mut path = String::new();
    for element in root.descendants() {
        own_leaves(draft, root, element, &mut path, &mut left);
    }
    let mut section = PageSection::new(draft.word(PageWord::Appendix));
    if left.rows.is_empty() {
        return section;
    }
    let column = |word: PageWord, share| PageColumn {
        title: word.text(draft.language).to_owned(),
        is_numeric: false,
        share,
    };
    let rows = left.rows.into_iter().map(|one| row(draft, one)).collect();
    section.parts.push(PagePart::Table(PageTable {
        caption: draft.word(PageWord::Appendix),
        columns: vec![column(PageWord::Place, 55), column(PageWord::Value, 45)],
        rows,
        remark: (left.omitted > 0)
            .then(|| format!("{} {}", left.omitted, draft.word(PageWord::Omitted))),
    }));
    section
}

fn own_leaves(
    draft: &PageDraft<'_>,
    root: Element<'_>,
    element: Element<'_>,
    path: &mut String,
    left: &mut LeftOvers,
) {
    path.clear();
    let text = own_text(element).filter(|_| !draft.is_shown((element.id(), None)));
    if let Some(text) = text {
        names(root, element, path);
        left.add(path, &text, draft.language);
    }
    for id in element.attribute_ids() {
        let Some(attribute) = element.document().attribute(id) else { continue };
        if attribute.value.trim().is_empty() || draft.is_shown((element.id(), Some(id))) {
            continue;
        }
        if path.is_empty() {
            names(root, element, path);
        }
        left.add(&format!("{path} @{}", attribute.local), attribute.value, draft.language);
    }
}

/// What a page says instead of a secret.
pub(crate) const SECRET: &str = "•••";

/// Whether an element is a secret of who sends a message, which is on no page: `SharedSecret` and
/// `CredentialMac` of cXML 1.2.
pub(crate) fn is_secret(element: Element<'_>) -> bool {
    matches!(element.local(), "SharedSecret" | "CredentialMac")
}

/// The text of an element itself, if it says something; a secret is not told.
pub(crate) fn own_text(element: Element<'_>) -> Option<std::borrow::Cow<'_, str>> {
    if element.parent().is_some_and(|above| is_secret(element) || is_secret(above)) {
        return Some(SECRET.into());
    }
    let says = |node: Node<'_>| matches!(node, Node::Text(text) if !text.trim().is_empty());
    let text = element.children().any(says).then(|| element.text())?;
    (!text.trim().is_empty()).then_some(text)
}

/// The names from below the document element to an element: `OrderReference › IssueDate`.
fn names(root: Element<'_>, element: Element<'_>, path: &mut String) {
    let mut names = Vec::new();
    let mut at = Some(element);
    while let Some(one) = at.filter(|one| one.id() != root.id()) {
        names.push(one.local());
        at = one.parent();
    }
    if names.is_empty() {
        names.push(root.local());
    }
    names.reverse();
    for (place, name) in names.iter().enumerate() {
        if place > 0 {
            path.push_str(" › ");
        }
        path.push_str(&quoin_model::text::cut(name, 60));
    }
}

fn row(draft: &PageDraft<'_>, one: LeftOver) -> PageRow {
    let cell = |text, style| PageCell { texts: vec![PageText { text, style }], fields: Vec::new() };
    let mut value = cell(one.text, TextStyle::Plain);
    if one.count > 1 {
        let times = format!("{} {}", one.count, draft.word(PageWord::Times));
        value.texts.push(PageText::styled(times, TextStyle::Small));
    }
    PageRow {
        cells: vec![cell(one.path, TextStyle::Small), value],
        marks: Vec::new(),
        finding: None,
    }
}
