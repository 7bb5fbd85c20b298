//! The terms that a report cannot be without.
//!
//! Sources: rules ibr-tdd-24 to 93 of the regimes, and what the rules of EN 16931 ask of the same
//! places (BR-01 to BR-27); the XML Schema of UBL for amounts.

use std::borrow::Cow;

use quoin_formats::ubl::{CBC, basic};
use quoin_xml::tree::Element;

use crate::assess::is_exempt_of_number;
use crate::envelope::TaxEnvelope;
use crate::invoice::ReportableInvoice;
use crate::missing::{CannotReport, MissingTerm};
use crate::regime::{Regime, ReportModel, ReporterRole, TaxSubmission};
use crate::terms::{InvoiceTerms, TradeSide, group_at, text_of};

/// What is missing, in the order of the report.
pub(super) fn missing(
    regime: Regime,
    role: ReporterRole,
    invoice: &ReportableInvoice<'_>,
    envelope: &TaxEnvelope<'_>,
) -> Vec<MissingTerm> {
    let mut missing = Vec::new();
    if regime == Regime::Vida11 && envelope.transmission.is_none() {
        missing.push(MissingTerm::named("TDT-018"));
    }
    if !TaxSubmission::is_complete(envelope.submission) {
        return missing;
    }
    let terms = invoice.terms();
    match regime.row().model {
        ReportModel::Extract => of_extract(terms, regime, role, &mut missing),
        ReportModel::Whole => of_whole(terms, regime, &mut missing),
    }
    missing
}

/// The error of what is missing, each term once and no more than can be read.
pub(super) fn told(missing: Vec<MissingTerm>) -> CannotReport {
    let mut once: Vec<MissingTerm> = Vec::new();
    for term in missing {
        if once.len() < CannotReport::MOST && !once.contains(&term) {
            once.push(term);
        }
    }
    CannotReport { missing: once }
}

/// Notes a term that is not there.
fn need(missing: &mut Vec<MissingTerm>, term: &'static str, there: bool) {
    if !there {
        missing.push(MissingTerm::named(term));
    }
}

/// What every report tells of its invoice first.
fn of_head(terms: InvoiceTerms<'_>, missing: &mut Vec<MissingTerm>, names: [&'static str; 6]) {
    let [specification, process, number, date, kind, currency] = names;
    need(missing, specification, terms.text("CustomizationID").is_some());
    need(missing, process, terms.process().is_some());
    need(missing, number, terms.text("ID").is_some());
    need(missing, date, terms.text("IssueDate").is_some());
    need(missing, kind, terms.type_code().is_some());
    need(missing, currency, terms.text("DocumentCurrencyCode").is_some());
}

fn of_extract(
    terms: InvoiceTerms<'_>,
    regime: Regime,
    role: ReporterRole,
    missing: &mut Vec<MissingTerm>,
) {
    of_head(terms, missing, ["BT-24", "BT-23", "BT-1", "BT-2", "BT-3", "BT-5"]);
    let number = terms.vat_number(TradeSide::Seller).is_some();
    need(missing, "BT-31", number || terms.is_outside_vat());
    let buyer = [
        terms.vat_number(TradeSide::Buyer),
        terms.country(TradeSide::Buyer),
        terms.name(TradeSide::Buyer),
    ];
    need(missing, "BG-7", buyer.iter().any(Option::is_some));
    if regime == Regime::Slovakia {
        need(missing, "BT-44", terms.name(TradeSide::Buyer).is_some());
    }
    let currency = terms.text("DocumentCurrencyCode").unwrap_or_default();
    let buys = role == ReporterRole::Corner3;
    need(missing, "BT-110", !buys || terms.tax_amount(&currency).is_some());
    if let Some(tax) = terms.text("TaxCurrencyCode").filter(|tax| *tax != currency) {
        need(missing, "BT-111", terms.tax_amount(&tax).is_some());
    }
    need(missing, "BG-23", terms.breakdown().next().is_some());
    for one in terms.breakdown() {
        of_breakdown(one, buys, missing);
    }
    need(missing, "BT-106", terms.total("LineExtensionAmount").is_some());
    need(missing, "BT-109", terms.total("TaxExclusiveAmount").is_some());
    need(missing, "BT-112", !buys || terms.total("TaxInclusiveAmount").is_some());
    need(missing, "BT-115", terms.total("PayableAmount").is_some());
    need(missing, "BG-25", terms.lines().next().is_some());
    for line in terms.lines() {
        of_line(line, missing);
        if missing.len() >= CannotReport::MOST {
            break;
        }
    }
}

/// BG-23: BT-117 to BT-119 are asked of corner 3 (ibr-tdd-92).
fn of_breakdown(one: Element<'_>, buys: bool, missing: &mut Vec<MissingTerm>) {
    need(missing, "BT-116", text_of(one, "TaxableAmount").is_some());
    if !buys {
        return;
    }
    let category = group_at(one, &["TaxCategory"]);
    let code = category.and_then(|category| text_of(category, "ID"));
    let outside = code.as_deref() == Some("O");
    let rate = category.and_then(|category| text_of(category, "Percent"));
    need(missing, "BT-117", text_of(one, "TaxAmount").is_some());
    need(missing, "BT-118", code.is_some());
    need(missing, "BT-119", rate.is_some() || outside);
}

/// BG-25.
fn of_line(line: Element<'_>, missing: &mut Vec<MissingTerm>) {
    let number = text_of(line, "ID").unwrap_or(Cow::Borrowed("?"));
    let quantity = basic(line, "InvoicedQuantity").or_else(|| basic(line, "CreditedQuantity"));
    let unit = quantity.and_then(|quantity| quantity.attribute("unitCode"));
    let inside = |group: &str, local: &str| {
        group_at(line, &[group]).and_then(|group| text_of(group, local)).is_some()
    };
    let there = [
        ("BT-126", text_of(line, "ID").is_some()),
        ("BT-129", quantity.and_then(crate::terms::said).is_some()),
        ("BT-130", unit.is_some_and(|unit| !unit.trim().is_empty())),
        ("BT-131", text_of(line, "LineExtensionAmount").is_some()),
        ("BT-153", inside("Item", "Name")),
        ("BT-146", inside("Price", "PriceAmount")),
    ];
    for (term, _) in there.into_iter().filter(|(_, there)| !there) {
        missing.push(MissingTerm::of_line(term, &number));
    }
}

fn of_whole(terms: InvoiceTerms<'_>, regime: Regime, missing: &mut Vec<MissingTerm>) {
    of_head(terms, missing, ["IBT-024", "IBT-023", "IBT-001", "IBT-002", "IBT-003", "IBT-005"]);
    let exempt = regime == Regime::Oman && is_exempt_of_number(terms);
    need(missing, "IBT-031", exempt || terms.tax_number(TradeSide::Seller).is_some());
    if regime == Regime::Oman {
        need(missing, "IBT-027", terms.name(TradeSide::Seller).is_some());
        need(missing, "IBT-048", terms.tax_number(TradeSide::Buyer).is_some());
        need(missing, "IBT-044", terms.name(TradeSide::Buyer).is_some());
    }
    let currency = terms.text("DocumentCurrencyCode").unwrap_or_default();
    need(missing, "IBT-110", terms.tax_amount(&currency).is_some());
    if let Some(tax) = terms.text("TaxCurrencyCode").filter(|tax| *tax != currency) {
        need(missing, "IBT-111", terms.tax_amount(&tax).is_some());
    }
    let total = terms.totals().and_then(|totals| totals.child(CBC, "TaxExclusiveAmount"));
    need(missing, "IBT-109", total.is_some());
}
