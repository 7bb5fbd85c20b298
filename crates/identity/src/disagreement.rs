//! Why the words of a document and those about it do not go together.

use jiff::civil::Date;
use quoin_peppol::identifiers::IdentifierError;

/// A reason for which a document cannot be exchanged on the network. Each says what was expected,
/// what was found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Disagreement {
    /// The syntax has a place for the identifier, and nothing is there.
    #[error(
        "the document has no CustomizationID (BT-24), which names its type on the network; write it"
    )]
    NoIdentifier,
    /// It is no XML, and no type was announced.
    #[error(
        "the file is no XML document, so that it cannot name its type; an invoice in it is taken out \
         by salesInvoice/recognize, and generic/send takes the file with sourceFormat, a document \
         type of the network"
    )]
    NoRoot,
    /// No type of the network has the identifier with this document element.
    #[error(
        "the CustomizationID {customization} is not that of a document type of the network{}",
        suggestion(*near)
    )]
    Unknown {
        /// As written, without white space.
        customization: String,
        /// The nearest one of a type in use.
        near: Option<&'static str>,
    },
    /// The type that was announced is not in the code list.
    #[error("{0} is not in the document types of the Peppol code lists")]
    Unlisted(String),
    /// Several types have the document element, and the syntax has no place to say which.
    #[error(
        "several document types of the network have the document element {root}, and its syntax has \
         no place to say which; generic/send takes one of them as sourceFormat"
    )]
    Ambiguous {
        /// The local name of the document element.
        root: String,
    },
    /// No type has the document element.
    #[error("no document type of the network has the document element {root}")]
    NoType {
        /// The local name of the document element.
        root: String,
    },
    /// The announced type is one of another document element or kind of file.
    #[error("the type {announced} was announced, and the document is {found}")]
    OtherRoot {
        /// The value of the announced type.
        announced: String,
        /// The document element, or what the file is.
        found: String,
    },
    /// The announced type is not the one that the document names.
    #[error("the type {announced} was announced, and the document names {}", shown(found))]
    OtherType {
        /// The value of the announced type.
        announced: String,
        /// What the document names.
        found: String,
    },
    /// The type is gone.
    #[error(
        "{name} is removed from the network{}",
        on.map(|day| format!(" since {day}")).unwrap_or_default()
    )]
    Removed {
        /// The name in the code list.
        name: &'static str,
        /// From which day on, where the list says it.
        on: Option<Date>,
    },
    /// The type is the base of others and never that of a document.
    #[error(
        "{name} is only the base of other types: a document names its jurisdiction behind it, as in \
         @eu-1"
    )]
    Abstract {
        /// The name in the code list.
        name: &'static str,
    },
    /// The process is none of the type's.
    #[error(
        "ProfileID (BT-23) is {found:?}; this type of document is exchanged in {}",
        allowed.join(" or ")
    )]
    Process {
        /// As written, or as announced.
        found: String,
        /// The processes of the type.
        allowed: &'static [&'static str],
    },
    /// The announced process is not the one that the document names.
    #[error(
        "the process {announced} was announced, and ProfileID (BT-23) of the document is {found}"
    )]
    OtherProcess {
        /// As announced.
        announced: String,
        /// As written.
        found: String,
    },
    /// The document cannot name its process, and several are possible.
    #[error(
        "the document does not name its process; give processId with {}",
        allowed.join(" or ")
    )]
    ProcessNeeded {
        /// The processes of the type.
        allowed: &'static [&'static str],
    },
    /// An identifier is none.
    #[error("{0}")]
    Unreadable(IdentifierError),
}

impl Disagreement {
    /// The finding under which it is told of a document that is to be sent.
    pub fn rule(&self) -> &'static str {
        match self {
            Disagreement::Process { .. }
            | Disagreement::OtherProcess { .. }
            | Disagreement::ProcessNeeded { .. } => "QUOIN-PROCESS",
            _ => "QUOIN-DOCUMENT-TYPE",
        }
    }

    /// Whether the caller asked for something that the document is not.
    pub fn is_contradiction(&self) -> bool {
        matches!(
            self,
            Disagreement::OtherRoot { .. }
                | Disagreement::OtherType { .. }
                | Disagreement::OtherProcess { .. }
        )
    }
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(
        || "; it has to be that of the receiver's registration".to_owned(),
        |near| format!("; did you mean {near}?"),
    )
}

fn shown(found: &str) -> &str {
    if found.is_empty() { "none (CustomizationID is empty)" } else { found }
}
