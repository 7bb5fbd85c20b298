//! VAT: the breakdown (BG-23), and the tax of a line, a reduction or a surcharge.

use quoin_model::en16931::{
    AllowanceCharge, Amount, Derivation, Invoice, Line, TaxCategory, VatBreakdown,
};

use super::CENTS;
use crate::writing::{InvoiceOutput, LossKind, sum_of};

/// Writes `Tax`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let count = invoice.breakdown_in_document_currency().count();
    let mut is_accounted = false;
    out.required_group("eb:Tax", |out| {
        for one in invoice.breakdown_in_document_currency() {
            out.required_group("eb:TaxItem", |out| {
                is_accounted |= breakdown(out, invoice, one, count == 1);
            });
        }
        let others =
            invoice.allowance_charges.iter().filter(|one| super::reduction::is_other_tax(one));
        for one in others {
            out.required_group("eb:OtherTax", |out| other(out, one));
        }
    });
    if !is_accounted && !out.ledger.in_own_words {
        accounted(out, invoice);
    }
}

/// BT-111 where no tax item says it: readers take the VAT at the rate for it.
fn accounted<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    const NAME: &str = "eb:CurrencyExchangeInformation/eb:ExchangeRate";
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    let rate = super::document::written_rate(invoice).filter(|_| is_other);
    let taxes: Vec<_> =
        invoice.breakdown_in_document_currency().map(|one| one.tax_amount.filled()).collect();
    let sum = sum_of(taxes.iter().copied()).filter(|_| !taxes.is_empty());
    let Some(total) = sum.zip(rate).and_then(|(sum, rate)| sum.checked_mul(rate)) else { return };
    let total = total.round_to_cents();
    let reason = "readers of the target compute it: the VAT at the rate";
    let Some(own) = invoice.vat_total_in_tax_currency().next() else {
        let place = invoice.element;
        return out.implied(NAME, &format!("{total:.2}"), place, Some("BT-111"), reason);
    };
    match own.value() == Some(total) {
        true => out.ledger.derive(*own),
        false => {
            let path = Some(out.path_of(NAME));
            out.ledger.list_as(Some("BT-111"), *own, LossKind::Changed, path, reason);
        }
    }
    if let Some(currency) = own.currency() {
        out.ledger.derive(*currency);
    }
}

/// Whether the item says BT-111, too.
fn breakdown<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    one: &VatBreakdown<'d>,
    is_only: bool,
) -> bool {
    if !out.first_amount_in("eb:TaxableAmount", &one.taxable_amount, CENTS) {
        out.refuse_without(one.element, "the taxable amount (BT-116)", "TaxableAmount");
    }
    let empty = TaxCategory::new(one.element);
    let category = one.category.first().unwrap_or(&empty);
    percent(out, category, ["BT-118", "BT-119"], "the VAT category (BT-118)");
    if let Some(amount) = one.tax_amount.filled().filter(|amount| is_said(*amount)) {
        out.amount_in("eb:TaxAmount", amount, CENTS);
    }
    let is_accounted = accounting(out, invoice, one, is_only);
    comment(out, category);
    is_accounted
}

fn is_said(amount: Amount<'_>) -> bool {
    !matches!(amount.derivation(), Some(Derivation::Computed(_)))
}

/// BT-111: the target has it for each rate, so it has a place where there is one rate. Whether it
/// is written.
fn accounting<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    one: &VatBreakdown<'d>,
    is_only: bool,
) -> bool {
    if !is_only && !out.ledger.in_own_words {
        return false;
    }
    let own = one.tax_currency_amount.filled();
    let is_other = invoice.tax_currency.text() != invoice.currency.text();
    let whole = invoice.vat_total_in_tax_currency().next().filter(|_| is_only && is_other);
    let amount = match out.ledger.in_own_words {
        true => own,
        false => whole.or(own.filter(|_| is_only)),
    };
    let currency = amount.and_then(Amount::currency);
    let has_place = out.ledger.in_own_words || super::document::has_tax_currency(invoice);
    let Some((amount, currency)) = amount.zip(currency).filter(|_| has_place) else {
        return false;
    };
    if currency.trimmed().len() != 3 {
        return false;
    }
    super::kept_with(
        out,
        "eb:AccountingCurrencyAmount",
        *amount,
        &[("Currency", &currency.trimmed())],
    );
    out.ledger.carry(*currency);
    if whole.is_none() && !out.ledger.in_own_words {
        let name = "eb:AccountingCurrencyAmount";
        let reason = "readers of the target take the sum of these for the total of VAT";
        out.implied(name, &amount.trimmed(), amount.element(), Some("BT-111"), reason);
    }
    true
}

/// BT-120; BT-121 where there are no words.
fn comment<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>) {
    let is_written = out.first("eb:Comment", &category.exemption_reason);
    if let Some(code) = category.exemption_reason_code.filled() {
        // Until 4.3 a code of exemption is the category, too.
        if is_written || out.ledger.is_told(*code) {
            let reason = "the target has no code for the reason of an exemption";
            return out.ledger.list_as(Some("BT-121"), *code, LossKind::Lost, None, reason);
        }
        let reason = "the target has no code for the reason of an exemption: it is the text";
        out.constant("eb:Comment", &code.trimmed(), &[]);
        out.told_otherwise("eb:Comment", *code, LossKind::CarriedAsText, reason);
        out.implied("eb:Comment", &code.trimmed(), category.element, Some("BT-120"), reason);
    }
}

/// `TaxPercent`: the rate with the category.
pub(super) fn percent<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    terms: [&'static str; 2],
    what: &'static str,
) {
    let Some(code) = category.code.filled() else {
        // Until 4.3 a rate of nought has no category.
        if !out.ledger.in_own_words {
            return out.refuse_without(category.element, what, "TaxPercent/@TaxCategoryCode");
        }
        let letters = "O";
        let reason = "the target asks for a category, which the source does not say";
        out.implied("eb:TaxPercent", letters, category.element, Some(terms[0]), reason);
        return rate(out, category, letters, terms[1]);
    };
    let letters = code.trimmed();
    rate(out, category, &letters, terms[1]);
    out.ledger.carry(*code);
    for scheme in &category.scheme {
        out.ledger.carry(**scheme);
    }
}

fn rate<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    letters: &str,
    term: &'static str,
) {
    let attributes = [("TaxCategoryCode", letters)];
    let Some(rate) = category.rate.filled() else {
        let reason = "without a rate it is nought in the target";
        out.implied("eb:TaxPercent", "0", category.element, Some(term), reason);
        return out.constant("eb:TaxPercent", "0", &attributes);
    };
    let text = rate.value().and_then(|value| crate::writing::in_form(value, CENTS));
    match text {
        Some(text) if rate.decimals() > 2 => {
            let reason = "a rate has two decimals in the target";
            let is_same = rate.value() == quoin_model::amount::Decimal::parse(&text).ok();
            match is_same {
                true => out.ledger.carry(*rate),
                false => out.told_otherwise("eb:TaxPercent", *rate, LossKind::Changed, reason),
            }
            out.constant("eb:TaxPercent", &text, &attributes);
        }
        Some(_) => super::kept_with(out, "eb:TaxPercent", *rate, &attributes),
        None => out.refuse_value(*rate, "a rate is a number"),
    }
}

/// Writes `TaxItem` of a line: the target asks what is taxed, which is the line.
pub(super) fn of_line<'d>(out: &mut InvoiceOutput<'d>, line: &Line<'d>) {
    let empty = TaxCategory::new(line.element);
    let category = line.tax_category.first().unwrap_or(&empty);
    let taxes = line.extensions.as_deref().map(|more| more.taxes.as_slice()).unwrap_or_default();
    let own = taxes.iter().flat_map(|tax| &tax.breakdown).next();
    let own = own.filter(|_| out.ledger.in_own_words);
    out.required_group("eb:TaxItem", |out| {
        match own.and_then(|own| own.taxable_amount.filled()) {
            Some(amount) => out.amount_in("eb:TaxableAmount", amount, CENTS),
            None => taxed(out, &line.net_amount),
        }
        percent(out, category, ["BT-151", "BT-152"], "the VAT category of a line (BT-151)");
        if let Some(amount) =
            own.and_then(|own| own.tax_amount.filled()).filter(|one| is_said(*one))
        {
            out.amount_in("eb:TaxAmount", amount, CENTS);
        }
        out.first("eb:Comment", &category.exemption_reason);
    });
}

/// What is taxed, of which another element has the leaf.
fn taxed<'d>(out: &mut InvoiceOutput<'d>, field: &quoin_model::en16931::Field<Amount<'d>>) {
    let value = field.filled().and_then(Amount::value);
    if let Some(text) = value.and_then(|value| crate::writing::in_form(value, CENTS)) {
        out.constant("eb:TaxableAmount", &text, &[]);
    }
}

/// Writes `TaxItem` of a reduction or surcharge.
pub(super) fn of_reduction<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    let own = one.taxes.first();
    let empty = TaxCategory::new(one.element);
    let category = one.tax_category.first().unwrap_or(&empty);
    out.required_group("eb:TaxItem", |out| {
        match own.and_then(|own| own.taxable_amount.filled()) {
            Some(amount) => out.amount_in("eb:TaxableAmount", amount, CENTS),
            None => taxed(out, &one.amount),
        }
        let terms = if one.is_charge() { ["BT-102", "BT-103"] } else { ["BT-95", "BT-96"] };
        percent(out, category, terms, "the VAT category of an allowance or charge (BT-95, BT-102)");
        if let Some(amount) =
            own.and_then(|own| own.tax_amount.filled()).filter(|one| is_said(*one))
        {
            out.amount_in("eb:TaxAmount", amount, CENTS);
        }
        out.first("eb:Comment", &category.exemption_reason);
    });
}

/// `OtherTax`, which is outside VAT.
fn other<'d>(out: &mut InvoiceOutput<'d>, one: &AllowanceCharge<'d>) {
    out.first_amount_in("eb:TaxableAmount", &one.base_amount, CENTS);
    if let Some(rate) = one.percentage.filled() {
        let said = one.tax_category.first().and_then(|tax| tax.code.filled());
        let letters = said.map_or("O".into(), |code| code.trimmed());
        super::kept_with(out, "eb:TaxPercent", *rate, &[("TaxCategoryCode", &letters)]);
        if let Some(code) = said {
            out.ledger.carry(*code);
        }
    }
    if !out.first_amount_in("eb:TaxAmount", &one.amount, CENTS) {
        out.refuse_without(one.element, "the amount of a tax", "TaxAmount");
    }
    if !out.first("eb:Comment", &one.reason) {
        out.refuse_without(one.element, "the name of a tax", "Comment");
    }
}
