//! Readers: every leaf has a fate, and the terms are where the standard says.

mod corpora;
mod national;
mod orders;
mod pairs;
mod terms;
mod wrong;

use quoin_xml::tree::{Document, Element, Limits, Node};

use super::{Reading, read_invoice};

/// Every term of the standard once, in each document element.
const UBL_INVOICE: &str = include_str!("../../samples/every-term-ubl-invoice.xml");
const UBL_CREDIT_NOTE: &str = include_str!("../../samples/every-term-ubl-credit-note.xml");
const CII: &str = include_str!("../../samples/every-term-cii.xml");

fn parse(text: &[u8]) -> Option<Document> {
    let limits = Limits::default();
    let passed_over = || crate::cxml::tree(text, &limits)?.ok();
    Document::parse(text, &limits).ok().or_else(passed_over)
}

fn parsed(text: &str) -> Document {
    parse(text.as_bytes()).expect("well formed")
}

fn reading(document: &Document) -> Reading<'_> {
    read_invoice(document).expect("an invoice or a credit note")
}

/// The leaves of a document, counted without the readers: every attribute, and every element that
/// has text of its own or has no child elements.
fn leaves(root: Element<'_>) -> usize {
    let of = |element: Element<'_>| {
        let text: String = element.text().split_whitespace().collect();
        let branch = element.children().any(|child| matches!(child, Node::Element(_)));
        element.attributes().count() + usize::from(!text.is_empty() || !branch)
    };
    root.descendants().map(of).sum()
}

/// A path without prefixes, positions and conditions: `/Invoice/AccountingSupplierParty/Party`.
fn plain(path: &str) -> String {
    let mut bare = String::new();
    let mut depth = 0;
    for c in path.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    let step = |step: &str| {
        let (mark, name) = step.strip_prefix('@').map_or(("", step), |name| ("@", name));
        format!("{mark}{}", name.rsplit(':').next().unwrap_or(name))
    };
    bare.split('/').map(step).collect::<Vec<_>>().join("/")
}
