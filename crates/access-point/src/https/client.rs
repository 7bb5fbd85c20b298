//! One call with what a hook shows to its server: the client that knows its certificate, a token
//! where one is fetched, and a second call where the server refused the token.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::Method;
use hyper::header::{AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName, HeaderValue};
use jiff::Timestamp;
use quoin_store::{HookCall, Secret};
use rustls::sign::SingleCertAndKey;

use super::action::{DocumentForm, shown};
use super::answer::{READ, judged, kept, said};
use super::envelope::WrappedDocument;
use super::fault::{HttpsFault, HttpsFaultKind};
use super::login::{Authorisation, HttpsLogin, basic};
use super::report::HttpsReport;
use super::sign::secrets_in_use;
use super::target::HttpsTarget;
use super::webhook::{Headers, call, ended, request, signed};
use super::{HTTPS_BYTES, HTTPS_LIMIT};
use crate::budget::in_place;
use crate::net::{CallError, CutAnswer, HttpAnswer, HttpCall, HttpClient, HttpSettings};
use crate::oauth::{FetchedTokens, ShownLogin, TokenFault, TokenQuestion};
use crate::step::CallOutcome;

/// Clients that are kept for hooks with certificates of their own.
const CLIENTS: usize = 256;
/// The status with which a server refuses a token (RFC 6750, section 3.1).
const UNAUTHORISED: u16 = 401;
/// How much longer a call may take for each megabyte of its body.
const PER_MEGABYTE: Duration = Duration::from_secs(8);

/// A document on its way to a server.
pub struct HttpsMessage<'a> {
    /// The body.
    pub wrapped: &'a WrappedDocument,
    /// How it stands in there.
    pub form: DocumentForm,
    /// The id of the call, the same on every attempt: what Standard Webhooks sign.
    pub id: &'a str,
}

/// Calls webhooks, and posts documents. Cheap to clone, and clones share connections and tokens.
#[derive(Clone)]
pub struct HttpsClient {
    plain: HttpClient,
    settings: HttpSettings,
    prefix: String,
    patience: Duration,
    made: Arc<Mutex<Vec<MadeClient>>>,
    tokens: Arc<FetchedTokens>,
}

/// A client that was made for certificates of a hook's own.
struct MadeClient {
    mark: [u8; 32],
    client: HttpClient,
}

/// A request before it is authorised.
struct PlainRequest {
    method: Method,
    url: String,
    headers: Headers,
    body: Bytes,
    limit: Duration,
    largest: usize,
    repeatable: bool,
}

/// Why there is no answer.
enum NoAnswer {
    Call(CallError),
    Fault(HttpsFault),
}

impl HttpsClient {
    /// A client that calls as `plain` does, and as `settings` say where a hook has certificates of
    /// its own. `prefix` is that of our headers, `patience` the time for one answer.
    pub fn new(
        plain: HttpClient,
        settings: HttpSettings,
        prefix: String,
        patience: Duration,
    ) -> HttpsClient {
        let (made, tokens) = (Arc::default(), Arc::default());
        HttpsClient { plain, settings, prefix, patience, made, tokens }
    }

    /// The client of what has no certificates of its own, guarded against addresses of the own
    /// network.
    pub fn plain(&self) -> &HttpClient {
        &self.plain
    }

    /// How long a small call may take.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// Tells a webhook of an event.
    pub async fn tell(&self, owed: &HookCall, now: Timestamp) -> CallOutcome {
        let started = Instant::now();
        let target = match HttpsTarget::of(Some(&owed.hook)) {
            Ok(target) => target,
            Err(fault) => return ended(started, now, Err(fault.cause)),
        };
        if target.login.tls_mark.is_none() && target.login.kind() == "none" {
            return call(&self.plain, owed, &self.prefix, now, self.patience).await;
        }
        let mut report = HttpsReport::default();
        let outcome = match request(owed, &self.prefix, now) {
            Ok((headers, body)) => {
                let plain = PlainRequest {
                    method: Method::POST,
                    url: owed.hook.action.clone(),
                    headers,
                    body,
                    limit: self.patience,
                    largest: READ,
                    repeatable: false,
                };
                self.authorised(&target, plain, now, &mut report).await.map_err(|no| no.cause())
            }
            Err(cause) => Err(cause),
        };
        let outcome = outcome.map(|answer| {
            let said = in_place(|| said(&answer, &target.login.secrets_shown()));
            HttpAnswer { body: said.into(), ..answer }
        });
        ended(started, now, outcome)
    }

    /// Posts a document.
    ///
    /// The result is the server's own name for it.
    pub async fn send(
        &self,
        target: &HttpsTarget,
        message: HttpsMessage<'_>,
        now: Timestamp,
    ) -> (Result<String, HttpsFault>, HttpsReport) {
        let began = Instant::now();
        let WrappedDocument { body, sha256, content_digest, document, .. } = message.wrapped;
        let place = target.action.place(&document.file_name);
        let token = target.action.token.as_ref();
        let mut report = HttpsReport {
            url: shown(&place),
            method: target.action.method.to_string(),
            form: message.form.as_str(),
            authentication: target.login.kind(),
            signed: !secrets_in_use(&target.hook, now).is_empty(),
            client_certificate: target.login.fingerprint.clone(),
            token_url: token.and_then(|token| url::Url::parse(&token.url).ok()).as_ref().map(shown),
            idempotency_key: document.document_id.clone(),
            bytes: body.len(),
            content_digest: content_digest.clone(),
            sha256: sha256.clone(),
            ..HttpsReport::default()
        };
        let done = match body.len() <= HTTPS_BYTES {
            true => self.posted(target, message, (place.to_string(), now), &mut report).await,
            false => {
                let cause = format!(
                    "the document makes {} bytes, more than the {HTTPS_BYTES} that are posted",
                    body.len()
                );
                Err(HttpsFault::new(HttpsFaultKind::Refused, cause))
            }
        };
        report.elapsed_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        if let Err(fault) = &done {
            report.fault.clone_from(&fault.cause);
        }
        (done, report)
    }

    async fn posted(
        &self,
        target: &HttpsTarget,
        message: HttpsMessage<'_>,
        (url, now): (String, Timestamp),
        report: &mut HttpsReport,
    ) -> Result<String, HttpsFault> {
        let body = message.wrapped.body.clone();
        let megabytes = u32::try_from(body.len() >> 20).unwrap_or(u32::MAX);
        let limit = self.patience.saturating_add(PER_MEGABYTE.saturating_mul(megabytes));
        let request = PlainRequest {
            method: target.action.method.clone(),
            url,
            headers: self.headers(target, &message, now).map_err(|cause| {
                HttpsFault::new(HttpsFaultKind::Hook, format!("the call cannot be made: {cause}"))
            })?,
            body,
            limit: limit.min(HTTPS_LIMIT),
            largest: READ,
            repeatable: true,
        };
        let answer = self.authorised(target, request, now, report).await;
        let answer = answer.map_err(NoAnswer::fault)?;
        report.status = Some(answer.status);
        report.repeated = answer.repeated;
        in_place(|| {
            let shown = target.login.secrets_shown().and(&ShownLogin::of_call(&answer));
            report.headers = kept(&answer.headers, &shown);
            report.answer = said(&answer, &shown);
            judged(&answer, &shown, now)
        })
    }

    /// The headers of a document: what it is, the key by which it is known again, the digest of the
    /// body (RFC 9530), and the signatures.
    fn headers(
        &self,
        target: &HttpsTarget,
        message: &HttpsMessage<'_>,
        now: Timestamp,
    ) -> Result<Headers, String> {
        let WrappedDocument { content_type, body, content_digest, document, .. } = message.wrapped;
        let value = |text: &str| HeaderValue::from_str(text).map_err(|error| error.to_string());
        let mut headers = vec![
            (CONTENT_TYPE, value(content_type)?),
            (HeaderName::from_static("idempotency-key"), value(&document.document_id)?),
            (HeaderName::from_static("content-digest"), value(content_digest)?),
        ];
        if message.form == DocumentForm::Raw {
            let name = format!("attachment; filename=\"{}\"", document.file_name);
            headers.push((CONTENT_DISPOSITION, value(&name)?));
        }
        for (name, text) in document.headers() {
            let name = HeaderName::from_bytes(format!("{}{name}", self.prefix).as_bytes())
                .map_err(|error| error.to_string())?;
            // What a document says of itself may be no header.
            let text = HeaderValue::from_str(text).ok().filter(|text| !text.is_empty());
            headers.extend(text.map(|text| (name, text)));
        }
        headers.extend(signed(&target.hook, (&self.prefix, message.id), now, body)?);
        Ok(headers)
    }

    /// Makes a call with what the hook shows. A server that refuses a token is asked once more,
    /// with another one.
    async fn authorised(
        &self,
        target: &HttpsTarget,
        request: PlainRequest,
        now: Timestamp,
        report: &mut HttpsReport,
    ) -> Result<HttpAnswer, NoAnswer> {
        let client = self.client_of(&target.login).map_err(NoAnswer::Fault)?;
        let (kind, first) = match &target.login.method {
            Authorisation::Nothing => ("", None),
            Authorisation::Basic(user, password) => {
                ("Basic", Some(Secret::new(basic(user, password.reveal()))))
            }
            Authorisation::Bearer(token) => ("Bearer", Some(token.clone())),
            Authorisation::Client(..) => ("Bearer", self.token(&client, target, None, now).await?),
        };
        let began = Instant::now();
        let answer = exchange(&client, &request, (kind, first.as_ref()), request.limit).await?;
        let fetched = matches!(target.login.method, Authorisation::Client(..));
        if answer.status != UNAUTHORISED || !fetched {
            return Ok(answer);
        }
        let refused = first.as_ref().map(Secret::reveal);
        let second = self.token(&client, target, refused, now).await?;
        report.token_renewed = true;
        let left = request.limit.saturating_sub(began.elapsed()).max(self.patience / 2);
        let again = exchange(&client, &request, (kind, second.as_ref()), left).await?;
        // It may repeat the one that it refused.
        Ok(HttpAnswer { shown: [answer.shown, again.shown].concat(), ..again })
    }

    async fn token(
        &self,
        client: &HttpClient,
        target: &HttpsTarget,
        refused: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<Secret>, NoAnswer> {
        let Authorisation::Client(request, secrets) = &target.login.method else { return Ok(None) };
        let owner = target.hook.organisation.as_str();
        let mark = target.login.tls_mark.unwrap_or_default();
        let question = TokenQuestion { owner, request, secrets, mark, refused };
        let token = self.tokens.token(client, question, (self.patience, now)).await;
        token.map(Some).map_err(|fault| NoAnswer::Fault(fault.into()))
    }

    /// The client that knows the certificate of a login, and believes its authorities.
    fn client_of(&self, login: &HttpsLogin) -> Result<HttpClient, HttpsFault> {
        let Some(mark) = login.tls_mark else { return Ok(self.plain.clone()) };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.iter().find(|made| made.mark == mark) {
            return Ok(made.client.clone());
        }
        let mut settings = self.settings.clone();
        settings.extra_roots.extend(login.authorities.iter().cloned());
        settings.identity = login.identity.clone().map(|identity| {
            Arc::new(SingleCertAndKey::from(identity))
                as Arc<dyn rustls::client::ResolvesClientCert>
        });
        let client = HttpClient::new(&settings).map_err(|error| {
            HttpsFault::new(HttpsFaultKind::Hook, format!("the certificates: {error}"))
        })?;
        if made.len() >= CLIENTS {
            made.remove(0);
        }
        made.push(MadeClient { mark, client: client.clone() });
        Ok(client)
    }
}

async fn exchange(
    client: &HttpClient,
    request: &PlainRequest,
    (kind, shown): (&str, Option<&Secret>),
    limit: Duration,
) -> Result<HttpAnswer, NoAnswer> {
    let mut headers = request.headers.clone();
    if let Some(shown) = shown {
        let value = HeaderValue::from_str(&format!("{kind} {}", shown.reveal()));
        let mut value = value.map_err(|_| {
            NoAnswer::Fault(HttpsFault::new(HttpsFaultKind::Hook, "what is shown is no header"))
        })?;
        value.set_sensitive(true);
        headers.push((AUTHORIZATION, value));
    }
    let call = HttpCall {
        method: request.method.clone(),
        headers,
        body: Some(request.body.clone()),
        cut_answer: CutAnswer::Beginning,
        repeatable: request.repeatable,
        ..HttpCall::get(&request.url, limit, request.largest)
    };
    client.call(call).await.map_err(NoAnswer::Call)
}

impl From<TokenFault> for HttpsFault {
    fn from(fault: TokenFault) -> HttpsFault {
        let kind = match fault.is_temporary {
            true => HttpsFaultKind::Unavailable,
            false => HttpsFaultKind::Login,
        };
        HttpsFault { retry_after: fault.retry_after, ..HttpsFault::new(kind, fault.cause) }
    }
}

impl NoAnswer {
    fn cause(self) -> String {
        match self {
            NoAnswer::Call(error) => error.to_string(),
            NoAnswer::Fault(fault) => fault.cause,
        }
    }

    fn fault(self) -> HttpsFault {
        let error = match self {
            NoAnswer::Fault(fault) => return fault,
            NoAnswer::Call(error) => error,
        };
        let kind = match &error {
            CallError::Refused(_) => HttpsFaultKind::Refused,
            CallError::Tls(_) | CallError::Unwelcome(_) => HttpsFaultKind::Tls,
            _ => HttpsFaultKind::Unavailable,
        };
        HttpsFault::new(kind, format!("the server: {error}"))
    }
}

impl fmt::Debug for HttpsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpsClient")
    }
}
