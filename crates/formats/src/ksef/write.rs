//! Writing FA(3), one file a business group, in the order of the schema.
//!
//! Source: FA(3), form 1-0E, and the information sheet on it (Ministry of Finance).

mod address;
mod again;
mod category;
mod change;
mod correction;
mod facts;
mod footer;
mod head;
mod notes;
mod number;
mod party;
mod payment;
mod plan;
mod row;
mod vat;

use quoin_model::en16931::Invoice;

use super::FA_3;
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, written_day};
use notes::NotePlaces;
use plan::FaPlan;
use vat::FaSums;

/// Of which form a document is.
const FORM: &[(&str, &str)] = &[("kodSystemowy", "FA (3)"), ("wersjaSchemy", "1-0E")];
/// The first moment at which a document of FA(3) can have been made.
const FIRST_MOMENT: &str = "2025-09-01T00:00:00Z";

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "ksef",
    title: "FA(3), the invoice of KSeF",
    syntaxes: &[Syntax::Ksef],
    is_written_so: |element| element.namespace() == FA_3,
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if let Some(own) = invoice.extensions.poland.as_deref() {
        out.ledger.in_own_words = true;
        return again::write(out, own);
    }
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    party::refuse_foreign(invoice)?;
    let plan = FaPlan::of(invoice)?;
    let sums = FaSums::of_invoice(invoice, &plan)?;
    vat::check(invoice, &plan, &sums)?;
    let notes = NotePlaces::of(invoice, &plan);
    // Supplies within the Union name the seller by the country, too.
    let has_prefix = sums.has(&[6, 10]);
    process(out, invoice);
    out.root("Faktura", &[("xmlns", FA_3)], |out| {
        header(out, invoice);
        party::seller(out, invoice, has_prefix);
        party::buyer(out, invoice);
        party::third_parties(out, invoice);
        party::representative(out, invoice);
        out.group("Fa", |out| body(out, invoice, &plan, &sums, &notes));
        footer::write(out, invoice, &notes);
    });
    Ok(())
}

/// `Naglowek`. When the document was made is the day of issue: who sends it may say it better.
fn header<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("Naglowek", |out| {
        out.constant("KodFormularza", "FA", FORM);
        out.constant("WariantFormularza", "3", &[]);
        let day = invoice.issue_date.filled().and_then(written_day);
        let issued = day.map(|written| format!("{}T00:00:00Z", written.day)).unwrap_or_default();
        let at = if issued.as_str() < FIRST_MOMENT { FIRST_MOMENT } else { &issued };
        let reason = "the target asks when it was made: the day of issue, but not before FA(3) was";
        out.derived("DataWytworzeniaFa", at, invoice.element, None, reason);
    });
}

fn body<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    sums: &FaSums<'_, 'd>,
    notes: &NotePlaces,
) {
    head::write(out, invoice);
    vat::write(out, invoice, plan, sums);
    head::total(out, invoice, plan);
    head::annotations(out, invoice, plan, sums);
    kind(out, invoice, plan);
    correction::write(out, invoice, plan, notes);
    facts::write(out, invoice, plan, sums, notes);
    row::write(out, invoice, plan);
    payment::settlement(out, invoice, plan);
    payment::write(out, invoice);
    payment::conditions(out, invoice);
    row::order(out, invoice, plan);
    vat::totals(out, invoice, plan, sums);
}

/// `RodzajFaktury`: BT-3.
fn kind<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &FaPlan) {
    const NAME: &str = "RodzajFaktury";
    let Some(code) = invoice.type_code.filled() else { return };
    match code.is(plan.again) {
        true => out.kept(NAME, plan.kind, *code),
        false => {
            let reason = "the target has kinds of its own: the nearest";
            out.changed(NAME, plan.kind, *code, reason);
        }
    }
}

/// BT-24: the document element is the specification.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the document element of FA is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}
