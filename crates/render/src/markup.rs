//! Any document as a tree: elements indented, names and values set apart.

use quoin_xml::tree::Element;

use crate::appendix::own_text;
use crate::draft::PageDraft;
use crate::harmless::harmless;
use crate::page::{PagePart, PageSection, PageText, TreeLine};
use crate::words::PageWord;

/// Lines of a tree at most; a sentence says how many there are beyond.
pub const MAX_TREE_LINES: usize = 20_000;

/// The section with the whole tree.
pub(crate) fn section<'d>(draft: &mut PageDraft<'d>, root: Element<'d>) -> PageSection {
    let mut lines = Vec::new();
    let mut omitted = 0_usize;
    // Where each open element ends, to know how deep the next one stands.
    let mut open = Vec::new();
    for element in root.descendants() {
        while open.last().is_some_and(|end| *end <= element.id()) {
            open.pop();
        }
        let depth = open.len();
        open.push(element.document().end_of(element.id()));
        if lines.len() >= MAX_TREE_LINES {
            omitted += 1;
            continue;
        }
        add(draft, &mut lines, element, depth);
    }
    let mut section = PageSection::new(draft.word(PageWord::Contents));
    section.parts.push(PagePart::Tree(lines));
    if omitted > 0 {
        let text = format!("{omitted} {}", draft.word(PageWord::Omitted));
        section.parts.push(PagePart::Paragraphs(vec![PageText::from(text)]));
    }
    section
}

fn add<'d>(
    draft: &mut PageDraft<'d>,
    lines: &mut Vec<TreeLine>,
    element: Element<'d>,
    depth: usize,
) {
    let language = draft.language;
    let name = |name: &str| harmless(&quoin_model::text::cut(name, 120), language);
    draft.note(element);
    lines.push(TreeLine {
        depth,
        name: name(&element.qualified_name()),
        is_attribute: false,
        text: own_text(element).map(|text| harmless(text.trim(), language)),
        marks: draft.marks_at(element),
    });
    for attribute in element.attributes() {
        draft.note_attribute(element, attribute.local);
        lines.push(TreeLine {
            depth: depth + 1,
            name: name(attribute.local),
            is_attribute: true,
            text: Some(harmless(attribute.value, language)),
            marks: Vec::new(),
        });
    }
}
