//! The upload of a sales invoice: recorded in one commit, answered once it is on the disk
//! (interface specification 4.1). What is in it is looked at by the worker.

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::ids::{as4_message_id, sbdh_instance_id};
use quoin_delivery::{DocumentId, Family, HookId};
use quoin_formats::convert::LossPolicy;
use quoin_model::text::quoted;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{
    NewAnswer, NewOutgoing, PartyRecord, StoredBlob, SubmitOptions, Submitted, TransactionFacts,
};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::headers::{DOCUMENT_ID, PREFIX, foreign_document_id, own};
use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, Channelled, DocumentBody, Identified, OfSender, Recognized, Recorded,
};
use crate::http::{Caller, Problem, codes};

mod form;
mod hybrid;
mod taken;

#[cfg(test)]
pub(super) use form::UploadForm;
use form::recorded;
pub(super) use form::{UploadContent, body, content, media_type};
pub(super) use hybrid::opened;
use taken::{AskedBeside, answers};
pub(super) use taken::{asked_on, is_taken, taken};

use super::Api;
#[cfg(test)]
use super::bodies::{Container, InvoiceJson, InvoiceXml};
use super::channels::{Which, channels};
use super::enveloped;
#[cfg(test)]
use super::paths::{AllowedLosses, DocumentHeader, HookIdText, PartyId, PartyPath};
use super::refused;
use super::rights::{Right, Speaker, speaker};

/// Bytes of what may be lost, at most.
const LOSSES_BYTES: usize = 4 * 1024;

/// The answer to an upload.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Uploaded {
    /// The document id: the caller's own, or a new one.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub id: String,
    /// How many steps of other documents come before it, where it has to wait; 10000 stands for at
    /// least as many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 120))]
    pub ahead: Option<u64>,
    /// When it is expected to be sent, where it has to wait and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub expected_on: Option<Timestamp>,
}

impl Uploaded {
    /// The answer about one that does not wait.
    pub(super) fn now(id: String) -> Uploaded {
        Uploaded { id, ahead: None, expected_on: None }
    }
}

/// How to send.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct SendQuery {
    /// The hook whose channel is used, instead of the one that would be chosen.
    #[cfg_attr(test, param(value_type = Option<HookIdText>, example = "peppol"))]
    pub(super) channel: Option<String>,
    /// The receiver, `scheme:identifier`, instead of the one that the document names. It is
    /// written into the document.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    pub(super) receiver_id: Option<String>,
    /// What a conversion may lose, beside what the operator allows: business terms and paths in the
    /// document, between commas; `*` is everything.
    #[cfg_attr(test, param(value_type = Option<AllowedLosses>))]
    pub(super) allow_losses: Option<String>,
    /// What the collaboration platform is to do with the document, where it goes there: `peppol`
    /// has it sent over Peppol.
    #[cfg_attr(test, param(example = "peppol", pattern = "^[A-Za-z0-9-]{1,64}$"))]
    pub(super) send_instruction: Option<String>,
}

/// Sends a sales invoice. Answers once it is stored durably; delivery follows.
///
/// An invoice in a StandardBusinessDocument of the caller's own is sent as it is, with its own
/// identifiers. Of a hybrid PDF (Factur-X, ZUGFeRD) the invoice in it is sent. One in another
/// format than its receiver takes, the JSON form of EN 16931 and the formats of countries among
/// them, is converted to what the receiver's SMP offers.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/send", tag = "salesInvoice",
    params(
        PartyPath,
        SendQuery,
        DocumentHeader,
    ),
    request_body(content((InvoiceXml = "application/xml"), (InvoiceXml = "text/xml"),
        (InvoiceJson = "application/json"), (Container = "application/pdf"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        Called,
        OfSender,
        Identified,
        Channelled,
        DocumentBody,
        Recorded,
        Recognized,
    ),
    security(("token" = []))
))]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<SendQuery>,
    request: Request,
) -> Result<Response, Problem> {
    SALES_INVOICE.take(&api, &caller, &party_id, query, request).await
}

/// A kind of upload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Upload<'a> {
    /// The part of the path under which its documents are.
    pub resource: &'a str,
    /// What its documents are.
    pub family: Family,
}

/// A sales invoice.
pub(super) const SALES_INVOICE: Upload<'static> =
    Upload { resource: "salesInvoice", family: Family::Invoice };

/// A document that is to be recorded.
pub(super) struct NewUpload {
    /// For whom.
    pub party: Speaker,
    /// Under which id.
    pub document_id: DocumentId,
    /// What it is.
    pub family: Family,
    /// What is asked beside it.
    pub wishes: SubmitOptions,
    /// The channel that is forced.
    pub channel: Option<String>,
    /// What it answers, and when that was asked for.
    pub answer: Option<(NewAnswer, Timestamp)>,
    /// The document.
    pub content: UploadContent,
}

/// Whether a send instruction is one that can be handed on.
pub(super) fn instruction(asked: &str) -> Result<&str, Problem> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !(1..=64).contains(&asked.len()) || !asked.bytes().all(fits) {
        let detail = format!(
            "sendInstruction is {asked}; expected 1 to 64 letters, digits and hyphens, as in peppol",
            asked = quoted(asked, 80)
        );
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    Ok(asked)
}

/// What is kept beside a document, with the send instruction in it.
pub(super) fn instructed(asked: &str, attributes: Option<String>) -> Result<String, Problem> {
    let asked = instruction(asked)?;
    let read = attributes.as_deref().map(serde_json::from_str).transpose();
    let mut all: std::collections::BTreeMap<String, String> =
        read.map_err(Problem::fault)?.unwrap_or_default();
    all.insert("sendInstruction".to_owned(), asked.to_owned());
    serde_json::to_string(&all).map_err(Problem::fault)
}

impl Upload<'_> {
    /// Takes the document in a request.
    pub(super) async fn take(
        self,
        api: &Api,
        caller: &Caller,
        party_id: &str,
        query: SendQuery,
        request: Request,
    ) -> Result<Response, Problem> {
        let party = speaker(api, caller, party_id, Right::Send).await?;
        let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
        let channel = query.channel.map(|id| channel(&id)).transpose()?;
        let receiver = query.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
        let allowed_losses = query.allow_losses.map(allowed_losses).transpose()?;
        refused::room(&api.settings.disk)?;
        let owner = &party.organisation;
        let kind = media_type(request.headers());
        let (mut content, attributes) = recorded(api, owner, request, self.media_types()).await?;
        if self.family == Family::Invoice
            && let UploadContent::Held(file) = content
        {
            content = opened(api, caller, &kind, file).await?.into();
        }
        let meta_attributes = match query.send_instruction {
            Some(asked) => Some(instructed(&asked, attributes)?),
            None => attributes,
        };
        let wishes =
            SubmitOptions { receiver, meta_attributes, allowed_losses, ..SubmitOptions::default() };
        let family = self.family;
        let parcel =
            NewUpload { party, document_id, family, wishes, channel, answer: None, content };
        self.record(api, parcel).await
    }

    /// What may be uploaded besides XML: an invoice may be in the JSON form of EN 16931, or in a
    /// hybrid PDF.
    pub(super) fn media_types(self) -> &'static [&'static str] {
        if self.family == Family::Invoice { &[form::JSON, form::PDF] } else { &[] }
    }

    /// Records a document and tells its id. A channel that is forced has to be there.
    pub(super) async fn record(self, api: &Api, parcel: NewUpload) -> Result<Response, Problem> {
        if let Some(forced) = &parcel.channel {
            let PartyRecord { organisation, id, .. } = &*parcel.party;
            let which = Which::Forced(forced);
            if let Err(problem) = channels(api, organisation, id, parcel.family, which).await
                // A repeat is told as one, whatever became of its channel meanwhile.
                && !is_taken(api, &parcel.party, &parcel.document_id).await?
            {
                return Err(problem);
            }
        }
        refused::room(&api.settings.disk)?;
        let package = super::usage::check_room(api, &parcel).await?;
        let most = package.as_ref().and_then(|package| package.documents);
        let (document_id, party) = (parcel.document_id.clone(), parcel.party.clone());
        let place = format!(
            "{}/api/v1/{}/{}/{document_id}/status",
            api.settings.public_url,
            party.main(),
            self.resource
        );
        let (beside, wishes) = (AskedBeside::of(&parcel), parcel.wishes.clone());
        let answer = parcel.answer.clone().map(|(answer, _)| answer);
        let subject = answer.as_ref().map(|answer| answer.subject.clone());
        let own = enveloped::instance(api, &parcel).await?;
        let (new, stored) = outgoing(api, parcel, own)?;
        let submitted = match stored {
            Some(stored) => api.store.submit_stored(new, stored, wishes, answer, most).await,
            None => api.store.submit_with(new, wishes, answer, most).await,
        };
        match submitted.map_err(|error| super::usage::refused(api, package.as_ref(), error))? {
            Submitted::EnvelopeTaken { existing, same_content } => {
                Err(enveloped::taken(api, &party, &existing, same_content).await?)
            }
            Submitted::Accepted { transaction, is_in_hand } => {
                let waits = match is_in_hand {
                    true => None,
                    false => api.store.outlook(&transaction, api.clock.now()).await?,
                };
                let waits = waits.filter(|outlook| outlook.ahead > 0);
                let place: Option<HeaderValue> = place.parse().ok();
                let location: HeaderMap =
                    place.map(|place| (LOCATION, place)).into_iter().collect();
                let body = Json(Uploaded {
                    id: document_id.as_str().to_owned(),
                    ahead: waits.map(|outlook| outlook.ahead),
                    expected_on: waits.and_then(|outlook| outlook.expected_on),
                });
                Ok((location, body).into_response())
            }
            Submitted::Duplicate { existing, same_content } => {
                let own = answers(api, subject, &existing).await?.then_some(self.resource);
                let found = (same_content, Some(&beside));
                Err(taken(api, (&*party, &document_id, own), &existing, found).await?)
            }
        }
    }
}

/// A parcel as it is recorded, with its document where that is in the store already; `own` is the
/// identifier of the envelope that its caller made.
fn outgoing(
    api: &Api,
    parcel: NewUpload,
    own: Option<String>,
) -> Result<(NewOutgoing, Option<StoredBlob>), Problem> {
    let organisation = parcel.party.organisation.clone();
    let (domain, document_id) = (&api.settings.as4_domain, parcel.document_id);
    let message_id = as4_message_id(&organisation, &document_id, domain).map_err(Problem::fault)?;
    let SubmitOptions { sender, receiver, .. } = parcel.wishes;
    let (content, stored) = match parcel.content {
        UploadContent::Held(content) => (content, None),
        UploadContent::Stored(stored) => (Bytes::new(), Some(stored.blob)),
    };
    let new = NewOutgoing {
        is_own_envelope: own.is_some(),
        instance_id: own.unwrap_or_else(|| sbdh_instance_id(&organisation, &document_id)),
        organisation,
        party: parcel.party.id.clone(),
        document_id,
        family: parcel.family,
        facts: TransactionFacts { sender, receiver, ..TransactionFacts::default() },
        channel: parcel.channel,
        message_id,
        content,
        now: parcel.answer.map_or_else(|| api.clock.now(), |(_, asked_on)| asked_on),
    };
    Ok((new, stored))
}

/// The id that the caller gave, or a new one.
pub(super) fn document_id(headers: &HeaderMap, prefix: &str) -> Result<DocumentId, Problem> {
    let bad = |detail: String| Problem::new(&codes::BAD_DOCUMENT_ID, detail);
    if let Some(name) = foreign_document_id(headers, prefix) {
        let also =
            if prefix.eq_ignore_ascii_case(PREFIX) { "" } else { " or X-Service-DocumentId" };
        return Err(bad(format!(
            "the header {name:.100} is not read here, and a repeat would be a second document: the \
             id goes into {prefix}{DOCUMENT_ID}{also} (setting api.header_prefix)"
        )));
    }
    match own(headers, prefix, DOCUMENT_ID)[..] {
        [] => Ok(DocumentId::from_uuid(Uuid::now_v7())),
        [(ref name, value)] => {
            let text = value.to_str();
            let text = text.map_err(|_| bad(format!("the header {name} is not ASCII")))?;
            let id: DocumentId =
                text.parse().map_err(|error| bad(format!("in the header {name}, {error}")))?;
            // Who sends it forgot to fill it in, and each later document would count as a repeat.
            if id.is_nil() {
                return Err(bad(format!(
                    "the header {name} is the UUID of zeros, which names no document: give each \
                     document an id of its own, or leave the header out"
                )));
            }
            Ok(id)
        }
        [(ref name, _), (ref other, _), ..] if name == other => {
            Err(bad(format!("the header {name} is given twice")))
        }
        [(ref name, _), (ref other, _), ..] => {
            Err(bad(format!("the document id is given twice, in {name} and in {other}")))
        }
    }
}

/// A channel that a caller forces: the id of a hook.
pub(super) fn channel(id: &str) -> Result<String, Problem> {
    let id: HookId = id.parse().map_err(|error| {
        Problem::new(&codes::BAD_QUERY, format!("channel names no hook: {error}"))
    })?;
    Ok(id.as_str().to_owned())
}

/// What a caller allows to be lost, as it is recorded.
pub(super) fn allowed_losses(text: String) -> Result<String, Problem> {
    if text.len() > LOSSES_BYTES {
        let detail = format!("allowLosses has more than {LOSSES_BYTES} bytes");
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    match text.split(',').find(|one| !LossPolicy::is_allowance(one)) {
        None => Ok(text),
        Some(wrong) => {
            let detail = format!(
                "allowLosses: {wrong} is no business term (BT-19), no path in the document \
                 (/Invoice/cbc:UUID) and not *; several stand between commas",
                wrong = quoted(wrong, 80)
            );
            Err(Problem::new(&codes::BAD_QUERY, detail))
        }
    }
}

/// A participant in a query, in its canonical form.
pub(super) fn participant(name: &str, id: &str) -> Result<String, Problem> {
    let id: ParticipantId = id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_PARTY_ID, format!("{name}: {error}")))?;
    Ok(id.as_str().to_owned())
}
