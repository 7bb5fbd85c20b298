//! Where UBL has what is added up by VAT category and rate.

use quoin_xml::tree::Element;

use crate::rules::Facts;
use crate::rules::en16931::category::Category;
use crate::rules::en16931::sums::{SumGroup, SumLayout};
use crate::rules::values::{CAC, Read, cac, cbc, decimal_of, normalized, one, some_boolean};
use quoin_model::amount::Decimal;

/// UBL invoices and credit notes.
pub(in crate::rules) struct Ubl;

impl SumLayout for Ubl {
    const ONE_CONDITION: bool = false;

    fn elements<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>, SumGroup)) {
        let at_top = |own: Element<'_>| own.parent().is_some_and(|up| up.id() == facts.root().id());
        for (local, anywhere, top) in [
            ("InvoiceLine", SumGroup::AnyInvoiceLine, SumGroup::InvoiceLines),
            ("CreditNoteLine", SumGroup::AnyCreditNoteLine, SumGroup::CreditNoteLines),
        ] {
            for line in facts.named(CAC, local) {
                add(line, anywhere);
                if at_top(line) {
                    add(line, top);
                }
            }
        }
        for own in facts.named(CAC, "AllowanceCharge") {
            add(own, SumGroup::AnyAdjustment);
            if at_top(own) {
                add(own, SumGroup::Charges);
                add(own, SumGroup::Allowances);
            }
        }
    }

    fn is_wanted<'d>(element: Element<'d>, group: SumGroup) -> Read<'d, bool> {
        match group.indicator() {
            Some(wanted) => some_boolean(cbc(element, "ChargeIndicator"), wanted),
            None => Ok(true),
        }
    }

    fn has_one_indicator(element: Element<'_>) -> bool {
        cbc(element, "ChargeIndicator").nth(1).is_none()
    }

    fn categories<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>> {
        let outer = if group.is_line() { "Item" } else { "TaxCategory" };
        cac(element, outer).flat_map(move |own| {
            let item = group.is_line().then_some(own);
            let own = if group.is_line() { None } else { Some(own) };
            item.into_iter().flat_map(|item| cac(item, "ClassifiedTaxCategory")).chain(own)
        })
    }

    fn code(category: Element<'_>) -> Read<'_, Option<Category>> {
        Ok(one(cbc(category, "ID"))?.and_then(|code| Category::of_code(&normalized(code))))
    }

    fn is<'d>(category: Element<'d>, wanted: Category) -> Read<'d, bool> {
        Ok(Ubl::code(category)? == Some(wanted))
    }

    fn rate(category: Element<'_>) -> Read<'_, Option<Decimal>> {
        decimal_of(cbc(category, "Percent"))
    }

    fn amount(element: Element<'_>, group: SumGroup) -> Read<'_, Decimal> {
        let local = if group.is_line() { "LineExtensionAmount" } else { "Amount" };
        Ok(decimal_of(cbc(element, local))?.unwrap_or_default())
    }
}
