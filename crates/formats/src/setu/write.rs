//! Writing SETU 1.4, one file a business group, in the order of the schema.
//!
//! Sources: HR-XML 2.5 `Invoice.xsd` (OAGIS), SETU Standard for Invoicing 1.4.

mod document;
mod line;
mod money;
mod party;
mod staffing;
mod units;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Date, Field, Invoice, ValueSource};

use super::{HR_XML, OAGIS};
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, WrittenSign};

/// The only currency.
const EURO: &str = "EUR";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "setu",
    title: "SETU 1.4 (HR-XML)",
    syntaxes: &[Syntax::Setu],
    is_written_so: |_| true,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.ledger.in_own_words = out.ledger.is_of(WRITER.syntaxes);
    let kind = document::SetuKind::of(invoice)?;
    money::refuse(invoice, out.ledger.in_own_words)?;
    let sign = kind.sign;
    out.root("Invoice", &[("xmlns", OAGIS), ("xmlns:nl", HR_XML)], |out| {
        out.group("Header", |out| {
            document::head(out, invoice);
            money::total(out, invoice, sign);
            document::terms(out, invoice, sign);
            money::charges(out, invoice, sign);
            party::parties(out, invoice);
            document::kind(out, invoice, &kind);
            money::totals(out, invoice, sign);
            money::allowances(out, &invoice.allowance_charges, sign);
            money::breakdown(out, invoice, sign);
            out.group("UserArea", |out| staffing::of_header(out, invoice, sign));
        });
        lines(out, invoice, sign);
    });
    Ok(())
}

/// The lines, some of which are in groups.
fn lines<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let more = invoice.extensions.netherlands.as_deref();
    let groups = more.map(|more| more.groups.as_slice()).unwrap_or_default();
    let groups = if out.ledger.in_own_words { groups } else { &[] };
    let mut at = 0;
    while let Some(one) = invoice.lines.get(at) {
        let group = groups.iter().find(|group| group.lines.start == at && group.lines.end > at);
        match group {
            Some(group) => {
                line::group(out, invoice, group, sign);
                at = group.lines.end;
            }
            None => {
                line::write(out, invoice, one, at, sign);
                at += 1;
            }
        }
    }
}

/// Writes a value as it is. Whether there is one.
fn plain<'d, T: quoin_model::en16931::ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<T>,
) -> bool {
    let Some(value) = field.filled() else { return false };
    kept(out, name, value.source());
    true
}

/// Writes a value as it is.
fn kept<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, source: ValueSource<'d>) {
    let words = out.words(source);
    out.kept(name, &words, source);
}

/// The first amount of a field. Whether there is one.
fn amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
    sign: WrittenSign,
) -> bool {
    let Some(value) = field.filled() else { return false };
    one_amount(out, name, value, sign);
    true
}

/// An amount with its currency, which is the euro.
fn one_amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Amount<'d>,
    sign: WrittenSign,
) {
    if value.value().is_none() && !out.ledger.in_own_words {
        return out.refuse_value(*value, "an amount is a number");
    }
    let text = out.signed(name, *value, sign);
    let own = value.currency().filter(|currency| !currency.is_blank());
    let currency = match own {
        Some(own) if !own.is(EURO) && !out.ledger.in_own_words => {
            return out.refuse_value(*own, "the target has the euro only");
        }
        Some(own) => {
            out.ledger.carry(*own);
            own.trimmed()
        }
        None => EURO.into(),
    };
    out.constant(name, &text, &[("currency", &currency)]);
}

/// An amount that the source does not say.
fn made(out: &mut InvoiceOutput<'_>, name: &'static str, number: Decimal, sign: WrittenSign) {
    let text = sign.of(&crate::reading::cents(number));
    out.constant(name, &text, &[("currency", EURO)]);
}

/// A day as a day and time at midnight. Whether there is one.
fn moment<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, field: &Field<Date<'d>>) -> bool {
    let Some(date) = field.filled() else { return false };
    if out.ledger.in_own_words {
        kept(out, name, *date);
        return true;
    }
    let Some(day) = out.day(name, date) else { return false };
    out.constant(name, &format!("{day}T00:00:00Z"), &[]);
    out.same_day(field, date);
    true
}
