//! VAT (BG-23), allowances and charges (BG-20, BG-21).

use quoin_model::en16931::{
    AllowanceCharge, Amount, Derivation, Field, Invoice, TaxCategory, VatBreakdown,
};

use super::{amount, made_amount, one_amount, plain, with};
use crate::reading::DISCOUNT;
use crate::writing::{InvoiceOutput, LossKind, sum_of};

/// Why a category is exempt, where the source has no words for it.
const REASONS: &[(&str, &str)] = &[
    ("Z", "Zero rated"),
    ("E", "Exempt"),
    ("AE", "Reverse charge"),
    ("K", "Intra-community supply"),
    ("G", "Export outside the EU"),
    ("O", "Not subject to VAT"),
];

/// Writes `AllowanceCharge` of the document.
pub(super) fn allowance_charge<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    let term = if one.is_charge() { ["BT-105", "BT-102"] } else { ["BT-98", "BT-95"] };
    out.group("AllowanceCharge", |out| {
        indicator(out, one);
        reason(out, one, term[0]);
        plain(out, "cbc:MultiplierFactorNumeric", &one.percentage);
        if !amount(out, "cbc:Amount", &one.amount) {
            let what = "the amount of an allowance or charge (BT-92, BT-99)";
            out.refuse_without(one.element, what, "Amount");
        }
        let most = if out.ledger.in_own_words { usize::MAX } else { 1 };
        let is_own = out.ledger.in_own_words;
        let is_said = |tax: &&TaxCategory<'d>| {
            !is_own || tax.code.iter().all(|code| code.derivation().is_none())
        };
        for tax in one.tax_category.iter().filter(is_said).take(most) {
            out.group("cac:TaxCategory", |out| category(out, tax, false));
        }
        if one.tax_category.is_absent() && !out.ledger.in_own_words {
            let what = "the VAT category of an allowance or charge (BT-95, BT-102)";
            out.refuse_without(one.element, what, "TaxCategory");
        }
        amount(out, "cac:AllowanceChargeBaseAmount", &one.base_amount);
    });
}

/// `ChargeIndicator`.
pub(super) fn indicator<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    match one.indicator.filled() {
        Some(indicator) => with(out, "cbc:ChargeIndicator", *indicator, &[]),
        None => out.constant("cbc:ChargeIndicator", "false", &[]),
    }
}

/// The reason, whose code is of another list in the target: it is words.
fn reason<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>, term: &'static str) {
    const NAME: &str = "cac:ReasonCode";
    let (words, code) = (one.reason.filled(), one.reason_code.filled());
    if out.ledger.in_own_words {
        if let Some(code) = code.filter(|code| code.derivation() != Some(Derivation::Implied)) {
            with(out, NAME, *code, &[]);
        }
        return;
    }
    let Some(words) = words else { return };
    out.constant(NAME, "ZZZ", &[("name", &words.trimmed())]);
    out.ledger.carry(*words);
    let why = "the target has reasons of another list (UNTDID 4465): it is told in words";
    // What readers of the target take it for.
    let again = if one.is_charge() { "ZZZ" } else { DISCOUNT };
    match code {
        Some(code) if code.is(again) => out.ledger.carry(*code),
        Some(code) => out.told_otherwise(NAME, *code, LossKind::Changed, why),
        None => out.implied(NAME, again, one.element, Some(term), why),
    }
}

/// Category and rate. The target has S and E: other categories are exempt, with a reason.
pub(super) fn category<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    with_reason: bool,
) {
    const NAME: &str = "cac:ID";
    let Some(code) = category.code.filled() else {
        return out.refuse_without(
            category.element,
            "the VAT category (BT-118, BT-151)",
            "TaxCategory",
        );
    };
    let text = code.trimmed();
    let known = REASONS.iter().find(|(known, _)| *known == text);
    match (text.as_ref(), known) {
        _ if out.ledger.in_own_words => with(out, NAME, *code, &[]),
        ("S" | "E", _) => out.kept(NAME, &text, *code),
        (_, Some(_)) => {
            let reason = "the target has the categories S and E: it is exempt, with a reason";
            out.changed(NAME, "E", *code, reason);
        }
        _ => out.refuse_value(*code, "the target has no such VAT category"),
    }
    plain(out, "cbc:Percent", &category.rate);
    if with_reason || out.ledger.in_own_words {
        exemption(out, category, known.map_or("", |(_, words)| words));
    }
    out.group("cac:TaxScheme", |out| match category.scheme.filled() {
        Some(scheme) => {
            let is_own = out.ledger.in_own_words;
            match is_own {
                true => with(out, NAME, *scheme, &[]),
                false => out.kept(NAME, "VAT", *scheme),
            }
        }
        None => out.constant(NAME, "VAT", &[]),
    });
}

/// BT-120; without words the code of the reason, or what the category means.
fn exemption<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>, usual: &str) {
    const NAME: &str = "cbc:ExemptionReason";
    if plain(out, NAME, &category.exemption_reason) || out.ledger.in_own_words || usual.is_empty() {
        return;
    }
    let reason = "the target asks for the reason of an exemption in words";
    match category.exemption_reason_code.filled() {
        Some(code) => {
            let text = code.trimmed();
            out.told_otherwise(NAME, *code, LossKind::CarriedAsText, reason);
            out.derived(NAME, &text, category.element, Some("BT-120"), reason);
        }
        None => out.derived(NAME, usual, category.element, Some("BT-120"), reason),
    }
}

/// Writes `TaxTotal`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if out.ledger.in_own_words {
        return again(out, invoice);
    }
    let own: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    let breakdown: Vec<&VatBreakdown<'d>> = invoice.breakdown_in_document_currency().collect();
    if breakdown.is_empty() && !own.is_filled() {
        return;
    }
    out.vat_total_said_twice(invoice, "cac:TaxTotal");
    out.group("cac:TaxTotal", |out| {
        if !amount(out, "cbc:TotalTaxAmount", &own) {
            let sum = sum_of(breakdown.iter().map(|one| one.tax_amount.filled()));
            let reason = "the target asks for the total of VAT: the sum of its parts";
            match sum.map(|sum| format!("{sum:.2}")) {
                Some(text) => {
                    let name = "cbc:TotalTaxAmount";
                    out.implied(name, &text, invoice.element, Some("BT-110"), reason);
                    made_amount(out, name, &text);
                }
                None => out.refuse_without(
                    invoice.element,
                    "the total of VAT (BT-110)",
                    "TotalTaxAmount",
                ),
            }
        }
        let is_only = breakdown.len() == 1;
        for one in &breakdown {
            out.group("cac:TaxSubTotal", |out| subtotal(out, invoice, one, is_only));
        }
    });
}

fn subtotal<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    one: &VatBreakdown<'d>,
    is_only: bool,
) {
    if !amount(out, "cbc:TaxableAmount", &one.taxable_amount) {
        out.refuse_without(one.element, "the taxable amount (BT-116)", "TaxableAmount");
    }
    if !amount(out, "cbc:TaxAmount", &one.tax_amount) {
        out.refuse_without(one.element, "the VAT amount (BT-117)", "TaxAmount");
    }
    let empty = TaxCategory::new(one.element);
    let tax = one.category.first().unwrap_or(&empty);
    out.group("cac:TaxCategory", |out| category(out, tax, true));
    // The target has the amount for each category: it has a place where there is one.
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    let wanted = (is_only && is_other).then_some(invoice);
    let whole = wanted.and_then(|invoice| invoice.vat_total_in_tax_currency().next());
    if let Some(whole) = whole {
        one_amount(out, "cac:TaxCurrencyTaxAmount", whole);
    }
}

/// As it stands in a document of Svefaktura: totals, each with its parts.
fn again<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let said = |total: &&quoin_model::en16931::TaxTotal<'d>| {
        total.amount.get().is_none_or(|amount| amount.derivation().is_none())
    };
    for total in invoice.tax_totals.iter().filter(said) {
        out.group("cac:TaxTotal", |out| {
            amount(out, "cbc:TotalTaxAmount", &total.amount);
            for one in invoice.breakdown_of(total) {
                out.group("cac:TaxSubTotal", |out| {
                    amount(out, "cbc:TaxableAmount", &one.taxable_amount);
                    amount(out, "cbc:TaxAmount", &one.tax_amount);
                    for tax in &one.category {
                        out.group("cac:TaxCategory", |out| category(out, tax, true));
                    }
                    amount(out, "cac:TaxCurrencyTaxAmount", &one.tax_currency_amount);
                });
            }
        });
    }
}
