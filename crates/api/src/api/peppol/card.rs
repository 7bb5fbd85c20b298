//! Business cards as they are shown (interface specification 2.3). How they are read is a rule of
//! enrolment.

use quoin_store::CardRecord;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

/// A text of a business card as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
pub struct CardProperty {
    /// The text.
    #[cfg_attr(test, schema(example = "Acme BV"))]
    pub value: String,
    /// `on`, `off` or `inherited => on`.
    #[cfg_attr(test, schema(example = "on"))]
    pub state: &'static str,
    /// What it is for.
    #[cfg_attr(test, schema(example = "Names of the business."))]
    pub description: &'static str,
}

/// A business card as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CardView {
    /// Names of the business, separated by commas.
    pub names: CardProperty,
    /// Address parts, separated by commas, the last one being a country code.
    pub address: CardProperty,
    /// Mail address of the technical contact.
    pub email_address: CardProperty,
    /// `on` or `off`: whether it is published.
    #[cfg_attr(test, schema(example = "on"))]
    pub state: &'static str,
}

fn on(shown: bool) -> &'static str {
    if shown { "on" } else { "off" }
}

fn property(value: String, state: &'static str, description: &'static str) -> CardProperty {
    CardProperty { value, state, description }
}

/// A card with the contact that it inherits.
pub(super) fn view(card: &CardRecord, inherited: Option<&str>) -> CardView {
    let [names, address, email] = card.shown;
    let place = card.address.iter().chain([&card.country]).cloned().collect::<Vec<_>>();
    let contact = match (&card.email, inherited) {
        (Some(own), _) => (own.clone(), on(email)),
        (None, Some(inherited)) if email => (inherited.to_owned(), "inherited => on"),
        (None, _) => (String::new(), on(email)),
    };
    CardView {
        names: property(card.names.join(", "), on(names), "Names of the business."),
        address: property(place.join(", "), on(address), "Where it is, and its country."),
        email_address: property(contact.0, contact.1, "Technical contact."),
        state: on(card.published),
    }
}

#[cfg(test)]
mod tests;
