//! Which business term each leaf is.

use std::collections::HashMap;

use quoin_model::en16931::{BusinessTerm, Derivation};
use quoin_model::text::cut;

use super::{LeafKey, Loss, key};

/// Which term each leaf is.
pub(super) struct LeafTerms {
    of_leaves: HashMap<LeafKey, &'static str>,
    /// Of what is derived several terms may stand in one place: they are told by their values.
    derived: HashMap<(LeafKey, String), &'static str>,
}

impl LeafTerms {
    pub(super) fn of(&self, at: LeafKey, value: &str) -> Option<&'static str> {
        self.of_derived(at, value).or_else(|| self.of_leaves.get(&at).copied())
    }

    /// The term that a value is which no leaf says: what the leaf at its place is, it is not.
    pub(super) fn of_derived(&self, at: LeafKey, value: &str) -> Option<&'static str> {
        let derived = (!self.derived.is_empty()).then(|| self.derived.get(&(at, value.to_owned())));
        derived.flatten().copied()
    }
}

/// The terms of all leaves.
pub(super) fn terms(named: Vec<BusinessTerm<'_>>) -> LeafTerms {
    let mut terms = LeafTerms { of_leaves: HashMap::new(), derived: HashMap::new() };
    // Of two terms in one place the first is the name: BT-21 and BT-22 of a note in UBL. What the
    // source means without words is none of its leaf: the name of an attribute (BT-160) that is
    // that of the element, beside its value (BT-161).
    for BusinessTerm { id, source, .. } in named.into_iter().rev() {
        match source.derivation() {
            Some(Derivation::Implied) => {
                terms.of_leaves.entry(key(source)).or_insert(id);
            }
            _ => {
                terms.of_leaves.insert(key(source), id);
            }
        }
        if source.derivation().is_some() {
            let value = cut(&source.trimmed(), Loss::MAX_VALUE).into_owned();
            terms.derived.insert((key(source), value), id);
        }
    }
    terms
}
