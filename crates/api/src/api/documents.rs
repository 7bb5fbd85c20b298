//! What documents of every kind have in common: their record, list, timeline and download.

mod download;
mod standing;
mod timeline;

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use quoin_access_point::reading::time;
use quoin_delivery::{Direction, DocumentId, Family, Status};
use quoin_model::text::quoted;
use quoin_store::{ListFilter, PartyRecord, TransactionRecord};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::{Caller, Problem, codes, sentences};

use super::Api;
#[cfg(test)]
use super::paths::{PartyId, TargetFormatText};
use super::rights::{Right, organisation, party};
use super::upload::participant;

use standing::{status_header, waiting_headers};
pub use timeline::StatusLine;
use timeline::timeline;

/// A document.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[cfg_attr(test, schema(as = Document))]
#[serde(rename_all = "camelCase")]
pub struct DocumentView {
    /// Its id, a UUID.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub id: String,
    /// `Pending`, `Validated`, `Routed`, `Delivered`, `Rejected` or `Failed`.
    #[cfg_attr(test, schema(example = "Delivered"))]
    pub status: String,
    /// Who sends, `scheme:identifier`, once known.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub sender: Option<String>,
    /// Who receives, `scheme:identifier`, once known.
    #[cfg_attr(test, schema(example = "0106:87654321"))]
    pub recipient: Option<String>,
    /// The document's own number.
    #[cfg_attr(test, schema(example = "INV-2026-17"))]
    pub number: Option<String>,
    /// The document type as it came, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING)))]
    pub source_document_type_id: Option<String>,
    /// The document type as it was sent.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING)))]
    pub target_document_type_id: Option<String>,
    /// Attempts to deliver so far.
    #[cfg_attr(test, schema(example = 1))]
    pub attempts: u32,
    /// The AS4 message id.
    #[cfg_attr(test, schema(example = "8f0a6b1e-77c4-8d31-9a52-3e4f5a6b7c8d@ap.example.org"))]
    pub message_id: Option<String>,
    /// Size in bytes.
    #[cfg_attr(test, schema(example = 6482))]
    pub size: u64,
    /// When it came.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
    /// When it last changed.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub changed_on: Timestamp,
    /// When it was first downloaded.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub downloaded_on: Option<Timestamp>,
    /// When its time was over and its bytes went.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub expired_on: Option<Timestamp>,
    /// What was given beside it in the part `metaAttributes`.
    #[cfg_attr(test, schema(value_type = BTreeMap<String, String>, example = json!({ "costCentre": "4711" })))]
    pub meta_attributes: BTreeMap<String, String>,
}

impl From<TransactionRecord> for DocumentView {
    fn from(record: TransactionRecord) -> DocumentView {
        let (transaction, attributes) = (record.transaction, record.wishes.meta_attributes);
        DocumentView {
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
            expired_on: record.expired_on,
            meta_attributes: attributes
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default(),
        }
    }
}

/// How the specification calls a document that was not sent.
const SENT_ERROR: &str = "InvoiceSentError";

/// A token as a page of documents has it: when the last one came, in microseconds, and its id.
#[cfg(test)]
pub(super) const PAGE_TOKEN: &str =
    "MTc2MzgwMzgwMDAwMDAwMCAwMTkyZjBjMS0yYjNjLTdkNGUtOGY5MC1hMWIyYzNkNGU1ZjY";

/// The status of a document, for the description of the interface.
#[cfg(test)]
#[cfg_attr(test, derive(ToSchema))]
#[expect(dead_code, reason = "describes a text")]
pub(super) enum StatusName {
    Pending,
    Validated,
    Routed,
    Delivered,
    Rejected,
    Failed,
    /// `Rejected` or `Failed`, by the name of the event that tells it (specification 3.3).
    InvoiceSentError,
}

/// A page of documents, oldest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentPage {
    /// Give this as `continuationToken` for the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(PAGE_TOKEN)))]
    pub continuation_token: Option<String>,
    /// The documents.
    pub items: Vec<DocumentView>,
}

/// Which documents to list.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub struct DocumentListQuery {
    /// Only those in this status.
    #[cfg_attr(test, param(value_type = Option<StatusName>, example = "Delivered"))]
    pub status: Option<String>,
    /// Only those that came at or after this time (RFC 3339).
    #[serde(default, deserialize_with = "time::optional")]
    #[cfg_attr(test, param(value_type = Option<String>, format = DateTime, example = "2026-11-01T00:00:00Z"))]
    pub from: Option<Timestamp>,
    /// Only those that came before this time (RFC 3339).
    #[serde(default, deserialize_with = "time::optional")]
    #[cfg_attr(test, param(value_type = Option<String>, format = DateTime, example = "2026-12-01T00:00:00Z"))]
    pub to: Option<Timestamp>,
    /// Only those with this party at the other end, `scheme:identifier`.
    #[cfg_attr(test, param(value_type = Option<PartyId>))]
    pub counterparty: Option<String>,
    /// Only those with this number of their own.
    #[cfg_attr(test, param(example = "INV-2026-17"))]
    pub number: Option<String>,
    /// Only those that were not downloaded yet.
    #[serde(default, deserialize_with = "super::bool_param::given")]
    pub not_downloaded: bool,
    /// Documents in a page, 1 to 500; 100 unless told otherwise.
    #[cfg_attr(test, param(minimum = 1, maximum = 500, example = 100))]
    pub limit: Option<usize>,
    /// The token of the page before.
    #[cfg_attr(test, param(example = json!(PAGE_TOKEN)))]
    pub continuation_token: Option<String>,
}

/// How to download.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct DownloadQuery {
    /// Another format: a document type, a specification identifier, or a syntax (`ubl`, `cii`).
    /// What is not in it as it was is counted in `X-Service-Losses`, and listed where JSON is asked
    /// for.
    #[serde(alias = "targetFormat")]
    #[cfg_attr(test, param(value_type = Option<TargetFormatText>))]
    pub(super) target_document_type_id: Option<String>,
}

/// One kind of documents of a party, going one way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// Which way they go.
    pub direction: Direction,
    /// What a caller needs to look at them.
    pub right: Right,
    /// What they are; `None` for anything.
    pub family: Option<Family>,
    /// Part of the names of document types that are not meant.
    pub without: Option<&'static str>,
}

/// What answers an order is not listed among the orders.
const NO_RESPONSES: Option<&str> = Some("::OrderResponse");

/// The invoices that a party sends.
pub(super) const SALES: Side = Side {
    direction: Direction::Outgoing,
    right: Right::Send,
    family: Some(Family::Invoice),
    without: None,
};
/// The invoices that a party receives.
pub(super) const PURCHASES: Side =
    Side { direction: Direction::Incoming, right: Right::Receive, ..SALES };
/// The orders that a party sends.
pub(super) const PURCHASE_ORDERS: Side =
    Side { family: Some(Family::Order), without: NO_RESPONSES, ..SALES };
/// The orders that a party receives.
pub(super) const SALES_ORDERS: Side =
    Side { family: Some(Family::Order), without: NO_RESPONSES, ..PURCHASES };
/// Everything that a party sends.
pub(super) const ANY_SENT: Side = Side { family: None, ..SALES };
/// Everything that a party receives.
pub(super) const ANY_RECEIVED: Side = Side { family: None, ..PURCHASES };

impl Side {
    /// The list of a party.
    pub(super) async fn list(
        self,
        api: &Api,
        caller: &Caller,
        party_id: &str,
        query: DocumentListQuery,
    ) -> Result<Json<DocumentPage>, Problem> {
        let party = party(api, caller, party_id, self.right).await?;
        list(api, party, self, query).await.map(Json)
    }

    /// One record.
    pub(super) async fn document(
        self,
        api: &Api,
        caller: &Caller,
        (party_id, document_id): (String, String),
    ) -> Result<Json<DocumentView>, Problem> {
        let (_, found) = self.record(api, caller, (party_id, document_id)).await?;
        Ok(Json(found.into()))
    }

    /// What happened to one, with its status as a header.
    pub(super) async fn status(
        self,
        api: &Api,
        caller: &Caller,
        (party_id, document_id): (String, String),
    ) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
        let (_, found) = self.record(api, caller, (party_id, document_id)).await?;
        self.steps(api, caller, &found).await
    }

    /// The same of a record that the caller may see.
    pub(super) async fn steps(
        self,
        api: &Api,
        caller: &Caller,
        found: &TransactionRecord,
    ) -> Result<(HeaderMap, Json<Vec<StatusLine>>), Problem> {
        let lines = timeline(api, caller, found).await?;
        let mut headers = status_header(api, found.transaction.status.as_str());
        if self.direction == Direction::Outgoing && !found.transaction.status.is_final() {
            headers.extend(waiting_headers(api, found).await?);
        }
        Ok((headers, Json(lines)))
    }

    /// The party in a path and the record of one of its documents; deleted ones are gone.
    pub(super) async fn record(
        self,
        api: &Api,
        caller: &Caller,
        (party_id, document_id): (String, String),
    ) -> Result<(PartyRecord, TransactionRecord), Problem> {
        let party = party(api, caller, &party_id, self.right).await?;
        let found = self.find(api, caller, &party, &document_id).await?;
        Ok((party, found))
    }

    /// The record of a document of a party that the caller may see.
    pub(super) async fn find(
        self,
        api: &Api,
        caller: &Caller,
        party: &PartyRecord,
        document_id: &str,
    ) -> Result<TransactionRecord, Problem> {
        let found = self.passed(api, caller, party, document_id).await?;
        match found.deleted_on {
            None => Ok(found),
            Some(_) => Err(none_here(party, &found.transaction.document_id)),
        }
    }

    /// The same, also where its party deleted it: the record of its passage stays.
    pub(super) async fn passed(
        self,
        api: &Api,
        caller: &Caller,
        party: &PartyRecord,
        document_id: &str,
    ) -> Result<TransactionRecord, Problem> {
        let id: DocumentId = document_id
            .parse()
            .map_err(|error| Problem::new(&codes::BAD_DOCUMENT_ID, format!("{error}")))?;
        let owner = organisation(caller)?;
        let found = api.store.transaction_of(&owner, self.direction, &id).await?;
        found
            .filter(|record| record.transaction.party == party.id && self.has(record))
            .ok_or_else(|| none_here(party, &id))
    }

    /// Deletes an arrived document for good.
    pub(super) async fn remove(
        self,
        api: &Api,
        caller: &Caller,
        path: (String, String),
    ) -> Result<StatusCode, Problem> {
        let (party, found) = self.record(api, caller, path).await?;
        let id = &found.transaction.document_id;
        api.store.delete_incoming(&party.organisation, id, api.clock.now()).await?;
        Ok(StatusCode::NO_CONTENT)
    }

    /// Whether a document is one of these.
    pub(super) fn has(self, record: &TransactionRecord) -> bool {
        let document_type = record.transaction.source_document_type.as_deref().unwrap_or_default();
        self.family.is_none_or(|family| family == record.transaction.family)
            && !self.without.is_some_and(|part| document_type.contains(part))
    }
}

fn none_here(party: &PartyRecord, id: &DocumentId) -> Problem {
    let detail =
        sentences::NO_DOCUMENT.with([("party", &party.main() as &dyn Display), ("id", id)]);
    Problem::new(&codes::NO_DOCUMENT, detail)
}

async fn list(
    api: &Api,
    party: PartyRecord,
    side: Side,
    query: DocumentListQuery,
) -> Result<DocumentPage, Problem> {
    let statuses = query.status.as_deref().map(statuses_named).transpose()?.unwrap_or_default();
    let counterparty = query.counterparty.map(|id| participant("counterparty", &id)).transpose()?;
    if let (Some(from), Some(to)) = (&query.from, &query.to) {
        super::paging::period(from, to)?;
    }
    let mut filter = ListFilter::new(party.organisation, side.direction);
    filter.family = side.family;
    filter.without = side.without;
    filter.counterparty = counterparty;
    filter.number = query.number;
    filter.party = Some(party.id);
    filter.statuses = statuses;
    filter.from = query.from;
    filter.until = query.to;
    filter.not_downloaded = query.not_downloaded;
    filter.limit = super::paging::size(query.limit)?;
    filter.continuation = query.continuation_token;
    let page = api.store.list(filter).await?;
    Ok(DocumentPage {
        continuation_token: page.continuation,
        items: page.items.into_iter().map(DocumentView::from).collect(),
    })
}

/// What a name of a status stands for: one of ours, or both ends of a document that was not sent,
/// which the specification calls by the name of their event.
fn statuses_named(name: &str) -> Result<Vec<Status>, Problem> {
    if name == SENT_ERROR {
        return Ok(vec![Status::Rejected, Status::Failed]);
    }
    Status::named(name).map(|status| vec![status]).ok_or_else(|| {
        let own = Status::ALL.iter().map(|status| status.as_str());
        let names: Vec<&str> = own.chain([SENT_ERROR]).collect();
        let (name, names) = (quoted(name, 40), names.join(", "));
        let detail =
            sentences::ONE_OF.with([("name", &"status"), ("found", &name), ("expected", &names)]);
        Problem::new(&codes::BAD_QUERY, detail)
    })
}
