//! Documents of other kinds of transaction, with changes to values that the rules look at.

use quoin_xml::tree::{Document, Element, Limits, NodeId};

use crate::parity::Parity;
use crate::parity::edits::{Edit, Numbers, changed};

/// How documents are changed.
pub struct Tuned<'t> {
    /// Texts and what replaces them: one at a time, for the kind of transaction.
    pub kinds: &'t [(String, String)],
    /// Values of elements and attributes.
    pub values: &'t [&'t str],
}

impl Tuned<'_> {
    /// Compares seeded changes of documents: so many, or what `QUOIN_MUTANTS` asks for.
    pub fn compare(&self, parity: &mut Parity, documents: &[(String, Vec<u8>)], count: u64) {
        let asked = std::env::var("QUOIN_MUTANTS").ok().and_then(|count| count.parse().ok());
        for (name, text) in self.texts(documents, asked.unwrap_or(count)) {
            if let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) {
                parity.compare(&name, &document);
            }
        }
    }

    /// So many seeded changes of documents, with names.
    pub fn texts<'a>(
        &'a self,
        documents: &'a [(String, Vec<u8>)],
        count: u64,
    ) -> impl Iterator<Item = (String, String)> + 'a {
        let count = if documents.is_empty() { 0 } else { count };
        (0..count).filter_map(|seed| {
            let (name, bytes) = &documents[seed as usize * 7919 % documents.len()];
            let text = self.change(&String::from_utf8_lossy(bytes), &mut Numbers(seed))?;
            Some((format!("{name} tuned {seed}"), text))
        })
    }

    fn change(&self, text: &str, numbers: &mut Numbers) -> Option<String> {
        let (from, to) = &self.kinds[numbers.below(self.kinds.len())];
        let text = text.replace(from, to);
        let document = Document::parse(text.as_bytes(), &Limits::default()).ok()?;
        let mut edits = Vec::new();
        for _ in 0..1 + numbers.below(2) {
            edits.extend(self.edits(&document, numbers)?);
        }
        Some(changed(&document, &edits))
    }

    /// A change of one element, or of every element of its name.
    fn edits(&self, document: &Document, numbers: &mut Numbers) -> Option<Vec<(NodeId, Edit)>> {
        let all: Vec<Element<'_>> = document.root().descendants().collect();
        let one = *all.get(numbers.below(all.len()))?;
        let everywhere = numbers.below(3) > 0;
        let same = |own: &&Element<'_>| match everywhere {
            true => own.local() == one.local() && own.parent().map(Element::local) == above(one),
            false => own.id() == one.id(),
        };
        let edit = self.edit(one, numbers);
        Some(all.iter().filter(same).map(|own| (own.id(), edit.clone())).collect())
    }

    fn edit(&self, one: Element<'_>, numbers: &mut Numbers) -> Edit {
        let value = self.values[numbers.below(self.values.len())].to_owned();
        let attributes: Vec<&str> = one.attributes().map(|own| own.local).collect();
        let is_leaf = one.elements().next().is_none();
        match numbers.below(if is_leaf { 8 } else { 2 }) {
            0 => Edit::Delete,
            1 if is_leaf && numbers.below(2) == 0 => Edit::Rename("Other".to_owned()),
            1 => Edit::Duplicate,
            2 if !attributes.is_empty() => {
                Edit::Attribute(attributes[numbers.below(attributes.len())].to_owned(), Some(value))
            }
            _ => Edit::Text(value),
        }
    }
}

fn above(own: Element<'_>) -> Option<&str> {
    own.parent().map(Element::local)
}
