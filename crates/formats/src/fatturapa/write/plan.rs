//! What is decided of a document before it is written: the numbers of lines, and by which law a
//! category has no VAT.

use std::collections::{HashMap, HashSet};

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Amount, Invoice, TaxCategory};

use super::category::{self, Taxed};
use crate::writing::ConversionRefusal;

/// Lines that a document may have (`NumeroLineaType`).
const MAX_LINES: usize = 9_999;

/// What is decided of the body.
pub(super) struct BodyPlan {
    /// The number of each line (2.2.1.1).
    pub numbers: Vec<u32>,
    /// The number of the first line that stands for an allowance or a charge of the document.
    pub next: u32,
    /// Category, and what is written of it, as the summary decides it.
    categories: HashMap<String, Taxed>,
    /// What is taxed by rate and `Natura`: lines, and allowances and charges of the document;
    /// `None` where an amount is none.
    sums: HashMap<(String, Option<&'static str>), Option<Decimal>>,
}

impl BodyPlan {
    /// Decides; a document that has no place is refused.
    pub(super) fn of(invoice: &Invoice<'_>) -> Result<BodyPlan, ConversionRefusal> {
        let numbers = numbers(invoice);
        let next = numbers.iter().max().map_or(1, |last| last + 1);
        let count = invoice.lines.len() + extra(invoice).count();
        if next as usize + extra(invoice).count() > MAX_LINES + 1 {
            return Err(ConversionRefusal::ValueWithoutPlace {
                path: invoice.element.path(),
                value: format!("{count} lines"),
                why: "the target has lines 1 to 9999",
            });
        }
        if invoice.vat_breakdown.is_empty() {
            return Err(ConversionRefusal::Required {
                what: "the VAT breakdown (BG-23)",
                path: invoice.element.path(),
                target: "DatiRiepilogo",
            });
        }
        let mut categories = HashMap::new();
        for one in invoice.breakdown_in_document_currency() {
            let Some(category) = one.category.first() else { continue };
            let taxed = category::decide(category, one.element)?;
            categories.entry(code(category)).or_insert(taxed);
        }
        let mut plan = BodyPlan { numbers, next, categories, sums: HashMap::new() };
        plan.add(invoice);
        Ok(plan)
    }

    /// What is written of a category: what the summary decided, else what the category says.
    pub(super) fn taxed(&self, category: &TaxCategory<'_>) -> Result<Taxed, ConversionRefusal> {
        let code = code(category);
        let own = || category::decide(category, category.element);
        if category::is_as_written(category) {
            return own();
        }
        self.categories.get(&code).map_or_else(own, |taxed| Ok(*taxed))
    }
}

impl BodyPlan {
    /// Adds what is taxed; what is of no category is found when it is written.
    fn add(&mut self, invoice: &Invoice<'_>) {
        let lines = invoice.lines.iter();
        let lines = lines.map(|line| (line.tax_category.first(), line.net_amount.filled(), true));
        let others = extra(invoice)
            .map(|one| (one.tax_category.first(), one.amount.filled(), one.is_charge()));
        for (category, amount, is_more) in lines.chain(others) {
            let known = category.filter(|one| self.categories.contains_key(&code(one)));
            let Some(category) = known else { continue };
            let Ok(taxed) = self.taxed(category) else { continue };
            let key = (category::rate_text(category), taxed.nature);
            let sum = self.sums.entry(key).or_insert(Some(Decimal::ZERO));
            let value = amount.and_then(Amount::value);
            *sum = sum.zip(value).and_then(|(sum, value)| match is_more {
                true => sum.checked_add(value),
                false => sum.checked_sub(value),
            });
        }
    }

    /// What the lines at the rate of a category are together, with allowances and charges.
    pub(super) fn sum(&self, category: &TaxCategory<'_>, taxed: Taxed) -> Option<Decimal> {
        let key = (category::rate_text(category), taxed.nature);
        self.sums.get(&key).copied().unwrap_or(Some(Decimal::ZERO))
    }
}

fn code(category: &TaxCategory<'_>) -> String {
    category.code.text().unwrap_or_default().into_owned()
}

/// The allowances and charges of the document that become lines: all but those of a pension fund.
pub(super) fn extra<'i, 'd>(
    invoice: &'i Invoice<'d>,
) -> impl Iterator<Item = &'i AllowanceCharge<'d>> {
    invoice.allowance_charges.iter().filter(|one| !is_fund(one))
}

/// Whether a charge is that of a pension fund, of which only FatturaPA itself says all.
pub(super) fn is_fund(charge: &AllowanceCharge<'_>) -> bool {
    charge.element.local() == "DatiCassaPrevidenziale"
}

/// BT-126, where all of them are different numbers from 1 to 9999; else the lines are counted.
fn numbers(invoice: &Invoice<'_>) -> Vec<u32> {
    let mut seen = HashSet::new();
    let number = |text: &str| {
        let plain = !text.starts_with(['0', '+']);
        text.parse::<u32>().ok().filter(|number| plain && (1..=9_999).contains(number))
    };
    let own: Option<Vec<u32>> = invoice
        .lines
        .iter()
        .map(|line| number(&line.id.text()?).filter(|number| seen.insert(*number)))
        .collect();
    own.unwrap_or_else(|| (1..).take(invoice.lines.len()).collect())
}
