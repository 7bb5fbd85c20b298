//! The summary of VAT (2.2.2, BG-23), and the checks of SdI on its sums.

use std::collections::HashSet;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, TaxCategory, TaxPointDateCode, VatBreakdown};

use super::super::codes::{EXEMPTIONS, PAYABILITY};
use super::category::Taxed;
use super::plan::{BodyPlan, extra};
use super::{CENTS, PRICE, category, text};
use crate::reading::{lookup, lookup_back};
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind};

/// Writes every `DatiRiepilogo`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &BodyPlan) {
    let code = invoice.tax_point_date_code.filled();
    let mut is_first = true;
    for one in invoice.breakdown_in_document_currency() {
        let empty = TaxCategory::new(one.element);
        let tax = one.category.first().unwrap_or(&empty);
        match plan.taxed(tax) {
            Ok(taxed) => {
                out.required_group("DatiRiepilogo", |out| {
                    breakdown(out, code, one, (tax, taxed), is_first);
                });
                if !out.ledger.in_own_words {
                    check_tax(out, one, tax);
                    check_taxable(out, plan, one, tax, taxed);
                }
            }
            Err(refusal) => out.refuse(refusal),
        }
        is_first = false;
    }
    if !out.ledger.in_own_words {
        check_summarised(out, invoice, plan);
    }
    if let Some(code) = code {
        out.repeated(&invoice.tax_point_date_code, code);
    }
}

fn breakdown<'d>(
    out: &mut InvoiceOutput<'d>,
    code: Option<TaxPointDateCode<'d>>,
    one: &VatBreakdown<'d>,
    (tax, taxed): (&TaxCategory<'d>, Taxed),
    is_first: bool,
) {
    category::rate(out, tax, "BT-119");
    category::nature_of(out, tax, taxed);
    out.first_amount_in("SpeseAccessorie", &one.accessory, CENTS);
    out.first_amount_in("Arrotondamento", &one.rounding, PRICE);
    if !out.first_amount_in("ImponibileImporto", &one.taxable_amount, CENTS) {
        out.refuse_without(one.element, "the taxable amount (BT-116)", "ImponibileImporto");
    }
    if !out.first_amount_in("Imposta", &one.tax_amount, CENTS) {
        out.refuse_without(one.element, "the VAT amount (BT-117)", "Imposta");
    }
    payability(out, code, one, taxed, is_first);
    if let Some(reason) = tax.exemption_reason.filled() {
        text::one_free(out, "RiferimentoNormativo", *reason, 100);
    }
    exemption(out, one, tax, taxed);
}

/// `EsigibilitaIVA`: BT-8, but for a split payment.
fn payability<'d>(
    out: &mut InvoiceOutput<'d>,
    code: Option<TaxPointDateCode<'d>>,
    one: &VatBreakdown<'d>,
    taxed: Taxed,
    is_first: bool,
) {
    const NAME: &str = "EsigibilitaIVA";
    if let Some(own) = one.payability.filled() {
        let words = out.words(*own);
        return out.kept(NAME, &words, *own);
    }
    if taxed.is_split {
        return out.constant(NAME, super::super::codes::SPLIT_PAYMENT, &[]);
    }
    let Some(code) = code.filter(|_| taxed.nature.is_none()) else {
        return;
    };
    let in_ubl = match code.trimmed().as_ref() {
        "72" => "432".to_owned(),
        other => other.to_owned(),
    };
    match lookup_back(PAYABILITY, &in_ubl) {
        Some(own) if is_first => match code.is("432") {
            true => out.kept(NAME, own, *code),
            false => out.changed(NAME, own, *code, "the target has another code for it"),
        },
        Some(own) => out.constant(NAME, own, &[]),
        None if is_first => {
            let reason = "the target says only that VAT is due at once";
            out.changed(NAME, "I", *code, reason);
        }
        None => out.constant(NAME, "I", &[]),
    }
}

/// BT-121, which readers take from `Natura`.
fn exemption<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &VatBreakdown<'d>,
    tax: &TaxCategory<'d>,
    taxed: Taxed,
) {
    const BY_NATURE: &str = "the nature of the operation (Natura) says the reason of exemption";
    let Some(nature) = taxed.nature else { return };
    if out.ledger.in_own_words {
        return;
    }
    let read = lookup(EXEMPTIONS, nature);
    match (tax.exemption_reason_code.filled(), read) {
        (Some(code), Some(read)) if code.is(read) => out.ledger.derive(*code),
        (Some(code), _) => out.told_otherwise("Natura", *code, LossKind::Changed, BY_NATURE),
        (None, Some(read)) => out.implied("Natura", read, one.element, Some("BT-121"), BY_NATURE),
        (None, None) => {}
    }
    let is_usual = tax.exemption_reason.text().is_some_and(|text| text.starts_with(nature));
    if !is_usual {
        let reason = "Italy asks by which law no VAT is due, which the category does not say";
        out.implied("Natura", nature, one.element, None, reason);
    }
}

/// SdI check 00421: the VAT is the rate of the taxable amount, give or take a cent.
fn check_tax(out: &mut InvoiceOutput<'_>, one: &VatBreakdown<'_>, tax: &TaxCategory<'_>) {
    if out.is_refused() {
        return;
    }
    let rate = tax.rate.value().unwrap_or(Decimal::ZERO);
    let parts = one.taxable_amount.filled().zip(one.tax_amount.filled());
    let Some((taxable, said)) = parts else { return };
    let computed = taxable
        .value()
        .and_then(|value| value.checked_mul(rate)?.checked_mul(Decimal::new(1, 2)))
        .map(Decimal::round_to_cents);
    let Some((computed, value)) = computed.zip(said.value()) else { return };
    if is_apart(value, computed, Decimal::new(1, 2)) {
        out.refuse(ConversionRefusal::SumsDiffer {
            path: said.path(),
            said: said.trimmed().into_owned(),
            computed: format!("{computed:.2}"),
            rule: "SdI check 00421, the VAT of a summary is its rate of the taxable amount",
        });
    }
}

/// SdI check 00419: every rate, and every nature, of a line has a summary.
fn check_summarised(out: &mut InvoiceOutput<'_>, invoice: &Invoice<'_>, plan: &BodyPlan) {
    let key = |tax: &TaxCategory<'_>| {
        let taxed = plan.taxed(tax).ok()?;
        Some((category::rate_text(tax), taxed.nature))
    };
    let of_summaries = invoice.breakdown_in_document_currency();
    let known: HashSet<_> = of_summaries.filter_map(|one| key(one.category.first()?)).collect();
    let of_lines = invoice.lines.iter().filter_map(|line| line.tax_category.first());
    let of_others = extra(invoice).filter_map(|one| one.tax_category.first());
    let mut all = of_lines.chain(of_others);
    let missing = all.find(|tax| key(tax).is_some_and(|key| !known.contains(&key)));
    if let Some(tax) = missing.filter(|_| !out.is_refused()) {
        out.refuse(ConversionRefusal::Required {
            what: "a VAT breakdown (BG-23) of the category and rate of each line (SdI check 00419)",
            path: tax.element.path(),
            target: "DatiRiepilogo",
        });
    }
}

/// SdI check 00422: the taxable amount is the sum of the lines, give or take one.
fn check_taxable(
    out: &mut InvoiceOutput<'_>,
    plan: &BodyPlan,
    one: &VatBreakdown<'_>,
    tax: &TaxCategory<'_>,
    taxed: Taxed,
) {
    let Some(said) = one.taxable_amount.filled().filter(|_| !out.is_refused()) else { return };
    let Some((sum, value)) = plan.sum(tax, taxed).zip(said.value()) else { return };
    if is_apart(value, sum, Decimal::new(1, 0)) {
        out.refuse(ConversionRefusal::SumsDiffer {
            path: said.path(),
            said: said.trimmed().into_owned(),
            computed: format!("{sum:.2}"),
            rule: "SdI check 00422, a taxable amount is the sum of the lines at its rate",
        });
    }
}

fn is_apart(one: Decimal, other: Decimal, most: Decimal) -> bool {
    let apart = one.checked_sub(other).map(Decimal::abs);
    let beyond = apart.and_then(|apart| most.checked_sub(apart));
    beyond.is_none_or(Decimal::is_negative)
}
