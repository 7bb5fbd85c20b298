//! A client with what it shows, as a hook or the operator gives it, and who fetches its tokens.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use quoin_store::Secret;
use serde_json::Value;

use super::token::{FetchedTokens, TokenFault, TokenQuestion};
use super::{TokenRequest, TokenSecrets};
use crate::clock::Clock;
use crate::net::HttpClient;

/// The fields that are no secrets.
const OPEN: [&str; 5] = ["tokenUrl", "clientId", "clientAuthentication", "scope", "audience"];
/// Characters of a field, and bytes of a secret.
const FIELD: usize = 1_000;
const SECRET: usize = 4_096;

/// A client of OAuth 2.0 with what it shows.
#[derive(Debug, Clone)]
pub struct OAuthLogin {
    /// What is asked, and where.
    pub request: TokenRequest,
    /// What is shown there.
    pub secrets: TokenSecrets,
}

/// Why a client cannot be used. It repeats no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OAuthError {
    /// A field that is no text.
    #[error("{0} is no text of 1 to {1} characters that can be printed")]
    Text(&'static str, usize),
    /// A field that lacks another one.
    #[error("{0} says nothing without {1}")]
    Lacks(&'static str, &'static str),
    /// How the client shows itself.
    #[error("clientAuthentication is {0:?}; expected basic or body")]
    Authentication(String),
}

impl OAuthLogin {
    /// The fields that are secrets: they are kept sealed.
    pub const SEALED: [&'static str; 2] = ["clientSecret", "refreshToken"];

    /// Reads the fields of a hook, those that are sealed beside the others; none where it names no
    /// token endpoint.
    ///
    /// # Errors
    /// [`OAuthError`].
    pub fn parse(
        init: &Value,
        sealed: &BTreeMap<String, Secret>,
    ) -> Result<Option<OAuthLogin>, OAuthError> {
        let text = |name: &'static str| match init.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if fits(text, FIELD) => Ok(Some(text.clone())),
            Some(_) => Err(OAuthError::Text(name, FIELD)),
        };
        let secret = |name: &'static str| match sealed.get(name) {
            Some(secret) if !fits(secret.reveal(), SECRET) => Err(OAuthError::Text(name, SECRET)),
            found => Ok(found.cloned()),
        };
        let [client, refresh] = OAuthLogin::SEALED.map(secret);
        let secrets = TokenSecrets { client: client?, refresh: refresh? };
        let Some(url) = text("tokenUrl")? else {
            for name in OPEN {
                if text(name)?.is_some() {
                    return Err(OAuthError::Lacks(name, "tokenUrl"));
                }
            }
            let [client, refresh] = OAuthLogin::SEALED;
            return match (&secrets.client, &secrets.refresh) {
                (None, None) => Ok(None),
                (Some(_), _) => Err(OAuthError::Lacks(client, "tokenUrl")),
                _ => Err(OAuthError::Lacks(refresh, "tokenUrl")),
            };
        };
        let in_body = match text("clientAuthentication")?.as_deref() {
            None | Some("basic") => false,
            Some("body") => true,
            Some(other) => {
                return Err(OAuthError::Authentication(other.chars().take(80).collect()));
            }
        };
        if secrets.client.is_none() && secrets.refresh.is_none() {
            return Err(OAuthError::Lacks("tokenUrl", "clientSecret or refreshToken"));
        }
        let client_id = text("clientId")?.ok_or(OAuthError::Lacks("tokenUrl", "clientId"))?;
        let (scope, audience) = (text("scope")?, text("audience")?);
        let request = TokenRequest { url, client_id, in_body, scope, audience };
        Ok(Some(OAuthLogin { request, secrets }))
    }
}

fn fits(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && !text.chars().any(char::is_control)
}

/// Fetches tokens. Cheap to clone, and clones share them.
#[derive(Clone)]
pub struct TokenDesk {
    http: HttpClient,
    tokens: Arc<FetchedTokens>,
    patience: Duration,
    clock: Clock,
}

impl TokenDesk {
    /// A desk whose questions are guarded as the client is, and wait so long for an answer.
    pub fn new(http: HttpClient, patience: Duration, clock: Clock) -> TokenDesk {
        TokenDesk { http, tokens: Arc::default(), patience, clock }
    }

    /// A token of a client of somebody: the one in hand, or another one than was refused.
    ///
    /// # Errors
    /// [`TokenFault`].
    pub async fn token(
        &self,
        owner: &str,
        login: &OAuthLogin,
        refused: Option<&Secret>,
    ) -> Result<Secret, TokenFault> {
        let refused = refused.map(Secret::reveal);
        let (request, secrets, mark) = (&login.request, &login.secrets, [0; 32]);
        let question = TokenQuestion { owner, request, secrets, mark, refused };
        self.tokens.token(&self.http, question, (self.patience, self.clock.now())).await
    }
}

impl fmt::Debug for TokenDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDesk")
    }
}
