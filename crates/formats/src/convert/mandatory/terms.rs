//! The terms that each specification asks for beyond EN 16931.
//!
//! Sources: XRechnung 3.0.2 (BR-DE), Peppol BIS Billing 3 (PEPPOL-EN16931), NLCIUS 1.0.3 (BR-NL).

use quoin_model::en16931::{Contact, Field, Invoice, Party, PostalAddress};

use super::super::ConversionTarget;
use super::payment;
use super::shares::SHARES;

/// The group in which a term would stand.
#[derive(Debug, Clone, Copy)]
pub(super) enum TermGroup {
    Document,
    Seller,
    Buyer,
    Delivery,
}

/// A term that a specification asks for.
pub(super) struct MandatoryTerm {
    /// Its identifier in EN 16931.
    pub(super) id: &'static str,
    /// In which group.
    pub(super) place: TermGroup,
    /// Whether the source has it.
    is_said: fn(&Invoice<'_>) -> bool,
    /// Of which documents it is asked.
    is_asked: fn(&Invoice<'_>) -> bool,
    /// In which syntax it is asked, where it is not in both.
    target: Option<ConversionTarget>,
    /// Who asks for it.
    pub(super) reason: &'static str,
}

/// A term of every document.
pub(super) const fn term(
    id: &'static str,
    place: TermGroup,
    is_said: fn(&Invoice<'_>) -> bool,
    reason: &'static str,
) -> MandatoryTerm {
    MandatoryTerm { id, place, is_said, is_asked: |_| true, target: None, reason }
}

impl MandatoryTerm {
    /// The same, asked of some documents only.
    pub(super) const fn of(self, is_asked: fn(&Invoice<'_>) -> bool) -> MandatoryTerm {
        MandatoryTerm { is_asked, ..self }
    }

    /// The same, asked in one syntax only.
    pub(super) const fn only(self, target: ConversionTarget) -> MandatoryTerm {
        MandatoryTerm { target: Some(target), ..self }
    }

    /// Whether it is asked of documents of a syntax.
    pub(super) fn is_of(&self, target: ConversionTarget) -> bool {
        self.target.is_none_or(|own| own == target)
    }

    /// Whether a document lacks it.
    pub(super) fn is_missing(&self, invoice: &Invoice<'_>) -> bool {
        (self.is_asked)(invoice) && !(self.is_said)(invoice)
    }
}

/// What the packages that judge by a specification ask for: the beginning of their names.
pub(super) const SPECIFICATIONS: &[(&str, &[&[MandatoryTerm]])] = &[
    ("xrechnung", &[XRECHNUNG, payment::OF_XRECHNUNG, SHARES]),
    ("peppol-bis3", &[PEPPOL, SHARES]),
    ("nlcius", &[NLCIUS]),
    ("factur-x-extended", &[&[payment::DAY]]),
];

const XRECHNUNG: &[MandatoryTerm] = &[
    term(
        "BT-23",
        TermGroup::Document,
        process,
        "XRechnung asks for the process (PEPPOL-EN16931-R001)",
    ),
    term(
        "BT-10",
        TermGroup::Document,
        |own| own.buyer_reference.is_filled(),
        "XRechnung asks for the reference of the buyer (BR-DE-15)",
    ),
    term("BT-34", TermGroup::Seller, seller_end, "XRechnung asks for it (PEPPOL-EN16931-R020)"),
    term(
        "BT-37",
        TermGroup::Seller,
        |own| at(&own.seller, city),
        "XRechnung asks for the city of the seller (BR-DE-3)",
    ),
    term(
        "BT-38",
        TermGroup::Seller,
        |own| at(&own.seller, post_code),
        "XRechnung asks for the post code of the seller (BR-DE-4)",
    ),
    term(
        "BT-41",
        TermGroup::Seller,
        |own| contact(own, |one| one.name.is_filled() || one.department.is_filled()),
        "XRechnung asks for whom to contact at the seller (BR-DE-2, BR-DE-5)",
    ),
    term(
        "BT-42",
        TermGroup::Seller,
        |own| contact(own, |one| one.telephone.is_filled()),
        "XRechnung asks for the telephone number of the seller (BR-DE-2, BR-DE-6)",
    ),
    term(
        "BT-43",
        TermGroup::Seller,
        |own| contact(own, |one| one.email.is_filled()),
        "XRechnung asks for the mail address of the seller (BR-DE-2, BR-DE-7)",
    ),
    term("BT-49", TermGroup::Buyer, buyer_end, "XRechnung asks for it (PEPPOL-EN16931-R010)"),
    term(
        "BT-52",
        TermGroup::Buyer,
        |own| at(&own.buyer, city),
        "XRechnung asks for the city of the buyer (BR-DE-8)",
    ),
    term(
        "BT-53",
        TermGroup::Buyer,
        |own| at(&own.buyer, post_code),
        "XRechnung asks for the post code of the buyer (BR-DE-9)",
    ),
    term(
        "BT-77",
        TermGroup::Delivery,
        |own| delivered(own, city),
        "XRechnung asks for the city of the address of delivery (BR-DE-10)",
    ),
    term(
        "BT-78",
        TermGroup::Delivery,
        |own| delivered(own, post_code),
        "XRechnung asks for the post code of the address of delivery (BR-DE-11)",
    ),
    term(
        "BT-81",
        TermGroup::Document,
        |own| !own.payment.means.is_empty(),
        "XRechnung asks for how to pay (BR-DE-1)",
    ),
    term(
        "BT-119",
        TermGroup::Document,
        |own| own.vat_breakdown.iter().flat_map(|one| &one.category).all(has_rate),
        "XRechnung asks for the rate of each category of VAT (BR-DE-14)",
    ),
];

const PEPPOL: &[MandatoryTerm] = &[
    term(
        "BT-23",
        TermGroup::Document,
        process,
        "Peppol asks for the process (PEPPOL-EN16931-R001)",
    ),
    term(
        "BT-10",
        TermGroup::Document,
        |own| own.buyer_reference.is_filled() || has_order(own),
        "Peppol asks for a reference of the buyer or an order, BT-13 (PEPPOL-EN16931-R003)",
    ),
    term("BT-34", TermGroup::Seller, seller_end, "Peppol asks for it (PEPPOL-EN16931-R020)"),
    term("BT-49", TermGroup::Buyer, buyer_end, "Peppol asks for it (PEPPOL-EN16931-R010)"),
    payment::MANDATE,
];

/// Most of it is asked of sellers in the Netherlands only.
const NLCIUS: &[MandatoryTerm] = &[
    term(
        "BT-10",
        TermGroup::Document,
        |own| own.buyer_reference.is_filled() || has_order(own),
        "NLCIUS asks for a reference of the buyer or an order, BT-13 (BR-NL-2)",
    ),
    term(
        "BT-13",
        TermGroup::Document,
        |own| own.references.purchase_order.iter().any(|one| one.id.is_filled()),
        "NLCIUS asks for the order where a line names one of its lines, BT-132 (BR-NL-13)",
    )
    .of(|own| {
        let mut all = own.lines.iter().flat_map(|line| &line.order_lines);
        all.any(|one| one.line_id.is_filled())
    }),
    term(
        "BT-30",
        TermGroup::Seller,
        |own| own.seller.first().is_some_and(is_registered),
        "NLCIUS asks for the number of the seller in the trade register (scheme 0106) or as a \
         public body (scheme 0190) (BR-NL-1)",
    )
    .of(is_dutch),
    term(
        "BT-35",
        TermGroup::Seller,
        |own| at(&own.seller, street),
        "NLCIUS asks for the street of the seller (BR-NL-3)",
    )
    .of(is_dutch),
    term(
        "BT-37",
        TermGroup::Seller,
        |own| at(&own.seller, city),
        "NLCIUS asks for the city of the seller (BR-NL-3)",
    )
    .of(is_dutch),
    term(
        "BT-38",
        TermGroup::Seller,
        |own| at(&own.seller, post_code),
        "NLCIUS asks for the post code of the seller (BR-NL-3)",
    )
    .of(is_dutch),
    term(
        "BT-47",
        TermGroup::Buyer,
        |own| own.buyer.first().is_some_and(is_registered),
        "NLCIUS asks for the number of the buyer in the trade register (scheme 0106) or as a \
         public body (scheme 0190) (BR-NL-10)",
    )
    .of(are_both_dutch),
    term(
        "BT-50",
        TermGroup::Buyer,
        |own| at(&own.buyer, street),
        "NLCIUS asks for the street of the buyer (BR-NL-4)",
    )
    .of(are_both_dutch),
    term(
        "BT-52",
        TermGroup::Buyer,
        |own| at(&own.buyer, city),
        "NLCIUS asks for the city of the buyer (BR-NL-4)",
    )
    .of(are_both_dutch),
    term(
        "BT-53",
        TermGroup::Buyer,
        |own| at(&own.buyer, post_code),
        "NLCIUS asks for the post code of the buyer (BR-NL-4)",
    )
    .of(are_both_dutch),
    term(
        "BT-81",
        TermGroup::Document,
        |own| !own.payment.means.is_empty() || is_nothing_due(own),
        "NLCIUS asks for how to pay where something is to be paid (BR-NL-11)",
    )
    .of(is_dutch),
];

fn process(invoice: &Invoice<'_>) -> bool {
    invoice.process.profile.is_filled()
}

fn has_order(invoice: &Invoice<'_>) -> bool {
    let orders = &invoice.references.purchase_order;
    orders.iter().any(|one| one.id.is_filled()) && invoice.references.filler_of_order().is_none()
}

fn seller_end(invoice: &Invoice<'_>) -> bool {
    invoice.seller.first().is_some_and(|party| party.endpoint.is_filled())
}

fn buyer_end(invoice: &Invoice<'_>) -> bool {
    invoice.buyer.first().is_some_and(|party| party.endpoint.is_filled())
}

fn city(address: &PostalAddress<'_>) -> bool {
    address.city.is_filled()
}

fn post_code(address: &PostalAddress<'_>) -> bool {
    address.post_code.is_filled()
}

fn at(party: &Field<Party<'_>>, has: fn(&PostalAddress<'_>) -> bool) -> bool {
    party.first().and_then(|party| party.address.first()).is_some_and(has)
}

/// Where there is no address of delivery, nothing is asked of it.
fn delivered(invoice: &Invoice<'_>, has: fn(&PostalAddress<'_>) -> bool) -> bool {
    invoice.delivery.first().and_then(|one| one.address.first()).is_none_or(has)
}

fn contact(invoice: &Invoice<'_>, has: fn(&Contact<'_>) -> bool) -> bool {
    invoice.seller.first().and_then(|party| party.contact.first()).is_some_and(has)
}

fn has_rate(category: &quoin_model::en16931::TaxCategory<'_>) -> bool {
    category.rate.is_filled()
}

fn street(address: &PostalAddress<'_>) -> bool {
    address.line1.is_filled()
}

fn is_in_the_netherlands(party: &Party<'_>) -> bool {
    party.country().is_some_and(|country| country.is("NL"))
}

fn is_dutch(invoice: &Invoice<'_>) -> bool {
    invoice.seller.first().is_some_and(is_in_the_netherlands)
}

fn are_both_dutch(invoice: &Invoice<'_>) -> bool {
    is_dutch(invoice) && invoice.buyer.first().is_some_and(is_in_the_netherlands)
}

fn is_registered(party: &Party<'_>) -> bool {
    let scheme = party.legal_registration.first().and_then(|one| one.scheme());
    scheme.is_some_and(|scheme| scheme.is("0106") || scheme.is("0190"))
}

/// Nothing is to be paid, or it is a credit note, which pays.
fn is_nothing_due(invoice: &Invoice<'_>) -> bool {
    let due = invoice.totals.first().and_then(|totals| totals.due.value());
    invoice.type_code.is("381") || due.is_some_and(|due| due.is_zero() || due.is_negative())
}
