//! Registrations for tax, totals of tax and the breakdown of VAT.

use quoin_model::en16931::{
    Amount, AttributeName, Invoice, TaxRegistration, TaxRegistrationKind, TaxTotal, Totals,
    VatBreakdown,
};
use quoin_model::rows::join;
use quoin_xml::tree::Element;

use super::particular::named;
use super::values::{amount, text};
use crate::json::form::{Form, Member, MemberContent};
use crate::json::output::JsonOutput;
use crate::reading::Pass;
use crate::writing::LossKind;

/// Writes the first registration of a kind, with what is told by the name of the member.
fn registration<'d>(
    out: &mut JsonOutput<'d>,
    name: &str,
    all: &[TaxRegistration<'d>],
    kind: TaxRegistrationKind,
) {
    let is_it = |one: &&TaxRegistration<'d>| one.kind() == kind && one.id.is_filled();
    let Some(one) = all.iter().find(is_it) else { return };
    out.first(name, &one.id);
    if let Some(id) = one.id.filled().filter(|_| kind == TaxRegistrationKind::Vat) {
        return out.ledger.implied_vat(one, id);
    }
    let own = one.scheme.filled().map(|scheme| *scheme);
    let of_id = one.id.filled().and_then(|id| id.scheme());
    for scheme in own.into_iter().chain(of_id) {
        match scheme.is("FC") {
            true => out.ledger.carry(scheme),
            false => {
                let path = Some(out.path_of(name));
                let reason = "the form does not say for which tax other than VAT it is";
                out.ledger.list_as(Some("BT-32"), scheme, LossKind::Changed, path, reason);
            }
        }
    }
}

/// Kinds of registrations for tax, each with what CII has as its scheme.
macro_rules! registrations {
    ($($kind:ident: $which:ident, $scheme:literal, $about:literal;)*) => {$(
        #[doc = $about]
        pub(in crate::json) mod $kind {
            pub(in crate::json) use super::text::content;
            use super::*;
            use quoin_model::en16931::Identifier;

            pub(in crate::json) fn read<'d>(
                pass: &mut Pass<'d>,
                all: &mut Vec<TaxRegistration<'d>>,
                element: Element<'d>,
            ) {
                let mut one = TaxRegistration::new(element);
                let own: Identifier<'d> = pass.value(element);
                let scheme = named(element, $scheme);
                one.id.push(own.with(&[(AttributeName::SchemeId, scheme)]).into());
                all.push(one);
            }

            pub(in crate::json) fn write<'d>(
                out: &mut JsonOutput<'d>,
                name: &str,
                all: &[TaxRegistration<'d>],
            ) {
                registration(out, name, all, TaxRegistrationKind::$which);
            }
        }
    )*};
}

registrations! {
    vat: Vat, "VA", "BT-31, BT-48, BT-63.";
    other_tax: Other, "FC", "BT-32.";
}

const TAX: &[Member] = &[
    Member { name: "vat", content: amount::content(), about: "BT-110: the VAT." },
    Member {
        name: "vatInTaxCurrency",
        content: amount::content(),
        about: "BT-111: the VAT in the currency of VAT accounting (BT-6).",
    },
];

/// BG-22 with BT-110 and BT-111.
pub(in crate::json) mod totals {
    use super::*;

    const OWN: &[Member] = <Totals<'static> as Form<'static>>::MEMBERS;
    const MEMBERS: &[Member] = &join::<Member, { OWN.len() + TAX.len() }>(&[OWN, TAX]);

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Object(MEMBERS)
    }

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) {
        let mut totals = Totals::new(element);
        pass.open(element);
        for child in element.elements() {
            if TAX.iter().any(|member| member.name == child.local()) {
                let mut total = TaxTotal::new(child);
                pass.take(&mut total.amount, child);
                invoice.tax_totals.push(total);
            } else if !totals.take(pass, child.local(), child) {
                pass.unread(child);
            }
        }
        invoice.totals.push(totals);
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, invoice: &Invoice<'d>) {
        out.object(name, |out| {
            if let Some(totals) = invoice.totals.first() {
                totals.write(out);
            }
            let own = invoice.vat_total().chain(invoice.vat_total_without_currency()).next();
            tax(out, "vat", own);
            let is_other = invoice.tax_currency.text() != invoice.currency.text();
            let other = invoice.vat_total_in_tax_currency().next().filter(|_| is_other);
            tax(out, "vatInTaxCurrency", other);
        });
    }

    /// A total of tax, of which the name says in which currency it is.
    fn tax<'d>(out: &mut JsonOutput<'d>, name: &str, total: Option<Amount<'d>>) {
        let Some(total) = total else { return };
        if out.number(name, total)
            && let Some(currency) = total.currency()
        {
            out.ledger.derive(*currency);
        }
    }
}

/// BG-23, in the currency of the document.
pub(in crate::json) mod breakdown {
    use super::super::objects::groups;
    use super::*;

    pub(in crate::json) const fn content() -> MemberContent {
        groups::content::<VatBreakdown<'static>>()
    }

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        invoice: &mut Invoice<'d>,
        element: Element<'d>,
    ) {
        groups::read(pass, &mut invoice.vat_breakdown, element);
    }

    pub(in crate::json) fn write<'d>(out: &mut JsonOutput<'d>, name: &str, invoice: &Invoice<'d>) {
        out.list(name, |out| {
            for one in invoice.breakdown_in_document_currency() {
                out.item(|out| one.write(out));
            }
        });
    }
}
