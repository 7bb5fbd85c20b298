//! What the access point under test is asked to send.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh, Scope};

use crate::testbed::forge::{ForgeError, INVOICE_PROCESS, INVOICE_TYPE, replaced};
use crate::testbed::reception::exchange::with_attachment;
use crate::testbed::setup::TestbedLimits;

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestDocument {
    /// A Peppol BIS Billing 3 invoice.
    Invoice,
    /// The same with a large attachment.
    LargeInvoice,
    /// A PINT invoice of the European Union, whose receiver is registered by a wildcard.
    Pint,
    /// A transaction statistics report of a month without traffic.
    Report,
    /// An invoice in an envelope that is handed over with it.
    Enveloped,
}

/// The registration that takes PINT invoices of every jurisdiction.
pub const PINT_PATTERN: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1*::2.1";
/// The document type of a PINT invoice of the European Union.
pub const PINT_TYPE: &str = "peppol-doctype-wildcard::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:peppol:pint:billing-1@eu-1::2.1";
/// The process of PINT invoices.
pub const PINT_PROCESS: &str = "cenbii-procid-ubl::urn:peppol:bis:billing";
/// The document type of a transaction statistics report.
const REPORT_TYPE: &str = "busdox-docid-qns::urn:fdc:peppol:transaction-statistics-report:1.0::\
    TransactionStatisticsReport##urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0\
    ::1.0";
/// Its process.
const REPORT_PROCESS: &str = "cenbii-procid-ubl::urn:fdc:peppol.eu:edec:bis:reporting:1.0";

impl TestDocument {
    /// The document type and the process that the receiver is registered for.
    pub fn registration(self) -> (&'static str, &'static str) {
        match self {
            TestDocument::Invoice | TestDocument::LargeInvoice | TestDocument::Enveloped => {
                (INVOICE_TYPE, INVOICE_PROCESS)
            }
            TestDocument::Pint => (PINT_PATTERN, PINT_PROCESS),
            TestDocument::Report => (REPORT_TYPE, REPORT_PROCESS),
        }
    }

    /// The document type that header and envelope must name.
    pub fn full_type(self) -> &'static str {
        match self {
            TestDocument::Pint => PINT_TYPE,
            other => other.registration().0,
        }
    }

    /// Writes one.
    pub(super) fn write(
        self,
        sender: &str,
        receiver: &ParticipantId,
        case: &str,
        limits: &TestbedLimits,
    ) -> Result<Bytes, ForgeError> {
        let number = format!("{case}-{}", uuid::Uuid::new_v4().simple());
        let number = number.get(..case.len() + 9).unwrap_or(case);
        let invoice = || quoin_formats::samples::invoice(sender, &receiver.to_string(), number);
        match self {
            TestDocument::Invoice => Ok(Bytes::from(invoice())),
            TestDocument::LargeInvoice => {
                let size = limits.large_upload_megabytes << 20;
                with_attachment(&invoice(), size).map(Bytes::from)
            }
            TestDocument::Pint => pint(&invoice(), PINT_TYPE).map(Bytes::from),
            TestDocument::Report => Ok(Bytes::from_static(REPORT.as_bytes())),
            TestDocument::Enveloped => enveloped(&invoice(), (sender, receiver), number),
        }
    }
}

/// An invoice in an envelope as the network's own test environment hands one over: with an
/// identifier that is no UUID and a scope that nobody knows.
fn enveloped(
    invoice: &str,
    (sender, receiver): (&str, &ParticipantId),
    number: &str,
) -> Result<Bytes, ForgeError> {
    let scope = Scope { key: "TESTBED_CASE".to_owned(), value: number.to_owned(), scheme: None };
    let header = Sbdh {
        sender: sender.parse().map_err(ForgeError::of)?,
        receiver: receiver.clone(),
        document_type: INVOICE_TYPE.parse().map_err(ForgeError::of)?,
        process: INVOICE_PROCESS.parse().map_err(ForgeError::of)?,
        instance: format!("TESTBED-{}", uuid::Uuid::new_v4().simple()),
        created: Timestamp::now(),
        country: CountryC1::new("NL").ok_or(ForgeError("no country".to_owned()))?,
        mls_to: None,
        mls_type: None,
        others: vec![scope],
    };
    sbdh::wrap(&header, invoice.as_bytes()).map(Bytes::from).map_err(ForgeError::of)
}

/// An invoice of ours as a PINT invoice of this document type.
pub fn pint(invoice: &str, document_type: &str) -> Result<String, ForgeError> {
    let kind: DocumentTypeId = document_type.parse().map_err(ForgeError::of)?;
    let ours: DocumentTypeId = INVOICE_TYPE.parse().map_err(ForgeError::of)?;
    let process =
        |text: &str| -> Result<ProcessId, ForgeError> { text.parse().map_err(ForgeError::of) };
    let (ours_in, theirs_in) = (process(INVOICE_PROCESS)?, process(PINT_PROCESS)?);
    let changed = replaced(invoice, ours.parts().customization, kind.parts().customization)?;
    replaced(&changed, ours_in.value(), theirs_in.value())
}

/// A month in which nothing was exchanged.
const REPORT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <TransactionStatisticsReport xmlns=\"urn:fdc:peppol:transaction-statistics-report:1.0\">\
    <CustomizationID>urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0\
    </CustomizationID><ProfileID>urn:fdc:peppol.eu:edec:bis:reporting:1.0</ProfileID>\
    <Header><ReportPeriod><StartDate>2026-01-01</StartDate><EndDate>2026-01-31</EndDate>\
    </ReportPeriod><ReporterID schemeID=\"CertSubjectCN\">POP000001</ReporterID></Header>\
    <Total><Incoming>0</Incoming><Outgoing>0</Outgoing></Total></TransactionStatisticsReport>\n";
