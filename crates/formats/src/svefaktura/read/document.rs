//! The document level: BT-1 to BT-22, references, delivery, period.

use quoin_model::en16931::{
    AttributeName, DeliveryInformation, DeliveryTerms, DocumentReference, ExchangeRate, Field,
    Identifier, Invoice, Note, PartyRole, Period, Time, ValueSource,
};
use quoin_xml::tree::Element;

use super::{line, name, party, payment, take, tax, value, wrapped};
use crate::reading::{Pass, day_of, implied, only_category, view};

/// Reads the document element.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Invoice<'d> {
    let mut invoice = Invoice::new(element);
    let (mut totals, mut counts) = (Vec::new(), Vec::new());
    let mut requisitions = Vec::new();
    pass.open_root(element);
    for child in element.elements() {
        match name(child) {
            "ID" => take(pass, &mut invoice.number, child),
            "IssueDate" => take(pass, &mut invoice.issue_date, child),
            "InvoiceTypeCode" => take(pass, &mut invoice.type_code, child),
            "Note" => {
                let mut note = Note::new(child);
                take(pass, &mut note.text, child);
                invoice.notes.push(note);
            }
            "TaxPointDate" => take(pass, &mut invoice.tax_point_date, child),
            "InvoiceCurrencyCode" => take(pass, &mut invoice.currency, child),
            "TaxCurrencyCode" => take(pass, &mut invoice.tax_currency, child),
            "LineItemCountNumeric" => counts.push(child),
            "AdditionalDocumentReference" => additional(pass, &mut invoice, child),
            "BuyerParty" => party::read(pass, &mut invoice.buyer, PartyRole::Buyer, child),
            "SellerParty" => party::read(pass, &mut invoice.seller, PartyRole::Seller, child),
            "Delivery" => invoice.delivery.push(delivery(pass, child)),
            "PaymentMeans" => payment::means(pass, &mut invoice, child),
            "PaymentTerms" => payment::terms(pass, &mut invoice, child),
            "AllowanceCharge" => {
                invoice.allowance_charges.push(tax::allowance_charge(pass, child));
            }
            "ExchangeRate" => invoice.extensions.exchange_rates.push(exchange(pass, child)),
            "TaxTotal" => tax::total(pass, &mut invoice, child),
            "LegalTotal" => totals.push(child),
            "InvoiceLine" => invoice.lines.push(line::read(pass, child)),
            "RequisitionistDocumentReference" => requisitions.push(child),
            "InitialInvoiceDocumentReference" => {
                invoice.references.preceding_invoices.push(reference(pass, child));
            }
            "DeliveryTerms" => {
                let mut terms = DeliveryTerms::new(child);
                wrapped(pass, &mut terms.text, child, &["SpecialTerms"]);
                invoice.extensions.delivery_terms.push(terms);
            }
            "InvoicingPeriod" => invoice.period.push(period(pass, child)),
            _ => pass.unread(child),
        }
    }
    let count = invoice.lines.len().to_string();
    counts.into_iter().for_each(|one| pass.derive(one, &count));
    references(pass, &mut invoice, requisitions);
    let changes = tax::DocumentChanges::of(&invoice);
    totals.into_iter().for_each(|one| tax::totals(pass, &mut invoice, changes, one));
    currency(&mut invoice);
    only_category(&mut invoice);
    invoice
}

/// Reads a group that is an identifier.
pub(super) fn reference<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    wrapped(pass, &mut reference.id, element, &["ID"]);
    reference
}

/// `AdditionalDocumentReference`: the scheme of its identifier decides which term it is.
fn additional<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut own = reference(pass, element);
    let references = &mut invoice.references;
    let scheme = own.id.get().and_then(|id| id.scheme()).map(|scheme| scheme.trimmed());
    match scheme.as_deref() {
        Some("CT") => references.contract.push(own),
        Some("DQ") => references.despatch_advice.push(own),
        Some("ACD") => {
            own.type_code.push(implied(element, "130"));
            references.invoiced_object.push(own);
        }
        _ => {
            let is_address = |id: &&Identifier<'_>| {
                let text = id.trimmed();
                text.starts_with("http://") || text.starts_with("https://")
            };
            own.uri.extend(own.id.iter().find(is_address).map(|id| view(id.element())));
            references.supporting_documents.push(own);
        }
    }
}

/// BT-10 and BT-19 are the first and the second requisition; BT-13 is the order of the lines, where
/// it is one.
fn references<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, requisitions: Vec<Element<'d>>) {
    for (at, element) in requisitions.into_iter().enumerate() {
        match at {
            0 => wrapped(pass, &mut invoice.buyer_reference, element, &["ID"]),
            1 => wrapped(pass, &mut invoice.accounting_reference, element, &["ID"]),
            _ => invoice.references.others.push(reference(pass, element)),
        }
    }
    let lines = invoice.lines.iter().flat_map(|line| line.order_lines.iter());
    let mut orders = lines.flat_map(|line| &line.order).filter_map(|order| order.id.get());
    let Some(first) = orders.next() else { return };
    let text = first.trimmed();
    if orders.all(|other| other.trimmed() == text) {
        let mut order = DocumentReference::new(first.element());
        order.id.push(first);
        invoice.references.purchase_order.push(order);
    }
}

/// BT-5: without a currency of the document it is that of its total.
fn currency(invoice: &mut Invoice<'_>) {
    if invoice.currency.is_present() {
        return;
    }
    let total = invoice.totals.first().and_then(|totals| totals.due.get());
    let currency = total.and_then(|total| total.attribute(AttributeName::CurrencyId));
    invoice.currency.extend(currency.map(Into::into));
}

/// BG-13 and BG-15; the identifier of the address is BT-71.
fn delivery<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DeliveryInformation<'d> {
    let mut delivery = DeliveryInformation::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ActualDeliveryDateTime" => moment(pass, &mut delivery, child),
            "DeliveryAddress" => {
                let address = party::address(pass, child);
                delivery.location.extend(address.id.iter().copied());
                delivery.address.push(address);
            }
            _ => pass.unread(child),
        }
    }
    delivery
}

/// BT-72 is the day of a day and time.
pub(super) fn moment<'d>(
    pass: &mut Pass<'d>,
    delivery: &mut DeliveryInformation<'d>,
    element: Element<'d>,
) {
    let at: Time<'d> = value(pass, element);
    delivery.date.push(day_of(ValueSource::of(element)));
    delivery.time.push(at);
}

/// BG-14.
fn period<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Period<'d> {
    let mut period = Period::new(element);
    pass.open(element);
    for child in element.elements() {
        let field = match name(child) {
            "StartDateTime" => &mut period.start,
            "EndDateTime" => &mut period.end,
            _ => {
                pass.unread(child);
                continue;
            }
        };
        let mut written: Field<quoin_model::en16931::Date<'d>> = Field::default();
        take(pass, &mut written, child);
        field.extend(written.iter().map(|one| day_of(**one)));
    }
    period
}

fn exchange<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> ExchangeRate<'d> {
    let mut rate = ExchangeRate::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "SourceCurrencyCode" => take(pass, &mut rate.source, child),
            "TargetCurrencyCode" => take(pass, &mut rate.target, child),
            "SourceCurrencyBaseRate" => take(pass, &mut rate.source_base, child),
            "TargetUnitBaseRate" => take(pass, &mut rate.target_base, child),
            "CalculationRate" => take(pass, &mut rate.rate, child),
            "Date" => take(pass, &mut rate.date, child),
            _ => pass.unread(child),
        }
    }
    rate
}
