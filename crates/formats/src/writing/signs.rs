//! Signs: some syntaxes write what a credit note credits as negative.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Derivation, Invoice, ValueSource};

use super::ledger::reasons::NEGATED;
use super::{InvoiceOutput, LossKind};
use crate::reading::negated;

/// Why a number that is written as it is reads otherwise.
const TAKEN: &str = "readers of the target take what is below nought for a credit note, of which the \
                     amounts are positive";

/// Why a credit note whose total is below nought is refused.
pub(crate) const CREDIT_BELOW: &str = "it is a credit note below nought, which charges: readers of \
                                       the target would take it for one that credits";

/// Whether it is a credit note whose total is below nought.
pub(crate) fn is_credit_below(invoice: &Invoice<'_>) -> bool {
    let Some(totals) = invoice.totals.first().filter(|_| invoice.is_credit_note()) else {
        return false;
    };
    let all = [&totals.with_vat, &totals.due, &totals.without_vat];
    let mut values = all.into_iter().filter_map(|field| field.filled()?.value());
    values.find(|value| !value.is_zero()).is_some_and(Decimal::is_negative)
}

/// Which sign the amounts and quantities of a target have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenSign {
    /// That of the source.
    Same,
    /// The other one: the source credits.
    Other,
    /// That of the source, which readers of the target take for the other one.
    TakenForOther,
}

impl WrittenSign {
    /// The text of a number that was made of numbers of the source.
    pub(crate) fn of(self, text: &str) -> String {
        match self {
            WrittenSign::Other => negated(text),
            WrittenSign::Same | WrittenSign::TakenForOther => text.to_owned(),
        }
    }
}

impl<'d> InvoiceOutput<'d> {
    /// The text of a number with its sign in the target, which the caller writes to an element of
    /// this name; what becomes of the leaf is told here.
    pub(crate) fn signed(
        &mut self,
        name: &str,
        source: ValueSource<'d>,
        sign: WrittenSign,
    ) -> String {
        if self.ledger.in_own_words {
            self.ledger.carry(source);
            let is_negated = source.derivation() == Some(Derivation::Negated);
            let own = if is_negated { source.as_written() } else { self.words(source) };
            return own.trim_matches(quoin_model::text::SPACE).to_owned();
        }
        let text = source.trimmed();
        let (other, path) = (negated(&text), self.path_of(name));
        match sign {
            WrittenSign::Other if other != text => {
                self.ledger.list(source, LossKind::Changed, Some(path), NEGATED);
                other
            }
            WrittenSign::TakenForOther if other != text => {
                self.ledger.list(source, LossKind::Changed, Some(path), TAKEN);
                text.into_owned()
            }
            _ => {
                self.ledger.carry(source);
                text.into_owned()
            }
        }
    }
}
