//! A document with the names of the rules resolved in it.

use super::super::compiler::{NameSlot, Program};
use crate::tree::{Document, NameId};

const ABSENT: u32 = u32::MAX;

/// A document and, for each name of the rules, its number in the document, and back.
pub(crate) struct Loaded<'d> {
    pub(crate) document: &'d Document,
    ids: Vec<u32>,
    slots: Vec<u32>,
}

impl<'d> Loaded<'d> {
    pub(crate) fn new(program: &Program, document: &'d Document) -> Loaded<'d> {
        let names = document.name_count();
        let mut loaded =
            Loaded { document, ids: vec![ABSENT; program.names.len()], slots: vec![ABSENT; names] };
        for id in 0..names as u32 {
            let (namespace, local) = document.name(NameId(id));
            let Some(slot) = program.names.find(namespace, local) else { continue };
            if let (Some(a), Some(b)) =
                (loaded.ids.get_mut(slot as usize), loaded.slots.get_mut(id as usize))
            {
                (*a, *b) = (id, slot);
            }
        }
        loaded
    }

    /// The number of a name of the rules in this document; `None` where it is absent.
    #[inline]
    pub(crate) fn id_of(&self, slot: u32) -> Option<NameId> {
        self.ids.get(slot as usize).filter(|&&id| id != ABSENT).map(|&id| NameId(id))
    }

    pub(crate) fn slot_of(&self, id: NameId) -> Option<NameSlot> {
        self.slots.get(id.0 as usize).filter(|&&slot| slot != ABSENT).map(|&slot| NameSlot(slot))
    }
}
