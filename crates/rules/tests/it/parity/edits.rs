//! Documents that are wrong in one or a few places, the same ones for the same seed.

use quoin_xml::tree::{Document, Element, Limits, Node, NodeId};

/// A generator of numbers (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn pick<'t, T: ?Sized>(&mut self, from: &[&'t T]) -> &'t T {
        from[self.below(from.len())]
    }
}

/// What is done to one element.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    Delete,
    Duplicate,
    Text(String),
    Attribute(String, Option<String>),
    Rename(String),
    Swap,
    /// Adds this XML as the last child.
    Append(String),
    /// Has this XML inside.
    Raw(String),
    /// This XML is there instead.
    Replace(String),
}

/// Values of each kind, right ones and wrong ones.
const CODES: &[&str] = &[
    "S", "Z", "E", "AE", "K", "G", "O", "L", "M", "B", "s", " S ", "X", "VAT", "vat", "EUR", "SEK",
    "NL", "DE", "EL", "XX", "380", "381", "389", "130", "50", "30", "58", "102", "true", "false",
    "1", "0", "C62", "0088", "9930", "EM", "VA", "FC", "#AAI#x", "#A A#x", "#XXX#x",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "0.00",
    "19",
    "19.0",
    "19.5",
    "20",
    "25",
    "100",
    "0.01",
    "-0.005",
    "1000000",
    "1.005",
    "12,50",
    "1E2",
    "abc",
    "",
    " 5 ",
    "+7",
    "INF",
    "NaN",
    ".5",
    "5.",
    "99999999999999999999",
    "0.1",
    "7.00000",
];
const DATES: &[&str] = &[
    "2026-01-31",
    "2020-02-29",
    "2021-02-29",
    "20260131",
    "20261331",
    "31.01.2026",
    "",
    "2026-01-31Z",
    "2019-12-31+02:00",
    " 2026-05-01 ",
    "1999-01-01",
    "20991231",
];

/// A change of one document by some seeded edits; `None` where it is no XML.
pub fn mutant(bytes: &[u8], seed: u64) -> Option<String> {
    let document = Document::parse(bytes, &Limits::default()).ok()?;
    let mut numbers = Numbers(seed);
    let ids: Vec<NodeId> = document.root().descendants().map(Element::id).collect();
    let mut edits = Vec::new();
    for _ in 0..1 + numbers.below(3) {
        let element = document.element(ids[numbers.below(ids.len())])?;
        edits.push((element.id(), edit(element, &mut numbers)));
    }
    Some(changed(&document, &edits))
}

/// A document with its edits.
pub fn changed(document: &Document, edits: &[(NodeId, Edit)]) -> String {
    let mut text = String::with_capacity(document.source().len());
    write(document.root(), edits, &mut text);
    text
}

fn edit(element: Element<'_>, numbers: &mut Numbers) -> Edit {
    let is_leaf = element.elements().next().is_none();
    match numbers.below(if is_leaf { 14 } else { 5 }) {
        0 => Edit::Delete,
        1 => Edit::Duplicate,
        2 => Edit::Swap,
        3 => {
            let known: Vec<&str> = element.attributes().map(|own| own.local).collect();
            let names =
                ["currencyID", "schemeID", "unitCode", "listID", "name", "format", "mimeCode"];
            let name = match known.is_empty() {
                true => numbers.pick(&names).to_owned(),
                false => known[numbers.below(known.len())].to_owned(),
            };
            let value = (numbers.below(3) > 0).then(|| numbers.pick(CODES).to_owned());
            Edit::Attribute(name, value)
        }
        4 => match numbers.below(4) {
            0 => Edit::Rename("Note".to_owned()),
            _ => Edit::Duplicate,
        },
        _ => Edit::Text(value(element, numbers)),
    }
}

fn value(element: Element<'_>, numbers: &mut Numbers) -> String {
    let old = element.text();
    let local = element.local();
    let is_number = old.trim().parse::<f64>().is_ok();
    if local.contains("Date") {
        return numbers.pick(DATES).to_owned();
    }
    if is_number && numbers.below(3) > 0 {
        let number: f64 = old.trim().parse().unwrap_or_default();
        let change = [0.01, -0.01, 1.0, -1.0, 0.005, 100.0, 0.99, -0.99][numbers.below(8)];
        return match numbers.below(4) {
            0 => format!("{:.3}", number + change),
            1 => format!("{}", -number),
            _ => format!("{:.2}", number + change),
        };
    }
    match (is_number, numbers.below(4)) {
        (_, 0) => String::new(),
        (true, _) => numbers.pick(NUMBERS).to_owned(),
        (false, 1) => format!(" {old} "),
        (false, _) => numbers.pick(CODES).to_owned(),
    }
}

/// Writes a tree with its edits.
fn write(element: Element<'_>, edits: &[(NodeId, Edit)], out: &mut String) {
    let own: Vec<&Edit> =
        edits.iter().filter(|(id, _)| *id == element.id()).map(|(_, e)| e).collect();
    if own.iter().any(|edit| matches!(edit, Edit::Delete)) {
        return;
    }
    if let Some(xml) = own.iter().find_map(|edit| match edit {
        Edit::Replace(xml) => Some(xml),
        _ => None,
    }) {
        return out.push_str(xml);
    }
    let times = if own.iter().any(|edit| matches!(edit, Edit::Duplicate)) { 2 } else { 1 };
    for _ in 0..times {
        write_once(element, &own, edits, out);
    }
}

fn write_once(element: Element<'_>, own: &[&Edit], edits: &[(NodeId, Edit)], out: &mut String) {
    let renamed = own.iter().find_map(|edit| match edit {
        Edit::Rename(local) => Some(local.as_str()),
        _ => None,
    });
    let local = renamed.unwrap_or(element.local());
    let name = match element.prefix() {
        "" => local.to_owned(),
        prefix => format!("{prefix}:{local}"),
    };
    out.push_str(&format!("<{name}"));
    for (prefix, namespace) in element.declarations() {
        let name = if prefix.is_empty() { "xmlns".to_owned() } else { format!("xmlns:{prefix}") };
        out.push_str(&format!(" {name}=\"{}\"", escape(namespace)));
    }
    let mut attributes: Vec<(String, String)> = element
        .attributes()
        .filter(|own| own.namespace.is_empty())
        .map(|own| (own.local.to_owned(), own.value.to_owned()))
        .collect();
    for edit in own {
        if let Edit::Attribute(name, value) = edit {
            attributes.retain(|(own, _)| own != name);
            attributes.extend(value.clone().map(|value| (name.clone(), value)));
        }
    }
    for (name, value) in attributes {
        out.push_str(&format!(" {name}=\"{}\"", escape(&value)));
    }
    out.push('>');
    let text = own.iter().find_map(|edit| match edit {
        Edit::Text(text) => Some(escape(text)),
        Edit::Raw(xml) => Some(xml.clone()),
        _ => None,
    });
    match text {
        Some(text) => out.push_str(&text),
        None => children(element, own, edits, out),
    }
    for edit in own {
        if let Edit::Append(xml) = edit {
            out.push_str(xml);
        }
    }
    out.push_str(&format!("</{name}>"));
}

fn children(element: Element<'_>, own: &[&Edit], edits: &[(NodeId, Edit)], out: &mut String) {
    let mut inner: Vec<Node<'_>> = element.children().collect();
    if own.iter().any(|edit| matches!(edit, Edit::Swap)) {
        inner.reverse();
    }
    for child in inner {
        match child {
            Node::Text(text) => out.push_str(&escape(text)),
            Node::Element(child) => write(child, edits, out),
            Node::Comment | Node::Instruction { .. } => {}
        }
    }
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
