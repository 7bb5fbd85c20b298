//! The shape of a document: its places and the names of their attributes, in their order, and no
//! value. Of two documents of one shape in which no place has many elements, the same is to be
//! tested ([`super::TablePlan`]): software that writes invoices writes a few shapes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

use quoin_xml::tree::NameId;

use crate::subset::SubsetTable;
use crate::subset::evaluate::{Evaluator, MANY};
use crate::subset::outline::Outline;

/// Bytes of a shape that is looked for; what is to be tested under a longer one is worked out each
/// time.
const MOST: usize = 64 * 1024;

/// With a key of this process: nobody can make shapes that are hard to tell apart.
static HASHED_BY: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// The shape of a document.
#[derive(Debug, Clone)]
pub(in crate::subset) struct Shape {
    hash: u64,
    bytes: Arc<[u8]>,
}

/// A shape under a table: with which names of the table the document has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShapeUnder {
    hash: u64,
    set: (&'static str, &'static str),
    bytes: Arc<[u8]>,
    known: Box<[u64]>,
}

impl Shape {
    /// The shape of a document; `None` where some place has many elements, or it is too long.
    pub(in crate::subset) fn of(outline: &Outline<'_>) -> Option<Shape> {
        if outline.most() >= MANY {
            return None;
        }
        let mut writer = ShapeWriter::default();
        for place in outline.places() {
            writer.number(outline.parent(place).map_or(0, |above| above.0));
            writer.name(outline, outline.name(place)?);
            for &attribute in outline.attributes(place) {
                writer.bytes.push(ATTRIBUTE);
                writer.name(outline, attribute);
            }
            if writer.bytes.len() > MOST {
                return None;
            }
        }
        let hash = HASHED_BY.hash_one(&writer.bytes);
        Some(Shape { hash, bytes: writer.bytes.into() })
    }

    /// This shape as a table sees it.
    pub(super) fn under(&self, table: &SubsetTable, evaluator: &Evaluator<'_, '_>) -> ShapeUnder {
        let names = table.patterns.names.len();
        let mut known = vec![0u64; names.div_ceil(64)];
        for number in (0..names).filter(|&number| evaluator.name(number).is_some()) {
            if let Some(word) = known.get_mut(number / 64) {
                *word |= 1 << (number % 64);
            }
        }
        let set = (table.facts.id, table.facts.release);
        let hash = HASHED_BY.hash_one((self.hash, set, &known));
        ShapeUnder { hash, set, bytes: self.bytes.clone(), known: known.into() }
    }
}

impl ShapeUnder {
    /// How many bytes it takes; those of its shape may be shared with other tables.
    pub(super) fn weight(&self) -> usize {
        size_of::<ShapeUnder>() + self.bytes.len() + 8 * self.known.len()
    }
}

impl Hash for ShapeUnder {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// What stands before a name: that of an attribute, one that is there for the first time, and one
/// that was there before.
const ATTRIBUTE: u8 = 0;
const NEW: u8 = 1;
const KNOWN: u8 = 2;

#[derive(Default)]
struct ShapeWriter {
    bytes: Vec<u8>,
    /// By the number of a name in the document: how many were there before it.
    names: Vec<Option<u32>>,
    count: u32,
}

impl ShapeWriter {
    fn number(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn name(&mut self, outline: &Outline<'_>, name: NameId) {
        let at = name.0 as usize;
        if let Some(before) = self.names.get(at).copied().flatten() {
            self.bytes.push(KNOWN);
            return self.number(before);
        }
        if self.names.len() <= at {
            self.names.resize(at + 1, None);
        }
        if let Some(slot) = self.names.get_mut(at) {
            *slot = Some(self.count);
        }
        self.count += 1;
        let (namespace, local) = outline.document().name(name);
        self.bytes.push(NEW);
        for text in [namespace, local] {
            self.number(text.len() as u32);
            self.bytes.extend(text.as_bytes());
        }
    }
}
