//! What readers of national syntaxes supply, or say with another sign: no difference that a writer
//! would have to list.

use quoin_formats::convert::{Loss, LossKind};
use quoin_model::en16931::{Derivation, Invoice};

use super::{Terms, terms, without};

/// The codes of reasons, and how many of what a line without a quantity is.
const TERMS: &[&str] = &["BT-98", "BT-105", "BT-140", "BT-145", "BT-129", "BT-130"];
/// A price without its sign, and the quantity that has it.
const TURNED: &[&str] = &["BT-129", "BT-146"];

/// What was read again.
pub(super) struct Supplied {
    /// All but what the reader supplied.
    said: Terms,
    /// What has the other sign.
    turned: Terms,
    /// Codes of reasons that were written as a text.
    as_text: Vec<String>,
}

impl Supplied {
    pub(super) fn of(target: &Invoice<'_>, losses: &[Loss]) -> Supplied {
        let said = terms(target, |term| match term.source.derivation() {
            Some(Derivation::Implied) => !TERMS.contains(&term.id),
            // The price of a row that has an amount only.
            Some(Derivation::Computed(_)) => term.id != "BT-146",
            _ => true,
        });
        let turned = terms(target, |term| {
            term.source.derivation() == Some(Derivation::Negated) && TURNED.contains(&term.id)
        });
        let rows = losses.iter().filter(|row| {
            row.kind == LossKind::CarriedAsText && row.term.is_some_and(|id| TERMS.contains(&id))
        });
        Supplied { said, turned, as_text: rows.map(|row| row.value.to_string()).collect() }
    }

    /// What is missing of a term, but for what is there with the other sign.
    pub(super) fn missing(&self, id: &str, missing: &[String]) -> Vec<String> {
        let turned = self.turned.get(id).into_iter().flatten();
        without(missing, &turned.map(|value| opposite(value)).collect::<Vec<_>>())
    }

    /// What is new of a term, but for what its source has with the other sign.
    pub(super) fn written(&self, id: &str, source: &[String]) -> Vec<String> {
        let said = self.said.get(id).cloned().unwrap_or_default();
        let new = without(&without(&said, source), &self.as_text);
        let turned = self.turned.get(id).into_iter().flatten();
        let turned = turned.filter(|value| source.contains(&opposite(value)));
        without(&new, &turned.cloned().collect::<Vec<_>>())
    }
}

/// A number with the other sign.
fn opposite(value: &str) -> String {
    value.strip_prefix('-').map_or_else(|| format!("-{value}"), str::to_owned)
}
