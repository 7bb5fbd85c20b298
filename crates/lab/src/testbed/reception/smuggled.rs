//! Documents that are not what their envelopes announce, and wrong by the rules of what they
//! announce: what a lenient access point would let through.

use crate::testbed::forge::{ForgeError, INVOICE_PROCESS, INVOICE_TYPE, replaced};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};

/// What is written into an invoice that is announced as BIS Billing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Smuggled {
    /// The specification identifier; `{}` stands for the one that is announced.
    customization: &'static str,
    /// The process, where it is another one.
    process: Option<&'static str>,
    /// The issue date, where it is another one.
    issued: Option<&'static str>,
    /// Whether the invoice is wrong by its rules too.
    is_wrong: bool,
}

const WRONG: Smuggled =
    Smuggled { customization: "{}", process: None, issued: None, is_wrong: true };

/// The core of EN 16931, which asks for less.
pub(crate) const CORE: Smuggled = Smuggled { customization: "urn:cen.eu:en16931:2017", ..WRONG };
/// An identifier of nobody.
pub(crate) const UNKNOWN: Smuggled = Smuggled { customization: "urn:example:unknown", ..WRONG };
/// The announced one with a tail.
pub(crate) const TAIL: Smuggled =
    Smuggled { customization: "{}#conformant#urn:example:unknown:1.0", ..WRONG };
/// A day on which no release of any rules was published.
pub(crate) const OTHER_DAY: Smuggled = Smuggled { issued: Some("1999-12-31"), ..WRONG };
/// Another process of the network.
pub(crate) const OTHER_PROCESS: Smuggled = Smuggled {
    process: Some("urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0"),
    is_wrong: false,
    ..WRONG
};

impl Smuggled {
    /// An invoice with all of it.
    ///
    /// # Errors
    /// The invoice has not what is to be replaced.
    pub(crate) fn write(&self, invoice: &str) -> Result<String, ForgeError> {
        let kind: DocumentTypeId = INVOICE_TYPE.parse().map_err(ForgeError::of)?;
        let process: ProcessId = INVOICE_PROCESS.parse().map_err(ForgeError::of)?;
        let announced = kind.parts().customization;
        let mut text = if self.is_wrong { wrong(invoice)? } else { invoice.to_owned() };
        if self.customization != "{}" {
            let own = self.customization.replace("{}", announced);
            text = replaced(
                &text,
                &element("CustomizationID", announced),
                &element("CustomizationID", &own),
            )?;
        }
        if let Some(own) = self.process {
            text = replaced(&text, process.value(), own)?;
        }
        if let Some(day) = self.issued {
            let start = "<cbc:IssueDate>";
            let at = text.find(start).map(|at| at + start.len()).unwrap_or_default();
            let old = text.get(at..at + 10).unwrap_or_default().to_owned();
            text = replaced(&text, &element("IssueDate", &old), &element("IssueDate", day))?;
        }
        Ok(text)
    }
}

fn element(name: &str, text: &str) -> String {
    format!("<cbc:{name}>{text}</cbc:{name}>")
}

/// An invoice whose total without VAT is not what its lines come to.
///
/// # Errors
/// It has no total.
pub(crate) fn wrong(invoice: &str) -> Result<String, ForgeError> {
    let total = "<cbc:TaxExclusiveAmount currencyID=\"EUR\">";
    replaced(invoice, total, &format!("{total}9"))
}
