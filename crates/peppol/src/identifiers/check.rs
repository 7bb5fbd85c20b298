//! Shape and check digits of the registers we enrol parties from, as a table: register, what its
//! values look like, and the function that knows.

use super::ParticipantId;
use crate::schemes::{self, CodeState};

mod digits;
mod registers;

/// Why a value cannot be a number of its register.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckFailure {
    /// The code list has no such register.
    #[error("scheme {icd} is not in the Peppol code list {list}: nobody can be enrolled under it")]
    UnknownScheme {
        /// The four digits.
        icd: String,
        /// The version of the list.
        list: &'static str,
    },
    /// The code list has removed the register, so nothing may be registered under it any more.
    #[error("scheme {icd} ({alias}) was removed from the Peppol code list: use its successor")]
    RemovedScheme {
        /// The four digits.
        icd: String,
        /// The letter alias.
        alias: &'static str,
    },
    /// The value has the wrong length or characters.
    #[error("'{id}' does not have the shape of scheme {icd}: expected {expected}")]
    Shape {
        /// The identifier.
        id: ParticipantId,
        /// The scheme.
        icd: String,
        /// The shape in words.
        expected: &'static str,
    },
    /// The shape is right, but the check digits do not belong to the other digits.
    #[error(
        "'{id}' is mistyped: its check digits do not fit ({rule}); compare it with the register"
    )]
    CheckDigits {
        /// The identifier.
        id: ParticipantId,
        /// The arithmetic in words.
        rule: &'static str,
    },
}

/// Checks a value against the table; see [`ParticipantId::check`].
pub(super) fn check(id: &ParticipantId) -> Result<(), CheckFailure> {
    let icd = id.icd().to_owned();
    let Some(scheme) = id.scheme() else {
        return Err(CheckFailure::UnknownScheme { icd, list: schemes::VERSION });
    };
    if scheme.state == CodeState::Removed {
        return Err(CheckFailure::RemovedScheme { icd, alias: scheme.alias });
    }
    let Some(register) = registers::REGISTERS.iter().find(|register| register.icd == icd) else {
        return Ok(());
    };
    let value = id.value().to_ascii_uppercase();
    if !(register.fits)(&value) {
        return Err(CheckFailure::Shape { id: id.clone(), icd, expected: register.shape });
    }
    if !(register.adds_up)(&value) {
        return Err(CheckFailure::CheckDigits { id: id.clone(), rule: register.rule });
    }
    Ok(())
}
