//! Writing FatturaPA 1.2.3 (FPA12 and FPR12), one file a business group, in the schema's order.
//!
//! Sources: FatturaPA 1.2.3 (Agenzia delle Entrate, annex A of the technical specifications 1.9)
//! for names, order and the checks of the exchange system (SdI); "Regole tecniche relative alla
//! gestione delle fatture europee" 2.6 for the place of each business term.

mod address;
mod attachment;
mod category;
mod detail;
mod general;
mod header;
mod latin;
mod line;
mod party;
mod payment;
mod plan;
mod price;
mod references;
mod register;
mod summary;
mod text;
mod totals;
mod transport;

use quoin_model::en16931::Invoice;

use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, InvoiceOutput, InvoiceWriter, LossKind, NumberForm};

use plan::BodyPlan;

/// The namespace of version 1.2.3, which is that of 1.2.
const NAMESPACE: &str = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2";

/// `Amount2DecimalType`.
const CENTS: NumberForm = NumberForm { least: 2, most: 2, digits: 11 };
/// `Amount8DecimalType`.
const PRICE: NumberForm = NumberForm { least: 2, most: 8, digits: 11 };
/// `QuantitaType`.
const QUANTITY: NumberForm = NumberForm { least: 2, most: 8, digits: 12 };
/// `RateType`.
const RATE: NumberForm = NumberForm { least: 2, most: 2, digits: 3 };

/// The row of the table of targets.
pub(crate) const WRITER: InvoiceWriter = InvoiceWriter {
    name: "fatturapa",
    title: "FatturaPA 1.2.3 ordinary invoice, FPA12 or FPR12 by the address of the buyer",
    syntaxes: &[Syntax::FatturaPa, Syntax::FatturaPaSimplified],
    is_written_so: |element| {
        element.local() == "FatturaElettronica" && element.namespace() == NAMESPACE
    },
    write: |ledger, invoice| InvoiceOutput::written(ledger, invoice, write),
};

/// Writes the document.
fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Err(ConversionRefusal::NoLines);
    }
    out.ledger.in_own_words = out.ledger.is_of(WRITER.syntaxes);
    let kind = general::kind(invoice)?;
    let plan = BodyPlan::of(invoice)?;
    let transmission = header::Transmission::of(invoice, out.ledger.in_own_words);
    let italy = invoice.extensions.italy.as_deref();
    let system = italy.and_then(|italy| italy.issuing_system.text());
    let mut attributes = vec![("versione", transmission.format)];
    attributes.extend(system.as_deref().map(|system| ("SistemaEmittente", system)));
    attributes.push(("xmlns:p", NAMESPACE));
    for one in italy.iter().flat_map(|italy| italy.version.iter()) {
        out.ledger.carry(**one);
    }
    for one in italy.iter().flat_map(|italy| italy.issuing_system.iter()) {
        out.ledger.carry(**one);
    }
    process(out, invoice);
    out.root("p:FatturaElettronica", &attributes, |out| {
        out.required_group("FatturaElettronicaHeader", |out| {
            header::write(out, invoice, &transmission, &kind);
        });
        out.required_group("FatturaElettronicaBody", |out| body(out, invoice, &kind, &plan));
    });
    Ok(())
}

/// BT-24: the version of the form says it.
fn process<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for id in &invoice.process.customization {
        let reason = "the version of FatturaPA is the specification";
        out.ledger.list(**id, LossKind::Changed, None, reason);
    }
    if let Some(version) = invoice.extensions.ubl_version.get() {
        out.ledger.regenerate(*version);
    }
}

/// Writes the inside of `FatturaElettronicaBody` (2).
fn body<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    kind: &general::ItalianType<'d>,
    plan: &BodyPlan,
) {
    out.required_group("DatiGenerali", |out| {
        general::write(out, invoice, kind);
        references::write(out, invoice, plan);
        transport::write(out, invoice);
        general::main_invoice(out, invoice);
    });
    out.required_group("DatiBeniServizi", |out| {
        for (at, line) in invoice.lines.iter().enumerate() {
            out.required_group("DettaglioLinee", |out| line::write(out, invoice, line, plan, at));
        }
        line::extra(out, invoice, plan);
        summary::write(out, invoice, plan);
    });
    let italy = invoice.extensions.italy.as_deref();
    for vehicle in italy.iter().flat_map(|italy| &italy.vehicles).take(1) {
        out.group("DatiVeicoli", |out| {
            out.plain_day("Data", &vehicle.registered_on);
            text::code(out, "TotalePercorso", &vehicle.distance, 15);
        });
    }
    payment::write(out, invoice);
    for document in &invoice.references.supporting_documents {
        attachment::write(out, document);
    }
    totals::told(out, invoice);
}
