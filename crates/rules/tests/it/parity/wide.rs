//! Changes that no check asks for: parts and values of other documents, texts at the edge of what
//! is a number, a date or a code, and the forms in which XML says the same.

use std::collections::BTreeMap;

use quoin_xml::tree::{Document, Element, Limits, NodeId};

use super::edges::{AMOUNTS, DAYS, TEXTS};
use super::edits::{Edit, Numbers, changed, escape};

/// Values that are kept of one name, and parts beneath one name.
const KEPT: usize = 60;
/// Bytes of a part.
const PART: usize = 4_000;

/// What the documents of a set have: values of names, and parts beneath names.
#[derive(Default)]
pub struct Pool {
    texts: BTreeMap<String, Vec<String>>,
    parts: BTreeMap<String, Vec<String>>,
    beneath: BTreeMap<String, Vec<String>>,
    attributes: BTreeMap<String, Vec<String>>,
}

fn keep(all: &mut BTreeMap<String, Vec<String>>, name: &str, value: String) {
    let own = all.entry(name.to_owned()).or_default();
    if own.len() < KEPT && !own.contains(&value) {
        own.push(value);
    }
}

impl Pool {
    /// Takes what a document has.
    pub fn take(&mut self, document: &Document) {
        for element in document.root().descendants() {
            self.element(element);
        }
    }

    fn element(&mut self, element: Element<'_>) {
        let local = element.local();
        for own in element.attributes().filter(|own| own.namespace.is_empty()) {
            keep(&mut self.attributes, local, own.local.to_owned());
            self.value(&format!("@{}", own.local), own.value);
        }
        if element.elements().next().is_none() {
            self.value(local, &element.text());
        }
        if element.string_value().len() < PART / 4 && element.descendants().count() < 40 {
            let part = part(element);
            let above = element.parent().map_or("", Element::local);
            if part.len() < PART && !above.is_empty() {
                keep(&mut self.parts, local, part.clone());
                keep(&mut self.beneath, above, part);
            }
        }
    }

    /// Takes a value of a name, an attribute's with `@`.
    pub fn value(&mut self, name: &str, value: &str) {
        if value.len() < 200 {
            keep(&mut self.texts, name, value.to_owned());
        }
    }

    fn of<'p>(
        all: &'p BTreeMap<String, Vec<String>>,
        name: &str,
        numbers: &mut Numbers,
    ) -> Option<&'p String> {
        let own = all.get(name).filter(|own| !own.is_empty())?;
        Some(&own[numbers.below(own.len())])
    }

    /// A value of any name.
    fn any(&self, numbers: &mut Numbers) -> Option<&String> {
        let name = self.texts.keys().nth(numbers.below(self.texts.len()))?;
        Pool::of(&self.texts, name, numbers)
    }

    /// A document with some seeded changes; `None` where it is no XML any more.
    pub fn mutant(&self, bytes: &[u8], seed: u64) -> Option<String> {
        let document = Document::parse(bytes, &Limits::default()).ok()?;
        let mut numbers = Numbers(seed ^ 0x5eed);
        let ids: Vec<NodeId> = document.root().descendants().map(Element::id).collect();
        let mut edits =
            if numbers.below(2) == 0 { switched(&document, &mut numbers) } else { Vec::new() };
        for _ in 0..1 + numbers.below(4) {
            let element = document.element(ids[numbers.below(ids.len().max(1))])?;
            let first = edits.len();
            self.edit(element, &mut numbers, &mut edits);
            if numbers.below(3) == 0 {
                everywhere(element, first, &mut edits);
            }
        }
        let text = changed(&document, &edits);
        Some(match numbers.below(16) {
            0 => reprefixed(&document, text),
            1 => text.replace("><", ">\n\t<!-- c --><?a b?><"),
            2 => text.replace("><", ">\n  <"),
            _ => text,
        })
    }

    fn edit(
        &self,
        element: Element<'_>,
        numbers: &mut Numbers,
        edits: &mut Vec<(NodeId, Edit)>,
    ) -> Option<()> {
        let id = element.id();
        let is_leaf = element.elements().next().is_none();
        let edit = match numbers.below(if is_leaf { 20 } else { 10 }) {
            0 => Edit::Delete,
            1 => Edit::Duplicate,
            2 => Edit::Swap,
            3 | 4 => {
                return self.attribute(element, numbers, edits);
            }
            5 => Edit::Replace(Pool::of(&self.parts, element.local(), numbers)?.clone()),
            6 | 7 => Edit::Append(Pool::of(&self.beneath, element.local(), numbers)?.clone()),
            8 => {
                let up = element.parent()?;
                edits.push((up.id(), Edit::Append(part(element))));
                match numbers.below(2) {
                    0 => Edit::Delete,
                    _ => return Some(()),
                }
            }
            9 if !is_leaf || numbers.below(2) == 0 => {
                let siblings: Vec<_> = element.parent()?.elements().map(Element::local).collect();
                Edit::Rename(siblings[numbers.below(siblings.len())].to_owned())
            }
            10 | 11 => Edit::Raw(spoken(&element.text(), numbers)),
            _ => Edit::Text(self.text(element.local(), &element.text(), numbers)),
        };
        edits.push((id, edit));
        Some(())
    }

    fn attribute(
        &self,
        element: Element<'_>,
        numbers: &mut Numbers,
        edits: &mut Vec<(NodeId, Edit)>,
    ) -> Option<()> {
        let id = element.id();
        let own: Vec<&str> = element.attributes().map(|own| own.local).collect();
        let known = Pool::of(&self.attributes, element.local(), numbers).cloned();
        let name = match numbers.below(8) {
            0 => "xml:lang".to_owned(),
            1 => {
                edits.push((id, Edit::Attribute("xmlns:qq".into(), Some("urn:qq".into()))));
                format!("qq:{}", known.unwrap_or_else(|| "schemeID".to_owned()))
            }
            2 => Pool::of(&self.attributes, "ID", numbers)?.clone(),
            3..5 if !own.is_empty() => own[numbers.below(own.len())].to_owned(),
            _ => known.or_else(|| own.first().map(|&name| name.to_owned()))?,
        };
        let old = element.attribute(&name).unwrap_or_default().to_owned();
        let value = match numbers.below(4) {
            0 => None,
            _ => Some(self.text(&format!("@{name}"), &old, numbers)),
        };
        edits.push((id, Edit::Attribute(name, value)));
        Some(())
    }

    /// A text in the place of another.
    fn text(&self, name: &str, old: &str, numbers: &mut Numbers) -> String {
        let number = old.trim().parse::<f64>().ok().filter(|_| numbers.below(2) == 0);
        if let Some(number) = number {
            return near(number, numbers);
        }
        let known = |numbers: &mut Numbers| Pool::of(&self.texts, name, numbers).cloned();
        let looks_dated = name.contains("Date") || name.contains("Time") || old.len() == 10;
        match numbers.below(12) {
            0..4 => known(numbers).unwrap_or_default(),
            4 => self.any(numbers).cloned().unwrap_or_default(),
            5 => recased(old, numbers),
            6 => known(numbers).map_or_else(String::new, |own| recased(&own, numbers)),
            7 => spaced(old, numbers),
            8 => known(numbers).map_or_else(String::new, |own| spaced(&own, numbers)),
            9 if looks_dated => numbers.pick(DAYS).to_owned(),
            9 => numbers.pick(AMOUNTS).to_owned(),
            10 => cut(old, numbers),
            _ => [TEXTS, AMOUNTS, DAYS][numbers.below(3)][numbers.below(30)].to_owned(),
        }
    }
}

/// The same change of every element of the name beneath elements of one name.
fn everywhere(element: Element<'_>, first: usize, edits: &mut Vec<(NodeId, Edit)>) {
    let above = element.parent().map(Element::local);
    let own = edits[first..].iter().find(|(id, _)| *id == element.id());
    let Some((_, edit)) = own.cloned() else { return };
    let all = element.document().root().descendants();
    let others = all.filter(|own| {
        own.local() == element.local()
            && own.id() != element.id()
            && own.parent().map(Element::local) == above
    });
    edits.extend(others.map(|own| (own.id(), edit.clone())));
}

/// Kinds of a document that are written as one digit each, `01000000`, set otherwise.
fn switched(document: &Document, numbers: &mut Numbers) -> Vec<(NodeId, Edit)> {
    let is_flags =
        |text: &str| text.len() >= 8 && text.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    let mut edits = Vec::new();
    for element in document.root().descendants() {
        let named = element.attributes().find(|own| is_flags(own.value));
        if let Some(own) = named {
            let value = flags(own.value.len(), numbers);
            edits.push((element.id(), Edit::Attribute(own.local.to_owned(), Some(value))));
        } else if element.elements().next().is_none() && is_flags(&element.text()) {
            edits.push((element.id(), Edit::Text(flags(element.text().len(), numbers))));
        }
    }
    edits
}

/// Digits of which up to four are 1.
fn flags(length: usize, numbers: &mut Numbers) -> String {
    let mut set: Vec<usize> = (0..numbers.below(4)).map(|_| numbers.below(length)).collect();
    set.push(numbers.below(2));
    (0..length).map(|at| if set.contains(&at) { '1' } else { '0' }).collect()
}

/// A number near another one, or another way to write it.
fn near(number: f64, numbers: &mut Numbers) -> String {
    const BY: &[f64] = &[
        0.001, 0.004, 0.005, 0.006, 0.009, 0.01, 0.02, 0.05, 0.1, 0.49, 0.5, 0.99, 1.0, 1.01, 10.0,
    ];
    let by = BY[numbers.below(BY.len())];
    match numbers.below(10) {
        0 => format!("{:.3}", number + by),
        1 => format!("{:.3}", number - by),
        2 => format!("{:.2}", number + by),
        3 => format!("{:.2}", number - by),
        4 => format!("{}", -number),
        5 => format!("{number:e}"),
        6 => format!("{:.2}", number * 100.0),
        7 => format!("{number:.4}"),
        8 => format!("0{number:.1}"),
        _ => numbers.pick(AMOUNTS).to_owned(),
    }
}

fn recased(text: &str, numbers: &mut Numbers) -> String {
    match numbers.below(3) {
        0 => text.to_lowercase(),
        1 => text.to_uppercase(),
        _ => {
            let turned = |(at, letter): (usize, char)| match at % 2 {
                0 => letter.to_ascii_lowercase(),
                _ => letter.to_ascii_uppercase(),
            };
            text.chars().enumerate().map(turned).collect()
        }
    }
}

fn spaced(text: &str, numbers: &mut Numbers) -> String {
    match numbers.below(6) {
        0 => format!(" {text}"),
        1 => format!("{text} "),
        2 => format!("\n\t{text}\r\n"),
        3 => format!("{text}\u{a0}"),
        4 => text.chars().map(|letter| format!("{letter} ")).collect(),
        _ => format!("{text} {text}"),
    }
}

/// A text with a letter less, more or other.
fn cut(text: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = numbers.below(letters.len());
    match numbers.below(4) {
        _ if letters.is_empty() => letters.push('x'),
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, '0'),
        2 => letters[at] = '9',
        _ => letters.insert(at, 'A'),
    }
    letters.into_iter().collect()
}

/// The same text with what XML may have in it, or an element.
fn spoken(text: &str, numbers: &mut Numbers) -> String {
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = (escape(&text[..half]), escape(&text[half..]));
    match numbers.below(6) {
        0 => format!("{first}<!-- c -->{second}"),
        1 => format!("{first}<?p i?>{second}"),
        2 => format!("<![CDATA[{}]]>", text.replace("]]>", "")),
        3 => format!("{first}<![CDATA[]]>{second}"),
        4 => format!("{first}<x xmlns=\"urn:x\">1</x>{second}"),
        _ => format!("<!---->{first}{second}<!---->"),
    }
}

/// An element by itself, with the namespaces of the names in it.
fn part(element: Element<'_>) -> String {
    let mut out = String::new();
    written(element, &mut out);
    out
}

fn written(element: Element<'_>, out: &mut String) {
    let (prefix, namespace) = (element.prefix(), element.namespace());
    let colon = if prefix.is_empty() { "" } else { ":" };
    let name = format!("{prefix}{colon}{}", element.local());
    out.push_str(&format!("<{name}"));
    // Whatever is declared around the place that it is put to.
    out.push_str(&format!(" xmlns{colon}{prefix}=\"{}\"", escape(namespace)));
    for own in element.attributes().filter(|own| own.namespace.is_empty()) {
        out.push_str(&format!(" {}=\"{}\"", own.local, escape(own.value)));
    }
    out.push('>');
    match element.elements().next() {
        None => out.push_str(&escape(&element.text())),
        Some(_) => element.elements().for_each(|own| written(own, out)),
    }
    out.push_str(&format!("</{name}>"));
}

/// A text with other prefixes.
fn reprefixed(document: &Document, mut text: String) -> String {
    for (number, (prefix, _)) in document.root().declarations().enumerate() {
        if !prefix.is_empty() {
            text = text.replace(&format!("xmlns:{prefix}="), &format!("xmlns:n{number}="));
            text = text.replace(&format!("<{prefix}:"), &format!("<n{number}:"));
            text = text.replace(&format!("</{prefix}:"), &format!("</n{number}:"));
        }
    }
    text
}
