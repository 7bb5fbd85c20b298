//! Malaysia: sales, service and tourism tax, and goods of high and low value. A rate that is
//! missing is nought.

use quoin_xml::tree::Element;

use super::aunz::process;
use super::paths::{cents, within};
use super::taxes::{self, Of, first_rate};
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::{SumGroup, SumLayout, TaxSums};
use crate::rules::en16931::ubl::{Ubl, subtotals};
use crate::rules::values::{Read, any_of, cac, cbc, decimal_of};
use crate::rules::{Case, Facts, Outcome, Rule, Unreadable};
use quoin_model::amount::Decimal;

/// The rules that self-billing has too.
pub(super) const SHARED: &[Rule] = &[
    Rule::new("aligned-ibrp-sa-08", taxable),
    Rule::new("aligned-ibrp-sa-09", tax),
    Rule::new("aligned-ibrp-se-08", taxable),
    Rule::new("aligned-ibrp-se-09", tax),
    Rule::new("aligned-ibrp-hvg-08", taxable),
    Rule::new("aligned-ibrp-hvg-09", tax),
    Rule::new("aligned-ibrp-lvg-08", taxable),
    Rule::new("aligned-ibrp-lvg-09", tax),
    Rule::new("aligned-ibrp-ttx-09", tourism_tax),
    Rule::new("aligned-ibrp-e-05", rate_is_nought),
    Rule::new("aligned-ibrp-e-08", subtotals::exact),
    Rule::new("aligned-ibrp-e-09", subtotals::vat_is_nought),
    Rule::new("aligned-ibrp-o-09", subtotals::vat_is_nought),
];

pub(super) const BILLING: &[Rule] =
    &[Rule::new("aligned-ibrp-002", |case| process(case, "urn:peppol:bis:billing"))];

pub(super) const SELF_BILLING: &[Rule] =
    &[Rule::new("aligned-ibrp-002", |case| process(case, "urn:peppol:bis:selfbilling"))];

/// As UBL has it, with the first rate or none.
struct Malaysia;

/// What tourism tax comes to on lines.
struct Tourism;

impl SumLayout for Malaysia {
    const ONE_CONDITION: bool = false;

    fn elements<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>, SumGroup)) {
        Ubl::elements(facts, add);
    }

    fn is_wanted<'d>(element: Element<'d>, group: SumGroup) -> Read<'d, bool> {
        Ubl::is_wanted(element, group)
    }

    fn has_one_indicator(element: Element<'_>) -> bool {
        Ubl::has_one_indicator(element)
    }

    fn categories<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>> {
        Ubl::categories(element, group)
    }

    fn code(category: Element<'_>) -> Read<'_, Option<Category>> {
        Ubl::code(category)
    }

    fn is<'d>(category: Element<'d>, wanted: Category) -> Read<'d, bool> {
        Ubl::is(category, wanted)
    }

    fn rate(category: Element<'_>) -> Read<'_, Option<Decimal>> {
        first_rate(category).map(Some)
    }

    fn amount(element: Element<'_>, group: SumGroup) -> Read<'_, Decimal> {
        Ubl::amount(element, group)
    }
}

impl SumLayout for Tourism {
    const ONE_CONDITION: bool = false;

    fn elements<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>, SumGroup)) {
        Ubl::elements(facts, add);
    }

    fn is_wanted<'d>(element: Element<'d>, group: SumGroup) -> Read<'d, bool> {
        Ubl::is_wanted(element, group)
    }

    fn has_one_indicator(element: Element<'_>) -> bool {
        Ubl::has_one_indicator(element)
    }

    fn categories<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>> {
        Ubl::categories(element, group)
    }

    fn code(category: Element<'_>) -> Read<'_, Option<Category>> {
        Ubl::code(category)
    }

    fn is<'d>(category: Element<'d>, wanted: Category) -> Read<'d, bool> {
        Ubl::is(category, wanted)
    }

    /// The tax has no rates.
    fn rate(_: Element<'_>) -> Read<'_, Option<Decimal>> {
        Ok(None)
    }

    fn amount(element: Element<'_>, group: SumGroup) -> Read<'_, Decimal> {
        if !group.is_line() {
            return Ubl::amount(element, group);
        }
        let mut sum = Decimal::ZERO;
        for total in cac(element, "TaxTotal") {
            let tax = decimal_of(cbc(total, "TaxAmount"))?.unwrap_or_default();
            sum = sum.checked_add(tax).ok_or_else(|| Unreadable::several(total))?;
        }
        Ok(sum)
    }
}

fn taxable<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let key = (taxes::category(case), first_rate(case.at)?);
    taxes::taxable_at_rate::<Malaysia>(case, key, (Of::All, cents(2)))
}

fn tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    taxes::tax(case, Some(first_rate(case.at)?), cents(2))
}

/// Tourism tax is what the lines have, with charges and without allowances of it.
fn tourism_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let sums = case.memo(TaxSums::<Tourism>::of);
    let sum = |group| sums.sum(case, (group, Category::Tourism, None));
    let fits = |anywhere, lines| {
        let Some(stated) = decimal_of(cbc(taxes::subtotal(case), "TaxAmount"))? else {
            return Ok(false);
        };
        if !sums.any(anywhere) {
            return Ok(false);
        }
        let total = sum(lines)?.checked_add(sum(SumGroup::Charges)?);
        let allowances = sum(SumGroup::Allowances)?;
        let total = total.and_then(|total| total.checked_sub(allowances));
        Ok(total.is_some_and(|total| within(stated.abs(), total, cents(2))))
    };
    let holds = any_of([&|| fits(SumGroup::AnyInvoiceLine, SumGroup::InvoiceLines), &|| {
        fits(SumGroup::AnyCreditNoteLine, SumGroup::CreditNoteLines)
    }])?;
    let shown = cbc(taxes::subtotal(case), "TaxAmount").next();
    Ok(crate::rules::en16931::sums::beside(shown, holds, None))
}

fn rate_is_nought<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(super::paths::at(case, "Percent", first_rate(case.at)?.is_zero()))
}
