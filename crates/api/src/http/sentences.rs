//! The details of problems that customers meet most, as sentences in every language: English in the
//! table here, the others in a file each. What a sentence does not hold, such as the cause of a
//! parser, stays English.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use quoin_model::Language;

/// The sentences by language; English is in the table.
const FILES: &[(Language, &str)] = &[
    (Language::Nl, include_str!("sentences/nl.txt")),
    (Language::De, include_str!("sentences/de.txt")),
    (Language::Fr, include_str!("sentences/fr.txt")),
    (Language::Pl, include_str!("sentences/pl.txt")),
];

/// A sentence with places in braces, as in `{party} has no document {id}`.
#[derive(Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its name in the files.
    name: &'static str,
    english: &'static str,
}

macro_rules! sentences {
    ($($id:ident = $name:literal, $english:literal;)*) => {
        $(
            #[doc = concat!("\"", $english, "\"")]
            pub static $id: Sentence = Sentence { name: $name, english: $english };
        )*

        /// Every sentence.
        #[cfg(test)]
        static SENTENCES: &[&Sentence] = &[$(&$id),*];
    };
}

sentences! {
    NO_TOKEN = "token-missing", "the header Authorization is missing";
    ONE_TOKEN = "token-malformed", "expected one header Authorization: Bearer TOKEN";
    TOKEN_EXPIRED = "token-expired", "the token expired at {at}: fetch another one";
    NO_ACCOUNT = "no-account", "{name} is no active account of the organisation";
    TOKENS_ENDED = "tokens-ended",
        "this token of {name} has ended: since it was given the password or the secret of the \
         account was changed, or the account was switched off; fetch another one";
    NEEDS_MANAGER = "needs-manager", "{account} has the role ApUser, ApManager is needed";
    NO_PARTY = "no-party", "{account} has no party {party}";
    NO_PERMISSION = "no-permission", "{account} lacks {permission} for {party}";
    UNVERIFIED = "unverified",
        "nobody has verified {identifier} for {organisation}, so nothing is sent under it: enrol the \
         party, or record its verification with its configuration";
    HELD_ELSEWHERE = "held-elsewhere",
        "{identifier} is verified for another organisation of this service, so nothing is sent \
         under it here";
    NO_DOCUMENT = "no-document", "{party} has no document {id}";
    EXPIRED = "document-expired", "the time for which document {id} is kept is over";
    NO_HOOK = "no-hook", "there is no hook {id} here";
    NO_USER = "no-user", "there is no user {name}";
    NO_PATH = "no-path", "there is nothing at {path}";
    NO_RULE = "no-rule", "there is no rule {rule}; all rules are at /docs/rules";
    NO_RULE_NEAR = "no-rule-near",
        "there is no rule {rule}; nearly the same are {near}; all rules are at /docs/rules";
    NO_RULE_SET = "no-rule-set", "there is no set of rules {set}; all sets are at /docs/rules";
    NO_METHOD = "no-method", "{method} is not possible here";
    EMPTY_BODY = "empty-body", "expected an XML document, found nothing";
    MEDIA_TYPE = "media-type", "expected {expected}, found {found}";
    TAKEN_SAME = "taken-same", "a document {id} with the same content was taken before";
    TAKEN_FOR = "taken-for", "a document {id} with the same content was taken before, for {receiver}: give this one an id of its own";
    TAKEN_ASKED = "taken-asked",
        "a document {id} with the same content was taken before, with another {names}: give this \
         one an id of its own";
    TAKEN_OTHER = "taken-other", "a document {id} with another content was taken before";
    PARTY_ID = "party-id", "{found} is no party identifier, expected as in 0106:12345678; {cause}";
    PAGE_SIZE = "page-size", "limit is {found}, expected 1 to {most}";
    ONE_OF = "one-of", "{name} is {found}, expected one of {expected}";
    CAPABILITY_OFF = "capability-off", "the capability {capability} of {party} is not on: switch it on with its configuration";
    PACKAGE_FULL = "package-full",
        "the package {package} holds {most} documents a month, and {used} were delivered in {month} or are under way";
    RATE = "rate",
        "{quota} requests of client {client} in a minute are all; wait {seconds} seconds";
    TOO_LARGE = "too-large", "a request may have {most} bytes with its headers";
    TOO_LARGE_BODY = "too-large-body", "the body may have {most} bytes";
    FAULT = "fault", "the request could not be completed and may be repeated";
    FILE_LOST = "file-lost",
        "the document is on record, but its file is missing or damaged: repeating does not help, whoever runs the service has to put it back";
    NO_DISK = "no-disk",
        "there is no room on the disk of the service at the moment; send it again later";
    NO_STORE = "no-store",
        "the store of the service cannot be reached at the moment; send it again later";
    NO_ROOM = "no-room",
        "there is no room for the body at the moment; send it again in a few seconds";
    NO_SHARE = "no-share",
        "your organisation has as much under way as it may; send it again when some of it is done";
    BUSY = "busy", "all validation threads are busy; try again in a moment";
    BUSY_PASSWORDS = "busy-passwords",
        "too many passwords are being checked at the moment; try again in a few seconds";
}

/// What a problem says of its single case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemDetail {
    kind: DetailText,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum DetailText {
    Plain(String),
    Said { sentence: &'static Sentence, values: Vec<(&'static str, String)> },
}

impl Sentence {
    /// The sentence with its places filled.
    pub fn with<const N: usize>(
        &'static self,
        values: [(&'static str, &dyn Display); N],
    ) -> ProblemDetail {
        let values = values.iter().map(|(name, value)| (*name, value.to_string())).collect();
        ProblemDetail { kind: DetailText::Said { sentence: self, values } }
    }
}

impl ProblemDetail {
    /// The text in a language; in English where it has no other.
    pub fn text(&self, language: Language) -> Cow<'_, str> {
        match &self.kind {
            DetailText::Plain(text) => Cow::Borrowed(text),
            DetailText::Said { sentence, values } => {
                let spoken = SPOKEN.get(&(language, sentence.name)).copied();
                Cow::Owned(fill(spoken.unwrap_or(sentence.english), values))
            }
        }
    }
}

impl From<String> for ProblemDetail {
    fn from(text: String) -> ProblemDetail {
        ProblemDetail { kind: DetailText::Plain(text) }
    }
}

impl From<&str> for ProblemDetail {
    fn from(text: &str) -> ProblemDetail {
        text.to_owned().into()
    }
}

impl From<Cow<'static, str>> for ProblemDetail {
    fn from(text: Cow<'static, str>) -> ProblemDetail {
        text.into_owned().into()
    }
}

impl Display for ProblemDetail {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.text(Language::En))
    }
}

static SPOKEN: LazyLock<HashMap<(Language, &'static str), &'static str>> = LazyLock::new(|| {
    let lines = FILES.iter().flat_map(|(language, text)| {
        let lines = text.lines().filter_map(|line| line.split_once('|'));
        lines.map(|(name, words)| ((*language, name.trim()), words.trim()))
    });
    lines.collect()
});

/// Fills the places of a template in one pass, so that a value with braces is not filled again.
fn fill(template: &str, values: &[(&'static str, String)]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, place)) = rest.split_once('{') {
        filled.push_str(before);
        let (name, behind) = place.split_once('}').unwrap_or((place, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests;
