//! Writing Svefaktura 1.0, one file a business group, in the order of the schema.
//!
//! Source: SFTI Basic Invoice 1.0, which is made of UBL 1.0, and the SFTI guide on its mapping to
//! EN 16931 (1.4).

mod document;
mod line;
mod party;
mod payment;
mod tax;
mod totals;

use quoin_model::codes;
use quoin_model::en16931::{Amount, Date, Field, Identifier, Invoice, Quantity, ValueSource};

use super::codes::{GS1, TOO_NEW_COUNTRIES, TOO_NEW_CURRENCIES};
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter};

/// The namespaces, as the samples of SFTI prefix them.
const DECLARATIONS: &[(&str, &str)] = &[
    ("xmlns", super::INVOICE),
    ("xmlns:cac", "urn:sfti:CommonAggregateComponents:1:0"),
    ("xmlns:cbc", "urn:oasis:names:tc:ubl:CommonBasicComponents:1:0"),
];

/// ISO 4217, as EN 16931 has it.
const CURRENCIES: &str = "iso4217@peppol-bis3-ubl-2026-05";
/// Why a currency is refused.
const NO_CURRENCY: &str = "the target has the currencies of 2004";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "svefaktura",
    title: "Svefaktura 1.0, SFTI Basic Invoice",
    syntaxes: &[Syntax::Svefaktura],
    is_written_so: |_| true,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.ledger.in_own_words = out.ledger.is_of(WRITER.syntaxes);
    let kind = document::type_code(invoice)?;
    totals::refuse(invoice, out.ledger.in_own_words)?;
    out.root("Invoice", DECLARATIONS, |out| {
        document::head(out, invoice, kind);
        party::parties(out, invoice);
        document::delivery(out, invoice);
        payment::means(out, invoice);
        payment::terms(out, invoice);
        for one in &invoice.allowance_charges {
            tax::allowance_charge(out, one);
        }
        document::exchange(out, invoice);
        tax::write(out, invoice);
        totals::write(out, invoice);
        for (at, one) in invoice.lines.iter().enumerate() {
            out.required_group("cac:InvoiceLine", |out| line::write(out, invoice, one, at));
        }
        line::order_of_all(out, invoice);
        document::tail(out, invoice);
    });
    Ok(())
}

/// Writes a value with attributes: those that it has in a document of Svefaktura, else those that
/// were made.
fn with<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    made: &[(&str, &str)],
) {
    let words = out.words(source);
    if !out.ledger.in_own_words {
        out.constant(name, &words, made);
        return out.ledger.carry(source);
    }
    let element = source.element();
    let own: Vec<_> = element.attributes().filter(|one| one.namespace.is_empty()).collect();
    let attributes: Vec<(&str, &str)> = own.iter().map(|one| (one.local, one.value)).collect();
    out.constant(name, &words, &attributes);
    out.ledger.carry(source);
    for (local, _) in attributes {
        let place = ValueSource::attribute_called(element, "", local);
        place.iter().for_each(|place| out.ledger.carry(*place));
    }
}

/// Writes a value without attributes, but for those of Svefaktura itself. Whether there is one.
fn plain<'d, T: quoin_model::en16931::ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<T>,
) -> bool {
    let Some(value) = field.filled() else { return false };
    with(out, name, value.source(), &[]);
    true
}

/// An amount, which always says its currency.
fn amount<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Amount<'d>>) -> bool {
    let Some(value) = field.filled() else { return false };
    one_amount(out, name, value);
    true
}

fn one_amount<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Amount<'d>) {
    if value.value().is_none() {
        return out.refuse_value(*value, "an amount is a number");
    }
    let own = value.currency().filter(|currency| !currency.is_blank());
    if let Some(own) = own.filter(|own| !has_currency(&own.trimmed())) {
        return out.refuse_value(*own, NO_CURRENCY);
    }
    let currency = own.map_or(out.currency.clone(), |currency| currency.trimmed());
    with(out, name, *value, &[("amountCurrencyID", &currency)]);
    if let Some(currency) = own.filter(|_| !out.ledger.in_own_words) {
        out.ledger.carry(*currency);
    }
}

/// An amount that was made.
fn made_amount(out: &mut InvoiceOutput<'_>, name: &'static str, text: &str) {
    let currency = out.currency.clone();
    out.constant(name, text, &[("amountCurrencyID", &currency)]);
}

/// A quantity, which always says its unit.
fn quantity<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Quantity<'d>,
    usual: &str,
    term: &'static str,
) {
    if value.value().is_none() {
        return out.refuse_value(*value, "a quantity is a number");
    }
    let unit = value.unit().filter(|unit| !unit.is_blank());
    let code = unit.map_or(usual.into(), |unit| unit.trimmed());
    with(out, name, *value, &[("quantityUnitCode", &code)]);
    if out.ledger.in_own_words {
        return;
    }
    match unit {
        Some(unit) => out.ledger.carry(*unit),
        None => {
            let reason = "a quantity has a unit in the target";
            out.implied(name, &code, value.element(), Some(term), reason);
        }
    }
    out.ledger.implied_unit_list(value);
}

/// An identifier with its scheme, of which `gs1` is told by its agency.
fn id<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, value: Identifier<'d>, gs1: &str) {
    let scheme = value.scheme().filter(|scheme| !scheme.is_blank());
    let text = scheme.map(|scheme| scheme.trimmed());
    let attributes: &[(&str, &str)] = match text.as_deref() {
        Some(text) if text == gs1 => &[("identificationSchemeAgencyID", GS1)],
        Some(text) => &[("identificationSchemeID", text)],
        None => &[],
    };
    with(out, name, *value, attributes);
    if let Some(scheme) = scheme.filter(|_| !out.ledger.in_own_words) {
        out.ledger.carry(scheme);
    }
}

/// A group with an identifier inside.
fn wrapped_id<'d>(
    out: &mut InvoiceOutput<'d>,
    group: &'static str,
    value: Identifier<'d>,
    gs1: &str,
) {
    out.group(group, |out| id(out, "cac:ID", value, gs1));
}

/// A day as a day and time at midnight. Whether there is one.
fn moment<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Date<'d>>) -> bool {
    let Some(date) = field.filled() else { return false };
    if out.ledger.in_own_words {
        let words = out.words(*date);
        out.kept(name, &words, *date);
        return true;
    }
    let Some(day) = out.day(name, date) else { return false };
    out.constant(name, &format!("{day}T00:00:00"), &[]);
    out.same_day(field, date);
    true
}

/// Whether the list of currencies of the target has one.
fn has_currency(code: &str) -> bool {
    let is_known = codes::by_key(CURRENCIES).is_none_or(|list| list.contains(code));
    is_known && !TOO_NEW_CURRENCIES.contains(&code)
}

/// Whether the list of countries of the target has one: it is that of 2004.
fn has_country(code: &str) -> bool {
    code.len() == 2
        && code.bytes().all(|byte| byte.is_ascii_uppercase())
        && !TOO_NEW_COUNTRIES.contains(&code)
}
