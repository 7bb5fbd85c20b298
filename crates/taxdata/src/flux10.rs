//! Flux 10, the e-reporting of France: what a company sold abroad or to consumers in a period, or
//! what it was paid for services, as one file of a registered platform.
//!
//! ```text
//! invoices, totals of a day ─► EReport ── check ──► breaches (term, value)
//!                                  └── write ──► Report (XML), only without breaches
//! ```
//! Sources: AIFE, external specifications of e-invoicing, flux 10 (`ereporting.xsd`, rules 1.0 of
//! July 2026). The file is for the public portal (PPF) and comes back as flux 6.

mod check;
mod declarant;
mod foreign;
mod gathered;
mod periods;
mod write;

use jiff::civil::{Date, DateTime};
use serde::{Deserialize, Serialize};

pub(crate) use check::check_invoice;
pub use check::{EReportBreach, check, check_head};
pub use declarant::{Declarant, FrenchFlux};
pub use foreign::{NotEReportable, is_domestic};
pub use gathered::{FilePlatform, GatheredInvoice, GatheredTerms, NotGathered, write_gathered};
pub use periods::{FilePeriod, FileTerms};
pub use write::write;

/// What files are called among document types; they never are in the network.
pub const DOCUMENT_TYPE: &str = "busdox-docid-qns::Report##urn.cpro.gouv.fr:1p0:ereporting::1.0";

/// What a file does at the portal (TT-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EReportKind {
    /// `IN`: the first one of its period.
    Initial,
    /// `RE`: it replaces what was told of its period.
    Rectifying,
}

/// On which side the declarant is (TT-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeclarantRole {
    /// `SE`: it sold.
    Seller,
    /// `BY`: it bought.
    Buyer,
}

impl DeclarantRole {
    /// The code in a file.
    pub fn code(self) -> &'static str {
        match self {
            DeclarantRole::Seller => "SE",
            DeclarantRole::Buyer => "BY",
        }
    }
}

/// A file of flux 10.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EReport {
    /// TT-1: its identifier, at most 50 letters, digits and `-+_/`.
    pub id: String,
    /// TT-2: its name.
    pub name: Option<String>,
    /// TT-3: when it was made.
    pub created: DateTime,
    /// TT-4.
    pub kind: EReportKind,
    /// TT-8: the registered number of the platform, four characters.
    pub platform: String,
    /// TT-9: the name of the platform.
    pub platform_name: String,
    /// TT-13: the SIREN of the declarant, nine digits.
    pub siren: String,
    /// TT-14: the name of the declarant.
    pub declarant_name: String,
    /// TT-15.
    pub role: DeclarantRole,
    /// TT-17 and TT-18: first and last day of the period.
    pub period: (Date, Date),
    /// What is told.
    pub content: EReportContent,
}

/// What a file tells; exactly one of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EReportContent {
    /// Flux 10.1, invoices across the border, and 10.3, totals of a day of sales to consumers.
    Transactions {
        /// TG-8.
        invoices: Vec<EReportInvoice>,
        /// TG-31.
        totals: Vec<SalesTotal>,
    },
    /// Flux 10.2, payments of such invoices, and 10.4, payments of such sales.
    Payments {
        /// TG-34.
        invoices: Vec<InvoicePayment>,
        /// TG-37.
        totals: Vec<PaymentTotal>,
    },
}

/// A party by the scheme of its identifier.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EReportParty {
    /// TT-33-1, TT-37: `0002` SIREN, `0223` VAT number of the EU, `0227` outside it, `0228`,
    /// `0229`.
    pub scheme: String,
    /// TT-33, TT-36.
    pub id: String,
    /// TT-34, TT-38: the VAT number.
    pub vat_number: Option<String>,
    /// TT-35, TT-39: ISO 3166-1.
    pub country: Option<String>,
}

/// VAT of one category and rate (TG-23).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VatPart {
    /// TT-54: taxable amount.
    pub taxable: String,
    /// TT-55: VAT.
    pub tax: String,
    /// TT-56: `S`, `E`, `AE`, `K`, `G`, `O`, `Z`.
    pub category: Option<String>,
    /// TT-57: the rate in percent.
    pub rate: String,
    /// TT-58: why no VAT is due.
    pub reason: Option<String>,
    /// TT-59: the same as a code.
    pub reason_code: Option<String>,
}

/// An invoice (TG-8), told at the level of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EReportInvoice {
    /// TT-19.
    pub number: String,
    /// TT-20.
    pub issued: Date,
    /// TT-21.
    pub type_code: String,
    /// TT-22.
    pub currency: String,
    /// TT-201.
    pub due: Option<Date>,
    /// TT-24: when VAT is due, a code.
    pub tax_due_code: Option<String>,
    /// TT-26 and TT-27: subject and text of notes.
    pub notes: Vec<(Option<String>, String)>,
    /// TT-28: the case of invoicing: `B1`, `S1`, `M1` ...
    pub process: String,
    /// TT-30 and TT-31: earlier invoices.
    pub references: Vec<(String, Option<Date>)>,
    /// TG-12.
    pub seller: EReportParty,
    /// TG-14.
    pub buyer: EReportParty,
    /// TT-122: the VAT number of the seller's representative.
    pub representative: Option<String>,
    /// TT-41: when it was delivered.
    pub delivered: Option<Date>,
    /// TT-44: the country that it was delivered to.
    pub delivery_country: Option<String>,
    /// TT-42 and TT-43.
    pub period: Option<(Option<Date>, Option<Date>)>,
    /// TT-51: total without VAT.
    pub total: Option<String>,
    /// TT-52: VAT in euro.
    pub tax: String,
    /// TG-23.
    pub vat: Vec<VatPart>,
}

/// Sales to consumers on one day (TG-31).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SalesTotal {
    /// TT-77.
    pub day: Date,
    /// TT-78.
    pub currency: String,
    /// TT-80: when VAT is due, a code.
    pub tax_due_code: Option<String>,
    /// TT-81: goods `TLB1`, services `TPS1`, not taxed `TNT1`, margin `TMA1`.
    pub category: String,
    /// TT-82: without VAT.
    pub total: String,
    /// TT-83: VAT.
    pub tax: String,
    /// TT-85: how many sales.
    pub count: Option<u64>,
    /// TT-86 to TT-88: rate, taxable amount, VAT.
    pub parts: Vec<(String, String, String)>,
}

/// What was paid on a day, by rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentTotal {
    /// TT-92, TT-97.
    pub day: Date,
    /// TT-93 and TT-95, TT-98 and TT-100: rate, and amount in euro.
    pub parts: Vec<(String, String)>,
}

/// What was paid of one invoice (TG-34).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoicePayment {
    /// TT-90.
    pub number: String,
    /// TT-91.
    pub issued: Date,
    /// TG-35.
    pub payment: PaymentTotal,
}
