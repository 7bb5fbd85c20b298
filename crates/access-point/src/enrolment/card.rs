//! Business cards in their two forms: with plain texts, as in an enrolment, and with a state for
//! each, as in a configuration (interface specification 2.3). Either form is read in either place.

use quoin_model::text::{is_allowed, is_seen, quoted};
use quoin_peppol::countries;
use quoin_store::CardRecord;
use serde::Deserialize;
use serde_json::Value;
#[cfg(feature = "describe")]
use utoipa::ToSchema;

use super::EnrolmentError;

/// What the interface says of a business card without names or country, word for word.
const REQUIRED: &str = "Both name(s) and country code are required when adding a business card";
/// Characters of a text of a card at most.
const LONGEST: usize = 1_000;

/// A text of a business card: plain, or with its state.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(untagged, try_from = "Value")]
#[cfg_attr(feature = "describe", schema(example = "Acme BV"))]
pub enum CardText {
    /// The text alone.
    Plain(String),
    /// The text with its state.
    Property {
        /// The text.
        value: Option<String>,
        /// Whether it is shown; taken in any case.
        #[cfg_attr(feature = "describe", schema(value_type = Option<CardTextState>))]
        state: Option<String>,
        /// What it is for; not changed.
        description: Option<String>,
    },
}

impl TryFrom<Value> for CardText {
    type Error = String;

    fn try_from(written: Value) -> Result<CardText, String> {
        let expected = || {
            "a text of a business card is a text, or an object with value (a text) and state (on \
             or off)"
                .to_owned()
        };
        let text = |value: Option<Value>| match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(expected()),
        };
        match written {
            Value::String(text) => Ok(CardText::Plain(text)),
            Value::Object(mut written) => {
                let read = CardText::Property {
                    value: text(written.remove("value"))?,
                    state: text(written.remove("state"))?,
                    description: text(written.remove("description"))?,
                };
                match written.keys().next() {
                    Some(name) => Err(format!(
                        "{}, found the member {name}",
                        expected(),
                        name = quoted(name, 64)
                    )),
                    None => Ok(read),
                }
            }
            _ => Err(expected()),
        }
    }
}

/// A business card as it is written, in the form of a configuration (`address`, `emailAddress`) or
/// of an enrolment (`geoInfo`, `email`).
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "describe", schema(example = json!({
    "names": "Acme BV", "geoInfo": "Main Street 1, 1000 AA Amsterdam, NL",
    "email": "tech@example.org"
})))]
pub struct CardRequest {
    /// Names of the business, separated by commas.
    pub names: Option<CardText>,
    /// Address parts, separated by commas, the last one being a country code.
    pub address: Option<CardText>,
    /// The same as `address`.
    pub geo_info: Option<CardText>,
    /// Mail address of the technical contact.
    pub email_address: Option<CardText>,
    /// The same as `emailAddress`.
    pub email: Option<CardText>,
    /// Whether it is published; taken in any case.
    #[cfg_attr(feature = "describe", schema(value_type = Option<CardState>))]
    pub state: Option<String>,
}

/// The state of a business card.
#[cfg(feature = "describe")]
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes a text")]
enum CardState {
    On,
    Off,
}

/// The state of a text of a business card. `inherited => on` is what is shown of a text that is the
/// organisation's: written back, it is the party's own.
#[cfg(feature = "describe")]
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes a text")]
enum CardTextState {
    On,
    Off,
    #[schema(rename = "inherited => on")]
    Inherited,
}

/// What is shown of a text that is the organisation's.
const INHERITED: &str = "inherited => on";

fn bad(detail: impl Into<String>) -> EnrolmentError {
    EnrolmentError::Card(detail.into())
}

impl CardText {
    fn value(&self) -> &str {
        match self {
            CardText::Plain(text) => text,
            CardText::Property { value, .. } => value.as_deref().unwrap_or_default(),
        }
    }

    fn shown(&self) -> Result<bool, EnrolmentError> {
        match self {
            CardText::Property { state: Some(state), .. } if state == INHERITED => Ok(true),
            CardText::Property { state: Some(state), .. } => is_on(state),
            _ => Ok(true),
        }
    }
}

/// Whether a state of a card, which inherits from nobody, is `on` (interface specification 2.3).
fn is_on(state: &str) -> Result<bool, EnrolmentError> {
    match state.trim() {
        on if on.eq_ignore_ascii_case("on") => Ok(true),
        off if off.eq_ignore_ascii_case("off") => Ok(false),
        _ => {
            Err(bad(format!("state: expected on or off, found {state}", state = quoted(state, 64))))
        }
    }
}

/// The parts of a text between commas, without those that are empty.
fn parts(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Whether a character can stand in a card, which is XML (XML 1.0, section 2.2), and be seen: one
/// that takes part in a line is a blank there.
fn is_written(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r') || is_seen(c) && is_allowed(c)
}

/// Bytes of what stands before the `@` of a mail address, and of its domain, at most (RFC 5321,
/// section 4.5.3.1).
const LOCAL: usize = 64;
const DOMAIN: usize = 253;
/// Characters of a part of a domain at most (RFC 1035, section 2.3.4).
const LABEL: usize = 63;
/// What stands in a mail address beside letters and digits, before the `@` (RFC 5322, section
/// 3.2.3, `atext`).
const MARKS: &str = "!#$%&'*+-/=?^_`{|}~";

/// A mail address as far as it can be told without sending to it: `name@example.org`, with letters
/// of any alphabet (RFC 5321, section 4.1.2, without quotes; RFC 6531).
fn mail_address(text: &str) -> Result<Option<String>, EnrolmentError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let is_letter = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => is_seen(c) && is_allowed(c) && !c.is_whitespace(),
    };
    let is_atom =
        |atom: &str| !atom.is_empty() && atom.chars().all(|c| is_letter(c) || MARKS.contains(c));
    let is_label = |label: &str| {
        let inner = label.chars().all(|c| is_letter(c) || c == '-');
        let ends = label.starts_with('-') || label.ends_with('-');
        (1..=LABEL).contains(&label.chars().count()) && inner && !ends
    };
    let good = text.split_once('@').is_some_and(|(local, domain)| {
        local.len() <= LOCAL
            && domain.len() <= DOMAIN
            && domain.contains('.')
            && local.split('.').all(is_atom)
            && domain.split('.').all(is_label)
    });
    if good {
        return Ok(Some(text.to_owned()));
    }
    Err(bad(format!("emailAddress: {text} is no mail address", text = quoted(text, 80))))
}

impl CardRequest {
    fn place(&self) -> Option<&CardText> {
        self.address.as_ref().or(self.geo_info.as_ref())
    }

    fn mail(&self) -> Option<&CardText> {
        self.email_address.as_ref().or(self.email.as_ref())
    }

    /// Nobody says one text in two ways that differ.
    fn agrees(&self) -> Result<(), EnrolmentError> {
        for ((one, text), (other, also)) in [
            (("address", &self.address), ("geoInfo", &self.geo_info)),
            (("emailAddress", &self.email_address), ("email", &self.email)),
        ] {
            let (Some(text), Some(also)) = (text, also) else { continue };
            if text.value() != also.value() || text.shown()? != also.shown()? {
                return Err(bad(format!(
                    "{one} and {other} are two names of one text, and say different things; give \
                     one of them"
                )));
            }
        }
        Ok(())
    }

    /// The first member that only a party's card has.
    pub(super) fn of_party(&self) -> Option<&'static str> {
        let given = [
            ("names", self.names.is_some()),
            ("address", self.address.is_some()),
            ("geoInfo", self.geo_info.is_some()),
            ("state", self.state.is_some()),
        ];
        given.iter().find(|(_, given)| *given).map(|(name, _)| *name)
    }

    /// The card that is asked for.
    ///
    /// # Errors
    /// API400.BusinessCard.
    pub fn read(&self) -> Result<CardRecord, EnrolmentError> {
        self.agrees()?;
        let value = |text: Option<&CardText>| text.map_or("", CardText::value).to_owned();
        let is_shown = |text: Option<&CardText>| text.map_or(Ok(true), CardText::shown);
        let (given_names, given_address) = (self.names.as_ref(), self.place());
        let texts = [value(given_names), value(given_address), value(self.mail())];
        let called = [
            "names",
            if self.address.is_some() { "address" } else { "geoInfo" },
            if self.email_address.is_some() { "emailAddress" } else { "email" },
        ];
        for (name, text) in called.iter().zip(&texts) {
            let found = text.chars().count();
            if found > LONGEST {
                let said = format!("{name} has {found} characters, expected at most {LONGEST}");
                return Err(bad(said));
            }
        }
        if let Some(c) = texts.iter().flat_map(|text| text.chars()).find(|c| !is_written(*c)) {
            return Err(bad(format!(
                "a text has the character U+{:04X}, which a card cannot have: neither a control \
                 character nor one that nobody sees",
                u32::from(c)
            )));
        }
        let [names, address, email] = texts;
        let names = parts(&names);
        let mut address = parts(&address);
        let country = address.pop().and_then(|last| countries::registered(&last));
        let (Some(country), false) = (country, names.is_empty()) else {
            return Err(bad(REQUIRED));
        };
        Ok(CardRecord {
            names,
            country,
            address,
            email: mail_address(&email)?,
            shown: [is_shown(given_names)?, is_shown(given_address)?, is_shown(self.mail())?],
            published: self.state.as_deref().map_or(Ok(true), is_on)?,
            submitted: None,
        })
    }

    /// The mail address of a card that says nothing else, as an organisation's may.
    ///
    /// # Errors
    /// API400.BusinessCard.
    pub fn contact(&self) -> Result<Option<String>, EnrolmentError> {
        self.agrees()?;
        match self.mail() {
            Some(text) if text.shown()? => mail_address(text.value()),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests;
