//! Asking for invoices: who sold, who bought, when they were stored.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::FormCode;

/// A period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDateRange {
    /// `Issue`, `Invoicing` or `PermanentStorage`; the last is the one for asking again and again.
    pub date_type: String,
    /// From when on.
    pub from: Timestamp,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Timestamp>,
    /// Only as far as nothing can be added any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restrict_to_permanent_storage_hwm_date: Option<bool>,
}

/// The body of `POST /invoices/query/metadata`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceQuery {
    /// `Subject1` sold, `Subject2` bought, `Subject3`, `SubjectAuthorized`.
    pub subject_type: String,
    /// When.
    pub date_range: InvoiceDateRange,
    /// One number of the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ksef_number: Option<String>,
    /// One number of a seller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice_number: Option<String>,
    /// One seller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seller_nip: Option<String>,
}

/// An identifier and its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryIdentifier {
    /// `Nip`, `VatUe`, `Other` or `None`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Who sold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceMetadataSeller {
    /// Ten digits.
    pub nip: String,
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Who bought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceMetadataBuyer {
    /// The identifier.
    pub identifier: QueryIdentifier,
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What the system says about an invoice without the invoice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceMetadata {
    /// The number of the system.
    pub ksef_number: String,
    /// The number of the seller.
    pub invoice_number: String,
    /// `P_1`.
    pub issue_date: Date,
    /// When it came.
    pub invoicing_date: Timestamp,
    /// When it got its number.
    pub acquisition_date: Timestamp,
    /// When it was stored for good: what a period of `PermanentStorage` is about.
    pub permanent_storage_date: Timestamp,
    /// Who sold.
    pub seller: InvoiceMetadataSeller,
    /// Who bought.
    pub buyer: InvoiceMetadataBuyer,
    /// Without tax.
    pub net_amount: serde_json::Number,
    /// With tax.
    pub gross_amount: serde_json::Number,
    /// The tax.
    pub vat_amount: serde_json::Number,
    /// ISO 4217.
    pub currency: String,
    /// `Online` or `Offline`.
    pub invoicing_mode: String,
    /// As in `Vat`, `Kor`.
    pub invoice_type: String,
    /// Its form.
    pub form_code: FormCode,
    /// Whether the buyer wrote it.
    pub is_self_invoicing: bool,
    /// Whether it has an attachment.
    pub has_attachment: bool,
    /// SHA-256 of the invoice, in base64.
    pub invoice_hash: String,
}

/// The answer of `POST /invoices/query/metadata`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceMetadataPage {
    /// Whether there are more pages.
    pub has_more: bool,
    /// Whether the limit of 10,000 was reached: the period has to begin anew at the last date.
    pub is_truncated: bool,
    /// Until when nothing can be added any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permanent_storage_hwm_date: Option<Timestamp>,
    /// In the order that was asked for.
    pub invoices: Vec<InvoiceMetadata>,
}
