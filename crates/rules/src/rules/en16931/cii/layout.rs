//! Where CII has what is added up by VAT category and rate.

use quoin_xml::tree::Element;

use super::{settlements, transactions};
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::{SumGroup, SumLayout};
use crate::rules::values::{
    Read, boolean, decimal, decimal_of, one, ram, some_boolean, string, udt,
};
use crate::rules::{Facts, Unreadable};
use quoin_model::amount::Decimal;

/// CII invoices. A line is its `SpecifiedLineTradeSettlement`. Of an allowance or a charge with
/// several amounts the first is taken, or they are an error.
pub(in crate::rules) struct CiiLayout<const FIRST: bool>;

/// As from 1.3.16: the first amount.
pub(in crate::rules) type Cii = CiiLayout<true>;
/// As before 1.3.16: the one amount.
pub(in crate::rules) type CiiBefore = CiiLayout<false>;

/// `ram:ChargeIndicator/udt:Indicator`.
pub(in crate::rules) fn indicators<'d>(element: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    ram(element, "ChargeIndicator").flat_map(|own| udt(own, "Indicator"))
}

impl<const FIRST: bool> SumLayout for CiiLayout<FIRST> {
    const ONE_CONDITION: bool = true;

    fn elements<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>, SumGroup)) {
        let lines = transactions(facts);
        let lines = lines.flat_map(|own| ram(own, "IncludedSupplyChainTradeLineItem"));
        for line in lines.flat_map(|line| ram(line, "SpecifiedLineTradeSettlement")) {
            add(line, SumGroup::InvoiceLines);
        }
        for own in settlements(facts).flat_map(|own| ram(own, "SpecifiedTradeAllowanceCharge")) {
            use SumGroup::{Allowances, AllowancesByCast, Charges, ChargesByCast};
            for group in [Charges, Allowances, ChargesByCast, AllowancesByCast] {
                add(own, group);
            }
        }
    }

    fn is_wanted<'d>(element: Element<'d>, group: SumGroup) -> Read<'d, bool> {
        let Some(wanted) = group.indicator() else { return Ok(true) };
        if matches!(group, SumGroup::Charges | SumGroup::Allowances) {
            return some_boolean(indicators(element), wanted);
        }
        match one(indicators(element))? {
            Some(indicator) => Ok(boolean(indicator)? == wanted),
            None => Err(Unreadable::value(element, "".into())),
        }
    }

    fn has_one_indicator(element: Element<'_>) -> bool {
        let mut all = indicators(element);
        all.next().is_some() && all.next().is_none()
    }

    fn categories<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>> {
        ram(element, if group.is_line() { "ApplicableTradeTax" } else { "CategoryTradeTax" })
    }

    fn code(category: Element<'_>) -> Read<'_, Option<Category>> {
        let code = one(ram(category, "CategoryCode"))?;
        Ok(code.and_then(|code| Category::of_code(&string(code))))
    }

    fn is<'d>(category: Element<'d>, wanted: Category) -> Read<'d, bool> {
        let is = |code| Category::of_code(&string(code)) == Some(wanted);
        Ok(ram(category, "CategoryCode").any(is))
    }

    fn rate(category: Element<'_>) -> Read<'_, Option<Decimal>> {
        decimal_of(ram(category, "RateApplicablePercent"))
    }

    fn amount(element: Element<'_>, group: SumGroup) -> Read<'_, Decimal> {
        if !group.is_line() {
            let mut amounts = ram(element, "ActualAmount");
            let amount = if FIRST { amounts.next() } else { one(amounts)? };
            return Ok(amount.map(decimal).transpose()?.unwrap_or_default());
        }
        let mut sum = Decimal::ZERO;
        for own in ram(element, "SpecifiedTradeSettlementLineMonetarySummation") {
            let amount = decimal_of(ram(own, "LineTotalAmount"))?.unwrap_or_default();
            let next = sum.checked_add(amount);
            sum = next.ok_or_else(|| Unreadable::value(own, "".into()))?;
        }
        Ok(sum)
    }
}
