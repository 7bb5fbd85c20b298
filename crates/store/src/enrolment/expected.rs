//! What a change demands of the record it changes.

use crate::error::Refusal;

/// The version of a record that a change demands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Expected {
    /// Whatever there is.
    #[default]
    Any,
    /// Something, of any version.
    Present,
    /// Nothing yet.
    Absent,
    /// One of these versions.
    Versions(Vec<u64>),
}

impl Expected {
    /// Whether it is met by a record of a version, which may be 0: there and never changed; `None`
    /// where there is no record.
    pub(super) fn demand(&self, what: &'static str, record: Option<u64>) -> Result<(), Refusal> {
        let found = record.unwrap_or_default();
        let met = match self {
            Expected::Any => true,
            Expected::Present => record.is_some(),
            Expected::Absent => found == 0,
            Expected::Versions(versions) => versions.contains(&found),
        };
        if met { Ok(()) } else { Err(Refusal::Changed { what, found }) }
    }
}
