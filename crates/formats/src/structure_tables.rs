//! The structure of the standards, compiled from their schemas and embedded: names, order,
//! cardinality, types and facets. A fresh machine needs no schema file to check a document.
//!
//! The tables and [`STRUCTURES`] are made by `cargo xtask structure`. A table is read when it is
//! first asked for, and then shared by all threads.

mod rows;
#[cfg(test)]
mod tests;

use std::io::Read;
use std::sync::OnceLock;

use quoin_xml::tree::Element;
use quoin_xml::xsd::Schema;

pub use rows::STRUCTURES;

/// Bytes of an unpacked table at most.
const MAX_TABLE_BYTES: u64 = 4 << 20;

/// One standard in one version.
#[derive(Debug)]
pub struct Structure {
    /// Its name here, such as `ubl-2.1`.
    pub id: &'static str,
    /// The standard and its version, for people.
    pub title: &'static str,
    /// The release that the table was made from.
    pub source: &'static str,
    /// The document elements: namespace and local name.
    pub roots: &'static [(&'static str, &'static str)],
    packed: &'static [u8],
    schema: OnceLock<Option<Schema>>,
}

impl Structure {
    pub(self) const fn new(
        id: &'static str,
        title: &'static str,
        source: &'static str,
        packed: &'static [u8],
        roots: &'static [(&'static str, &'static str)],
    ) -> Structure {
        Structure { id, title, source, roots, packed, schema: OnceLock::new() }
    }

    /// Whether documents with this document element are described here.
    pub fn has_root(&self, namespace: &str, local: &str) -> bool {
        self.roots.contains(&(namespace, local))
    }

    /// The schema; unpacked at the first call, which takes about a millisecond for the largest.
    ///
    /// Answers `None` only where the program itself is damaged.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.get_or_init(|| Schema::from_bytes(&unpack(self.packed)?).ok()).as_ref()
    }

    /// Bytes that it takes in the program.
    pub fn packed_bytes(&self) -> usize {
        self.packed.len()
    }
}

/// The structure of this name.
pub fn by_id(id: &str) -> Option<&'static Structure> {
    STRUCTURES.iter().find(|structure| structure.id == id)
}

/// The structure that a document itself tells, where several have its document element.
pub fn told_by(root: Element<'_>) -> Option<&'static str> {
    crate::tax_data::structure_of(root)
}

/// The structure of documents with this document element.
///
/// Several standards share one: UBL 2.1 and 2.3, CII D16B, D22B and the profiles of Factur-X.
/// `syntax` names the structure that is meant; where it is absent, or does not know the element,
/// the usual one is taken, which is UBL 2.1 or CII D16B.
pub fn find(namespace: &str, local: &str, syntax: Option<&str>) -> Option<&'static Structure> {
    let named = syntax.and_then(by_id).filter(|structure| structure.has_root(namespace, local));
    named.or_else(|| STRUCTURES.iter().find(|structure| structure.has_root(namespace, local)))
}

/// The schema of documents with this document element, as [`find`] chooses it.
pub fn for_document(namespace: &str, local: &str, syntax: Option<&str>) -> Option<&'static Schema> {
    find(namespace, local, syntax)?.schema()
}

fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut table = Vec::with_capacity(packed.len() * 4);
    let decoder = flate2::read::DeflateDecoder::new(packed);
    decoder.take(MAX_TABLE_BYTES).read_to_end(&mut table).ok()?;
    Some(table)
}
