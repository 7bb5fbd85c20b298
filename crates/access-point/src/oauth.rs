//! OAuth 2.0 as a client: tokens that are fetched, and how servers of mail are shown one (SASL).

mod desk;
mod sasl;
mod shown;
mod token;

pub use desk::{OAuthError, OAuthLogin, TokenDesk};
pub use sasl::{TokenMechanism, told_in};
pub use shown::ShownLogin;
pub use token::{FetchedTokens, TokenFault, TokenQuestion};

use quoin_store::Secret;

/// Who a client of OAuth 2.0 is, and where it asks for tokens (RFC 6749, section 4.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRequest {
    /// The token endpoint.
    pub url: String,
    /// The client.
    pub client_id: String,
    /// Whether it shows itself in the body, and not by basic authentication (section 2.3.1).
    pub in_body: bool,
    /// The scope, if one is asked for.
    pub scope: Option<String>,
    /// The audience, if one is asked for.
    pub audience: Option<String>,
}

/// What a client shows.
#[derive(Clone, Default)]
pub struct TokenSecrets {
    /// Its secret; a client that is public has none.
    pub client: Option<Secret>,
    /// What somebody once allowed it (section 6); without it, it asks in its own name.
    pub refresh: Option<Secret>,
}

impl std::fmt::Debug for TokenSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenSecrets(***)")
    }
}
