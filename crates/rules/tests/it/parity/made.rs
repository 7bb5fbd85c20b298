//! Documents that are made of others by putting a text before a place, or in place of another.

use quoin_xml::tree::{Document, Limits};

use super::Parity;

/// Name and content.
pub type Documents = Vec<(String, Vec<u8>)>;

/// Compares all of them that are XML.
pub fn compare_all(parity: &mut Parity, documents: &Documents) {
    for (name, bytes) in documents {
        if let Ok(document) = Document::parse(bytes, &Limits::default()) {
            parity.compare(name, &document);
        }
    }
}

/// Every document with each of the texts put before the first place that it belongs to.
pub fn edited(documents: &Documents, edits: &[(&str, &str)]) -> Documents {
    made(documents, edits, |text, at, new| text.replacen(at, &format!("{new}{at}"), 1))
}

/// Every document with each of the texts wherever another one stands.
pub fn replaced(documents: &Documents, edits: &[(&str, &str)]) -> Documents {
    made(documents, edits, |text, old, new| text.replace(old, new))
}

/// The same, of the first only.
pub fn replaced_once(documents: &Documents, edits: &[(&str, &str)]) -> Documents {
    made(documents, edits, |text, old, new| text.replacen(old, new, 1))
}

fn made(
    documents: &Documents,
    edits: &[(&str, &str)],
    make: impl Fn(&str, &str, &str) -> String,
) -> Documents {
    let mut made = Vec::new();
    for (name, bytes) in documents {
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        for (at, new) in edits.iter().filter(|(at, _)| text.contains(at)) {
            made.push((format!("{name} with {new}"), make(text, at, new).into_bytes()));
        }
    }
    made
}
