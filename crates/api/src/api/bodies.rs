//! Documents that stand in bodies as XML, for the description of the interface; the examples are
//! documents of our own making.

use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_formats::samples;
use quoin_formats::statistics::{ReportScope, transaction_statistics};
use quoin_formats::ubl::write::{
    ACTIONS, Explained, InvoiceReference, InvoiceResponse, InvoiceResponseCode, Participant,
    REASONS, STATUSES, invoice_response,
};
use quoin_model::ElectronicAddress;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// An invoice or a credit note, in any format that is taken.
#[derive(ToSchema)]
#[schema(value_type = String, example = json!(samples::INVOICE))]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct InvoiceXml(String);

/// An invoice or a credit note in the JSON form of EN 16931.
pub(crate) enum InvoiceJson {}

impl PartialSchema for InvoiceJson {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Object).examples([invoice_json()]).into()
    }
}

impl ToSchema for InvoiceJson {}

/// An order, or a change of one.
#[derive(ToSchema)]
#[schema(value_type = String, example = json!(order()))]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct OrderXml(String);

/// An answer of the business: an Invoice Response or an Order Response.
#[derive(ToSchema)]
#[schema(value_type = String, example = json!(response()))]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct ResponseXml(String);

/// A document of any type of the network.
#[derive(ToSchema)]
#[schema(value_type = String, example = json!(samples::CREDIT_NOTE))]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct AnyXml(String);

/// A message of cXML, or the answer to one.
#[derive(ToSchema)]
#[schema(
    value_type = String,
    example = "<cXML payloadID=\"1@example.org\" timestamp=\"2026-11-26T09:30:00+00:00\"><Response>\
               <Status code=\"200\" text=\"OK\"/></Response></cXML>"
)]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct CxmlXml(String);

/// What an authority has or gives: the Polish invoice FA(3), or the receipt UPO.
#[derive(ToSchema)]
#[schema(
    value_type = String,
    example = "<Potwierdzenie xmlns=\"http://upo.schematy.mf.gov.pl/KSeF/v4-3\"/>"
)]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct AuthorityXml(String);

/// A statistics report, of transactions or of end users.
#[derive(ToSchema)]
#[schema(value_type = String, example = json!(report()))]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct ReportXml(String);

/// A container of documents: a PDF with an invoice in it, a ZIP archive, a signed message.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct Container(String);

fn order() -> String {
    samples::order(samples::SENDER, samples::RECEIVER, "PO-2026-17")
}

/// The sample in the JSON form; null if it could not be converted, which a test of the description
/// would show.
fn invoice_json() -> Value {
    let parsed = quoin_formats::read(samples::INVOICE.as_bytes());
    let converted = parsed.root().and_then(|root| convert_at(root, ConversionTarget::JSON).ok());
    let read = converted.and_then(|own| serde_json::from_str(&own.document).ok());
    read.unwrap_or(Value::Null)
}

/// The report of a month without any transaction.
fn report() -> String {
    let (first, last) = (jiff::civil::date(2026, 10, 1), jiff::civil::date(2026, 10, 31));
    transaction_statistics(&ReportScope { first, last, reporter: "POP000001".to_owned() }, &[])
}

/// A rejection; empty if a code were missing, which a test of the description would show.
fn response() -> String {
    let explained = |list, code, text: &str| {
        let code = InvoiceResponseCode::named(list, code)?;
        Some(Explained { code, text: Some(text.to_owned()) })
    };
    let party = |id: &str, name: &str| {
        let (scheme, value) = id.split_once(':').unwrap_or_default();
        let endpoint = ElectronicAddress { scheme: scheme.to_owned(), value: value.to_owned() };
        Participant { endpoint, name: name.to_owned(), country: Some("NL".to_owned()) }
    };
    let Some(status) = InvoiceResponseCode::named(STATUSES, "RE") else { return String::new() };
    invoice_response(&InvoiceResponse {
        id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".to_owned(),
        issued: jiff::civil::date(2026, 11, 22).at(9, 30, 0, 0),
        sender: party(samples::RECEIVER, "Buyer BV"),
        receiver: party(samples::SENDER, "Acme BV"),
        invoice: InvoiceReference {
            number: "INV-2026-17".to_owned(),
            issue_date: Some(jiff::civil::date(2026, 11, 20)),
            type_code: "380".to_owned(),
        },
        status,
        reasons: explained(REASONS, "REF", "The order number is missing.").into_iter().collect(),
        actions: explained(ACTIONS, "NIN", "Send a new invoice.").into_iter().collect(),
        note: None,
    })
}

/// A document as a page of HTML that needs nothing else.
#[derive(ToSchema)]
#[schema(value_type = String, example = "<!DOCTYPE html>\n<html lang=\"en\">…</html>")]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct PageHtml(String);

/// A document as a PDF (PDF/A-3u, PDF/UA-1).
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes a body")]
pub(crate) struct PagePdf(Vec<u8>);
