//! Recognition: the e-invoice in a file is found and goes on as if it had been uploaded itself.
//! Hybrid PDF (Factur-X, ZUGFeRD), ZIP, signed containers and multipart bodies are opened. A
//! picture of an invoice holds no e-invoice: it is refused, never guessed at.

use axum::extract::{Path, Request, State};
use axum::response::Response;
use bytes::Bytes;
use quoin_formats::unwrap;
use quoin_formats::unwrap::UnwrapLimits;
use quoin_store::SubmitOptions;
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{
    Called, Channelled, DocumentBody, OfParty, OfSender, Queried, Recognized, Recorded,
};
use crate::http::{Caller, Problem, codes};

use super::Api;
#[cfg(test)]
use super::bodies::{Container, InvoiceXml};
use super::generic::CONTAINERS;
use super::import::import_document;
#[cfg(test)]
use super::paths::{DocumentHeader, HookIdText, PartyId, PartyPath};
use super::rights::{Right, party, speaker};
use super::upload::{NewUpload, SALES_INVOICE, body, channel, document_id, participant};
#[cfg(test)]
use super::upload::{UploadForm, Uploaded};

/// How an invoice goes on.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct RecognizeQuery {
    /// The hook whose channel is used for a sales invoice, instead of the one that would be chosen.
    #[cfg_attr(test, param(value_type = Option<HookIdText>, example = "peppol"))]
    channel: Option<String>,
    /// The receiver of a sales invoice, `scheme:identifier`: a hybrid file often names none.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    receiver_id: Option<String>,
}

impl RecognizeQuery {
    /// The channel that is forced, and what is asked beside the document.
    fn read(self) -> Result<(Option<String>, SubmitOptions), Problem> {
        let channel = self.channel.as_deref().map(channel).transpose()?;
        let receiver = self.receiver_id.map(|id| participant("receiverId", &id)).transpose()?;
        Ok((channel, SubmitOptions { receiver, ..SubmitOptions::default() }))
    }
}

/// The one invoice in a file.
///
/// # Errors
/// API400.NoInvoice, and what the pool of threads says.
pub(super) async fn invoice(api: &Api, caller: &Caller, file: Bytes) -> Result<Bytes, Problem> {
    let most = usize::try_from(api.settings.body.bytes).unwrap_or(usize::MAX);
    let found = api.settings.judges.run(&caller.organisation, move || {
        unwrap(&file, &UnwrapLimits::default()).sole_invoice(most)
    });
    let found = found.await?;
    found.map(Bytes::from).map_err(|reason| Problem::new(&codes::NO_INVOICE, reason.to_string()))
}

/// Sends the e-invoice in a file, such as the XML in a Factur-X or ZUGFeRD PDF. What is around it
/// does not travel.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/salesInvoice/recognize", tag = "salesInvoice",
    params(
        PartyPath,
        RecognizeQuery,
        DocumentHeader,
    ),
    request_body(content((Container = "application/pdf"), (Container = "application/octet-stream"),
        (Container = "application/zip"), (InvoiceXml = "application/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "The invoice is stored; delivery follows.", body = Uploaded),
        Called,
        OfSender,
        Queried,
        Channelled,
        DocumentBody,
        Recorded,
        Recognized,
    ),
    security(("token" = []))
))]
pub(crate) async fn sales(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<RecognizeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = speaker(&api, &caller, &party_id, Right::Send).await?;
    let document_id = document_id(request.headers(), &api.settings.header_prefix)?;
    let (channel, wishes) = query.read()?;
    let body = body(&api, request, CONTAINERS).await?;
    let content = invoice(&api, &caller, body.content).await?.into();
    let wishes = SubmitOptions { meta_attributes: body.meta_attributes, ..wishes };
    let family = SALES_INVOICE.family;
    let parcel = NewUpload { party, document_id, family, wishes, channel, answer: None, content };
    SALES_INVOICE.record(&api, parcel).await
}

/// Hands in the e-invoice in a file, as one that came by mail does: it is looked at, announced to
/// the hooks of the party and kept for download like one of the network.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/{partyId}/purchaseInvoice/recognize", tag = "purchaseInvoice",
    params(
        PartyPath,
        RecognizeQuery,
        DocumentHeader,
    ),
    request_body(content((Container = "application/pdf"), (Container = "application/octet-stream"),
        (Container = "application/zip"), (InvoiceXml = "application/xml"),
        (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "The invoice is stored.", body = Uploaded),
        Called,
        OfParty,
        Queried,
        Channelled,
        DocumentBody,
        Recorded,
        Recognized,
    ),
    security(("token" = []))
))]
pub(crate) async fn purchase(
    State(api): State<Api>,
    caller: Caller,
    Path(party_id): Path<String>,
    Query(query): Query<RecognizeQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let party = party(&api, &caller, &party_id, Right::Receive).await?;
    let id = document_id(request.headers(), &api.settings.header_prefix)?;
    // What arrives takes no channel and names its receiver in the path; what cannot be one is
    // refused all the same.
    query.read()?;
    let content = invoice(&api, &caller, body(&api, request, CONTAINERS).await?.content).await?;
    import_document(&api, party, id, content).await
}
