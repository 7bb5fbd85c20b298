//! What is decided of a document before it is written: its kind, the sign of its amounts, the
//! numbers of its rows, and the sum to which each category belongs.

use std::collections::{HashMap, HashSet};

use quoin_model::amount::Decimal;
use quoin_model::codes;
use quoin_model::en16931::{Invoice, TaxCategory};

use super::category::{self, FaTaxed};
use crate::writing::ConversionRefusal;

/// Rows that a document may have.
const MAX_ROWS: usize = 10_000;
/// Those that are no invoice: a bill for a forecast, information for the books.
const NO_INVOICES: &[&str] = &["325", "751"];
/// Those that correct whatever they come to.
const CORRECTIONS: &[&str] = &["383", "384", "527"];
/// Those that the buyer issues.
const SELF_BILLED: &[&str] = &["389", "261", "527"];

/// Whether an amount is written with the other sign, and whether it is read so again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignChange {
    /// What a credit note credits is less than nought in FA.
    pub written: bool,
    /// A correction of less than nought is a credit note when it is read.
    pub read: bool,
}

/// What is decided.
pub(super) struct FaPlan {
    /// `RodzajFaktury`.
    pub kind: &'static str,
    /// BT-3 as it is read again.
    pub again: &'static str,
    /// `P_17`.
    pub is_self_billed: bool,
    pub signs: SignChange,
    /// `NrWierszaFa` of each line.
    pub numbers: Vec<u64>,
    /// The number of the first row that stands for an allowance or a charge of the document.
    pub next: u64,
    /// Category and rate of the breakdown, and the sum that they belong to.
    taxed: HashMap<(String, Option<String>), FaTaxed>,
    /// The rates that rows say for a sum; `None` where they are several.
    pub row_rates: HashMap<usize, Option<Decimal>>,
}

impl FaPlan {
    /// Decides; a document that has no place is refused.
    pub(super) fn of(invoice: &Invoice<'_>) -> Result<FaPlan, ConversionRefusal> {
        let (kind, again, signs) = kind(invoice)?;
        let code = invoice.type_code.text().unwrap_or_default();
        let count = invoice.lines.len() + invoice.allowance_charges.len();
        if count > MAX_ROWS {
            return Err(ConversionRefusal::ValueWithoutPlace {
                path: invoice.element.path(),
                value: format!("{count} lines"),
                why: "the target has 10,000 rows at most, with those for allowances and charges",
            });
        }
        let numbers = numbers(invoice);
        let next = numbers.iter().max().map_or(1, |last| last + 1);
        let is_self_billed = SELF_BILLED.contains(&code.as_ref());
        let (taxed, row_rates) = (HashMap::new(), HashMap::new());
        let mut plan =
            FaPlan { kind, again, is_self_billed, signs, numbers, next, taxed, row_rates };
        for one in invoice.breakdown_in_document_currency() {
            let Some(category) = one.category.first() else { continue };
            let taxed = category::decide(invoice, category)?;
            plan.taxed.entry(key(category)).or_insert(taxed);
        }
        plan.rates(invoice)?;
        Ok(plan)
    }

    fn rates(&mut self, invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
        let of_lines = invoice.lines.iter().flat_map(|line| line.tax_category.first());
        let others = invoice.allowance_charges.iter();
        for category in of_lines.chain(others.flat_map(|one| one.tax_category.first())) {
            let sum = self.taxed(invoice, category)?.sum;
            let Some(rate) = category.rate.value() else { continue };
            let known = self.row_rates.entry(sum).or_insert(Some(rate));
            if *known != Some(rate) {
                *known = None;
            }
        }
        Ok(())
    }

    /// The sum of a category: what the breakdown decided, else what the category says.
    pub(super) fn taxed(
        &self,
        invoice: &Invoice<'_>,
        category: &TaxCategory<'_>,
    ) -> Result<FaTaxed, ConversionRefusal> {
        match self.taxed.get(&key(category)) {
            Some(taxed) => Ok(*taxed),
            None => category::decide(invoice, category),
        }
    }
}

fn key(category: &TaxCategory<'_>) -> (String, Option<String>) {
    let rate = category.rate.value().filter(|rate| !rate.is_zero());
    (category.code.text().unwrap_or_default().into_owned(), rate.map(|rate| rate.to_string()))
}

/// `RodzajFaktury` of BT-3, of the invoices that it refers to (BG-3), and of the total.
fn kind(
    invoice: &Invoice<'_>,
) -> Result<(&'static str, &'static str, SignChange), ConversionRefusal> {
    let refused =
        |code: &str, why| Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why });
    let Some(code) = invoice.type_code.text() else {
        return refused("", "it is not said, and the target must say it");
    };
    let is_credit = invoice.is_credit_note();
    if NO_INVOICES.contains(&code.as_ref()) {
        return refused(&code, "KSeF takes invoices only");
    }
    if !is_credit && !codes::is_document_type(&code) {
        return refused(&code, "it is neither an invoice nor a credit note (BR-CL-01)");
    }
    let total = invoice.totals.first().and_then(|totals| totals.with_vat.value());
    let is_below = total.is_some_and(Decimal::is_negative);
    let corrects = is_credit || CORRECTIONS.contains(&code.as_ref()) || is_below;
    let is_self_billed = SELF_BILLED.contains(&code.as_ref());
    if !corrects {
        let signs = SignChange { written: false, read: false };
        return Ok(match (code.as_ref(), is_self_billed) {
            ("386", _) => ("ZAL", "386", signs),
            (_, true) => ("VAT", "389", signs),
            (_, false) => ("VAT", "380", signs),
        });
    }
    let read = match is_credit {
        true => total.is_some_and(|total| !total.is_negative() && !total.is_zero()),
        false => is_below,
    };
    let again = match (read, is_self_billed) {
        (true, false) => "381",
        (true, true) => "261",
        (false, _) => "384",
    };
    Ok(("KOR", again, SignChange { written: is_credit, read }))
}

/// BT-126, where all of them are different numbers of at most nine digits; else lines are counted.
fn numbers(invoice: &Invoice<'_>) -> Vec<u64> {
    let mut seen = HashSet::new();
    let number = |text: &str| {
        let is_plain = text.len() <= 9 && !text.starts_with(['0', '+']);
        text.parse::<u64>().ok().filter(|number| is_plain && *number > 0)
    };
    let own: Option<Vec<u64>> = invoice
        .lines
        .iter()
        .map(|line| number(&line.id.text()?).filter(|number| seen.insert(*number)))
        .collect();
    own.unwrap_or_else(|| (1..).take(invoice.lines.len()).collect())
}
