//! The body of an Invoice Response in its three shapes, read into one meaning.

use std::collections::BTreeMap;

use quoin_formats::routing::{CLARIFICATIONS, MAX_WORDS};
use quoin_formats::ubl::write::{ACTIONS, Explained, InvoiceResponseCode, REASONS, STATUSES};
use quoin_model::text::is_allowed;
use quoin_model::text::quoted;
use serde::Deserialize;
use serde_json::Value;
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::{Problem, codes};
use quoin_delivery::responses::PARTIALLY_PAID;

use super::super::answers::code;
#[cfg(test)]
use super::super::code_names::{ActionName, CodeNames, ReasonName, ResponseStatusName};

/// States that need a reason or an action (PEPPOL-T111-R001).
const EXPLAINED: &[&str] = &["CA", "UQ", "RE"];
/// The reason where the caller gives none, which is allowed (interface specification 2.6).
const OTHER: &str = "OTH";

/// The two ways to write reasons and actions.
const CODES_EXPECTED: &str = "reasons and actions are an object from code to words, or a list of \
                              codes, each a text or an object with code and text";

/// An Invoice Response.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schema(example = json!({
    "status": "RE",
    "reasons": { "REF": "The order number is missing." },
    "actions": { "NIN": "Send a new invoice." },
    "note": "See our terms."
})))]
pub struct ResponseRequest {
    /// A code, or its long name.
    #[cfg_attr(test, schema(value_type = ResponseStatusName, example = "RE"))]
    pub status: String,
    /// Why. Reasons and actions are 100 together, at most.
    pub reasons: Option<Codes>,
    /// What to do.
    pub actions: Option<Codes>,
    /// Why, one code. Where `UQ`, `CA` or `RE` come without reason and action, the reason is `OTH`
    /// with the note as its words, since the message must have one.
    #[cfg_attr(test, schema(value_type = Option<ReasonName>, example = "REF"))]
    pub clarification_code: Option<String>,
    /// What to do, one code.
    #[cfg_attr(test, schema(value_type = Option<ActionName>, example = "NIN"))]
    pub action_code: Option<String>,
    /// A remark.
    #[cfg_attr(test, schema(example = "See our terms."))]
    pub note: Option<String>,
}

/// Codes with words: an object from code to words, or a list.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged, try_from = "Value")]
pub enum Codes {
    /// Words by code.
    Words(BTreeMap<String, Option<String>>),
    /// One after the other.
    #[cfg_attr(test, schema(value_type = CodeNames))]
    List(Vec<CodeItem>),
}

/// A code in a list.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(untagged, try_from = "Value")]
pub enum CodeItem {
    /// The code alone.
    Code(String),
    /// The code with words.
    Explained {
        /// The code.
        code: String,
        /// The words.
        text: Option<String>,
        /// The same as `text`, in the words of other clients.
        description: Option<String>,
        /// The same as `text`, in the words of other clients.
        note: Option<String>,
    },
}

impl TryFrom<Value> for Codes {
    type Error = String;

    fn try_from(written: Value) -> Result<Codes, String> {
        match written {
            Value::Object(words) => {
                let pair = |(code, text)| Ok((code, text_or_none(text)?));
                words.into_iter().map(pair).collect::<Result<_, String>>().map(Codes::Words)
            }
            Value::Array(items) => {
                let items = items.into_iter().map(CodeItem::try_from);
                items.collect::<Result<_, String>>().map(Codes::List)
            }
            _ => Err(CODES_EXPECTED.to_owned()),
        }
    }
}

impl TryFrom<Value> for CodeItem {
    type Error = String;

    fn try_from(written: Value) -> Result<CodeItem, String> {
        match written {
            Value::String(code) => Ok(CodeItem::Code(code)),
            Value::Object(mut written) => {
                let Some(Value::String(code)) = written.remove("code") else {
                    return Err(CODES_EXPECTED.to_owned());
                };
                let mut words = |name| text_or_none(written.remove(name).unwrap_or_default());
                let (text, description, note) =
                    (words("text")?, words("description")?, words("note")?);
                if let Some(name) = written.keys().next() {
                    return Err(format!(
                        "{CODES_EXPECTED}; found the member {name}",
                        name = quoted(name, 64)
                    ));
                }
                if [&text, &description, &note].into_iter().flatten().count() > 1 {
                    return Err(format!(
                        "{CODES_EXPECTED}; text, description and note are one thing, found several"
                    ));
                }
                Ok(CodeItem::Explained { code, text, description, note })
            }
            _ => Err(CODES_EXPECTED.to_owned()),
        }
    }
}

fn text_or_none(written: Value) -> Result<Option<String>, String> {
    match written {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err(CODES_EXPECTED.to_owned()),
    }
}

/// What a body means.
pub(super) struct ParsedResponse {
    /// The state.
    pub status: &'static InvoiceResponseCode,
    /// Why.
    pub reasons: Vec<Explained>,
    /// What to do.
    pub actions: Vec<Explained>,
    /// A remark.
    pub note: Option<String>,
}

impl ParsedResponse {
    /// Whether it tells of a payment in part.
    pub(super) fn is_partial(&self) -> bool {
        self.reasons.iter().any(|reason| reason.code.code == PARTIALLY_PAID)
    }
}

impl ResponseRequest {
    /// Reads the body, whatever its shape.
    pub(super) fn said(mut self) -> Result<ParsedResponse, Problem> {
        self.note = words("note", self.note)?;
        let status = code("status", STATUSES, &self.status)?;
        let (mut reasons, mut actions) = (Vec::new(), Vec::new());
        explained("reasons", self.reasons, (REASONS, &mut reasons), (ACTIONS, &mut actions))?;
        explained("actions", self.actions, (ACTIONS, &mut actions), (REASONS, &mut reasons))?;
        for (name, list, flat, into) in [
            ("clarificationCode", REASONS, self.clarification_code, &mut reasons),
            ("actionCode", ACTIONS, self.action_code, &mut actions),
        ] {
            if let Some(flat) = flat {
                into.push(Explained { code: code(name, list, &flat)?, text: None });
            }
        }
        if EXPLAINED.contains(&status.code) && reasons.is_empty() && actions.is_empty() {
            reasons.push(Explained {
                code: code("reasons", REASONS, OTHER)?,
                text: self.note.clone(),
            });
        }
        // A payment in part needs words (PEPPOL-T111-R004).
        for reason in reasons.iter_mut().filter(|reason| reason.code.code == PARTIALLY_PAID) {
            reason.text = reason.text.take().or_else(|| self.note.clone());
        }
        let said = ParsedResponse { status, reasons, actions, note: self.note };
        check(&said)?;
        Ok(said)
    }
}

/// Words as they can be said in XML (XML 1.0, production 2), and as they are read on the other
/// side; blanks alone are none.
pub(crate) fn words(name: &str, text: Option<String>) -> Result<Option<String>, Problem> {
    let bad = |detail: String| Err(Problem::new(&codes::BAD_JSON, detail));
    let Some(text) = text else { return Ok(None) };
    let text = text.trim();
    if let Some((at, wrong)) = text.chars().enumerate().find(|(_, own)| !is_allowed(*own)) {
        let code = u32::from(wrong);
        return bad(format!(
            "{name} has the character U+{code:04X} at place {}, which no message in XML can carry \
             (XML 1.0 section 2.2): leave it out",
            at + 1
        ));
    }
    match text.chars().nth(MAX_WORDS) {
        Some(_) => {
            let found = text.chars().count();
            bad(format!("{name} has {found} characters, expected {MAX_WORDS} at most"))
        }
        None => Ok(Some(text.to_owned()).filter(|text| !text.is_empty())),
    }
}

/// Codes of a list and what they are put into.
type CodeTarget<'a> = (&'static [InvoiceResponseCode], &'a mut Vec<Explained>);

/// Reads codes. One public client has a word of the actions among its reasons (`CreditFully`): a
/// long name of the other list alone is taken as what it is.
fn explained(
    name: &str,
    codes: Option<Codes>,
    (own, into): CodeTarget<'_>,
    (other, beside): CodeTarget<'_>,
) -> Result<(), Problem> {
    let pairs: Vec<(String, Option<String>)> = match codes {
        None => Vec::new(),
        Some(Codes::Words(words)) => words.into_iter().collect(),
        Some(Codes::List(items)) => items.into_iter().map(CodeItem::pair).collect(),
    };
    for (word, text) in pairs {
        let text = words(name, text)?;
        let elsewhere = other.iter().find(|row| row.name.eq_ignore_ascii_case(word.trim()));
        match (InvoiceResponseCode::named(own, &word), elsewhere) {
            (None, Some(code)) => beside.push(Explained { code, text }),
            _ => into.push(Explained { code: code(name, own, &word)?, text }),
        }
    }
    Ok(())
}

impl CodeItem {
    fn pair(self) -> (String, Option<String>) {
        match self {
            CodeItem::Code(code) => (code, None),
            CodeItem::Explained { code, text, description, note } => {
                (code, text.or(description).or(note))
            }
        }
    }
}

/// What the receiver's rules would refuse is refused here, with what to change.
fn check(said: &ParsedResponse) -> Result<(), Problem> {
    let bad = |detail: String| Err(Problem::new(&codes::BAD_JSON, detail));
    let status = said.status.code;
    let many = said.reasons.len() + said.actions.len();
    if many > CLARIFICATIONS {
        return bad(format!(
            "reasons and actions are {many} together, expected {CLARIFICATIONS} at most"
        ));
    }
    if said.is_partial() && status != "PD" {
        return bad(format!("the reason PPD goes with status PD only, found {status}"));
    }
    if said.reasons.iter().any(|r| r.code.code == PARTIALLY_PAID && r.text.is_none()) {
        return bad("the reason PPD needs words or a note that tell what was paid".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
