//! Issuers of tokens besides our own.

use serde::{Deserialize, Serialize};

/// An OpenID Connect issuer besides our own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuerConfig {
    /// The claim `iss` of its tokens.
    pub issuer: String,
    /// What its tokens must have as `aud`.
    pub audience: String,
    /// Where its keys are, a JSON web key set.
    pub jwks_url: String,
    /// The claim with the name of the account.
    #[serde(default = "subject_claim")]
    pub subject_claim: String,
    /// The one organisation that it speaks for.
    #[serde(default)]
    pub organisation: Option<String>,
    /// The claim with the organisation, where the issuer speaks for all of them.
    #[serde(default)]
    pub organisation_claim: Option<String>,
    /// The claim with the role of accounts that are not on record.
    #[serde(default)]
    pub role_claim: Option<String>,
    /// Whether its tokens must have the scope `ap`.
    #[serde(default)]
    pub demand_scope: bool,
}

fn subject_claim() -> String {
    "sub".to_owned()
}
