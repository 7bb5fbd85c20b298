//! Terms that a specification asks for and that the source has not: the target says that it follows
//! the specification, and does not.
//!
//! Sources: XRechnung 3.0.2 (BR-DE), Peppol BIS Billing 3 (PEPPOL-EN16931).

use quoin_model::en16931::{Contact, Field, Invoice, Party, PostalAddress};
use quoin_xml::tree::Element;

use super::ConversionRequest;
use crate::profiles::Profile;
use crate::writing::{Loss, LossKind};

/// The group in which a term would stand.
#[derive(Debug, Clone, Copy)]
enum TermGroup {
    Document,
    Seller,
    Buyer,
    Delivery,
}

/// A term that a specification asks for.
struct MandatoryTerm {
    id: &'static str,
    place: TermGroup,
    is_said: fn(&Invoice<'_>) -> bool,
    reason: &'static str,
}

const fn term(
    id: &'static str,
    place: TermGroup,
    is_said: fn(&Invoice<'_>) -> bool,
    reason: &'static str,
) -> MandatoryTerm {
    MandatoryTerm { id, place, is_said, reason }
}

/// What the packages that judge by a specification ask for: the beginning of their names.
const ROWS: &[(&str, &[MandatoryTerm])] = &[("xrechnung", XRECHNUNG), ("peppol-bis3", PEPPOL)];

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
];

/// What every document must have, and JSON may say that there is none of.
const EVERY: &[MandatoryTerm] = &[
    term("BT-1", TermGroup::Document, |own| own.number.is_filled(), NONE),
    term("BT-2", TermGroup::Document, |own| own.issue_date.is_filled(), NONE),
    term("BT-3", TermGroup::Document, |own| own.type_code.is_filled(), NONE),
    term("BT-5", TermGroup::Document, |own| own.currency.is_filled(), NONE),
];
const NONE: &str = "every invoice must have it, and the source says that there is none";

/// A row for each term that the specification which is asked for must have and the source has not.
pub(super) fn missing(invoice: &Invoice<'_>, request: &ConversionRequest<'_>) -> Vec<Loss> {
    let profile = request.specification.and_then(Profile::of);
    let packages = profile.map(|profile| profile.packages).unwrap_or_default();
    let is_of = |name: &&str| packages.iter().any(|package| package.starts_with(name));
    let row = ROWS.iter().find(|(name, _)| is_of(name));
    let of_specification = row.map(|(_, terms)| *terms).unwrap_or_default();
    let is_json = invoice.syntax() == quoin_model::en16931::InvoiceSyntax::Json;
    let follows = |id: &str| match id {
        "BT-23" => request.process.is_some(),
        "BT-34" | "BT-49" => request.ends_follow,
        _ => false,
    };
    let of_every = if is_json { EVERY } else { &[] };
    let terms = of_every.iter().chain(of_specification);
    let missing = terms.filter(|one| !(one.is_said)(invoice) && !follows(one.id));
    missing
        .map(|one| {
            let path = place(invoice, one.place).path();
            Loss {
                source_path: if is_json { crate::json::of_path(&path) } else { path },
                term: Some(one.id),
                value: String::new(),
                kind: LossKind::Missing,
                target_path: None,
                reason: one.reason,
            }
        })
        .collect()
}

/// The group that a term would stand in, or what it would stand in.
fn place<'d>(invoice: &Invoice<'d>, place: TermGroup) -> Element<'d> {
    let group = match place {
        TermGroup::Document => None,
        TermGroup::Seller => invoice.seller.first().map(|party| party.element),
        TermGroup::Buyer => invoice.buyer.first().map(|party| party.element),
        TermGroup::Delivery => invoice.delivery.first().map(|delivery| delivery.element),
    };
    group.unwrap_or(invoice.element)
}

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
