//! How it is known that a party was verified before it is enrolled.

use serde::{Deserialize, Serialize};

/// Who says that an end user was verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndUserVerification {
    /// A record for each party, made before or with its enrolment.
    Recorded,
    /// The organisation, by an agreement with the operator: an enrolment without a record is
    /// recorded as its declaration. The contract puts the duty on the integrating party
    /// (interface specification 5.4).
    #[default]
    Declared,
}
