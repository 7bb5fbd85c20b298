//! The door for what the DICO network says later of an invoice that it took: a receipt, a
//! rejection, a payment. It is let in by the key that its hook and the network share, before any of
//! it is read, and is on the disk before it is answered with 200. What is assumed of the wire is in
//! [`quoin_access_point::dico::assumed`].

use aws_lc_rs::digest::{SHA256, digest};
use axum::Json;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use quoin_delivery::hook::ActionKind;
use quoin_formats::ubl::write::{InvoiceResponseCode, STATUSES};
use quoin_model::text::quoted;
use quoin_store::Hook;
use uuid::Uuid;

use super::Api;
#[cfg(test)]
use super::bodies::AnyXml;
use super::network_call::NetworkCall;
use super::network_status::{
    NetworkInvoice, NetworkMessage, NetworkRecord, answer_invoice, invoice_of,
};
use super::platform_inbound::{PlatformAnswer, no};
#[cfg(test)]
use crate::http::refusals::OfNetwork;
use crate::http::{Problem, codes};
use quoin_access_point::dico::{assumed, believed};
use quoin_access_point::partner::PartnerReceipt;

/// The longest id that the network gives its word, in bytes.
const LONGEST_ID: usize = 250;
/// Letters of a reason that are kept.
const REASON: usize = 2_000;

/// A later word of the DICO network
///
/// For the hook `dico://` with this id: what became of an invoice that was sent there, in JSON or
/// XML. `messageId` is the id under which the invoice was sent, `status` what became of it,
/// `reason` why, and `id` that of the word, by which a repeat is known. It is let in by the key of
/// the hook, in the header that its action names, and answers the invoice.
#[cfg_attr(test, utoipa::path(
    post, path = "/networks/{organisation}/{hookId}/statuses", tag = "channel",
    params(
        ("organisation" = String, Path, description = "The id of the organisation.",
            example = "5f0e4f6e-6a57-4b6a-9a52-6a3a8f0c9d11"),
        ("hookId" = String, Path, description = "The id of the hook.", example = "dico"),
        ("Authorization" = Option<String>, Header, description = "`Bearer` and the key of the hook, \
            where its action names no other header.", example = "Bearer secret"),
    ),
    request_body(content = AnyXml, content_type = "application/xml"),
    responses(
        (status = 200, description = "It is kept, and on the disk.", body = PlatformAnswer),
        (status = 400, description = "The id of the message or its state is missing or unknown.",
            body = PlatformAnswer),
        (status = 401, description = "The key is not that of the hook.", body = PlatformAnswer),
        (status = 404, description = "No invoice was sent under this id.", body = PlatformAnswer),
        (status = 409, description = "Another word has this id.", body = PlatformAnswer),
        OfNetwork,
    )
))]
pub(crate) async fn take(
    State(api): State<Api>,
    Path((organisation, hook)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let NetworkCall { hooks, brake, headers, body } =
        NetworkCall::at(&api, (&organisation, &hook), &[ActionKind::Dico], request).await?;
    let shown = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim().to_owned());
    let Some(hook) = brake.judged(believed(hooks, shown))? else {
        return Ok(no(StatusCode::UNAUTHORIZED, "the key is not that of the hook"));
    };
    let content = body.read_of(&api, &hook.organisation).await?;
    let bytes = content.clone();
    // What cannot be read says nothing, and the state is missing.
    let look = move || PartnerReceipt::read(&bytes, None, &assumed::LATER).unwrap_or_default();
    let said = api.settings.judges.run(hook.organisation.as_str(), look).await?;
    let Some(state) = assumed::state(&said) else {
        let found = said.status.as_deref().unwrap_or_default();
        let why = format!(
            "status is {found}; expected one of {}",
            assumed::states(),
            found = quoted(found, 40)
        );
        return Ok(no(StatusCode::BAD_REQUEST, &why));
    };
    let Some(about) = said.about.as_deref() else {
        return Ok(no(StatusCode::BAD_REQUEST, "messageId is missing: that of our message"));
    };
    let state = InvoiceResponseCode::named(STATUSES, state);
    let found = match sent_under(&api, &hook, about).await? {
        NetworkInvoice::Taken(found) => Some(*found),
        NetworkInvoice::OnItsWay => {
            let why = format!("{about:.100} is on its way still; say it again in a moment");
            return Err(Problem::new(&codes::UNAVAILABLE, why).header(RETRY_AFTER, "5"));
        }
        NetworkInvoice::Unknown => None,
    };
    let (Some(found), Some(state)) = (found, state) else {
        let why = format!("no invoice of ours was sent as the message {about:.100}");
        return Ok(no(StatusCode::NOT_FOUND, &why));
    };
    let id = match said.id.as_deref().filter(|id| id.len() <= LONGEST_ID) {
        Some(id) => id.to_owned(),
        None => digest_of(&content),
    };
    let message = NetworkMessage {
        hook: &hook,
        network: "dico",
        from: found.transaction.receiver.clone().unwrap_or_default(),
        id: &id,
        made_on: None,
    };
    let reason = said.reason.unwrap_or_default().chars().take(REASON).collect::<String>();
    let recorded = answer_invoice(&api, &message, found, (state, &reason)).await?;
    tracing::info!(%organisation, hook = %hook.id, id, "a word of the DICO network is heard");
    Ok(answered(recorded))
}

/// What became of the invoice that was sent under the id of a message.
async fn sent_under(api: &Api, hook: &Hook, message: &str) -> Result<NetworkInvoice, Problem> {
    let own = message.trim().trim_matches(['<', '>']).split('@').next().unwrap_or_default();
    let Ok(own) = own.parse::<Uuid>() else { return Ok(NetworkInvoice::Unknown) };
    Ok(invoice_of(api.store.sent_as(own).await?, hook))
}

/// The id of a word that has none: the same for the same word.
fn digest_of(content: &Bytes) -> String {
    HEXLOWER.encode(digest(&SHA256, content).as_ref())
}

fn answered(recorded: NetworkRecord) -> Response {
    match recorded {
        NetworkRecord::Another(_) => no(
            StatusCode::CONFLICT,
            "another word was received under this id; this one is not kept",
        ),
        NetworkRecord::Kept(id) => accepted(Some(id)),
        NetworkRecord::Repeat(id) => accepted(id),
    }
}

fn accepted(id: Option<String>) -> Response {
    Json(PlatformAnswer { id, status: "accepted", reason: None }).into_response()
}
