//! What CII alone says, in the words of EN 16931: gross prices of another quantity than the net
//! price.

use std::borrow::Cow;

use quoin_model::en16931::{Invoice, Line};

use super::{ConversionTarget, LossKind};
use crate::writing::LeafLedger;

const OTHER_QUANTITY: &str = "the gross price is of another quantity than the net price (BT-149)";

/// The invoice as the writer of a target takes it. What is told here has its row in the ledger.
pub(super) fn adapted<'i, 'd>(
    invoice: &'i Invoice<'d>,
    target: ConversionTarget,
    ledger: &mut LeafLedger<'d>,
) -> Cow<'i, Invoice<'d>> {
    let mut own = Cow::Borrowed(invoice);
    if target == ConversionTarget::CII {
        return own;
    }
    if invoice.lines.iter().any(has_other_gross) {
        own.to_mut().lines.iter_mut().for_each(|line| without_gross(line, ledger));
    }
    own
}

fn has_other_gross(line: &Line<'_>) -> bool {
    line.price.iter().any(|price| price.is_gross_of_other_quantity())
        || line.sub_lines().iter().any(has_other_gross)
}

/// A gross price and a discount that are not of what BT-149 says are no BT-148 and BT-147.
fn without_gross<'d>(line: &mut Line<'d>, ledger: &mut LeafLedger<'d>) {
    for price in line.price.all_mut() {
        if !price.is_gross_of_other_quantity() {
            continue;
        }
        let gross = std::mem::take(&mut price.gross);
        for one in &gross {
            ledger.list_as(Some("BT-148"), **one, LossKind::Lost, None, OTHER_QUANTITY);
        }
        let discount = std::mem::take(&mut price.discount);
        for one in &discount {
            ledger.list_as(Some("BT-147"), **one, LossKind::Lost, None, OTHER_QUANTITY);
        }
    }
    if let Some(more) = line.extensions.as_deref_mut() {
        more.sub_lines.iter_mut().for_each(|line| without_gross(line, ledger));
    }
}
