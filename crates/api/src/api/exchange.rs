//! Documents of any kind: `generic/send`, `generic/receive`, lists and downloads, for every
//! document type of the network (conventions A2).

mod way;
mod wishes;

use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use quoin_store::TransactionRecord;
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, Channelled, Converted, DocumentBody, Identified, Kept, OfDocument, OfParty, OfSender,
    Paged, Recorded, Shown, Topical,
};
use crate::http::{Caller, Problem, codes};

#[cfg(test)]
use super::bodies::{AnyXml, Container, InvoiceJson, PageHtml, PagePdf};
use super::documents::DownloadQuery;
use super::documents::{ANY_RECEIVED, ANY_SENT, DocumentListQuery, DocumentPage, Side, StatusLine};
use super::import::{self, look};
#[cfg(test)]
use super::paths::{
    AllowedLosses, DocumentHeader, DocumentPath, HookIdText, PartyId, PartyPath, SourceFormatText,
    TargetFormatText,
};
use super::rights::{Right, party, speaker};
use super::upload::{NewUpload, Upload, body, channel, document_id, instructed};
#[cfg(test)]
use super::upload::{UploadForm, Uploaded};
use super::{Api, bool_param};

use way::WayQuery;
#[cfg(test)]
pub(crate) use way::{DirectionName, FamilyName};
use wishes::{another, check_query, target, wishes};

/// What may be sent besides XML, where the document type allows it.
const FILES: &[&str] = &[
    "application/json",
    "application/pdf",
    "application/edifact",
    "application/edi-x12",
    "application/octet-stream",
];

/// How to send or hand in a document of any kind.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ExchangeQuery {
    /// Who sends, `scheme:identifier`, where the document does not say.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    sender_id: Option<String>,
    /// Who receives, `scheme:identifier`, whatever the document says.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    receiver_id: Option<String>,
    /// The hook whose channel is used, instead of the one that would be chosen.
    #[cfg_attr(test, param(value_type = Option<HookIdText>, example = "peppol"))]
    channel: Option<String>,
    /// The document type, `scheme::value`, where the document alone does not tell it; or the
    /// customization that the document must have.
    #[cfg_attr(test, param(value_type = Option<SourceFormatText>))]
    source_format: Option<String>,
    /// The document type to send it as, or its customization: an invoice is converted to it where
    /// its receiver takes it. What is handed in keeps its own.
    #[cfg_attr(test, param(value_type = Option<TargetFormatText>))]
    target_format: Option<String>,
    /// What a conversion may lose, beside what the operator allows: business terms and paths in the
    /// document, between commas; `*` is everything.
    #[cfg_attr(test, param(value_type = Option<AllowedLosses>))]
    allow_losses: Option<String>,
    /// What the collaboration platform is to do with the document, where it goes there: `peppol`
    /// has it sent over Peppol.
    #[cfg_attr(test, param(example = "peppol", pattern = "^[A-Za-z0-9-]{1,64}$"))]
    send_instruction: Option<String>,
    /// The process, `scheme::value`, where the document alone does not tell it.
    #[cfg_attr(
        test,
        param(
            example = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
            pattern = "^[!-~]+$"
        )
    )]
    process_id: Option<String>,
    /// The topic under which it is told, `SendInvoice` or `InvoiceReceived`: checked against the
    /// kind of the document.
    #[cfg_attr(test, param(example = "SendInvoice"))]
    topic: Option<String>,
    /// Taken for the sake of clients that send it: there are no plug-ins to disable.
    #[serde(default, rename = "disablePlugins", deserialize_with = "bool_param::optional")]
    _disable_plugins: Option<bool>,
}

/// Sends a document of any type of the network. Answers once it is stored durably.
///
/// A StandardBusinessDocument is sent as it is, with its own identifiers; everything else is put
/// into an envelope. A file that is no XML (hybrid PDF, EDIFACT, X12) is sent where `sourceFormat`
/// names a type of such files.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/generic/send", tag = "generic",
    params(
        PartyPath,
        ExchangeQuery,
        DocumentHeader,
    ),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (Container = "application/pdf"), (Container = "application/edifact"),
        (Container = "application/edi-x12"), (Container = "application/octet-stream"),
        (InvoiceJson = "application/json"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        Called,
        OfSender,
        Identified,
        Converted,
        Topical,
        Channelled,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn send(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ExchangeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = speaker(&api, &caller, &party_id, Right::Send).await?;
    let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let channel = query.channel.as_deref().map(channel).transpose()?;
    let mut wishes = wishes(&query)?;
    let body = body(&api, request, FILES).await?;
    wishes.meta_attributes = match &query.send_instruction {
        Some(asked) => Some(instructed(asked, body.meta_attributes)?),
        None => body.meta_attributes,
    };
    let seen = look(&api, &caller.organisation, body.content.clone(), &wishes).await?;
    check_query(&query, &seen)?;
    wishes.target_format = target(&api, &query, &seen)?;
    let (family, content) = (seen.family, body.content.into());
    let parcel = NewUpload { party, document_id, family, wishes, channel, answer: None, content };
    Upload { resource: "generic", family }.record(&api, parcel).await
}

/// Hands in a document as if it had arrived: it is looked at, announced to the hooks of the party
/// and kept for download like one of the network.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/generic/receive", tag = "generic",
    params(
        PartyPath,
        ExchangeQuery,
        DocumentHeader,
    ),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "Stored.", body = Uploaded),
        Called,
        OfParty,
        Identified,
        Converted,
        Topical,
        DocumentBody,
        Recorded,
    ),
    security(("token" = []))
))]
pub(crate) async fn receive(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<ExchangeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Receive).await?;
    let id = document_id(request.headers(), &api.settings.header_prefix)?;
    let wishes = wishes(&query)?;
    let content = body(&api, request, &[]).await?.content;
    let seen = look(&api, &caller.organisation, content.clone(), &wishes).await?;
    check_query(&query, &seen)?;
    if let Some(format) = another(&query, &seen) {
        let detail =
            format!("targetFormat is {format:.500}; a document that is handed in keeps its own");
        return Err(Problem::new(&codes::CONVERSION, detail));
    }
    import::record(&api, party, id, wishes, (seen, content)).await
}

/// Lists documents of any kind of a party, going one way.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/generic", tag = "generic",
    params(PartyPath, WayQuery, DocumentListQuery),
    responses(
        (status = 200, description = "A page, oldest first.", body = DocumentPage),
        Called,
        OfParty,
        Paged,
    ),
    security(("token" = []))
))]
pub(crate) async fn list(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    axum::extract::RawQuery(raw): axum::extract::RawQuery,
) -> Result<Json<DocumentPage>, Problem> {
    let raw = raw.unwrap_or_default();
    let (Query(query), own) =
        Query::<DocumentListQuery>::read_beside(&raw, &[way::DIRECTION, way::FAMILY])?;
    let value =
        |name: &str| own.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone());
    let way = WayQuery { direction: value(way::DIRECTION), family: value(way::FAMILY) };
    way.side()?.list(&api, &caller, &party_id, query).await
}

/// Tells what happened to a document of any kind, oldest first.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/status", tag = "generic",
    params(DocumentPath),
    responses(
        (
            status = 200,
            description = "The steps so far, oldest first.",
            body = [StatusLine],
            headers(
                ("X-Service-Status" = String, description = "The current status."),
                ("X-Service-Ahead" = u64, description = "Of a document that waits to be sent: how \
                    many steps of others come before it."),
                ("X-Service-Expected" = String, description = "When its next step is expected, \
                    RFC 3339, where that is known.")
            )
        ),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn status(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
    either(&api, &caller, &path).await?.status(&api, &caller, path).await
}

/// Downloads a document of any kind: one that arrived, or one that was sent, as it was uploaded.
/// Where `Accept` asks for `text/html` or `application/pdf` first, it is shown as a page, in the
/// language of `Accept-Language`. A page does not count as downloaded.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/{partyId}/generic/{documentId}/download", tag = "generic",
    params(DocumentPath, DownloadQuery),
    responses(
        (
            status = 200,
            description = "The document, or its page.",
            content(
                (AnyXml = "application/xml"),
                (InvoiceJson = "application/json"),
                (PageHtml = "text/html"),
                (PagePdf = "application/pdf")
            )
        ),
        Called,
        OfParty,
        OfDocument,
        Kept,
        Converted,
        Shown,
    ),
    security(("token" = []))
))]
pub(crate) async fn download(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
    Query(query): Query<DownloadQuery>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let side = either(&api, &caller, &path).await?;
    let (_, found) = side.record(&api, &caller, path).await?;
    let target = query.target_document_type_id.as_deref();
    side.download(&api, &found, (&method, &headers), target).await
}

/// Deletes a document of any kind that arrived. The record of its passage stays.
#[cfg_attr(test, utoipa::path(
    delete, path = "/api/v1/{partyId}/generic/{documentId}", tag = "generic",
    params(DocumentPath),
    responses(
        (status = 204, description = "It is deleted."),
        Called,
        OfParty,
        OfDocument,
    ),
    security(("token" = []))
))]
pub(crate) async fn remove(
    State(api): State<Api>,
    caller: Caller,
    Path(path): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let removed = Side { right: Right::Remove, ..ANY_RECEIVED }.remove(&api, &caller, path.clone());
    let problem = match removed.await {
        Err(problem) if std::ptr::eq(problem.code, &codes::NO_DOCUMENT) => problem,
        done => return done,
    };
    match ANY_SENT.record(&api, &caller, path).await {
        Ok((_, sent)) => Err(Problem::new(&codes::NO_DOCUMENT, not_deleted(&sent))),
        Err(_) => Err(problem),
    }
}

/// Why a document that was sent is not deleted here.
fn not_deleted(sent: &TransactionRecord) -> String {
    format!(
        "document {id} is one that was sent ({family}), and what was sent is not deleted over the \
         interface: the operator sets how long it is kept, with sent_days and failed_days of \
         [documents]",
        id = sent.transaction.document_id,
        family = sent.transaction.family.row().name
    )
}

/// The side on which a document is: what arrived first. A caller who may only do one of the two
/// gets the refusal of that one.
pub(super) async fn either(
    api: &Api,
    caller: &Caller,
    path: &(String, String),
) -> Result<Side, Problem> {
    let is = |problem: &Problem, code| std::ptr::eq(problem.code, code);
    let arrived = match ANY_RECEIVED.record(api, caller, path.clone()).await {
        Ok(_) => return Ok(ANY_RECEIVED),
        Err(problem) => problem,
    };
    let missing = &codes::NO_DOCUMENT;
    let forbids = |problem: &Problem| problem.code.status == 403;
    if !is(&arrived, missing) && !forbids(&arrived) {
        return Err(arrived);
    }
    match ANY_SENT.record(api, caller, path.clone()).await {
        Ok(_) => Ok(ANY_SENT),
        Err(sent) if forbids(&sent) && is(&arrived, missing) => Err(arrived),
        Err(sent) => Err(sent),
    }
}
