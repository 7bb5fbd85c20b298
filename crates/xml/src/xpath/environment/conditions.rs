//! Conditions on a node that stand in several rules, remembered for each node.
//!
//! `[cac:TaxScheme/normalize-space(upper-case(cbc:ID)) = 'VAT']` stands in a hundred tests of one
//! rule set and is asked of the same few nodes. Its truth takes two bits a node.

use std::cell::{Cell, OnceCell};

/// Bytes that remembered conditions of one document may take.
const MAX_BYTES: usize = 64 << 20;

/// Two bits a node, four nodes a byte.
type TruthTable = Box<[Cell<u8>]>;

/// The truths known so far.
pub(crate) struct ConditionMemo {
    /// One for each condition that stands in several places.
    tables: Vec<Option<OnceCell<TruthTable>>>,
    bytes: Cell<usize>,
}

/// Where the truth of one condition for one node stands.
pub(crate) struct MemoCell<'k> {
    byte: &'k Cell<u8>,
    shift: u32,
}

impl ConditionMemo {
    pub(super) fn new(shared: &[bool]) -> ConditionMemo {
        let tables = shared.iter().map(|shared| shared.then(OnceCell::new)).collect();
        ConditionMemo { tables, bytes: Cell::new(0) }
    }

    /// The place of a condition and a node; `None` where it is not remembered.
    #[inline]
    pub(crate) fn place(&self, condition: u32, node: u32, nodes: usize) -> Option<MemoCell<'_>> {
        let table = self.tables.get(condition as usize)?.as_ref()?;
        let bytes = match table.get() {
            Some(bytes) => bytes,
            None => {
                let size = nodes / 4 + 1;
                if self.bytes.get() + size > MAX_BYTES {
                    return None;
                }
                self.bytes.set(self.bytes.get() + size);
                table.get_or_init(|| vec![Cell::new(0); size].into())
            }
        };
        Some(MemoCell { byte: bytes.get(node as usize / 4)?, shift: node % 4 * 2 })
    }
}

impl MemoCell<'_> {
    /// The truth, where it is known.
    #[inline]
    pub(crate) fn get(&self) -> Option<bool> {
        match self.byte.get() >> self.shift & 3 {
            0 => None,
            bits => Some(bits == 3),
        }
    }

    /// Remembers the truth.
    #[inline]
    pub(crate) fn set(&self, truth: bool) {
        self.byte.set(self.byte.get() | (2 + u8::from(truth)) << self.shift);
    }
}
