//! A party at the system: under which NIP it acts, and its tokens, which are kept for as long as
//! they are good.

use std::time::Duration;

use hyper::Method;
use quoin_ksef::api::{
    AuthChallenge, AuthOperation, AuthStarted, AuthTokens, KsefProblem, RefreshedToken,
};
use quoin_ksef::auth::{AuthContext, TokenNeed, signed_token_request, token_need};
use quoin_ksef::certificate::{CertificateSubject, KsefUse};
use quoin_ksef::limits::CallGroup;
use quoin_ksef::number::is_nip;
use quoin_ksef::steps::Trouble;

use super::calls::{KsefCall, parsed, told};
use super::{KsefClient, KsefInit};

/// How often it is asked whether the signing in is done, and how long apart.
const POLLS: u32 = 20;
const POLL_WAIT: Duration = Duration::from_millis(500);

/// A party at the system.
#[derive(Debug, Clone)]
pub struct KsefAccount {
    /// The key of its hook, by which its tokens are kept.
    pub key: String,
    /// The NIP for which it acts.
    pub nip: String,
    /// Its certificates.
    pub init: KsefInit,
}

impl KsefAccount {
    /// The account of a hook: the NIP is the one of the party's identifiers (9945), else the one
    /// of
    /// the certificate.
    pub fn of<'i>(
        key: String,
        init: KsefInit,
        identifiers: impl IntoIterator<Item = &'i str>,
    ) -> Option<KsefAccount> {
        let named = identifiers.into_iter().find_map(|identifier| {
            let value = identifier.strip_prefix("9945:")?.to_ascii_uppercase();
            let nip = value.strip_prefix("PL").unwrap_or(&value).to_owned();
            is_nip(&nip).then_some(nip)
        });
        let certified = || match init.online.subject() {
            CertificateSubject::Nip(nip) => Some(nip.clone()),
            CertificateSubject::Pesel(_) | CertificateSubject::Fingerprint => None,
        };
        let nip = named.or_else(certified)?;
        Some(KsefAccount { key, nip, init })
    }

    /// The context in which it signs in.
    pub fn context(&self) -> AuthContext {
        AuthContext::Nip(self.nip.clone())
    }
}

/// What is told of a signing in that the system refused: its status, where errors of calls have
/// their reason.
pub(crate) const AUTH_REASON: &str = "auth.";

impl KsefClient {
    /// A token for a call, by what is there: kept, renewed, or by signing in.
    pub(super) async fn access(&self, account: &KsefAccount) -> Result<String, Trouble> {
        let kept = self.tokens().get(&account.key).cloned();
        let tokens = match token_need(kept.as_ref(), self.0.clock.now()) {
            TokenNeed::Good(token) => return Ok(token.token.clone()),
            TokenNeed::Renew(token) => match self.renewed(account, &token.token).await {
                Ok(refreshed) => AuthTokens {
                    access_token: refreshed.access_token,
                    refresh_token: token.clone(),
                },
                Err(Trouble::Unauthorized) => self.sign_in(account).await?,
                Err(other) => return Err(other),
            },
            TokenNeed::SignIn => self.sign_in(account).await?,
        };
        let token = tokens.access_token.token.clone();
        self.tokens().insert(account.key.clone(), tokens);
        Ok(token)
    }

    /// Forgets the tokens of an account: they were not taken.
    pub(crate) fn forget_tokens(&self, account: &KsefAccount) {
        self.tokens().remove(&account.key);
    }

    /// Ends the signing in of an account; what comes of it does not matter.
    pub(crate) async fn sign_out(&self, account: &KsefAccount) {
        let tokens = self.tokens().remove(&account.key);
        let Some(tokens) = tokens else { return };
        let call = KsefCall {
            bearer: Some(tokens.access_token.token),
            ..KsefCall::new(Method::DELETE, "/auth/sessions/current", CallGroup::Other, account)
        };
        if let Err(trouble) = self.call(call).await {
            tracing::debug!(?trouble, "the signing in at KSeF was not ended");
        }
    }

    async fn renewed(&self, account: &KsefAccount, token: &str) -> Result<RefreshedToken, Trouble> {
        let call = KsefCall {
            bearer: Some(token.to_owned()),
            ..KsefCall::new(Method::POST, "/auth/token/refresh", CallGroup::Public, account)
        };
        parsed(&self.call(call).await?)
    }

    async fn sign_in(&self, account: &KsefAccount) -> Result<AuthTokens, Trouble> {
        let now = self.0.clock.now();
        if let Err(error) = account.init.online.check(KsefUse::Authentication, now) {
            return Err(own("own.certificate-ended", error.to_string()));
        }
        let group = CallGroup::Public;
        let call = KsefCall::new(Method::POST, "/auth/challenge", group, account);
        let challenge: AuthChallenge = parsed(&self.call(call).await?)?;
        let (context, certificate) = (account.context(), &account.init.online);
        let signed = signed_token_request(&challenge.challenge, &context, certificate, now)
            .map_err(|error| own("own.certificate-use", error.to_string()))?;
        let call = KsefCall {
            body: Some(("application/xml", signed.into_bytes().into())),
            ..KsefCall::new(Method::POST, "/auth/xades-signature", group, account)
        };
        let started: AuthStarted = parsed(&self.call(call).await?)?;
        let token = started.authentication_token.token;
        let path = format!("/auth/{}", started.reference_number);
        for _ in 0..POLLS {
            let call = KsefCall {
                bearer: Some(token.clone()),
                ..KsefCall::new(Method::GET, &path, group, account)
            };
            let operation: AuthOperation = told(self.call(call).await?)?;
            match operation.status.code {
                200 => {
                    let call = KsefCall {
                        bearer: Some(token),
                        ..KsefCall::new(Method::POST, "/auth/token/redeem", group, account)
                    };
                    return parsed(&self.call(call).await?);
                }
                100..=399 => tokio::time::sleep(POLL_WAIT).await,
                // What passes by itself is tried again; the rest is for people.
                500..=599 | 425 | 450 => return Err(Trouble::Server(operation.status.code)),
                code => {
                    let reason = format!("{AUTH_REASON}{code}");
                    return Err(own(&reason, operation.status.line()));
                }
            }
        }
        Err(Trouble::NoAnswer)
    }
}

/// A refusal with a reason that is explained.
fn own(reason: &str, detail: String) -> Trouble {
    let reason = Some(reason.to_owned());
    Trouble::Refused(403, KsefProblem { detail, reason, ..KsefProblem::default() })
}
