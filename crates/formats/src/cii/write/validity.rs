//! Where the official rules of CII ask for more than those of UBL: a document that is valid in UBL
//! and will not be in CII, with all its terms. It is announced, and nothing is changed.

use std::collections::HashMap;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AttributeName, Card, CurrencyCode, Invoice, Note, TaxCategory};

use crate::writing::{self, AmountPlaces, InvoiceOutput, LossKind};

const EXEMPT: &str = "all terms are carried, and CII refuses it: BR-E-01 asks for a line or an \
    allowance in each category E of the breakdown";
const ITEM_NUMBER: &str = "all terms are carried, and CII refuses it: PEPPOL-COMMON-R040 tests the \
    check digit of item numbers with scheme 0088, which it does not in UBL";
const SUBJECT: &str = "all terms are carried, and CII refuses it: PEPPOL-EN16931-R002 allows no \
    subject code, which is part of the text in UBL";
const NOTES: &str = "all terms are carried, and CII refuses it: PEPPOL-EN16931-R002 allows one \
    note, and in UBL more of them between German parties";
const REGISTRATION: &str = "all terms are carried, and CII refuses it: BR-NL-10 asks for the legal \
    registration of every buyer, also abroad";

const STANDARD: &str = "all terms are carried, and CII refuses it: BR-S-08 asks that the taxable \
    amount is the sum of what is taxed, and allows a difference of less than 1 in UBL";

const CURRENCY: &str = "all terms are carried, and CII refuses it: CII-DT-031, and FX-SCH-NOT-USED \
    of Factur-X, allow no amount in another currency than that of the invoice (BT-5)";

const CARD: &str = "all terms are carried, and CII refuses it: BR-51 allows ten digits of a card \
    (BT-87), which is a warning in UBL";
/// Of lines, allowances and charges taxed by IGIC.
const NO_RATE: [&str; 3] = [
    "all terms are carried, and CII refuses it: BR-AF-05 asks for a rate above 0 in \
        category L, and UBL takes 0",
    "all terms are carried, and CII refuses it: BR-AF-06 asks for a rate above 0 in \
        category L, and UBL takes 0",
    "all terms are carried, and CII refuses it: BR-AF-07 asks for a rate above 0 in \
        category L, and UBL takes 0",
];
/// Where CII has what EN 16931 asks more of than other syntaxes.
const PLACES: AmountPlaces = AmountPlaces {
    line_net: "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/\
        ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:LineTotalAmount",
    without_vat: "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/\
        ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:TaxBasisTotalAmount",
    due: "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/\
        ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:DuePayableAmount",
    of_line: "rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem/\
        ram:SpecifiedLineTradeSettlement/\
        ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount",
    reason: "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/\
        ram:ApplicableTradeTax/ram:ExemptionReason",
};
/// Characters of the number of a card that CII allows.
const CARD_LENGTH: usize = 10;

/// Announces the number of a card that is too long, where it is written.
pub(super) fn card<'d>(out: &mut InvoiceOutput<'d>, card: &Card<'d>) {
    let number = card.number.filled().filter(|_| out.has_place("ram:ID"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(number) = number.filter(|own| words(&own.text()).chars().count() > CARD_LENGTH) {
        let path = Some(out.path_of("ram:ID"));
        out.ledger.list(*number, LossKind::Changed, path, CARD);
    }
}

/// BR-AF-05 to BR-AF-07: a rate of nought in the Canary Islands.
fn no_rate<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let (lines, rest) =
        out.ledger.profile.map_or((true, true), |own| (own.has_lines, own.has_breakdown));
    let of_lines = invoice.lines.iter().filter(|_| lines).map(|line| (0, &line.tax_category));
    let others = invoice.allowance_charges.iter().filter(|_| rest);
    let others = others.map(|one| (if one.is_charge() { 2 } else { 1 }, &one.tax_category));
    for (at, field) in of_lines.chain(others) {
        let own = field.first().filter(|own| own.is("L"));
        let rate = own.and_then(|own| own.rate.filled());
        let rate = rate.filter(|rate| rate.value().is_some_and(|rate| rate.is_zero()));
        if let Some((rate, reason)) = rate.zip(NO_RATE.get(at)) {
            let path = Some(out.path_of("ram:RateApplicablePercent"));
            out.ledger.list(*rate, LossKind::Changed, path, reason);
        }
    }
}

/// Announces an amount in another currency. The totals of VAT have one of their own.
pub(super) fn currency<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &str,
    other: Option<CurrencyCode<'d>>,
) {
    if let Some(code) = other.filter(|_| name != "ram:TaxTotalAmount") {
        let path = Some(format!("{}/@currencyID", out.path_of(name)));
        out.ledger.list(*code, LossKind::Changed, path, CURRENCY);
    }
}

/// Announces what will not be valid.
pub(super) fn announce<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    writing::announce(out, invoice, &PLACES);
    exempt_breakdown(out, invoice);
    standard_breakdown(out, invoice);
    no_rate(out, invoice);
    let profile = invoice.process.customization.text().unwrap_or_default();
    if profile.contains("urn:fdc:peppol.eu:") {
        item_numbers(out, invoice);
        let subject = |note: &&Note<'d>| note.listed_subject().is_some();
        for text in invoice.notes.iter().skip(1).filter_map(|note| note.text.filled()) {
            let path = Some(out.path_of("ram:IncludedNote"));
            out.ledger.list(*text, LossKind::Changed, path, NOTES);
        }
        for note in invoice.notes.iter().filter(subject) {
            if let Some(text) = note.text.filled() {
                let path = Some(out.path_of("ram:SubjectCode"));
                out.ledger.list_as(Some("BT-21"), *text, LossKind::Changed, path, SUBJECT);
            }
        }
    }
    if profile.contains("nlcius") {
        registration(out, invoice);
    }
}

/// BR-E-01: UBL looks at the breakdown, CII at lines, allowances and charges too.
fn exempt_breakdown<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let of_lines = invoice.lines.iter().flat_map(|line| line.tax_category.iter());
    let of_document = invoice.allowance_charges.iter().flat_map(|one| one.tax_category.iter());
    if of_lines.chain(of_document).any(|category| category.is("E")) {
        return;
    }
    for category in invoice.vat_breakdown.iter().flat_map(|one| one.category.iter()) {
        if let Some(code) = category.code.filled().filter(|code| code.is("E")) {
            let path = Some(out.path_of("ram:CategoryCode"));
            out.ledger.list(*code, LossKind::Changed, path, EXEMPT);
        }
    }
}

/// BR-S-08: of each rate the lines and charges less the allowances.
fn standard_breakdown<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let mut sums: HashMap<Decimal, Option<Decimal>> = HashMap::new();
    let mut add = |category: Option<&TaxCategory<'d>>, amount: Option<Decimal>, is_less: bool| {
        let Some(rate) = category.filter(|own| own.is("S")).and_then(|own| own.rate.value()) else {
            return;
        };
        let sum = sums.entry(rate).or_insert(Some(Decimal::ZERO));
        *sum = sum.zip(amount).and_then(|(sum, one)| match is_less {
            true => sum.checked_sub(one),
            false => sum.checked_add(one),
        });
    };
    for line in &invoice.lines {
        add(line.tax_category.first(), line.net_amount.value(), false);
    }
    for one in &invoice.allowance_charges {
        add(one.tax_category.first(), one.amount.value(), !one.is_charge());
    }
    for one in &invoice.extensions.logistics_charges {
        add(one.tax_category.first(), one.amount.value(), false);
    }
    for one in invoice.breakdown_in_document_currency() {
        let own = one.category.first().filter(|own| own.is("S"));
        let sum = own.and_then(|own| sums.get(&own.rate.value()?).copied().flatten());
        let taxable = one.taxable_amount.filled();
        if let Some(taxable) = taxable.filter(|own| sum.is_some() && own.value() != sum) {
            let path = Some(out.path_of("ram:BasisAmount"));
            out.ledger.list(*taxable, LossKind::Changed, path, STANDARD);
        }
    }
}

fn item_numbers<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let items = invoice.lines.iter().flat_map(|line| line.item.iter());
    for id in items.flat_map(|item| item.standard_id.iter()) {
        let is_location = id.attribute(AttributeName::SchemeId).is_some_and(|own| own.is("0088"));
        if is_location && !has_check_digit(&id.trimmed()) {
            let path = Some(out.path_of("ram:GlobalID"));
            out.ledger.list(**id, LossKind::Changed, path, ITEM_NUMBER);
        }
    }
}

/// Whether the last of 13 digits is the check digit of the others (GS1 General Specifications,
/// section 7.9).
fn has_check_digit(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() == 13) else { return false };
    let weighed = digits.iter().rev().enumerate();
    let sum: u32 = weighed.map(|(at, digit)| if at % 2 == 1 { digit * 3 } else { *digit }).sum();
    sum.is_multiple_of(10)
}

/// BR-NL-10 of NLCIUS. In UBL a buyer abroad needs none.
fn registration<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let country = |party: Option<&quoin_model::en16931::Party<'d>>| party?.country();
    let is_dutch = country(invoice.seller.first()).is_some_and(|code| code.is("NL"));
    let Some(buyer) = invoice.buyer.first().filter(|_| is_dutch) else { return };
    if buyer.legal_registration.is_filled() {
        return;
    }
    if let Some(code) = buyer.country().filter(|code| !code.is("NL")) {
        let path = Some(out.path_of("ram:CountryID"));
        out.ledger.list(*code, LossKind::Changed, path, REGISTRATION);
    }
}
