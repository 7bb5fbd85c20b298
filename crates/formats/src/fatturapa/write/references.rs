//! References to other documents (2.1.2 to 2.1.8): BT-10 to BT-18, BT-132, BG-3.

use quoin_model::en16931::{
    AttributeName, DocumentReference, Identifier, Invoice, Line, OrderLineReference, ValueSource,
};
use quoin_xml::tree::Element;

use super::plan::{BodyPlan, extra};
use super::text;
use crate::writing::{InvoiceOutput, documents};

/// Characters of a reference.
const MAX_ID: usize = 20;
/// What stands for a reference that is not known and must be there.
const UNKNOWN: &str = "NA";
/// The groups in the order of the schema.
const GROUPS: &[&str] = &[
    "DatiOrdineAcquisto",
    "DatiContratto",
    "DatiConvenzione",
    "DatiRicezione",
    "DatiFattureCollegate",
];

/// Writes every reference, and the phases of progress among them.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &BodyPlan) {
    let own = match out.ledger.in_own_words {
        true => as_written(invoice),
        false => Vec::new(),
    };
    for group in GROUPS {
        for one in own.iter().filter(|one| one.element().local() == *group) {
            out.group(group, |out| again(out, one));
        }
    }
    if !out.ledger.in_own_words {
        orders(out, invoice, plan);
        contract(out, invoice);
        agreement(out, invoice);
        for one in invoice.references.receiving_advice.iter().take(1) {
            plain(out, "DatiRicezione", one, documents::RECEIPT);
        }
        for one in &invoice.references.preceding_invoices {
            plain(out, "DatiFattureCollegate", one, documents::INVOICE);
        }
    }
    let italy = invoice.extensions.italy.as_deref();
    for phase in italy.iter().flat_map(|italy| italy.progress_phases.iter()) {
        out.group("DatiSAL", |out| {
            text::one_code(out, "RiferimentoFase", **phase, 3);
        });
    }
    for one in own.iter().filter(|one| one.element().local() == "DatiDDT") {
        out.group("DatiDDT", |out| again(out, one));
    }
    if !out.ledger.in_own_words {
        for one in &invoice.references.despatch_advice {
            despatch(out, invoice, one);
        }
    }
}

/// A reference of FatturaPA, which may be of the document, of lines, or of both.
enum OwnReference<'i, 'd> {
    Document(&'i DocumentReference<'d>),
    Line(&'i OrderLineReference<'d>, &'i DocumentReference<'d>),
}

impl<'i, 'd> OwnReference<'i, 'd> {
    fn reference(&self) -> &'i DocumentReference<'d> {
        match self {
            OwnReference::Document(reference) | OwnReference::Line(_, reference) => reference,
        }
    }

    fn element(&self) -> Element<'d> {
        self.reference().element
    }
}

/// Every reference once, in the order of the document.
fn as_written<'i, 'd>(invoice: &'i Invoice<'d>) -> Vec<OwnReference<'i, 'd>> {
    let all = &invoice.references;
    let fields = [
        &all.purchase_order,
        &all.contract,
        &all.invoiced_object,
        &all.receiving_advice,
        &all.despatch_advice,
    ];
    let single = fields.into_iter().flat_map(|field| field.iter());
    let of_document = single.chain(&all.preceding_invoices).chain(&all.others);
    let mut found: Vec<_> = of_document.map(OwnReference::Document).collect();
    for line in &invoice.lines {
        of_line(line, &mut found);
    }
    // What is of the document comes first, and has everything.
    found.sort_by_key(|one| one.element().id().0);
    found.dedup_by_key(|one| one.element().id().0);
    found
}

fn of_line<'i, 'd>(line: &'i Line<'d>, found: &mut Vec<OwnReference<'i, 'd>>) {
    for order in &line.order_lines {
        found.extend(order.order.iter().map(|reference| OwnReference::Line(order, reference)));
    }
    let Some(more) = line.extensions.as_deref() else { return };
    let others = more.despatch_lines.iter().chain(&more.receipt_lines);
    found.extend(others.chain(&more.billing_references).map(OwnReference::Document));
}

/// Writes a reference as it stands there.
fn again<'d>(out: &mut InvoiceOutput<'d>, one: &OwnReference<'_, 'd>) {
    let reference = one.reference();
    let is_despatch = one.element().local() == "DatiDDT";
    if !is_despatch {
        numbers(out, one.element());
    }
    text::code(out, if is_despatch { "NumeroDDT" } else { "IdDocumento" }, &reference.id, MAX_ID);
    out.plain_day(if is_despatch { "DataDDT" } else { "Data" }, &reference.issue_date);
    let line_id = match one {
        OwnReference::Document(reference) => &reference.line_id,
        OwnReference::Line(order, _) => &order.line_id,
    };
    text::code(out, "NumItem", line_id, MAX_ID);
    if let Some(own) = reference.italy.as_deref() {
        text::free(out, "CodiceCommessaConvenzione", &own.agreed_code, 100);
        text::code(out, "CodiceCUP", &own.project, 15);
        text::code(out, "CodiceCIG", &own.tender, 15);
    }
    if is_despatch {
        numbers(out, one.element());
    }
}

/// The lines that a reference names.
fn numbers<'d>(out: &mut InvoiceOutput<'d>, element: Element<'d>) {
    for one in element.elements().filter(|one| one.local() == "RiferimentoNumeroLinea") {
        text::one_code(out, "RiferimentoNumeroLinea", ValueSource::of(one), 4);
    }
}

/// The order of the document with BT-10, and the lines of it (BT-132).
fn orders<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, plan: &BodyPlan) {
    let filler = invoice.references.filler_of_order();
    if let Some(filler) = filler {
        out.ledger.regenerate(*filler);
    }
    let order = invoice.references.purchase_order.first().filter(|_| filler.is_none());
    let id = order.and_then(|order| order.id.filled());
    let id = id.filter(|id| text::is_code(&id.trimmed(), MAX_ID));
    let numbered = || plan.numbers.iter().zip(&invoice.lines);
    // Of a document of one line the order is that of the line, too.
    let only = match invoice.lines.as_slice() {
        [line] if extra(invoice).next().is_none() => {
            line.order_lines.first().filter(|order| order.order.is_empty() && id.is_some())
        }
        _ => None,
    };
    let has_reference = invoice.buyer_reference.is_filled();
    if order.is_some() || has_reference {
        out.group("DatiOrdineAcquisto", |out| {
            if let (Some(_), Some((number, _))) = (only, numbered().next()) {
                out.constant("RiferimentoNumeroLinea", &number.to_string(), &[]);
            }
            document_id(out, invoice, order, has_reference, "BT-13");
            if let Some(order) = order.filter(|_| id.is_some()) {
                out.plain_day("Data", &order.issue_date);
            }
            if let Some(only) = only {
                text::code(out, "NumItem", &only.line_id, MAX_ID);
            }
            text::free(out, "CodiceCommessaConvenzione", &invoice.buyer_reference, 100);
        });
    }
    for (number, line) in numbered().filter(|_| only.is_none()) {
        for order_line in &line.order_lines {
            of_order(out, *number, order_line, id);
        }
    }
}

/// `IdDocumento`, which must be there where anything else of the group is.
fn document_id<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    reference: Option<&DocumentReference<'d>>,
    is_needed: bool,
    term: &'static str,
) {
    let is_written =
        reference.is_some_and(|reference| text::code(out, "IdDocumento", &reference.id, MAX_ID));
    if !is_written && is_needed {
        let reason = "the target asks for a document beside the code";
        out.derived("IdDocumento", UNKNOWN, invoice.element, Some(term), reason);
    }
}

/// BT-132, with the order that the line names, or that of the document.
fn of_order<'d>(
    out: &mut InvoiceOutput<'d>,
    number: u32,
    order_line: &OrderLineReference<'d>,
    of_document: Option<Identifier<'d>>,
) {
    let own = order_line.order.first().and_then(|order| order.id.filled());
    let own = own.filter(|id| text::is_code(&id.trimmed(), MAX_ID));
    let item = order_line.line_id.filled();
    let fits = item.is_none_or(|item| text::is_code(&item.trimmed(), MAX_ID));
    let Some(id) = own.or(of_document).filter(|_| fits) else {
        let reason = "a line of an order has a place beside its order only, with 20 characters";
        if let Some(item) = item {
            out.lost(*item, reason);
        }
        return;
    };
    out.group("DatiOrdineAcquisto", |out| {
        out.constant("RiferimentoNumeroLinea", &number.to_string(), &[]);
        match own {
            Some(own) => out.kept("IdDocumento", &own.trimmed(), *own),
            None => out.constant("IdDocumento", &id.trimmed(), &[]),
        }
        if let Some(order) = order_line.order.first().filter(|_| own.is_some()) {
            out.plain_day("Data", &order.issue_date);
        }
        text::code(out, "NumItem", &order_line.line_id, MAX_ID);
    });
}

/// BT-12, with the codes of project (BT-11) and tender (BT-17).
fn contract<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let code = |id: Option<Identifier<'d>>| id.filter(|id| text::is_code(&id.trimmed(), 15));
    let first = |field: &quoin_model::en16931::Field<DocumentReference<'d>>| {
        code(field.first().and_then(|one| one.id.filled()))
    };
    let project = first(&invoice.references.project);
    let tender = first(&invoice.references.tender);
    let contract = invoice.references.contract.first();
    if contract.is_none() && project.is_none() && tender.is_none() {
        return;
    }
    out.group("DatiContratto", |out| {
        let is_needed = project.is_some() || tender.is_some();
        document_id(out, invoice, contract, is_needed, "BT-12");
        let is_written = contract.and_then(|one| one.id.filled());
        if let Some(contract) =
            contract.filter(|_| is_written.is_some_and(|id| text::is_code(&id.trimmed(), MAX_ID)))
        {
            out.plain_day("Data", &contract.issue_date);
        }
        for (name, code) in [("CodiceCUP", project), ("CodiceCIG", tender)] {
            if let Some(code) = code {
                out.kept(name, &code.trimmed(), *code);
            }
        }
    });
    let kinds = [&invoice.references.project, &invoice.references.tender];
    for one in kinds.into_iter().filter_map(|field| field.first()) {
        if one.id.filled().is_some_and(|id| out.ledger.is_told(*id)) {
            out.ledger.implied_document(one, documents::TENDER);
        }
    }
}

/// BT-18, where it is an agreement (scheme `AVV`).
fn agreement<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(object) = invoice.references.invoiced_object.first() else { return };
    let Some(scheme) = object.scheme().filter(|scheme| scheme.is("AVV")) else { return };
    let Some(id) = object.id.filled().filter(|id| text::is_code(&id.trimmed(), MAX_ID)) else {
        return;
    };
    out.group("DatiConvenzione", |out| out.kept("IdDocumento", &id.trimmed(), *id));
    out.ledger.carry(scheme);
    out.ledger.implied_document(object, documents::OBJECT);
}

fn plain<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    reference: &DocumentReference<'d>,
    kind: &str,
) {
    let id = reference.id.filled();
    if id.is_none_or(|id| !text::is_code(&id.trimmed(), MAX_ID)) {
        if let Some(id) = id {
            out.lost(*id, "a reference has at most 20 characters of Basic Latin");
        }
        return;
    }
    out.group(name, |out| {
        text::code(out, "IdDocumento", &reference.id, MAX_ID);
        out.plain_day("Data", &reference.issue_date);
    });
    out.ledger.implied_document(reference, kind);
    if let Some(scheme) = id.and_then(|id| id.attribute(AttributeName::SchemeId)) {
        out.lost(scheme, "a reference has no scheme in the target");
    }
}

/// BT-16, with a day that EN 16931 has not: that of the delivery, else that of the document.
fn despatch<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    reference: &DocumentReference<'d>,
) {
    let reason =
        "a delivery note has a day in the target: that of the delivery, or of the document";
    let Some(id) = reference.id.filled().filter(|id| text::is_code(&id.trimmed(), MAX_ID)) else {
        return;
    };
    out.group("DatiDDT", |out| {
        out.kept("NumeroDDT", &id.trimmed(), *id);
        if out.plain_day("DataDDT", &reference.issue_date) {
            return;
        }
        let delivered = invoice.delivery.first().and_then(|one| one.date.filled());
        let day = delivered.or_else(|| invoice.issue_date.filled());
        let Some((date, day)) =
            day.and_then(|date| Some((date, crate::writing::written_day(date)?)))
        else {
            return out.refuse_without(invoice.element, "the day of issue (BT-2)", "DataDDT");
        };
        out.derived("DataDDT", &day.day.to_string(), date.element(), None, reason);
    });
}
