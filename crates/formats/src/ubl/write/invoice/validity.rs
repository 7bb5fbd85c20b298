//! Where the official rules of UBL ask for more than those of CII: a document that is valid in CII
//! and will not be in UBL, with all its terms. It is announced, and nothing is changed.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, Party, PostalAddress, ValueSource};

use crate::writing::{self, AmountPlaces, InvoiceOutput, LossKind};

const TOTAL: &str = "all terms are carried, and UBL refuses it: BR-CO-15 asks that the total with VAT \
    is the one without and the VAT, and in CII also accepts that it is the one without";
/// Where UBL has what EN 16931 asks more of than other syntaxes.
const PLACES: AmountPlaces = AmountPlaces {
    line_net: "cac:LegalMonetaryTotal/cbc:LineExtensionAmount",
    without_vat: "cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount",
    due: "cac:LegalMonetaryTotal/cbc:PayableAmount",
    of_line: "cac:InvoiceLine/cbc:LineExtensionAmount",
    reason: "cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason",
};
const NORWAY: &str = "all terms are carried, and UBL refuses it: NO-R-001 asks for a Norwegian VAT \
    number, which it does not find so in CII";

const SELLER_TWICE: &str = "all terms are carried, and UBL refuses it: UBL-SR-12 allows the seller one \
    VAT identifier";
const BUYER_TWICE: &str = "all terms are carried, and UBL refuses it: UBL-SR-18 allows the buyer one \
    VAT identifier";
const OBJECT_TWICE: &str = "all terms are carried, and UBL refuses it: UBL-SR-56 allows one invoiced \
    object (BT-18)";
const LINE_OBJECT_TWICE: &str = "all terms are carried, and UBL refuses it: UBL-SR-52 allows one \
    object of a line (BT-128)";

/// A rule of Peppol on invoices between German parties, which is a rule on UBL only.
type GermanRule = (&'static str, fn(&GermanCase<'_, '_>) -> bool);

struct GermanCase<'i, 'd> {
    invoice: &'i Invoice<'d>,
    seller: &'i Party<'d>,
    buyer: &'i Party<'d>,
}

/// Each with what breaks it.
const GERMANY: &[GermanRule] = &[
    ("between German parties DE-R-001 asks for payment instructions (BG-16) in UBL only", |case| {
        case.invoice.payment.means.is_empty()
    }),
    (
        "between German parties DE-R-015 asks for the buyer's reference (BT-10) in UBL only",
        |case| !case.invoice.buyer_reference.is_filled(),
    ),
    (
        "between German parties DE-R-002 asks for a contact of the seller (BG-6) in UBL only",
        |case| case.seller.contact.is_absent(),
    ),
    ("between German parties DE-R-005 asks for the contact point (BT-41) in UBL only", |case| {
        case.seller.contact.iter().any(|one| one.point().is_none_or(|own| own.is_blank()))
    }),
    ("between German parties DE-R-006 asks for a telephone number (BT-42) in UBL only", |case| {
        case.seller.contact.iter().any(|one| !one.telephone.is_filled())
    }),
    ("between German parties DE-R-007 asks for an e-mail address (BT-43) in UBL only", |case| {
        case.seller.contact.iter().any(|one| !one.email.is_filled())
    }),
    ("between German parties DE-R-003 asks for the seller's city (BT-37) in UBL only", |case| {
        case.seller.address.iter().any(|one| !one.city.is_filled())
    }),
    (
        "between German parties DE-R-004 asks for the seller's post code (BT-38) in UBL only",
        |case| case.seller.address.iter().any(|one| !one.post_code.is_filled()),
    ),
    ("between German parties DE-R-008 asks for the buyer's city (BT-52) in UBL only", |case| {
        case.buyer.address.iter().any(|one| !one.city.is_filled())
    }),
    (
        "between German parties DE-R-009 asks for the buyer's post code (BT-53) in UBL only",
        |case| case.buyer.address.iter().any(|one| !one.post_code.is_filled()),
    ),
    ("between German parties DE-R-010 asks for the city of delivery (BT-77) in UBL only", |case| {
        delivered_to(case.invoice).any(|one| !one.city.is_filled())
    }),
    (
        "between German parties DE-R-011 asks for the post code of delivery (BT-78) in UBL only",
        |case| delivered_to(case.invoice).any(|one| !one.post_code.is_filled()),
    ),
];

fn delivered_to<'i, 'd>(
    invoice: &'i Invoice<'d>,
) -> impl Iterator<Item = &'i PostalAddress<'d>> + use<'i, 'd> {
    invoice.delivery.iter().flat_map(|one| one.address.iter())
}

/// Announces what will not be valid.
pub(super) fn announce<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let profile = invoice.process.customization.text().unwrap_or_default();
    let of_line = match invoice.is_credit_note() {
        true => "cac:CreditNoteLine/cbc:LineExtensionAmount",
        false => PLACES.of_line,
    };
    writing::announce(out, invoice, &AmountPlaces { of_line, ..PLACES });
    total(out, invoice);
    again(out, invoice);
    if profile.contains("urn:fdc:peppol.eu:") {
        germany(out, invoice);
        norway(out, invoice);
    }
}

/// BR-CO-15.
fn total<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(totals) = invoice.totals.first() else { return };
    let said = invoice.vat_total().chain(invoice.vat_total_without_currency()).next();
    let vat = said.map(|own| own.value()).unwrap_or_else(|| {
        let mut parts = invoice.vat_breakdown.iter().filter_map(|one| one.tax_amount.value());
        parts.try_fold(Decimal::ZERO, Decimal::checked_add)
    });
    let sum = totals.without_vat.value().zip(vat);
    let sum = sum.and_then(|(without, vat)| without.checked_add(vat)).map(Decimal::round_to_cents);
    if let Some(own) = totals.with_vat.filled().filter(|own| sum.is_some() && own.value() != sum) {
        let path = Some(out.path_of("cbc:TaxInclusiveAmount"));
        out.ledger.list(*own, LossKind::Changed, path, TOTAL);
    }
}

/// What CII may say several times, and the rules of UBL allow once.
fn again<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let mut found: Vec<(ValueSource<'d>, &str, &'static str)> = Vec::new();
    for (parties, reason) in [(&invoice.seller, SELLER_TWICE), (&invoice.buyer, BUYER_TWICE)] {
        let ids = parties.iter().flat_map(|party| party.vat_identifiers());
        let more = ids.filter(|id| !id.is_blank()).skip(1);
        found.extend(more.map(|id| (*id, "cbc:CompanyID", reason)));
    }
    let objects = invoice.references.invoiced_object.iter().filter_map(|own| own.id.filled());
    found.extend(objects.skip(1).map(|id| (*id, "cbc:ID", OBJECT_TWICE)));
    for line in &invoice.lines {
        let objects = line.invoiced_objects().filter_map(|own| own.id.filled());
        found.extend(objects.skip(1).map(|id| (*id, "cbc:ID", LINE_OBJECT_TWICE)));
    }
    for (id, place, reason) in found {
        let path = Some(out.path_of(place));
        out.ledger.list(id, LossKind::Changed, path, reason);
    }
}

fn germany<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let (Some(seller), Some(buyer)) = (invoice.seller.first(), invoice.buyer.first()) else {
        return;
    };
    let is_german = |party: &Party<'d>| party.country().is_some_and(|own| own.is("DE"));
    if !is_german(seller) || !is_german(buyer) {
        return;
    }
    let case = GermanCase { invoice, seller, buyer };
    for (reason, _) in GERMANY.iter().filter(|(_, is_broken)| is_broken(&case)) {
        at_country(out, seller, reason);
    }
}

/// NO-R-001: `NO`, nine digits, `MVA`. In CII a tax representative in another country changes it.
fn norway<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(seller) = invoice.seller.first() else { return };
    for id in seller.vat_identifiers() {
        let text = id.trimmed();
        let Some(rest) = text.strip_prefix("NO") else { continue };
        let digits = rest.strip_suffix("MVA");
        let is_number = |own: &str| own.len() == 9 && own.bytes().all(|byte| byte.is_ascii_digit());
        if !digits.is_some_and(is_number) {
            let path = Some(out.path_of("cbc:CompanyID"));
            out.ledger.list(*id, LossKind::Changed, path, NORWAY);
        }
    }
}

/// A row at the country that makes the rule one for the document.
fn at_country<'d>(out: &mut InvoiceOutput<'d>, party: &Party<'d>, reason: &'static str) {
    let country: Option<ValueSource<'d>> = party.country().map(|own| *own);
    if let Some(country) = country {
        let path = Some(out.path_of("cbc:IdentificationCode"));
        out.ledger.list(country, LossKind::Changed, path, reason);
    }
}
