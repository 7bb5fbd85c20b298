//! Invoices and credit notes that are converted, and documents that the service writes itself: an
//! Invoice Response, an answer to an order, the cancellation of an order, a Message Level Status.
//! Each is what its specification asks for and no more.

pub(crate) mod invoice;
mod invoice_response;
mod message_level_status;
mod order;
#[cfg(test)]
mod tests;

use jiff::civil::DateTime;
use quoin_xml::write::{escape_attribute, escape_text};

use crate::ubl::{CAC, CBC};
use quoin_model::ElectronicAddress;

pub use invoice_response::{
    ACTIONS, Explained, InvoiceReference, InvoiceResponse, InvoiceResponseCode, REASONS, STATUSES,
    invoice_response,
};
pub use message_level_status::{MessageLevelStatus, StatusIssue, message_level_status};
pub use order::{
    CancelledOrder, ORDER_STATUSES, OrderAnswer, OrderAnswerForm, OrderLine, REPEATS_LINES,
    order_cancellation, order_lines, order_response,
};

/// A party of a document that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// Its electronic address.
    pub endpoint: ElectronicAddress,
    /// Its registered name.
    pub name: String,
    /// Its country, ISO 3166-1 alpha-2, where it is needed.
    pub country: Option<String>,
}

/// XML in the making: UBL elements with the usual prefixes.
struct UblWriter {
    out: String,
    open: Vec<String>,
}

impl UblWriter {
    /// A document element of UBL with its identifiers.
    fn document(root: &str, customization: &str, profile: &str) -> UblWriter {
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.push_str(&format!(
            "<{root} xmlns=\"{}{root}-2\" xmlns:cac=\"{CAC}\" xmlns:cbc=\"{CBC}\">",
            crate::ubl::UBL_PREFIX
        ));
        let mut writer = UblWriter { out, open: vec![root.to_owned()] };
        writer.value("CustomizationID", customization);
        writer.value("ProfileID", profile);
        writer
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    /// A basic component.
    fn value(&mut self, name: &str, text: &str) {
        self.attributed(name, &[], text);
    }

    /// A basic component that may be missing.
    fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.value(name, text);
        }
    }

    /// A basic component with attributes.
    fn attributed(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.line();
        self.out.push_str(&format!("<cbc:{name}"));
        for (attribute, value) in attributes {
            self.out.push_str(&format!(" {attribute}=\""));
            escape_attribute(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        escape_text(&quoin_model::text::allowed(text), &mut self.out);
        self.out.push_str(&format!("</cbc:{name}>"));
    }

    /// An aggregate component around what is written inside.
    fn group(&mut self, name: &str, inside: impl FnOnce(&mut UblWriter)) {
        self.line();
        self.out.push_str(&format!("<cac:{name}>"));
        self.open.push(format!("cac:{name}"));
        inside(self);
        self.open.pop();
        self.line();
        self.out.push_str(&format!("</cac:{name}>"));
    }

    /// Day and time.
    fn issued(&mut self, at: DateTime) {
        self.value("IssueDate", &at.date().to_string());
        self.value("IssueTime", &at.time().strftime("%H:%M:%S").to_string());
    }

    /// The inside of a party: address, country where it is known, name.
    fn party(&mut self, party: &Participant, with_country: bool) {
        let ElectronicAddress { scheme, value } = &party.endpoint;
        self.attributed("EndpointID", &[("schemeID", scheme)], value);
        if let Some(country) = party.country.as_deref().filter(|_| with_country) {
            self.group("PostalAddress", |out| {
                out.group("Country", |out| out.value("IdentificationCode", country));
            });
        }
        self.group("PartyLegalEntity", |out| out.value("RegistrationName", &party.name));
    }

    fn finish(mut self) -> String {
        for name in self.open.iter().rev() {
            self.out.push_str(&format!("\n</{name}>\n"));
        }
        self.out
    }
}
