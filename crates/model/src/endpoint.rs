//! An electronic address, by which a party is found.

use serde::{Deserialize, Serialize};

/// An electronic address: `schemeID` and value of an `EndpointID`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ElectronicAddress {
    /// Code of the scheme, such as `0106`.
    pub scheme: String,
    /// The identifier, without white space around it.
    pub value: String,
}
