//! The head of the document: BT-1 to BT-26, delivery, period.

use quoin_model::en16931::{Date, DocumentReference, Field, Identifier, Invoice, Party, ValueType};

use super::{changed, comments, moment, party, spoken};
use crate::writing::{InvoiceOutput, OutputAttribute};

/// What the document is for, by BT-3.
pub(super) struct CxmlPurpose {
    word: &'static str,
    is_buyers: bool,
    /// Whether its amounts are negative.
    pub is_credit: bool,
    /// Whether the target has no word for it.
    is_other: bool,
}

impl CxmlPurpose {
    pub(super) fn of(invoice: &Invoice<'_>) -> CxmlPurpose {
        let code = invoice.type_code.text().unwrap_or_default();
        let (word, is_buyers, is_other) = match code.as_ref() {
            "380" => ("standard", false, false),
            "389" => ("standard", true, false),
            "381" => ("creditMemo", false, false),
            "383" => ("debitMemo", false, false),
            "261" => ("creditMemo", true, true),
            _ if invoice.is_credit_note() => ("creditMemo", false, true),
            _ => ("standard", false, true),
        };
        CxmlPurpose { word, is_buyers, is_credit: word == "creditMemo", is_other }
    }
}

/// A day as a day and time.
pub(super) fn day(date: Date<'_>) -> Option<String> {
    let day = crate::writing::written_day(date)?.day;
    Some(format!("{day}T00:00:00+00:00"))
}

/// Who sends it to whom. The credentials of an account are no part of an invoice: the electronic
/// addresses stand for them, until whoever sends it puts in its own.
pub(super) fn credentials<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    credential(out, "From", invoice.seller.first());
    credential(out, "To", invoice.buyer.first());
    out.group("Sender", |out| {
        identity(out, "", "");
        out.constant("UserAgent", "Quoin", &[]);
    });
}

fn credential<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, party: Option<&Party<'d>>) {
    let endpoint = party.and_then(|party| party.endpoint.filled());
    out.group(name, |out| {
        let Some(endpoint) = endpoint else { return identity(out, "", "") };
        let scheme = endpoint.scheme();
        let reason = "a message has the credentials of an account, not an electronic address";
        let text = scheme.map(|scheme| scheme.trimmed().into_owned()).unwrap_or_default();
        identity(out, &text, &endpoint.trimmed());
        for source in scheme.into_iter().chain([*endpoint]) {
            changed(out, source, "Credential", reason);
        }
    });
}

fn identity(out: &mut InvoiceOutput<'_>, domain: &str, identity: &str) {
    let domain = if domain.is_empty() { "NetworkID" } else { domain };
    let attributes = [("domain", Some(OutputAttribute::Constant(domain)))];
    out.tagged("Credential", &attributes, |out| out.constant("Identity", identity, &[]));
}

/// Writes `InvoiceDetailRequestHeader`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, purpose: &CxmlPurpose) {
    let name = "InvoiceDetailRequestHeader";
    let date = moment(out, "InvoiceDetailRequestHeader/@invoiceDate", invoice.issue_date.filled());
    match invoice.type_code.filled() {
        Some(code) if purpose.is_other => {
            let reason = "cXML has standard, credit memo and debit memo only";
            changed(out, *code, "InvoiceDetailRequestHeader/@purpose", reason);
        }
        Some(code) => out.ledger.carry(*code),
        None => {
            let path = out.path_of("InvoiceDetailRequestHeader/@purpose");
            let reason = "the document element says it";
            out.ledger.invent(invoice.element, Some("BT-3"), purpose.word, path, reason);
        }
    }
    let origin = purpose.is_buyers.then_some(OutputAttribute::Constant("buyer"));
    let attributes = [
        ("invoiceID", invoice.number.filled().map(|number| OutputAttribute::Carried(*number))),
        ("purpose", Some(OutputAttribute::Constant(purpose.word))),
        ("operation", Some(OutputAttribute::Constant("new"))),
        ("invoiceDate", Some(OutputAttribute::Constant(&date))),
        ("invoiceOrigin", origin),
    ];
    out.tagged(name, &attributes, |out| {
        out.tagged("InvoiceDetailHeaderIndicator", &[], |_| {});
        let in_line = [("isTaxInLine", Some(OutputAttribute::Constant("yes")))];
        out.tagged("InvoiceDetailLineIndicator", &in_line, |_| {});
        party::partners(out, invoice);
        let references = &invoice.references;
        if let Some(one) = references.preceding_invoices.first() {
            reference(out, "InvoiceIDInfo", ["invoiceID", "invoiceDate"], Some(one));
        }
        shipping(out, invoice);
        let advice = references.despatch_advice.first();
        reference(out, "ShipNoticeIDInfo", ["shipNoticeID", "shipNoticeDate"], advice);
        period(out, invoice.period.first());
        comments::write(out, invoice);
        extrinsics(out, invoice);
    });
}

/// The order of the lines. What UBL has there because it must have something is no number.
pub(super) fn order<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let references = &invoice.references;
    let names = ["agreementID", "agreementDate"];
    reference(out, "MasterAgreementIDInfo", names, references.contract.first());
    match references.filler_of_order() {
        Some(filler) => out.ledger.regenerate(*filler),
        None => {
            let order = references.purchase_order.first();
            reference(out, "OrderIDInfo", ["orderID", "orderDate"], order);
        }
    }
    let sales = references.sales_order.first();
    reference(out, "SupplierOrderInfo", ["orderID", "orderDate"], sales);
}

/// A reference that is attributes: an identifier and a day.
fn reference<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    [id, day]: [&str; 2],
    reference: Option<&DocumentReference<'d>>,
) {
    let Some(reference) = reference else { return };
    let Some(own) = reference.id.filled() else { return };
    let date = moment(out, name, reference.issue_date.filled());
    let attributes =
        [(id, Some(OutputAttribute::Carried(*own))), (day, Some(OutputAttribute::Constant(&date)))];
    out.tagged(name, &attributes, |_| {});
}

/// BG-13, BG-15. The definition asks for who ships it, too.
fn shipping<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(delivery) = invoice.delivery.first() else { return };
    let name = delivery.party.first().and_then(|party| party.name.filled());
    let location = delivery.location.filled();
    let is_said = delivery.date.is_filled() || delivery.address.is_present();
    if !is_said && name.is_none() && location.is_none() {
        return;
    }
    let date = moment(out, "InvoiceDetailShipping/@shippingDate", delivery.date.filled());
    let attributes = [("shippingDate", Some(OutputAttribute::Constant(&date)))];
    out.tagged("InvoiceDetailShipping", &attributes, |out| {
        let from = [("role", Some(OutputAttribute::Constant("shipFrom")))];
        out.tagged("Contact", &from, |out| spoken(out, "Name", None));
        party::contact(out, "shipTo", location, |out| {
            spoken(out, "Name", name);
            party::address(out, &delivery.address, None);
        });
    });
}

/// BG-14: both days, or none.
pub(super) fn period<'d>(
    out: &mut InvoiceOutput<'d>,
    period: Option<&quoin_model::en16931::Period<'d>>,
) {
    let Some(period) = period else { return };
    if !period.start.is_filled() || !period.end.is_filled() {
        return;
    }
    let start = moment(out, "Period/@startDate", period.start.filled());
    let end = moment(out, "Period/@endDate", period.end.filled());
    let attributes = [
        ("startDate", Some(OutputAttribute::Constant(&start))),
        ("endDate", Some(OutputAttribute::Constant(&end))),
    ];
    out.tagged("Period", &attributes, |_| {});
}

/// Terms that stand under a name that the two parties agree on.
fn extrinsics<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if let Some(date) = invoice.due_date.filled()
        && let Some(day) = out.day("Extrinsic", date)
    {
        out.repeated(&invoice.due_date, date);
        out.constant("Extrinsic", &day.to_string(), &[("name", "invoiceDueDate")]);
    }
    let references = &invoice.references;
    extrinsic(out, "buyerReference", &invoice.buyer_reference);
    for (name, field) in
        [("projectReference", &references.project), ("tenderReference", &references.tender)]
    {
        if let Some(one) = field.first() {
            extrinsic::<Identifier<'d>>(out, name, &one.id);
            if let Some(code) = one.type_code.filled().filter(|code| code.is("50")) {
                out.ledger.carry(*code);
            }
        }
    }
    extrinsic(out, "accountingCost", &invoice.accounting_reference);
    let remittance = &invoice.payment.remittance;
    if let Some(first) = remittance.filled() {
        out.repeated(remittance, first);
    }
    extrinsic(out, "paymentReference", remittance);
    let means = &invoice.payment.means;
    if let Some(code) = means.iter().find_map(|means| means.code.filled()) {
        extrinsic(out, "paymentMethod", &std::iter::once(code).collect());
        means.iter().for_each(|one| out.repeated(&one.code, code));
    }
    let has_account = invoice.payment.credit_transfers().next().is_some();
    if has_account && !means.iter().any(|means| means.code.is_filled()) {
        let path = out.path_of("Extrinsic");
        let reason = "an account is paid to by a credit transfer";
        out.ledger.invent(invoice.element, Some("BT-81"), "30", path, reason);
    }
    if let Some(due) = invoice.due_date.filled() {
        means.iter().for_each(|one| out.repeated(&one.due_date, due));
    }
}

fn extrinsic<'d, T: ValueType<'d>>(out: &mut InvoiceOutput<'d>, name: &str, field: &Field<T>) {
    if let Some(value) = field.filled() {
        out.attributed("Extrinsic", value, &[("name", Some(OutputAttribute::Constant(name)))]);
    }
}
