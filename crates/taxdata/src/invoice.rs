//! The invoice that is reported: UBL, or what another syntax is in UBL.

use quoin_formats::convert::{ConversionRefusal, ConversionTarget, convert_at};
use quoin_formats::{ParsedDocument, read};
use quoin_xml::tree::Element;

use crate::terms::InvoiceTerms;

/// Why nothing can be reported of a document: it is no invoice that can be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotReportable {
    /// No XML.
    #[error("the invoice cannot be read: {0}")]
    Xml(String),
    /// Another document.
    #[error("a tax report is made of an invoice or a credit note; this is {0}")]
    NoInvoice(String),
    /// Its syntax has no way to UBL, in which authorities read it.
    #[error("the invoice cannot be told in UBL, in which authorities read it: {0}")]
    NoUbl(#[from] ConversionRefusal),
}

/// An invoice of which a report is made.
#[derive(Debug)]
pub struct ReportableInvoice<'d> {
    form: InvoiceForm<'d>,
    self_billing: bool,
    process: Option<String>,
}

#[derive(Debug)]
enum InvoiceForm<'d> {
    Ubl(&'d ParsedDocument),
    Converted(Box<ParsedDocument>),
}

impl<'d> ReportableInvoice<'d> {
    /// The invoice of a document that was read: UBL as it is, another syntax converted.
    ///
    /// # Errors
    /// [`NotReportable`].
    pub fn of(parsed: &'d ParsedDocument) -> Result<ReportableInvoice<'d>, NotReportable> {
        parsed.tree().map_err(|error| NotReportable::Xml(error.to_string()))?;
        let self_billing = parsed.detection().self_billing;
        let found =
            |root: Element<'_>| format!("{:.80} of {:.200}", root.local(), root.namespace());
        let no_invoice = || NotReportable::NoInvoice(parsed.root().map(found).unwrap_or_default());
        if parsed.invoice().is_some() {
            let form = InvoiceForm::Ubl(parsed);
            return Ok(ReportableInvoice { form, self_billing, process: None });
        }
        let root = parsed.root().ok_or_else(no_invoice)?;
        quoin_formats::readers::read_invoice_at(root).ok_or_else(no_invoice)?;
        let converted = convert_at(root, ConversionTarget::UBL)?;
        let converted = read(converted.document.as_bytes());
        if converted.invoice().is_none() {
            return Err(no_invoice());
        }
        let self_billing = self_billing || converted.detection().self_billing;
        let form = InvoiceForm::Converted(Box::new(converted));
        Ok(ReportableInvoice { form, self_billing, process: None })
    }

    /// The same as it was exchanged in a process, which is told where the invoice has no BT-23: its
    /// specification may leave that to the envelope.
    pub fn exchanged_in(self, process: Option<&str>) -> ReportableInvoice<'d> {
        ReportableInvoice { process: process.map(str::to_owned), ..self }
    }

    /// Whether the buyer issued it for the seller, so that the buyer is corner 1.
    pub fn self_billing(&self) -> bool {
        self.self_billing
    }

    /// The document element: `Invoice` or `CreditNote` of UBL.
    pub(crate) fn root(&self) -> Option<Element<'_>> {
        match &self.form {
            InvoiceForm::Ubl(parsed) => parsed.root(),
            InvoiceForm::Converted(parsed) => parsed.root(),
        }
    }

    /// What it says, term by term.
    pub(crate) fn terms(&self) -> InvoiceTerms<'_> {
        InvoiceTerms { root: self.root(), process: self.process.as_deref() }
    }
}
