//! The business card of a participant, as the Peppol Directory fetches it from the SMP (Peppol
//! Directory 1.1.1, business card 3). It is not signed.

use quoin_xml::write::{escape_attribute, escape_text};

use crate::identifiers::{META_SCHEME, ParticipantId};

/// Namespace of business cards.
pub const BUSINESS_CARD_NAMESPACE: &str = "http://www.peppol.eu/schema/pd/businesscard/20180621/";

/// A business as the Directory shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BusinessEntity {
    /// Its names, at least one.
    pub names: Vec<String>,
    /// ISO 3166-1 alpha-2 code.
    pub country: String,
    /// Where it is, for people.
    pub geographical_information: Option<String>,
    /// The mail address of its technical contact.
    pub email: Option<String>,
}

/// The business card of a participant with one business.
pub fn business_card(participant: &ParticipantId, entity: &BusinessEntity) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <BusinessCard xmlns=\"{BUSINESS_CARD_NAMESPACE}\">\
         <ParticipantIdentifier scheme=\"{META_SCHEME}\">"
    );
    escape_text(participant.as_str(), &mut out);
    out.push_str("</ParticipantIdentifier><BusinessEntity>");
    for name in &entity.names {
        attribute(&mut out, "<Name name=\"", name);
    }
    element(&mut out, "CountryCode", &entity.country);
    if let Some(place) = &entity.geographical_information {
        element(&mut out, "GeographicalInformation", place);
    }
    if let Some(email) = &entity.email {
        attribute(&mut out, "<Contact type=\"technical\" email=\"", email);
    }
    out.push_str("</BusinessEntity></BusinessCard>");
    out
}

fn attribute(out: &mut String, start: &str, value: &str) {
    out.push_str(start);
    escape_attribute(value, out);
    out.push_str("\"/>");
}

fn element(out: &mut String, name: &str, text: &str) {
    out.push_str(&format!("<{name}>"));
    escape_text(text, out);
    out.push_str(&format!("</{name}>"));
}
