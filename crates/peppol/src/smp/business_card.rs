//! The business card of a participant, as the Peppol Directory fetches it from the SMP (Peppol
//! Directory 1.1.1, business card 3). It is not signed.

mod read;

use quoin_xml::write::{escape_attribute, escape_text};

pub use read::read_business_card;

use crate::identifiers::{META_SCHEME, ParticipantId};

/// Namespace of business cards.
pub const BUSINESS_CARD_NAMESPACE: &str = "http://www.peppol.eu/schema/pd/businesscard/20180621/";

/// A business card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessCard {
    /// Whose it is.
    pub participant: ParticipantId,
    /// The businesses that are reached under it.
    pub entities: Vec<BusinessEntity>,
}

/// A business as the Directory shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BusinessEntity {
    /// Its names, at least one.
    pub names: Vec<BusinessName>,
    /// ISO 3166-1 alpha-2 code.
    pub country: String,
    /// Where it is, for people.
    pub geographical_information: Option<String>,
    /// Other identifiers, such as a VAT number.
    pub identifiers: Vec<BusinessIdentifier>,
    /// Addresses of its web sites.
    pub websites: Vec<String>,
    /// Whom to talk to.
    pub contacts: Vec<BusinessContact>,
    /// Anything else.
    pub additional_information: Option<String>,
    /// The day of its registration, `YYYY-MM-DD`.
    pub registration_date: Option<String>,
}

/// A name of a business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessName {
    /// The name.
    pub text: String,
    /// ISO 639-1 code of its language.
    pub language: Option<String>,
}

impl From<String> for BusinessName {
    fn from(text: String) -> BusinessName {
        BusinessName { text, language: None }
    }
}

/// An identifier of a business: a scheme such as `vat`, `orgnr`, `gln` or `duns`, and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessIdentifier {
    /// The scheme.
    pub scheme: String,
    /// The value.
    pub value: String,
}

/// A contact of a business.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BusinessContact {
    /// What for, such as `technical`.
    pub kind: Option<String>,
    /// Name of a person or unit.
    pub name: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Mail address.
    pub email: Option<String>,
}

/// The business card as it is published.
pub fn business_card(card: &BusinessCard) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <BusinessCard xmlns=\"{BUSINESS_CARD_NAMESPACE}\">"
    );
    with_attribute(
        &mut out,
        "ParticipantIdentifier",
        ("scheme", Some(META_SCHEME)),
        card.participant.as_str(),
    );
    card.entities.iter().for_each(|entity| business(&mut out, entity));
    out.push_str("</BusinessCard>");
    out
}

fn business(out: &mut String, entity: &BusinessEntity) {
    out.push_str("<BusinessEntity");
    attribute(out, "registrationDate", entity.registration_date.as_deref());
    out.push('>');
    for name in &entity.names {
        with_attribute(out, "Name", ("language", name.language.as_deref()), &name.text);
    }
    element(out, "CountryCode", Some(&entity.country));
    element(out, "GeographicalInformation", entity.geographical_information.as_deref());
    for identifier in &entity.identifiers {
        let scheme = ("scheme", Some(identifier.scheme.as_str()));
        with_attribute(out, "Identifier", scheme, &identifier.value);
    }
    entity.websites.iter().for_each(|url| element(out, "WebsiteURI", Some(url)));
    for contact in &entity.contacts {
        out.push_str("<Contact>");
        element(out, "Type", contact.kind.as_deref());
        element(out, "Name", contact.name.as_deref());
        element(out, "PhoneNumber", contact.phone.as_deref());
        element(out, "Email", contact.email.as_deref());
        out.push_str("</Contact>");
    }
    element(out, "AdditionalInformation", entity.additional_information.as_deref());
    out.push_str("</BusinessEntity>");
}

fn attribute(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.push_str(&format!(" {name}=\""));
        escape_attribute(value, out);
        out.push('"');
    }
}

fn with_attribute(out: &mut String, name: &str, (key, value): (&str, Option<&str>), text: &str) {
    out.push_str(&format!("<{name}"));
    attribute(out, key, value);
    out.push('>');
    escape_text(text, out);
    out.push_str(&format!("</{name}>"));
}

fn element(out: &mut String, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        with_attribute(out, name, ("", None), text);
    }
}
