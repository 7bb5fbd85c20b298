//! Identifiers of this room as newtypes, and the two identifiers a document carries on the wire:
//! the AS4 message id and the SBDH instance id. Both derive from the document id, so that a repeat
//! after a lost answer is recognised by any receiver (ARCHITECTURE, What must stay true, 5).

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

use crate::topics::Topic;

/// The longest organisation or hook id we take, in bytes.
pub const NAME_LIMIT: usize = 64;
/// The longest domain that may stand behind the `@` of an AS4 message id, in bytes (RFC 1035).
pub const DOMAIN_LIMIT: usize = 253;

/// The id of the Peppol channel, which is there without being registered.
pub const PEPPOL: &str = "peppol";

/// An identifier that cannot be taken, with what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text is not a UUID in the 8-4-4-4-12 form.
    #[error(
        "{what} must be a UUID such as 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6, never the number of \
         the document; found {found:?}"
    )]
    NotUuid {
        /// Which identifier.
        what: &'static str,
        /// The text as it came, cut to 64 characters.
        found: String,
    },
    /// The text is empty, too long, or has characters outside letters, digits, `-`, `_` and `.`.
    #[error("{what} must be 1 to 64 letters, digits, '-', '_' or '.', found {found:?}")]
    NotName {
        /// Which identifier.
        what: &'static str,
        /// The text as it came, cut to 64 characters.
        found: String,
    },
    /// The domain cannot stand in a message id.
    #[error(
        "the message id domain must be dot-separated labels of letters, digits and '-', \
         found {found:?}; the operator sets it in the configuration"
    )]
    NotDomain {
        /// The text as it came, cut to 64 characters.
        found: String,
    },
}

fn cut(text: &str) -> String {
    text.chars().take(64).collect()
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Takes a UUID of any version and writes it in the hyphenated lower-case form.
            pub fn from_uuid(uuid: Uuid) -> $name {
                $name(uuid.hyphenated().to_string())
            }

            /// The hyphenated lower-case form, 36 characters.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            /// Reads the 8-4-4-4-12 form in either case; braces, URN and bare hex are refused,
            /// since two spellings of one id would defeat the duplicate check.
            fn from_str(text: &str) -> Result<$name, IdError> {
                let refuse = || IdError::NotUuid { what: $what, found: cut(text) };
                if text.len() != 36 {
                    return Err(refuse());
                }
                Uuid::try_parse(text).map($name::from_uuid).map_err(|_| refuse())
            }
        }
        uuid_id!(@text $name);
    };
    (@text $name:ident) => {
        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<$name, IdError> {
                text.parse()
            }
        }
        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

macro_rules! name_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text, as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            /// Takes 1 to 64 characters of letters, digits, `-`, `_` and `.`.
            fn from_str(text: &str) -> Result<$name, IdError> {
                let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
                if text.is_empty() || text.len() > NAME_LIMIT || !text.bytes().all(fits) {
                    return Err(IdError::NotName { what: $what, found: cut(text) });
                }
                Ok($name(text.to_owned()))
            }
        }
        uuid_id!(@text $name);
    };
}

uuid_id! {
    /// The key of a transaction inside this service: a UUIDv7, so that ids sort by time.
    TransactionId, "the transaction id"
}
uuid_id! {
    /// The id by which an organisation knows a document: header `X-Service-DocumentId`, a UUID
    /// (interface specification 2.5, 4.1). It has neither `@` nor `_`, since it may stand in
    /// message ids.
    DocumentId, "a document id"
}
name_id! {
    /// The key of an organisation, the tenant that owns parties, documents and hooks.
    OrganisationId, "the organisation id"
}
name_id! {
    /// The id of a hook; also a channel value (interface specification 2.4).
    HookId, "the hook id"
}

impl DocumentId {
    /// Whether it is the UUID of zeros, which names nothing (RFC 9562, section 5.9).
    pub fn is_nil(&self) -> bool {
        Uuid::try_parse(&self.0).is_ok_and(|uuid| uuid.is_nil())
    }
}

impl HookId {
    /// The id of the Peppol channel, which is there without being registered.
    pub fn peppol() -> HookId {
        HookId(PEPPOL.to_owned())
    }
}

/// The place of an event in the one order in which a store recorded its events, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventId(pub i64);

/// The AS4 message id of a document: `<UUIDv8>@<domain>`, in the dot-atom form of RFC 2822 that
/// AS4 receivers demand (ebMS 3.0 core 5.2.2.1). The UUID is cut from
/// SHA-256("as4" | organisation | document id), so each retry carries the same one.
///
/// Errors: [`IdError::NotDomain`] where the domain would break the dot-atom form.
pub fn as4_message_id(
    organisation: &OrganisationId,
    document: &DocumentId,
    domain: &str,
) -> Result<String, IdError> {
    let label = |l: &str| {
        !l.is_empty() && l.len() <= 63 && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    if domain.len() > DOMAIN_LIMIT || !domain.split('.').all(label) {
        return Err(IdError::NotDomain { found: cut(domain) });
    }
    Ok(format!("{}@{domain}", derived("as4", organisation, document)))
}

/// The SBDH instance identifier of a document (SBDH 1.3, `InstanceIdentifier`): a UUIDv8 cut from
/// SHA-256("sbdh" | organisation | document id), the same on each retry.
pub fn sbdh_instance_id(organisation: &OrganisationId, document: &DocumentId) -> String {
    derived("sbdh", organisation, document).to_string()
}

/// The document id of the Message Level Status that is given about a document: derived from it, so
/// that a step which is done twice makes the same message.
pub fn status_document_id(organisation: &OrganisationId, document: &DocumentId) -> DocumentId {
    DocumentId::from_uuid(derived("mls", organisation, document))
}

/// The id of a report to a tax authority about an invoice; `place` counts the reports about it,
/// from 1.
pub fn tax_report_id(invoice: &TransactionId, place: u32) -> Uuid {
    following(invoice.as_str(), ["tax", "report", &place.to_string()])
}

/// The document id of a message that carries such a report; `turn` counts its messages, from 1.
pub fn tax_message_id(report: &str, turn: u32) -> DocumentId {
    DocumentId::from_uuid(following(report, ["tax", "message", &turn.to_string()]))
}

/// Fields are separated by a NUL, which neither of them can hold, so no two inputs run together.
fn derived(purpose: &str, organisation: &OrganisationId, document: &DocumentId) -> Uuid {
    let mut context = Context::new(&SHA256);
    for part in [purpose, organisation.as_str(), document.as_str()] {
        context.update(part.as_bytes());
        context.update(&[0]);
    }
    let mut bytes = [0u8; 16];
    for (to, from) in bytes.iter_mut().zip(context.finish().as_ref()) {
        *to = *from;
    }
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// The id of an event about a transaction: the same whenever the same is told again, as after a
/// restore. `earlier` is how many events of the topic were told of the transaction before.
pub fn event_id(transaction: &TransactionId, topic: Topic, earlier: u64) -> Uuid {
    let earlier = earlier.to_string();
    following(transaction.as_str(), ["event", topic.as_str(), &earlier])
}

/// The id of the call that tells a hook of an event: the same whenever it is told again.
pub fn call_id(event: &str, hook: &str) -> Uuid {
    following(event, ["call", event, hook])
}

/// An id that follows from another one and from words. It begins as the other one does, with its
/// time where it has one, so that ids that are made after one another lie beside each other.
fn following(other: &str, words: [&str; 3]) -> Uuid {
    let mut context = Context::new(&SHA256);
    for part in [other].iter().chain(&words) {
        context.update(part.as_bytes());
        context.update(&[0]);
    }
    let head = Uuid::try_parse(other).unwrap_or_default().into_bytes();
    let mut bytes = [0u8; 16];
    for (to, from) in bytes.iter_mut().zip(head.iter().take(6).chain(context.finish().as_ref())) {
        *to = *from;
    }
    Builder::from_custom_bytes(bytes).into_uuid()
}

/// A number in `0..1` that is fixed for a transaction and an attempt: where in the jitter band the
/// attempt falls. Spread over transactions like a random number, yet the same on a replay.
pub fn jitter(subject: &str, attempt: u32) -> f64 {
    let mut context = Context::new(&SHA256);
    context.update(subject.as_bytes());
    context.update(&attempt.to_be_bytes());
    let digest = context.finish();
    let head = digest.as_ref().iter().take(4).fold(0u32, |n, b| (n << 8) | u32::from(*b));
    f64::from(head) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests;
