//! The `action` of a mail hook: `mailto:` with its parameters (conventions A9).

use lettre::Address;
use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use quoin_model::Language;
use quoin_peppol::codelists::document_type;
use quoin_peppol::identifiers::DocumentTypeId;
use url::Host;

/// Addresses that one parameter may name.
const ADDRESSES: usize = 10;
/// Characters of a file name template.
const TEMPLATE: usize = 200;
/// The parameter with whom a hook keeps for documents that name nobody.
const FALLBACK: &str = "fallbackEmail";
/// The parameter with the document type that a hook asks for.
const TARGET: &str = "targetDocumentTypeId";
/// What a template may name.
pub(super) const NAMES: &[&str] = &["id", "number", "sender", "recipient", "topic", "extension"];

/// Whom mail may come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Senders {
    /// The sender where a hook names none.
    pub from: Mailbox,
    /// Domains that a hook may name as sender, besides that of `from`.
    pub domains: Vec<String>,
}

/// A mail hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAction {
    /// The addresses; none: the one that the document names for its recipient.
    pub to: Vec<Mailbox>,
    /// Whether the document goes along. A document that is sent by mail always does.
    pub include_attachment: bool,
    /// The document type to send it as.
    pub target: Option<String>,
    /// The name of the document's file.
    pub filename: String,
    /// Whether the document itself is left out, so that only its attachments go along.
    pub exclude_primary: bool,
    /// Whether what is embedded in the document is left out.
    pub exclude_additional: bool,
    /// Whether the page of the document is the body, with its PDF beside the document; where the
    /// hook does not say so, a document that is delivered by mail has them, and an event has not.
    pub page: Option<bool>,
    /// The language of the page.
    pub language: Language,
    /// The address where the document names none, or the first one is refused.
    pub fallback: Option<Mailbox>,
    /// Where answers go.
    pub reply_to: Option<Mailbox>,
    /// Who gets a copy that nobody sees.
    pub bcc: Vec<Mailbox>,
    /// Whom it comes from.
    pub from: Option<Mailbox>,
}

/// Why an action is no mail hook that works here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// No mail server is set.
    #[error("this service sends no mail: its operator has set no mail server")]
    NoServer,
    /// Not an address.
    #[error("{name}: {found:?} is not a mail address")]
    Address {
        /// The parameter.
        name: String,
        /// What was found.
        found: String,
    },
    /// A sender that is not allowed.
    #[error("from: mail may come from the domains {allowed} only")]
    Sender {
        /// Those that are.
        allowed: String,
    },
    /// No address to send to.
    #[error("name an address, or a fallbackEmail for documents that name none")]
    NoAddress,
    /// A parameter that there is not.
    #[error(
        "there is no parameter {0:?}; there are includeAttachment, targetDocumentTypeId, filename, \
         excludePrimaryAttachment, excludeAdditionalAttachments, page, language, fallbackEmail, \
         replyTo, bcc and from"
    )]
    Parameter(String),
    /// A value that makes no sense.
    #[error("{name} is {found:?}, expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
}

/// A mailbox: `name@example.org`, or with a name for people in front. Its domain is written as mail
/// servers are asked for it, in A-labels (RFC 5321, section 2.3.5; RFC 5890).
///
/// # Errors
/// [`MailError::Address`].
pub fn mailbox(text: &str) -> Result<Mailbox, MailError> {
    let wrong = || MailError::Address { name: "address".to_owned(), found: cut(text) };
    let mut mailbox: Mailbox = text.trim().parse().map_err(|_| wrong())?;
    if !mailbox.email.domain().is_ascii() {
        let domain = Host::parse(mailbox.email.domain()).map_err(|_| wrong())?;
        let email = Address::new(mailbox.email.user(), domain.to_string());
        mailbox.email = email.map_err(|_| wrong())?;
    }
    let plain = mailbox.name.iter().all(|name| !name.chars().any(char::is_control));
    if plain { Ok(mailbox) } else { Err(wrong()) }
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The value of a parameter, where an action has it.
fn parameter(all: &str, wanted: &str) -> Option<String> {
    let mut all = all.split('&').filter_map(|parameter| parameter.split_once('='));
    all.find(|(name, _)| decoded(name) == wanted).map(|(_, value)| decoded(value))
}

impl MailAction {
    /// Reads an action.
    ///
    /// # Errors
    /// [`MailError`].
    pub fn parse(text: &str, senders: Option<&Senders>) -> Result<MailAction, MailError> {
        let senders = senders.ok_or(MailError::NoServer)?;
        let rest = text.strip_prefix("mailto:").unwrap_or(text);
        let (addresses, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let mut action = MailAction {
            to: mailboxes("mailto", &decoded(addresses))?,
            include_attachment: false,
            target: None,
            filename: "{{id}}{{extension}}".to_owned(),
            exclude_primary: false,
            exclude_additional: false,
            page: None,
            language: Language::En,
            fallback: None,
            reply_to: None,
            bcc: Vec::new(),
            from: None,
        };
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            action.set(&decoded(name), &decoded(value), senders)?;
        }
        if action.to.is_empty() && action.fallback.is_none() {
            return Err(MailError::NoAddress);
        }
        Ok(action)
    }

    /// Whom an action names, and whom it keeps for documents that name nobody; none where it cannot
    /// be read.
    pub fn named(text: &str) -> Option<(Option<String>, Option<String>)> {
        let rest = text.strip_prefix("mailto:")?;
        let (addresses, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let to = mailboxes("mailto", &decoded(addresses)).ok()?;
        let to: Vec<String> = to.iter().map(|mailbox| mailbox.email.to_string()).collect();
        let kept = parameter(parameters, FALLBACK);
        let kept = kept.and_then(|value| one(FALLBACK, &value).ok());
        let to = Some(to.join(",")).filter(|to| !to.is_empty());
        Some((to, kept.map(|mailbox| mailbox.email.to_string())))
    }

    /// The document type that an action asks for, if it names one.
    pub fn target_of(text: &str) -> Option<String> {
        parameter(text.split_once('?')?.1, TARGET)
    }

    /// Whether a document can be of the type that the hook asks for: mail has it as it is, so that
    /// a format that it would have to be converted to is never what it is. Hooks that are there
    /// already are taken as they are.
    ///
    /// # Errors
    /// [`MailError::Value`].
    pub fn check_target(&self) -> Result<(), MailError> {
        let is_type = |text: &str| {
            let id = text.parse::<DocumentTypeId>().ok();
            id.is_some_and(|id| id.parts().local_name.is_some() || document_type(&id).is_some())
        };
        let Some(other) = self.target.as_deref().filter(|text| !is_type(text)) else {
            return Ok(());
        };
        Err(MailError::Value {
            name: TARGET.to_owned(),
            found: cut(other),
            expected: "a document type of the network with its scheme, that of the documents \
                       themselves: mail has a document as it is, and converts none; leave it out \
                       for any document"
                .to_owned(),
        })
    }

    fn set(&mut self, name: &str, value: &str, senders: &Senders) -> Result<(), MailError> {
        match name {
            "includeAttachment" => self.include_attachment = yes(name, value)?,
            TARGET => self.target = Some(value.to_owned()),
            "filename" => self.filename = template(name, value)?,
            "excludePrimaryAttachment" => self.exclude_primary = yes(name, value)?,
            "excludeAdditionalAttachments" => self.exclude_additional = yes(name, value)?,
            "page" => self.page = Some(yes(name, value)?),
            "language" => self.language = language(name, value)?,
            FALLBACK => self.fallback = Some(one(name, value)?),
            "replyTo" => self.reply_to = Some(one(name, value)?),
            "bcc" => self.bcc = mailboxes(name, value)?,
            "from" => self.from = Some(sender(one(name, value)?, senders)?),
            other => return Err(MailError::Parameter(cut(other))),
        }
        Ok(())
    }
}

fn one(name: &str, text: &str) -> Result<Mailbox, MailError> {
    mailbox(text).map_err(|_| MailError::Address { name: name.to_owned(), found: cut(text) })
}

fn mailboxes(name: &str, text: &str) -> Result<Vec<Mailbox>, MailError> {
    let parts: Vec<&str> = parted(text).filter(|part| !part.trim().is_empty()).collect();
    if parts.len() > ADDRESSES {
        let expected = format!("at most {ADDRESSES} addresses");
        return Err(MailError::Value { name: name.to_owned(), found: cut(text), expected });
    }
    parts.into_iter().map(|part| one(name, part)).collect()
}

/// What stands between commas. One in the quotes of a name, or of what is in front of the @, is a
/// letter as any other (RFC 5322, section 3.2.4).
fn parted(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |c| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match c {
            '"' if !was_escaped => is_quoted = !is_quoted,
            '\\' if is_quoted && !was_escaped => is_escaped = true,
            _ => {}
        }
        c == ',' && !is_quoted
    })
}

fn yes(name: &str, value: &str) -> Result<bool, MailError> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(MailError::Value {
            name: name.to_owned(),
            found: cut(value),
            expected: "true or false".to_owned(),
        }),
    }
}

fn language(name: &str, value: &str) -> Result<Language, MailError> {
    Language::of(value).ok_or_else(|| MailError::Value {
        name: name.to_owned(),
        found: cut(value),
        expected: Language::ALL.map(Language::code).join(", "),
    })
}

/// A sender of another domain would be taken for a forgery, and be one.
fn sender(from: Mailbox, senders: &Senders) -> Result<Mailbox, MailError> {
    let own = senders.from.email.domain();
    let mut allowed = senders.domains.iter().map(String::as_str).chain([own]);
    let domain = |email: &Address| email.domain().to_ascii_lowercase();
    if allowed.any(|known| known.eq_ignore_ascii_case(&domain(&from.email))) {
        return Ok(from);
    }
    let allowed: Vec<&str> = senders.domains.iter().map(String::as_str).chain([own]).collect();
    Err(MailError::Sender { allowed: allowed.join(", ") })
}

/// A template names only what there is.
fn template(name: &str, value: &str) -> Result<String, MailError> {
    let wrong = || MailError::Value {
        name: name.to_owned(),
        found: cut(value),
        expected: format!("a name in which {{{{…}}}} is one of {}", NAMES.join(", ")),
    };
    let mut rest = value;
    while let Some((_, behind)) = rest.split_once("{{") {
        let (named, after) = behind.split_once("}}").ok_or_else(wrong)?;
        if !NAMES.contains(&named) {
            return Err(wrong());
        }
        rest = after;
    }
    if value.is_empty() || value.len() > TEMPLATE {
        return Err(wrong());
    }
    Ok(value.to_owned())
}

#[cfg(test)]
mod tests;
