//! What CII alone says, in the words of EN 16931: charges for logistics, and gross prices of
//! another quantity than the net price.

use std::borrow::Cow;

use quoin_model::en16931::{Invoice, Line, LogisticsCharge};

use super::{ConversionTarget, Loss, LossKind};
use crate::writing::LeafLedger;

const LOGISTICS: &str = "a charge for logistics is a charge of the document (BG-21)";
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
    // These two write them as charges themselves.
    let is_charge = [ConversionTarget::UBL, ConversionTarget::JSON].contains(&target);
    if !is_charge && !invoice.extensions.logistics_charges.is_empty() {
        let own = own.to_mut();
        for charge in std::mem::take(&mut own.extensions.logistics_charges) {
            list_charge(&charge, ledger);
            own.allowance_charges.push(charge.as_charge());
        }
    }
    own
}

/// The rows of charges for logistics, of which each writer has a place of its own: somewhere in the
/// document that was written.
pub(super) fn place_charges(losses: &mut [Loss], document: &str) {
    let is_element = |line: &&str| !line.starts_with("<?") && !line.starts_with("<!");
    let line = document.lines().find(is_element).unwrap_or_default();
    let name = line.trim_start_matches('<').split([' ', '>', '/']).next().unwrap_or_default();
    for loss in losses.iter_mut().filter(|loss| loss.reason == LOGISTICS) {
        loss.target_path.get_or_insert_with(|| format!("/{name}"));
    }
}

/// A row for each term that it is said as.
fn list_charge<'d>(charge: &LogisticsCharge<'d>, ledger: &mut LeafLedger<'d>) {
    let tax = charge.tax_category.first();
    let terms = [
        ("BT-99", charge.amount.filled().map(|one| *one)),
        ("BT-102", tax.and_then(|tax| tax.code.filled()).map(|one| *one)),
        ("BT-103", tax.and_then(|tax| tax.rate.filled()).map(|one| *one)),
        ("BT-104", charge.description.filled().map(|one| *one)),
    ];
    for (term, source) in terms {
        if let Some(source) = source {
            ledger.list_as(Some(term), source, LossKind::Changed, None, LOGISTICS);
        }
    }
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
