//! The Peppol Directory as a register (Peppol Directory 1.1.1, indexer interface): it is told whose
//! business card is new, and fetches the card from our SMP by itself. It answers before it has done
//! so, and marks what is removed without telling when.

use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quoin_delivery::registration::{DesiredState, RegistrationTry};

use super::identity::shown;
use super::{RegisterDesk, RegisterRequest};
use crate::clock::Clock;
use crate::config::Config;
use crate::identity::IdentityError;
use crate::net::{HttpAnswer, HttpCall, HttpClient, HttpSettings, RootsError};

/// The path of the indexer interface.
const INDEXER: &str = "/indexer/1.0/";
/// The largest answer that is read, in bytes.
const LARGEST: usize = 64 << 10;
/// Characters of an answer that are told.
const TOLD: usize = 300;

/// Why the Directory cannot be spoken to. A fault of the installation.
#[derive(Debug, thiserror::Error)]
pub enum DirectorySetupError {
    /// Certificates of servers.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// The certificate of our SMP.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// The desk of the Directory.
pub struct DirectoryDesk {
    http: HttpClient,
    url: String,
    timeout: Duration,
}

impl DirectoryDesk {
    /// The desk that a configuration describes; `None` where it names no Directory. `settings` are
    /// those of calls in the network; the certificate shown is that of the SMP.
    ///
    /// # Errors
    /// [`DirectorySetupError`].
    pub fn of(
        config: &Config,
        settings: HttpSettings,
        clock: &Clock,
    ) -> Result<Option<DirectoryDesk>, DirectorySetupError> {
        let Some(url) = &config.directory.url else { return Ok(None) };
        let Some(identity) = shown(&config.smp, clock)? else { return Ok(None) };
        let unkept = config.smp.next.is_some();
        let http = HttpClient::new(&HttpSettings { identity: Some(identity), unkept, ..settings })?;
        let timeout = Duration::from_secs(config.directory.timeout_seconds);
        let url = url.trim_end_matches('/').to_owned();
        Ok(Some(DirectoryDesk { http, url, timeout }))
    }

    async fn tell(&self, order: RegisterRequest<'_>) -> RegistrationTry {
        let participant = order.participant.uri();
        let present = order.wish != DesiredState::Absent;
        let url = match present {
            true => format!("{}{INDEXER}", self.url),
            false => {
                let encoded = utf8_percent_encode(&participant, NON_ALPHANUMERIC);
                format!("{}{INDEXER}{encoded}", self.url)
            }
        };
        let call = HttpCall {
            method: if present { Method::PUT } else { Method::DELETE },
            headers: vec![(CONTENT_TYPE, HeaderValue::from_static("text/plain"))],
            // As it is, without encoding: so the interface has it.
            body: present.then(|| Bytes::from(participant)),
            ..HttpCall::get(&url, self.timeout, LARGEST)
        };
        match self.http.call(call).await {
            Ok(answer) => tried(&answer, present),
            Err(error) => RegistrationTry::Later(format!("the Directory did not answer: {error}")),
        }
    }
}

/// What an answer of the indexer means.
fn tried(answer: &HttpAnswer, present: bool) -> RegistrationTry {
    let said: String = String::from_utf8_lossy(&answer.body).chars().take(TOLD).collect();
    let status = answer.status;
    match status {
        200..=299 => RegistrationTry::Done,
        404 if !present => RegistrationTry::Done,
        403 => RegistrationTry::Blocked(format!(
            "the Directory does not take the certificate of our SMP ({status}): the address \
             (directory.url) must be that of the stage that the certificate is of. It said: {said}"
        )),
        400 => RegistrationTry::Never(format!(
            "the Directory refused the participant. It said: {said}"
        )),
        _ => RegistrationTry::Later(format!("the Directory answered {status}. It said: {said}")),
    }
}

impl RegisterDesk for DirectoryDesk {
    fn carry_out<'a>(&'a self, order: RegisterRequest<'a>) -> BoxFuture<'a, RegistrationTry> {
        self.tell(order).boxed()
    }
}
