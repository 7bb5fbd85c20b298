//! Terms that stand in the model otherwise than in the form: what tells them is their name.

use quoin_model::en16931::{
    AttributeName, Derivation, DocumentReference, Field, Invoice, PaymentTerms, Price, References,
    Root, TaxPointDateCode, ValueSource,
};
use quoin_xml::tree::Element;

use super::values::{amount, day, id, text};
use crate::json::form::{Member, MemberContent, entry};
use crate::json::lexical::is_decimal;
use crate::json::output::JsonOutput;
use crate::reading::Pass;
use crate::ubl::tax_point_of_2005;
use crate::writing::{LossKind, reasons, tell_gross_base};

/// A value that the name of a member says.
pub(super) fn named<'d, T: From<ValueSource<'d>>>(element: Element<'d>, text: &'static str) -> T {
    T::from(ValueSource::of(element).saying(Derivation::Named, text))
}

/// BT-3, which some syntaxes say by the document element alone.
pub(in crate::json) mod type_code {
    pub(in crate::json) use super::text::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) {
        pass.take(&mut invoice.type_code, element);
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, invoice: &Invoice<'d>) {
        if out.first(name, &invoice.type_code) {
            return;
        }
        let code = if invoice.root == Root::CreditNote { "381" } else { "380" };
        let (path, reason) = (out.path_of(name), "the document element says it");
        out.ledger.invent(invoice.element, Some("BT-3"), code, path, reason);
        out.constant(name, code);
    }
}

/// BT-8: a code of UNTDID 2005; CII has UNTDID 2475.
pub(in crate::json) mod tax_point_code {
    pub(in crate::json) use super::text::{content, read};
    use super::*;

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<TaxPointDateCode<'d>>,
    ) {
        let Some(code) = field.filled() else { return };
        if let Some(ours) = tax_point_of_2005(&code.trimmed()) {
            out.constant(name, ours);
            out.ledger.carry(*code);
            out.ledger.repeated(field, code);
        }
    }
}

/// BT-13. What UBL has there because it must have something is no number of an order.
pub(in crate::json) mod purchase_order {
    pub(in crate::json) use super::text::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        references: &mut References<'d>,
        element: Element<'d>,
    ) {
        if let Some(order) = entry(&mut references.purchase_order, element) {
            pass.take(&mut order.id, element);
        }
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        references: &References<'d>,
    ) {
        if let Some(filler) = references.filler_of_order() {
            return out.ledger.regenerate(*filler);
        }
        if let Some(order) = references.purchase_order.first() {
            out.first(name, &order.id);
        }
    }
}

fn read_object<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut object = DocumentReference::new(element);
    id::read(pass, &mut object.id, element);
    object.type_code.push(named(element, "130"));
    object
}

fn write_object<'d>(out: &mut JsonOutput<'d>, name: &str, object: &DocumentReference<'d>) {
    let Some(own) = object.id.filled() else { return };
    let scheme = object.scheme().filter(|scheme| !scheme.is_blank());
    let own = scheme.map_or(*own, |scheme| own.with(&[(AttributeName::SchemeId, scheme)]));
    id::write(out, name, &std::iter::once(own.into()).collect());
    if let Some(code) = object.type_code.filled().filter(|code| code.is("130")) {
        out.ledger.carry(*code);
    }
}

/// BT-18.
pub(in crate::json) mod invoiced_object {
    pub(in crate::json) use super::id::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        field: &mut Field<DocumentReference<'d>>,
        element: Element<'d>,
    ) {
        field.push(read_object(pass, element));
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<DocumentReference<'d>>,
    ) {
        if let Some(object) = field.first() {
            write_object(out, name, object);
        }
    }
}

/// BT-128, which is one of the documents of a line.
pub(in crate::json) mod invoiced_objects {
    pub(in crate::json) use super::id::content;
    use super::*;
    use quoin_model::en16931::Line;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        line: &mut Line<'d>,
        element: Element<'d>,
    ) {
        line.documents.push(read_object(pass, element));
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, line: &Line<'d>) {
        if let Some(object) = line.invoiced_objects().next() {
            write_object(out, name, object);
        }
    }
}

const PRECEDING: &[Member] = &[
    Member { name: "number", content: text::content(), about: "BT-25: its number." },
    Member { name: "issueDate", content: day::content(), about: "BT-26: its day of issue." },
];

/// BG-3.
pub(in crate::json) mod preceding {
    use super::*;

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Objects(PRECEDING)
    }

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        all: &mut Vec<DocumentReference<'d>>,
        element: Element<'d>,
    ) {
        let mut reference = DocumentReference::new(element);
        pass.open(element);
        for child in element.elements() {
            match child.local() {
                "number" => pass.take(&mut reference.id, child),
                "issueDate" => pass.take(&mut reference.issue_date, child),
                _ => pass.unread(child),
            }
        }
        all.push(reference);
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        all: &[DocumentReference<'d>],
    ) {
        out.list(name, |out| {
            for reference in all {
                out.item(|out| {
                    out.first("number", &reference.id);
                    out.day("issueDate", &reference.issue_date);
                });
            }
        });
    }
}

/// BT-20, which is one text.
pub(in crate::json) mod terms {
    pub(in crate::json) use super::text::content;
    use super::*;
    use quoin_model::en16931::Payment;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        payment: &mut Payment<'d>,
        element: Element<'d>,
    ) {
        let mut terms = PaymentTerms::new(element);
        pass.take(&mut terms.text, element);
        payment.terms.push(terms);
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, payment: &Payment<'d>) {
        let texts: Vec<_> = payment.texts().collect();
        if let [one] = texts.as_slice() {
            out.text(name, *one);
        } else if !texts.is_empty() {
            out.constant(name, &payment.joined_texts());
            let path = out.path_of(name);
            for text in texts {
                let reason = "the terms of payment (BT-20) are one text";
                out.ledger.list(*text, LossKind::Merged, Some(path.clone()), reason);
            }
        }
    }
}

/// BT-147. What is no discount but a charge has no place in EN 16931.
pub(in crate::json) mod discount {
    pub(in crate::json) use super::amount::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        prices: &mut Field<Price<'d>>,
        element: Element<'d>,
    ) {
        if let Some(price) = entry(prices, element) {
            pass.take(&mut price.discount, element);
        }
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        prices: &Field<Price<'d>>,
    ) {
        let discounts = |price: &&Price<'d>| price.discount_indicator.value() != Some(true);
        let Some(price) = prices.first().filter(discounts) else { return };
        amount::write(out, name, &price.discount);
        if let Some(indicator) = price.discount_indicator.filled() {
            out.ledger.carry(*indicator);
        }
    }
}

/// BT-149, BT-150.
pub(in crate::json) mod base_quantity {
    use super::super::values::quantity;
    pub(in crate::json) use super::super::values::quantity::content;
    use super::*;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        prices: &mut Field<Price<'d>>,
        element: Element<'d>,
    ) {
        if let Some(price) = entry(prices, element) {
            quantity::read(pass, &mut price.base_quantity, element);
        }
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        prices: &Field<Price<'d>>,
    ) {
        let Some(price) = prices.first() else { return };
        if let Some(base) = price.base_quantity.filled() {
            quantity::write(out, name, &std::iter::once(base).collect());
            tell_gross_base(&mut out.ledger, price, base);
        }
    }
}

/// BG-21, and charges for logistics of Factur-X, which the totals count as such.
pub(in crate::json) mod document_charges {
    use super::super::charges;
    pub(in crate::json) use super::super::charges::content;
    use super::*;
    use quoin_model::en16931::LogisticsCharge;

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) {
        charges::read(pass, &mut invoice.allowance_charges, element);
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, invoice: &Invoice<'d>) {
        out.list(name, |out| {
            charges::items(out, &invoice.allowance_charges);
            for charge in &invoice.extensions.logistics_charges {
                out.item(|out| logistics(out, charge));
            }
        });
    }

    fn logistics<'d>(out: &mut JsonOutput<'d>, charge: &LogisticsCharge<'d>) {
        let Some(value) = charge.amount.filled() else { return };
        let tax = charge.tax_category.first();
        let terms = [
            ("BT-99", "amount", Some(*value)),
            ("BT-102", "vatCategory", tax.and_then(|tax| tax.code.filled()).map(|one| *one)),
            ("BT-103", "vatRate", tax.and_then(|tax| tax.rate.filled()).map(|one| *one)),
            ("BT-104", "reason", charge.description.filled().map(|one| *one)),
        ];
        for (term, name, source) in terms {
            let path = Some(out.path_of(name));
            let reason = "a charge for logistics is a charge of the document (BG-21)";
            let is_number = matches!(term, "BT-99" | "BT-103");
            let Some(source) = source else { continue };
            if is_number && !is_decimal(&source.trimmed()) {
                let (kind, reason) = (LossKind::Lost, reasons::NO_NUMBER);
                out.ledger.list_as(Some(term), source, kind, None, reason);
            } else {
                out.ledger.list_as(Some(term), source, LossKind::Changed, path, reason);
                out.trimmed(name, quoin_model::en16931::Text::from(source));
            }
        }
        if let Some(scheme) = tax.and_then(|tax| tax.scheme.filled()) {
            out.ledger.carry(*scheme);
        }
    }
}
