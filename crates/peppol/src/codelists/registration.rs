//! Whether a document type may be registered at an SMP (PFUOI 4.4.0, policies 20 to 28 and section
//! 5.1.2): it is a row of the list, in a state that allows it, under its scheme, with one of its
//! processes.

use jiff::civil::Date;

use super::{CodeState, DocumentType};
use crate::identifiers::{DocumentTypeId, DocumentTypeScheme, ProcessId};

/// Why a registration is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrationRefusal {
    /// The list does not have it.
    #[error("{0} is not in the document types of the Peppol code lists")]
    Unknown(String),
    /// It is in the list under the other scheme.
    #[error("{id} is registered under the scheme {scheme} only (PFUOI policy 5.1.2)")]
    Scheme {
        /// What was to be registered.
        id: String,
        /// The scheme of the row.
        scheme: DocumentTypeScheme,
    },
    /// No new registrations.
    #[error("{name} is deprecated and takes no new registrations (PFUOI policy 23a)")]
    Deprecated {
        /// The name in the list.
        name: &'static str,
    },
    /// Gone.
    #[error("{name} is removed from the network")]
    Removed {
        /// The name in the list.
        name: &'static str,
    },
    /// It never occurs in a document, so only a pattern of it receives something.
    #[error("{name} is abstract: register it with '*' after its customization")]
    Abstract {
        /// The name in the list.
        name: &'static str,
    },
    /// The process is not one of the row.
    #[error("{name} is exchanged in {}, not in {found}", allowed.join(" or "))]
    Process {
        /// The name in the list.
        name: &'static str,
        /// What was to be registered.
        found: String,
        /// The processes of the row.
        allowed: &'static [&'static str],
    },
}

/// The row under which a type, or pattern, may be registered newly on a day.
///
/// # Errors
/// [`RegistrationRefusal`].
pub fn registrable(
    id: &DocumentTypeId,
    day: Date,
) -> Result<&'static DocumentType, RegistrationRefusal> {
    let plain = id.plain();
    let rows = || super::DOCUMENT_TYPES.iter().filter(|row| row.value == plain);
    let own = rows().find(|row| row.scheme == id.scheme());
    let in_use = |row: &&DocumentType| row.state_on(day) == CodeState::Active;
    // PINT types were registered under the other scheme once.
    if let Some(row) = rows().find(in_use).filter(|row| row.scheme != id.scheme()) {
        return Err(RegistrationRefusal::Scheme { id: id.to_string(), scheme: row.scheme });
    }
    let row = own.ok_or_else(|| RegistrationRefusal::Unknown(id.to_string()))?;
    let name = row.name;
    match row.state_on(day) {
        CodeState::Removed => Err(RegistrationRefusal::Removed { name }),
        CodeState::Deprecated => Err(RegistrationRefusal::Deprecated { name }),
        CodeState::Active if row.is_abstract && !id.is_pattern() => {
            Err(RegistrationRefusal::Abstract { name })
        }
        CodeState::Active => Ok(row),
    }
}

impl DocumentType {
    /// Demands that a process is one that the type is exchanged in.
    ///
    /// # Errors
    /// [`RegistrationRefusal::Process`].
    pub fn demand_process(&self, process: &ProcessId) -> Result<(), RegistrationRefusal> {
        let is = |text: &&str| text.parse::<ProcessId>().is_ok_and(|allowed| allowed == *process);
        if self.processes.iter().any(is) {
            return Ok(());
        }
        let (name, found, allowed) = (self.name, process.to_string(), self.processes);
        Err(RegistrationRefusal::Process { name, found, allowed })
    }
}
