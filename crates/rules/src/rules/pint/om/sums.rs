//! What lines, charges and allowances come to, by category and by rate, each once a document.

use std::collections::{HashMap, HashSet};

use quoin_xml::tree::{Element, NodeId};

use super::{OF_LINES, OF_OTHERS, adjustments, castable, lines, number_at};
use crate::rules::pint::paths::{groups, leaves, number, share_of};
use crate::rules::values::{Read, cbc, decimal_sum, string};
use crate::rules::{Case, Facts, Unreadable};
use quoin_model::amount::Decimal;

/// A sum, or the element that has no number.
type OmanSum = Result<Decimal, NodeId>;

/// Lines and charges, less allowances.
#[derive(Default)]
pub(super) struct OmanSums {
    /// By the code of a category, as it is written.
    by_code: HashMap<String, OmanSum>,
    /// Of standard rated ones by their rate.
    by_rate: HashMap<Decimal, OmanSum>,
    /// Their tax, as the lines state it and by the rate of charges and allowances.
    tax_by_rate: HashMap<Decimal, OmanSum>,
    /// A standard rated charge or allowance whose rate is no number.
    wrong_rate: Option<NodeId>,
}

/// The category of the standard rate.
const STANDARD: &str = "S";

impl OmanSums {
    pub(super) fn of(facts: &Facts<'_>) -> OmanSums {
        let mut sums = OmanSums::default();
        for line in lines(facts.root()) {
            sums.line(line);
        }
        for (indicator, charge) in [("false", false), ("true", true)] {
            for own in adjustments(facts.root(), indicator) {
                sums.adjustment(own, charge);
            }
        }
        sums
    }

    fn line(&mut self, line: Element<'_>) {
        let amount = sum_of(leaves(line, "LineExtensionAmount"));
        let codes = codes(line, OF_LINES);
        let is_standard = codes.contains(STANDARD);
        codes.into_iter().for_each(|code| add(self.by_code.entry(code).or_insert(NONE), amount));
        let rate = number_at(line, "Item/ClassifiedTaxCategory/Percent");
        if let Some(rate) = rate.filter(|_| is_standard) {
            let tax = sum_of(leaves(line, "ItemPriceExtension/TaxTotal/TaxAmount"));
            add(self.by_rate.entry(rate).or_insert(NONE), amount);
            add(self.tax_by_rate.entry(rate).or_insert(NONE), tax);
        }
    }

    fn adjustment(&mut self, own: Element<'_>, charge: bool) {
        let signed = |sum: OmanSum| sum.map(|sum| if charge { sum } else { sum.negated() });
        let amount = signed(sum_of(leaves(own, "Amount")));
        let codes = codes(own, OF_OTHERS);
        let is_standard = codes.contains(STANDARD);
        codes.into_iter().for_each(|code| add(self.by_code.entry(code).or_insert(NONE), amount));
        if !is_standard {
            return;
        }
        let rates = leaves(own, "TaxCategory/Percent");
        match number(own, "TaxCategory/Percent") {
            Ok(Some(rate)) => add(self.by_rate.entry(rate).or_insert(NONE), amount),
            Ok(None) => {}
            Err(wrong) => self.wrong_rate = self.wrong_rate.or(Some(wrong.id())),
        }
        if let Some(rate) = castable(&rates) {
            let tax = match number(own, "Amount") {
                Ok(Some(amount)) => share_of(amount, rate).ok_or(own.id()),
                Ok(None) => NONE,
                Err(wrong) => Err(wrong.id()),
            };
            add(self.tax_by_rate.entry(rate).or_insert(NONE), signed(tax));
        }
    }

    /// Of a category.
    pub(super) fn of_code<'d>(&self, case: &Case<'_, 'd>, code: &str) -> Read<'d, Decimal> {
        read(case, self.by_code.get(code))
    }

    /// Of a rate.
    pub(super) fn of_rate<'d>(&self, case: &Case<'_, 'd>, rate: Decimal) -> Read<'d, Decimal> {
        match self.wrong_rate {
            Some(wrong) => Err(Unreadable::at(case, wrong)),
            None => read(case, self.by_rate.get(&rate)),
        }
    }

    /// The tax of a rate.
    pub(super) fn tax_of<'d>(&self, case: &Case<'_, 'd>, rate: Decimal) -> Read<'d, Decimal> {
        read(case, self.tax_by_rate.get(&rate))
    }
}

const NONE: OmanSum = Ok(Decimal::ZERO);

fn read<'d>(case: &Case<'_, 'd>, sum: Option<&OmanSum>) -> Read<'d, Decimal> {
    sum.copied().unwrap_or(NONE).map_err(|wrong| Unreadable::at(case, wrong))
}

fn sum_of(amounts: Vec<Element<'_>>) -> OmanSum {
    decimal_sum(amounts.into_iter()).map_err(|wrong| wrong.id())
}

fn add(sum: &mut OmanSum, amount: OmanSum) {
    let added = match (*sum, amount) {
        (Ok(sum), Ok(amount)) => sum.checked_add(amount).ok_or(NodeId(0)),
        (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
    };
    *sum = added;
}

/// The codes of the categories of an element, each once.
fn codes(at: Element<'_>, path: &str) -> HashSet<String> {
    let categories = groups(at, path).into_iter();
    categories.flat_map(|own| cbc(own, "ID")).map(|id| string(id).into_owned()).collect()
}
