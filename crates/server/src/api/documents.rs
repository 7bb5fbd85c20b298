//! What sales and purchase invoices have in common: their record, list and timeline.

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use quoin_delivery::{Direction, DocumentId, Family, Status};
use quoin_store::{ListFilter, Party, TransactionRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::{Caller, Problem, codes};

use super::Api;
use super::party::{Right, organisation, party};

/// A document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Its id, a UUID.
    pub id: String,
    /// `Pending`, `Validated`, `Routed`, `Delivered`, `Rejected` or `Failed`.
    #[schema(example = "Delivered")]
    pub status: String,
    /// Who sends, `scheme:identifier`, once known.
    #[schema(example = "0106:12345678")]
    pub sender: Option<String>,
    /// Who receives, `scheme:identifier`, once known.
    pub recipient: Option<String>,
    /// The document's own number.
    pub number: Option<String>,
    /// The document type as it came, `scheme::value`.
    pub source_document_type_id: Option<String>,
    /// The document type as it was sent.
    pub target_document_type_id: Option<String>,
    /// Attempts to deliver so far.
    pub attempts: u32,
    /// The AS4 message id.
    pub message_id: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// When it came.
    #[schema(value_type = String, format = DateTime)]
    pub created_on: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    pub changed_on: Timestamp,
    /// When it was first downloaded.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub downloaded_on: Option<Timestamp>,
}

impl From<TransactionRecord> for Document {
    fn from(record: TransactionRecord) -> Document {
        let transaction = record.transaction;
        Document {
            id: transaction.document_id.as_str().to_owned(),
            status: transaction.status.as_str().to_owned(),
            sender: transaction.sender,
            recipient: transaction.receiver,
            number: transaction.number,
            source_document_type_id: transaction.source_document_type,
            target_document_type_id: transaction.target_document_type,
            attempts: transaction.attempts,
            message_id: record.message_id,
            size: record.size,
            created_on: record.created_on,
            changed_on: record.changed_on,
            downloaded_on: record.downloaded_on,
        }
    }
}

/// A step in the life of a document.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusLine {
    /// The document's id.
    pub id: String,
    /// What happened, one word.
    #[schema(example = "Delivered")]
    pub name: String,
    /// What happened, one sentence.
    pub description: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_on: Timestamp,
}

/// A page of documents, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentPage {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation_token: Option<String>,
    /// The documents.
    pub items: Vec<Document>,
}

/// Which documents to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only those in this status.
    pub status: Option<String>,
    /// Only those that came at or after this time (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    pub from: Option<Timestamp>,
    /// Only those that came before this time (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    pub to: Option<Timestamp>,
    /// Only those that were not downloaded yet.
    #[serde(default)]
    pub not_downloaded: bool,
    /// Documents in a page, 1 to 500; 100 unless told otherwise.
    pub limit: Option<usize>,
    /// The token of the page before.
    pub continuation_token: Option<String>,
}

/// One of the two directions in which a party's invoices go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    direction: Direction,
    /// What a caller needs to look at them.
    right: Right,
}

/// What a party sends.
pub(super) const SALES: Side = Side { direction: Direction::Outgoing, right: Right::Send };

/// What a party receives.
pub(super) const PURCHASES: Side = Side { direction: Direction::Incoming, right: Right::Receive };

impl Side {
    /// The list of a party.
    pub(super) async fn list(
        self,
        api: &Api,
        caller: &Caller,
        party_id: &str,
        query: ListQuery,
    ) -> Result<Json<DocumentPage>, Problem> {
        let party = party(api, caller, party_id, self.right).await?;
        list(api, party, self.direction, query).await.map(Json)
    }

    /// One record.
    pub(super) async fn document(
        self,
        api: &Api,
        caller: &Caller,
        (party_id, document_id): (String, String),
    ) -> Result<Json<Document>, Problem> {
        let party = party(api, caller, &party_id, self.right).await?;
        let found = record(api, caller, &party, self.direction, &document_id).await?;
        Ok(Json(found.into()))
    }

    /// What happened to one, with its status as a header.
    pub(super) async fn status(
        self,
        api: &Api,
        caller: &Caller,
        (party_id, document_id): (String, String),
    ) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
        let party = party(api, caller, &party_id, self.right).await?;
        let found = record(api, caller, &party, self.direction, &document_id).await?;
        let lines = timeline(api, &found).await?;
        Ok((status_header(api, found.transaction.status.as_str()), Json(lines)))
    }
}

/// The current status as a header, with the configured prefix.
fn status_header(api: &Api, status: &str) -> HeaderMap {
    let name = format!("{}Status", api.settings.header_prefix);
    let name = HeaderName::from_bytes(name.as_bytes()).ok();
    let value = HeaderValue::from_str(status).ok();
    name.zip(value).into_iter().collect()
}

async fn list(
    api: &Api,
    party: Party,
    direction: Direction,
    query: ListQuery,
) -> Result<DocumentPage, Problem> {
    let status = query.status.as_deref().map(status_named).transpose()?;
    let mut filter = ListFilter::new(party.organisation, direction);
    filter.party = Some(party.id);
    filter.status = status;
    filter.from = query.from;
    filter.until = query.to;
    filter.not_downloaded = query.not_downloaded;
    filter.limit = query.limit.unwrap_or(filter.limit);
    filter.continuation = query.continuation_token;
    let page = api.store.list(filter).await?;
    let invoices = page.items.into_iter().filter(is_invoice);
    Ok(DocumentPage {
        continuation_token: page.continuation,
        items: invoices.map(Document::from).collect(),
    })
}

fn status_named(name: &str) -> Result<Status, Problem> {
    Status::named(name).ok_or_else(|| {
        let names: Vec<&str> = Status::ALL.iter().map(|status| status.as_str()).collect();
        let detail = format!("status is {name:.40?}, expected one of {}", names.join(", "));
        Problem::new(&codes::BAD_QUERY, detail)
    })
}

fn is_invoice(record: &TransactionRecord) -> bool {
    record.transaction.family == Family::Invoice
}

/// The record of a document of a party; deleted ones are gone.
pub(super) async fn record(
    api: &Api,
    caller: &Caller,
    party: &Party,
    direction: Direction,
    document_id: &str,
) -> Result<TransactionRecord, Problem> {
    let id: DocumentId = document_id
        .parse()
        .map_err(|error| Problem::new(&codes::BAD_DOCUMENT_ID, format!("{error}")))?;
    let found = api.store.transaction_of(&organisation(caller)?, direction, &id).await?;
    found
        .filter(|record| record.transaction.party == party.id && record.deleted_on.is_none())
        .filter(is_invoice)
        .ok_or_else(|| {
            Problem::new(&codes::NO_DOCUMENT, format!("{} has no document {id}", party.id))
        })
}

/// The timeline of a document, oldest first.
async fn timeline(api: &Api, record: &TransactionRecord) -> Result<Vec<StatusLine>, Problem> {
    let lines = api.store.timeline_of(&record.transaction.id).await?;
    let id = record.transaction.document_id.as_str();
    Ok(lines
        .into_iter()
        .map(|line| StatusLine {
            id: id.to_owned(),
            name: line.name,
            description: line.description,
            created_on: line.created_on,
        })
        .collect())
}
