//! The calls of the system, each within its limit, and what their answers mean.

use bytes::Bytes;
use hyper::Method;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use quoin_ksef::api::{
    self, Availability, AvailabilityMessage, AvailabilityStatus, BatchOpened, BatchSessionRequest,
    CONTINUATION, ERROR_FORMAT, EncryptionInfo, ExportPart, ExportStarted, ExportStatus,
    InvoiceExportRequest, InvoiceMetadataPage, InvoiceQuery, KsefProblem, OnlineOpened,
    OnlineSessionRequest, PartUpload, PublicKeyCertificate, SendInvoiceRequest, SentInvoice,
    SessionInvoices, SessionStatus, read_problem, symmetric_key_certificate,
};
use quoin_ksef::limits::CallGroup;
use quoin_ksef::offline::{Interruption, interruptions};
use quoin_ksef::package::SessionKey;
use quoin_ksef::steps::Trouble;
use quoin_ksef::upo::UPO_BYTES;
use quoin_model::text::shortened;
use serde::{Deserialize, Serialize};

use super::{KsefAccount, KsefClient};
use crate::budget::in_place;
use crate::net::{CallError, HttpAnswer, HttpCall};
use crate::oauth::ShownLogin;

/// Invoices on a page of a list.
const PAGE: usize = 1_000;
/// Invoices on a page of a question for purchases, which is the most that there is.
const PURCHASE_PAGE: usize = 250;

/// One call.
pub(super) struct KsefCall<'a> {
    pub(super) method: Method,
    /// Behind the base, or a whole address.
    pub(super) path: &'a str,
    pub(super) bearer: Option<String>,
    pub(super) body: Option<(&'static str, Bytes)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) group: Option<CallGroup>,
    /// Whom it counts for.
    pub(super) who: &'a str,
    pub(super) largest: usize,
}

impl<'a> KsefCall<'a> {
    pub(super) fn new(
        method: Method,
        path: &'a str,
        group: CallGroup,
        account: &'a KsefAccount,
    ) -> KsefCall<'a> {
        KsefCall {
            method,
            path,
            bearer: None,
            body: None,
            headers: Vec::new(),
            group: Some(group),
            who: &account.nip,
            largest: api::ANSWER_BYTES,
        }
    }

    /// An address that lets in by itself: no token, no limit.
    fn of_link(method: Method, url: &'a str, largest: usize) -> KsefCall<'a> {
        KsefCall {
            method,
            path: url,
            bearer: None,
            body: None,
            headers: Vec::new(),
            group: None,
            who: "",
            largest,
        }
    }
}

/// The calls of a session of an account.
pub(crate) struct KsefSessionCalls<'a> {
    pub(crate) client: &'a KsefClient,
    pub(crate) account: &'a KsefAccount,
}

/// What an answer says that is shown to people: without the token, which it may repeat.
fn said(answer: &HttpAnswer) -> Vec<u8> {
    in_place(|| ShownLogin::default().hidden_in(answer, usize::MAX).into_bytes())
}

/// An answer in JSON with texts that are shown to people.
pub(super) fn told<T: for<'de> Deserialize<'de>>(answer: HttpAnswer) -> Result<T, Trouble> {
    let body = said(&answer).into();
    parsed(&HttpAnswer { body, ..answer })
}

/// An answer in JSON.
pub(super) fn parsed<T: for<'de> Deserialize<'de>>(answer: &HttpAnswer) -> Result<T, Trouble> {
    api::read(&answer.body).map_err(|error| {
        // It may repeat what is wrong, however long that is.
        let error = error.to_string();
        tracing::warn!(error = %shortened(&error), "an answer of KSeF cannot be read");
        Trouble::Unreadable
    })
}

impl KsefClient {
    /// Makes a call: the answer is one of 2xx.
    pub(super) async fn call(&self, call: KsefCall<'_>) -> Result<HttpAnswer, Trouble> {
        let counted = match call.group {
            Some(group) => Some(self.counted(call.who, group).await?),
            None => None,
        };
        let is_own = !call.path.starts_with("http");
        let url = match is_own {
            true => format!("{}{}", self.0.settings.base, call.path),
            false => call.path.to_owned(),
        };
        let mut headers = Vec::new();
        let text = |value: &str| HeaderValue::from_str(value).map_err(|_| Trouble::Unreadable);
        if is_own {
            let (name, value) = ERROR_FORMAT;
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Trouble::Unreadable)?;
            headers.push((name, text(value)?));
        }
        if let Some(token) = &call.bearer {
            let mut value = text(&format!("Bearer {token}"))?;
            value.set_sensitive(true);
            headers.push((AUTHORIZATION, value));
        }
        if let Some((kind, _)) = &call.body {
            headers.push((CONTENT_TYPE, text(kind)?));
        }
        for (name, value) in &call.headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Trouble::Unreadable)?;
            headers.push((name, text(value)?));
        }
        let group = call.group;
        let made = self.0.http.call(HttpCall {
            method: call.method,
            headers,
            body: call.body.map(|(_, body)| body),
            ..HttpCall::get(&url, self.0.settings.timeout, call.largest)
        });
        let answered = made.await;
        if let Some(counted) = &counted {
            self.answered(counted);
        }
        let answer = answered.map_err(|error| {
            tracing::debug!(%error, "KSeF did not answer");
            match error {
                // The system is there.
                CallError::TooLarge(_) if group == Some(CallGroup::InvoiceDownload) => {
                    Trouble::Unreadable
                }
                _ => Trouble::NoAnswer,
            }
        })?;
        match answer.status {
            200..=299 => Ok(answer),
            401 => Err(Trouble::Unauthorized),
            429 => {
                let after = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
                Err(Trouble::Limited(after.and_then(|seconds| seconds.trim().parse().ok())))
            }
            status @ 500.. => Err(Trouble::Server(status)),
            // What a store of files answers behind a link is a refusal in its own words.
            status if !is_own => Err(Trouble::Refused(status, KsefProblem::default())),
            status @ (408 | 425) => Err(Trouble::Gateway(status)),
            status => Err(match read_problem(&said(&answer)) {
                Some(problem) => Trouble::Refused(status, problem),
                None => Trouble::Gateway(status),
            }),
        }
    }

    /// Whether the system runs, as far as anybody says so.
    pub(crate) async fn availability(&self) -> Availability {
        let Some(base) = &self.0.settings.lighthouse else { return Availability::Available };
        let url = format!("{base}/status");
        let call = KsefCall::of_link(Method::GET, &url, api::ANSWER_BYTES);
        match self.call(call).await.and_then(|answer| parsed::<AvailabilityStatus>(&answer)) {
            Ok(told) => told.status,
            // The system itself will tell.
            Err(_) => Availability::Available,
        }
    }
}

impl KsefClient {
    /// What was announced, as far as anybody says so.
    pub(crate) async fn interruptions(&self) -> Vec<Interruption> {
        let Some(base) = &self.0.settings.lighthouse else { return Vec::new() };
        let url = format!("{base}/messages");
        let call = KsefCall::of_link(Method::GET, &url, api::ANSWER_BYTES);
        let told = self.call(call).await;
        match told.and_then(|answer| parsed::<Vec<AvailabilityMessage>>(&answer)) {
            Ok(told) => interruptions(&told, self.0.clock.now()),
            Err(trouble) => {
                tracing::warn!(?trouble, "what was announced of KSeF could not be read");
                Vec::new()
            }
        }
    }
}

impl KsefSessionCalls<'_> {
    async fn own(
        &self,
        method: Method,
        path: &str,
        group: CallGroup,
        more: impl FnOnce(&mut KsefCall<'_>),
    ) -> Result<HttpAnswer, Trouble> {
        let mut call = KsefCall::new(method, path, group, self.account);
        call.bearer = Some(self.client.access(self.account).await?);
        more(&mut call);
        let answered = self.client.call(call).await;
        if answered.as_ref().is_err_and(|trouble| *trouble == Trouble::Unauthorized) {
            self.client.forget_tokens(self.account);
        }
        answered
    }

    /// Whether the account is signed in, or can be.
    pub(crate) async fn signed_in(&self) -> Result<(), Trouble> {
        self.client.access(self.account).await.map(|_| ())
    }

    /// The public keys of the system.
    async fn public_keys(&self) -> Result<Vec<PublicKeyCertificate>, Trouble> {
        let path = "/security/public-key-certificates";
        let call = KsefCall::new(Method::GET, path, CallGroup::Public, self.account);
        parsed(&self.client.call(call).await?)
    }

    /// A key as the system takes it: for its public key alone.
    pub(crate) async fn wrapped_key(&self, key: &SessionKey) -> Result<EncryptionInfo, Trouble> {
        let keys = self.public_keys().await?;
        let now = self.client.0.clock.now();
        let certificate = symmetric_key_certificate(&keys, now).ok_or(Trouble::Unreadable)?;
        key.wrapped(certificate).map_err(|_| Trouble::Unreadable)
    }

    /// Opens a batch session.
    pub(crate) async fn open(&self, request: &BatchSessionRequest) -> Result<BatchOpened, Trouble> {
        parsed(&self.post("/sessions/batch", CallGroup::BatchSession, request).await?)
    }

    /// Puts a part where the system wants it.
    pub(crate) async fn put(&self, upload: &PartUpload, part: Bytes) -> Result<(), Trouble> {
        let mut call = KsefCall::of_link(Method::PUT, &upload.url, api::ANSWER_BYTES);
        call.body = Some(("application/octet-stream", part));
        let told = upload.headers.iter();
        call.headers =
            told.filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
        self.client.call(call).await.map(|_| ())
    }

    /// Closes a batch session.
    pub(crate) async fn close(&self, session: &str) -> Result<(), Trouble> {
        let path = format!("/sessions/batch/{session}/close");
        self.own(Method::POST, &path, CallGroup::BatchSession, |_| {}).await.map(|_| ())
    }

    /// Opens an online session.
    pub(crate) async fn open_online(
        &self,
        request: &OnlineSessionRequest,
    ) -> Result<OnlineOpened, Trouble> {
        let path = "/sessions/online";
        parsed(&self.post(path, CallGroup::OnlineSession, request).await?)
    }

    /// Sends an invoice in an online session.
    pub(crate) async fn send(
        &self,
        session: &str,
        request: &SendInvoiceRequest,
    ) -> Result<SentInvoice, Trouble> {
        let path = format!("/sessions/online/{session}/invoices");
        parsed(&self.post(&path, CallGroup::InvoiceSend, request).await?)
    }

    /// Closes an online session.
    pub(crate) async fn close_online(&self, session: &str) -> Result<(), Trouble> {
        let path = format!("/sessions/online/{session}/close");
        self.own(Method::POST, &path, CallGroup::OnlineSession, |_| {}).await.map(|_| ())
    }

    /// A page of what was stored for the party, in the order of storing.
    pub(crate) async fn purchases(
        &self,
        query: &InvoiceQuery,
        page: u32,
    ) -> Result<InvoiceMetadataPage, Trouble> {
        let path = format!(
            "/invoices/query/metadata?sortOrder=Asc&pageOffset={page}&pageSize={PURCHASE_PAGE}"
        );
        parsed(&self.post(&path, CallGroup::InvoiceMetadata, query).await?)
    }

    /// An invoice by its number.
    pub(crate) async fn invoice(&self, ksef_number: &str) -> Result<Bytes, Trouble> {
        let path = format!("/invoices/ksef/{ksef_number}");
        let answer = self.own(Method::GET, &path, CallGroup::InvoiceDownload, |_| {}).await?;
        Ok(answer.body)
    }

    /// Asks for a package of invoices.
    pub(crate) async fn export(
        &self,
        request: &InvoiceExportRequest,
    ) -> Result<ExportStarted, Trouble> {
        parsed(&self.post("/invoices/exports", CallGroup::InvoiceExport, request).await?)
    }

    /// How a package of invoices stands.
    pub(crate) async fn export_status(&self, reference: &str) -> Result<ExportStatus, Trouble> {
        let path = format!("/invoices/exports/{reference}");
        told(self.own(Method::GET, &path, CallGroup::InvoiceExportStatus, |_| {}).await?)
    }

    /// A part of a package behind its link; never more bytes than the system says it has.
    pub(crate) async fn export_part(&self, part: &ExportPart) -> Result<Bytes, Trouble> {
        let largest = usize::try_from(part.encrypted_part_size).unwrap_or(usize::MAX);
        let call = KsefCall::of_link(Method::GET, &part.url, largest);
        Ok(self.client.call(call).await?.body)
    }

    async fn post(
        &self,
        path: &str,
        group: CallGroup,
        body: &impl Serialize,
    ) -> Result<HttpAnswer, Trouble> {
        let body = serde_json::to_vec(body).map_err(|_| Trouble::Unreadable)?;
        self.own(Method::POST, path, group, |call| {
            call.body = Some(("application/json", body.into()));
        })
        .await
    }

    /// How a session stands.
    pub(crate) async fn status(&self, session: &str) -> Result<SessionStatus, Trouble> {
        let path = format!("/sessions/{session}");
        told(self.own(Method::GET, &path, CallGroup::SessionMisc, |_| {}).await?)
    }

    /// A page of the invoices of a session.
    pub(crate) async fn invoices(
        &self,
        session: &str,
        continuation: Option<&str>,
    ) -> Result<SessionInvoices, Trouble> {
        let path = format!("/sessions/{session}/invoices?pageSize={PAGE}");
        let answer = self.own(Method::GET, &path, CallGroup::SessionInvoiceList, |call| {
            let token = continuation.map(|token| (CONTINUATION.to_owned(), token.to_owned()));
            call.headers.extend(token);
        });
        told(answer.await?)
    }

    /// The receipt of an invoice behind its link.
    pub(crate) async fn upo_behind(&self, link: &str) -> Result<Bytes, Trouble> {
        let call = KsefCall::of_link(Method::GET, link, UPO_BYTES);
        Ok(self.client.call(call).await?.body)
    }

    /// The receipt of an invoice of a session by its number.
    pub(crate) async fn upo(&self, session: &str, ksef_number: &str) -> Result<Bytes, Trouble> {
        let path = format!("/sessions/{session}/invoices/ksef/{ksef_number}/upo");
        Ok(self.own(Method::GET, &path, CallGroup::SessionMisc, |_| {}).await?.body)
    }
}

#[cfg(test)]
mod tests;
