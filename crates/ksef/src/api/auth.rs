//! Authentication: challenge, operation, tokens.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::StatusInfo;

/// The answer of `POST /auth/challenge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthChallenge {
    /// 36 characters, good for ten minutes and for one use.
    pub challenge: String,
    /// When it was made.
    pub timestamp: Timestamp,
    /// The same in milliseconds since 1970.
    pub timestamp_ms: i64,
    /// The address that the system sees.
    #[serde(default)]
    pub client_ip: String,
}

/// A token and its end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenInfo {
    /// A JWT.
    pub token: String,
    /// Until when it is good.
    pub valid_until: Timestamp,
}

impl std::fmt::Debug for TokenInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenInfo(***, until {})", self.valid_until)
    }
}

/// The answer of `POST /auth/xades-signature`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthStarted {
    /// Of the operation.
    pub reference_number: String,
    /// For asking how it stands and for taking the tokens.
    pub authentication_token: TokenInfo,
}

/// How somebody authenticated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthMethodInfo {
    /// `XadesSignature`, `NationalNode`, `Token` or `Other`.
    pub category: String,
    /// A code of it.
    pub code: String,
    /// What people read.
    pub display_name: String,
}

/// The answer of `GET /auth/{referenceNumber}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthOperation {
    /// When it was started.
    pub start_date: Timestamp,
    /// To be removed from the interface at the end of 2026.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authentication_method: Option<String>,
    /// How.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authentication_method_info: Option<AuthMethodInfo>,
    /// 100 while it lasts, 200 when it is done, else why it failed.
    pub status: StatusInfo,
    /// Whether the tokens were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_token_redeemed: Option<bool>,
}

/// The answer of `POST /auth/token/redeem`, which is given once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthTokens {
    /// For calls, for minutes.
    pub access_token: TokenInfo,
    /// For new access tokens, for days.
    pub refresh_token: TokenInfo,
}

/// The answer of `POST /auth/token/refresh`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedToken {
    /// The new one.
    pub access_token: TokenInfo,
}
