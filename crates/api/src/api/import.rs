//! Handing in: a document that did not come from the network is recorded as one that did, so that
//! it is looked at, announced and kept the same way.

use axum::Json;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_delivery::{DocumentId, Family};
use quoin_formats::Detection;
use quoin_formats::routing::Routing;
use quoin_identity::{Announced, Disagreement};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_store::{NewIncoming, PartyRecord, RecordOutcome, SubmitOptions, TransactionFacts};

use crate::http::{Problem, codes, members};
use quoin_access_point::plan::open;

use super::Api;
use super::upload::Uploaded;

/// Who is named as the access point of a document that was handed in here.
const HANDED_IN: &str = "generic/receive";

/// What a document is, as far as it is looked at before it is stored.
pub(super) struct InspectedImport {
    pub family: Family,
    pub routing: Routing,
    /// Its type on the network, or else the one that its words spell.
    pub document_type: Option<DocumentTypeId>,
    /// Its process, where it has a type.
    pub process: Option<ProcessId>,
    /// What was asked beside it and contradicts it.
    pub contradictions: Vec<Disagreement>,
}

/// Looks at a document beside the threads that serve requests.
pub(super) async fn look(
    api: &Api,
    organisation: &str,
    content: Bytes,
    wishes: &SubmitOptions,
) -> Result<InspectedImport, Problem> {
    let wishes = wishes.clone();
    let on = api.clock.now().to_zoned(TimeZone::UTC).date();
    let look = move || {
        let opened = open(&content, &wishes);
        let routing = opened.routing().unwrap_or_default();
        InspectedImport::of(routing, opened.detection(), &opened.announced(&wishes), on)
    };
    api.settings.judges.run(organisation, look).await
}

impl InspectedImport {
    fn of(
        routing: Routing,
        detection: &Detection,
        announced: &Announced,
        on: Date,
    ) -> InspectedImport {
        let identity = quoin_identity::decide(detection, announced, on);
        let (exchange, reasons) = match identity.exchange {
            Ok(exchange) => (Some(exchange), Vec::new()),
            Err(reasons) => (None, reasons),
        };
        let contradictions = reasons.into_iter().filter(Disagreement::is_contradiction).collect();
        let (own, process) = exchange.map(|own| (own.document_type, own.process)).unzip();
        let document_type = own.or(identity.spelled);
        let by_kind = || detection.kind.map_or(Family::Document, Family::of_kind);
        let family = document_type.as_ref().map_or_else(by_kind, Family::of);
        InspectedImport { family, routing, document_type, process, contradictions }
    }
}

/// Hands in a document of a party, whatever it is.
pub(super) async fn import_document(
    api: &Api,
    party: PartyRecord,
    id: DocumentId,
    content: Bytes,
) -> Result<Response, Problem> {
    let wishes = SubmitOptions::default();
    let seen = look(api, party.organisation.as_str(), content.clone(), &wishes).await?;
    record(api, party, id, wishes, (seen, content)).await
}

/// Records a document that was looked at.
pub(super) async fn record(
    api: &Api,
    party: PartyRecord,
    id: DocumentId,
    wishes: SubmitOptions,
    (seen, content): (InspectedImport, Bytes),
) -> Result<Response, Problem> {
    let sender = wishes.sender.or_else(|| id_of(seen.routing.sender.endpoint.as_ref()));
    let receiver = wishes.receiver.unwrap_or_else(|| party.main());
    let organisation = party.organisation.clone();
    let received = api
        .store
        .hand_in(NewIncoming {
            message_id: format!("{organisation}/{id}"),
            instance_id: format!("{organisation}/{id}"),
            organisation,
            party: party.id,
            document_id: id.clone(),
            family: seen.family,
            facts: TransactionFacts {
                sender: sender.clone(),
                receiver: Some(receiver),
                source_document_type: seen.document_type.map(|id| id.to_string()),
                process: wishes.process.or_else(|| seen.process.map(|id| id.to_string())),
                country_c1: seen.routing.sender.country,
                ..TransactionFacts::default()
            },
            envelope_sender: sender.unwrap_or_default(),
            access_point: HANDED_IN.to_owned(),
            content,
            now: api.clock.now(),
        })
        .await?;
    match received {
        RecordOutcome::Accepted(_) => Ok(Json(Uploaded::now(id.to_string())).into_response()),
        _ => {
            let detail = format!("a document {id} was taken before");
            Err(Problem::new(&codes::CONFLICT, detail).with(&members::ID, id.as_str()))
        }
    }
}

fn id_of(endpoint: Option<&quoin_model::ElectronicAddress>) -> Option<String> {
    let endpoint = endpoint?;
    let id = ParticipantId::new(&endpoint.scheme, &endpoint.value).ok()?;
    Some(id.as_str().to_owned())
}
