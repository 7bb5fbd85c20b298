//! What EN 16931 asks of every document, and of those that say something else beside it.
//!
//! The rules are those of EN 16931, of which each asks that something is there. What they ask of
//! each of several groups is in [`super::groups`].

use quoin_model::en16931::{Binary, Field, Identifier, Invoice, Party, PostalAddress, ValueSource};

use super::super::ConversionTarget;
use super::payment;
use super::terms::{MandatoryTerm, TermGroup, term};

/// Categories of VAT for which the seller must have a number for tax, whichever.
const NUMBERED: &[&str] = &["S", "Z", "E", "L", "M"];

const NONE: &str = "every invoice must have it, and the source has none";

/// What every document must have, and JSON may say that there is none of.
pub(super) const EVERY: &[MandatoryTerm] = &[
    term("BT-1", TermGroup::Document, |own| own.number.is_filled(), NONE),
    term("BT-2", TermGroup::Document, |own| own.issue_date.is_filled(), NONE),
    term("BT-3", TermGroup::Document, |own| own.type_code.is_filled(), NONE),
    term("BT-5", TermGroup::Document, |own| own.currency.is_filled(), NONE),
];

/// What EN 16931, and the schemas with it, ask of every document beside [`EVERY`].
pub(super) const STANDARD: &[MandatoryTerm] = &[
    term(
        "BT-27",
        TermGroup::Seller,
        |own| own.seller.iter().any(|party| party.name.is_filled()),
        "the seller must have a name (BR-06)",
    ),
    term(
        "BT-40",
        TermGroup::Seller,
        |own| has_country(&own.seller),
        "the address of the seller must have its country (BR-08, BR-09)",
    ),
    term(
        "BT-44",
        TermGroup::Buyer,
        |own| own.buyer.iter().any(|party| party.name.is_filled()),
        "the buyer must have a name (BR-07)",
    ),
    term(
        "BT-109",
        TermGroup::Document,
        |own| own.totals.iter().any(|totals| totals.without_vat.is_filled()),
        "the total without VAT must be there (BR-13)",
    ),
    term(
        "BT-112",
        TermGroup::Document,
        |own| own.totals.iter().any(|totals| totals.with_vat.is_filled()),
        "the total with VAT must be there (BR-14)",
    ),
    term(
        "BT-115",
        TermGroup::Document,
        |own| own.totals.iter().any(|totals| totals.due.is_filled()),
        "the amount due must be there, which the schema asks for too (BR-15)",
    ),
    payment::DAY.only(ConversionTarget::UBL),
    term(
        "BT-125-1",
        TermGroup::Document,
        |own| embedded(own).all(|one| is_said(one.mime_code())),
        "an embedded file must say its media type, which the schema asks for too (UBL-DT-06)",
    )
    .only(ConversionTarget::UBL),
    term(
        "BT-125-2",
        TermGroup::Document,
        |own| embedded(own).all(|one| is_said(one.filename())),
        "an embedded file must have a name (UBL-DT-07)",
    )
    .only(ConversionTarget::UBL),
];

/// BT-125.
fn embedded<'i, 'd: 'i>(invoice: &'i Invoice<'d>) -> impl Iterator<Item = Binary<'d>> + 'i {
    let all = invoice.references.supporting_documents.iter();
    all.filter_map(|document| document.embedded.filled())
}

fn is_said(attribute: Option<ValueSource<'_>>) -> bool {
    attribute.is_some_and(|own| !own.is_blank())
}

/// The same beside [`STANDARD`], of all but the profile of Factur-X that has little more than
/// totals (MINIMUM).
pub(super) const WHOLE: &[MandatoryTerm] = &[
    term(
        "BT-31",
        TermGroup::Seller,
        is_identified,
        "the seller must have an identifier (BT-29), a registration (BT-30) or a VAT identifier, \
         by which the buyer knows who it is (BR-CO-26)",
    ),
    term(
        "BT-31",
        TermGroup::Seller,
        has_number,
        "for VAT of the categories S, Z, E, L and M the seller must have a VAT identifier, a tax \
         registration (BT-32) or a tax representative with one (BT-63) (BR-S-02 to BR-S-04, \
         BR-Z-02 to BR-Z-04, BR-E-02 to BR-E-04, BR-AF-02 to BR-AF-04, BR-AG-02 to BR-AG-04)",
    )
    .of(|own| uses(own, NUMBERED)),
    term(
        "BT-31",
        TermGroup::Seller,
        has_number,
        "for reverse charge the seller must have a VAT identifier, a tax registration (BT-32) or \
         a tax representative with one (BT-63) (BR-AE-02 to BR-AE-04)",
    )
    .of(|own| uses(own, &["AE"])),
    term(
        "BT-31",
        TermGroup::Seller,
        has_vat_number,
        "for supplies within the Union the seller must have a VAT identifier, or a tax \
         representative with one (BT-63) (BR-IC-02 to BR-IC-04)",
    )
    .of(|own| uses(own, &["K"])),
    term(
        "BT-31",
        TermGroup::Seller,
        has_vat_number,
        "for exports the seller must have a VAT identifier, or a tax representative with one \
         (BT-63) (BR-G-02 to BR-G-04)",
    )
    .of(|own| uses(own, &["G"])),
    term(
        "BT-34",
        TermGroup::Seller,
        |own| has_scheme(&own.seller),
        "the electronic address of the seller must have its scheme (BR-62)",
    )
    .of(|own| own.seller.iter().any(|party| party.endpoint.is_filled())),
    term(
        "BT-48",
        TermGroup::Buyer,
        |own| own.buyer.iter().any(|party| is_vat_registered(party) || is_listed(party)),
        "for reverse charge the buyer must have a VAT identifier or a registration (BT-47) \
         (BR-AE-02 to BR-AE-04)",
    )
    .of(|own| uses(own, &["AE"])),
    term(
        "BT-48",
        TermGroup::Buyer,
        |own| own.buyer.iter().any(is_vat_registered),
        "for supplies within the Union the buyer must have a VAT identifier (BR-IC-02 to BR-IC-04)",
    )
    .of(|own| uses(own, &["K"])),
    term(
        "BT-49",
        TermGroup::Buyer,
        |own| has_scheme(&own.buyer),
        "the electronic address of the buyer must have its scheme (BR-63)",
    )
    .of(|own| own.buyer.iter().any(|party| party.endpoint.is_filled())),
    term(
        "BT-55",
        TermGroup::Buyer,
        |own| has_country(&own.buyer),
        "the address of the buyer must have its country (BR-10, BR-11)",
    ),
    term(
        "BT-62",
        TermGroup::Document,
        |own| own.tax_representative.iter().all(|party| party.name.is_filled()),
        "the tax representative must have a name (BR-18)",
    ),
    term(
        "BT-63",
        TermGroup::Document,
        |own| own.tax_representative.iter().all(is_vat_registered),
        "the tax representative must have a VAT identifier (BR-56)",
    ),
    term(
        "BT-69",
        TermGroup::Document,
        |own| own.tax_representative.is_absent() || has_country(&own.tax_representative),
        "the address of the tax representative must have its country (BR-19, BR-20)",
    ),
    term(
        "BT-72",
        TermGroup::Delivery,
        is_dated,
        "for a supply within the Union the day of delivery, or the period of the invoice (BG-14), \
         is asked for (BR-IC-11)",
    )
    .of(supplies_within_the_union),
    term(
        "BT-80",
        TermGroup::Delivery,
        has_place,
        "for a supply within the Union the country that it is delivered to is asked for (BR-IC-12)",
    )
    .of(supplies_within_the_union),
    term(
        "BT-80",
        TermGroup::Delivery,
        has_place,
        "the address of delivery must have its country (BR-57)",
    )
    .of(|own| places(own).any(says_anything)),
    term(
        "BT-106",
        TermGroup::Document,
        |own| own.totals.iter().any(|totals| totals.line_net.is_filled()),
        "the sum of the lines must be there (BR-12)",
    ),
    term(
        "BT-118",
        TermGroup::Document,
        |own| own.breakdown_in_document_currency().next().is_some(),
        "there must be a breakdown of VAT (BR-CO-18)",
    ),
];

/// What UBL and CII must have beside a term that a document may have.
pub(super) const BESIDE: &[MandatoryTerm] = &[term(
    "BT-111",
    TermGroup::Document,
    |own| own.vat_total_in_tax_currency().any(|total| !total.is_blank()),
    "the total of VAT in the currency of VAT accounting (BT-6) is asked for beside it (BR-53)",
)
.of(has_other_currency)];

/// Whether the document says BT-6, and it is not BT-5.
fn has_other_currency(invoice: &Invoice<'_>) -> bool {
    let own = invoice.tax_currency.filled();
    own.is_some_and(|own| !invoice.currency.is(&own.trimmed()))
}

fn has_country(party: &Field<Party<'_>>) -> bool {
    party.iter().any(|party| party.country().is_some_and(|country| !country.is_blank()))
}

fn has_scheme(party: &Field<Party<'_>>) -> bool {
    let mut ends = party.iter().flat_map(|party| party.endpoint.filled());
    ends.all(|end| end.scheme().is_some_and(|scheme| !scheme.is_blank()))
}

fn is_listed(party: &Party<'_>) -> bool {
    party.legal_registration.is_filled()
}

fn is_vat_registered(party: &Party<'_>) -> bool {
    any_filled(party.vat_identifiers())
}

fn any_filled<'d>(mut all: impl Iterator<Item = Identifier<'d>>) -> bool {
    all.any(|one| !one.is_blank())
}

fn is_identified(invoice: &Invoice<'_>) -> bool {
    let own = |party: &Party<'_>| {
        party.identifiers.is_filled() || is_listed(party) || is_vat_registered(party)
    };
    invoice.seller.iter().any(own)
}

/// BT-31 or BT-63.
fn has_vat_number(invoice: &Invoice<'_>) -> bool {
    invoice.seller.iter().chain(&invoice.tax_representative).any(is_vat_registered)
}

/// BT-31, BT-32 or BT-63.
fn has_number(invoice: &Invoice<'_>) -> bool {
    let is_taxed = |party: &Party<'_>| any_filled(party.other_tax_registrations());
    has_vat_number(invoice) || invoice.seller.iter().any(is_taxed)
}

/// Whether a line, an allowance or a charge of the document is in one of the categories.
fn uses(invoice: &Invoice<'_>, categories: &[&str]) -> bool {
    let of_lines = invoice.lines.iter().flat_map(|line| &line.tax_category);
    let others = invoice.allowance_charges.iter().flat_map(|one| &one.tax_category);
    of_lines.chain(others).any(|own| categories.iter().any(|code| own.is(code)))
}

fn supplies_within_the_union(invoice: &Invoice<'_>) -> bool {
    let mut all = invoice.breakdown_in_document_currency().flat_map(|one| &one.category);
    all.any(|category| category.is("K"))
}

/// BT-72, BT-73 or BT-74.
fn is_dated(invoice: &Invoice<'_>) -> bool {
    let is_period = invoice.period.iter().any(|one| one.start.is_filled() || one.end.is_filled());
    is_period || invoice.delivery.iter().any(|one| one.date.is_filled())
}

/// BG-15.
fn places<'i, 'd>(invoice: &'i Invoice<'d>) -> impl Iterator<Item = &'i PostalAddress<'d>> {
    invoice.delivery.iter().flat_map(|delivery| delivery.address.iter())
}

fn has_place(invoice: &Invoice<'_>) -> bool {
    places(invoice).any(|address| address.country.is_filled())
}

fn says_anything(address: &PostalAddress<'_>) -> bool {
    let lines = [&address.line1, &address.line2, &address.line3];
    let others = [&address.city, &address.post_code, &address.subdivision];
    lines.iter().chain(&others).any(|text| text.is_filled())
}
