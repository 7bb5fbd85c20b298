//! What other networks bring, recorded: a document for a party, and what became of an invoice that
//! was sent, which is an Invoice Response, so that the invoice is answered as over the network of
//! participants.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{Direction, DocumentId, Family, Status, TransactionId};
use quoin_formats::routing::Routing;
use quoin_formats::ubl::write::{
    Explained, InvoiceReference, InvoiceResponse, InvoiceResponseCode, REASONS, invoice_response,
};
use quoin_peppol::codelists::capability;
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_store::{
    Arrival, Hook, HookScope, NewIncoming, RecordOutcome, TransactionFacts, TransactionRecord,
};
use uuid::Uuid;

use super::response::{COMMERCIAL_INVOICE, CREDIT_NOTE};
use super::{Api, answers};
use crate::http::Problem;

/// The capability whose document is an Invoice Response.
const RESPONSES: &str = "invoiceResponse";
/// The state of an invoice that is rejected, and a reason that is none of the others.
const REJECTED: &str = "RE";
const OTHER: &str = "OTH";

/// A message of a network.
pub(super) struct NetworkMessage<'a> {
    /// The hook that it came to.
    pub(super) hook: &'a Hook,
    /// The network, in one word.
    pub(super) network: &'static str,
    /// Who says it, as the network names them.
    pub(super) from: String,
    /// By which a repeat is known.
    pub(super) id: &'a str,
    /// When it was made, where it says so.
    pub(super) made_on: Option<Timestamp>,
}

/// A document that a message became.
pub(super) struct ArrivedDocument {
    pub(super) party: String,
    pub(super) family: Family,
    pub(super) facts: TransactionFacts,
    pub(super) document: Vec<u8>,
}

/// What was recorded.
pub(super) enum NetworkRecord {
    /// A document with this id.
    Kept(String),
    /// Nothing new: this document, by its id where it is known.
    Repeat(Option<String>),
    /// Nothing: another message has this id, which became this document.
    Another(TransactionId),
}

/// An invoice that a network speaks of.
pub(super) enum NetworkInvoice {
    /// The network has it.
    Taken(Box<TransactionRecord>),
    /// Its delivery is not recorded yet: whether the network has it is known in a moment.
    OnItsWay,
    /// None of ours went there.
    Unknown,
}

/// What a document is to the network of a hook: an invoice that a party of the hook sent, and that
/// was delivered over this hook and no other channel.
pub(super) fn invoice_of(found: Option<TransactionRecord>, hook: &Hook) -> NetworkInvoice {
    let Some(found) = found else { return NetworkInvoice::Unknown };
    let of = &found.transaction;
    let is_here = match &hook.scope {
        HookScope::Party(party) => of.party == *party,
        HookScope::Environment => true,
    };
    let is_ours = of.organisation == hook.organisation
        && (of.direction, of.family) == (Direction::Outgoing, Family::Invoice)
        && is_here;
    let is_own = |channel: &String| channel == hook.key.as_str();
    let channel = of.way.channel.as_ref();
    match of.status {
        _ if !is_ours => NetworkInvoice::Unknown,
        Status::Delivered if channel.is_some_and(is_own) => NetworkInvoice::Taken(Box::new(found)),
        status if !status.is_final() && channel.is_none_or(is_own) => NetworkInvoice::OnItsWay,
        _ => NetworkInvoice::Unknown,
    }
}

/// Answers an invoice that was sent. The answer is of the time of the message; where that says
/// none, of the time at which it came, so that a repeat is written as of the first time.
pub(super) async fn answer_invoice(
    api: &Api,
    message: &NetworkMessage<'_>,
    found: TransactionRecord,
    said: (&'static InvoiceResponseCode, &str),
) -> Result<NetworkRecord, Problem> {
    let now = api.clock.now();
    let text = written(api, &found, message, said, message.made_on.unwrap_or(now)).await?;
    let recorded = record_at(api, message, response_to(&found, text), now).await?;
    let NetworkRecord::Another(existing) = &recorded else { return Ok(recorded) };
    if message.made_on.is_some() {
        return Ok(recorded);
    }
    let Some(first) = api.store.transaction(existing).await? else { return Ok(recorded) };
    let text = written(api, &found, message, said, first.created_on).await?;
    record_at(api, message, response_to(&found, text), now).await
}

/// What an Invoice Response about a document that was sent becomes here.
fn response_to(found: &TransactionRecord, text: String) -> ArrivedDocument {
    let mut types = capability(RESPONSES).into_iter().flat_map(|own| own.rows());
    let (row, process) = types.next().unzip();
    let document_type = row.and_then(|row| DocumentTypeId::new(row.scheme, row.value).ok());
    let process = process.and_then(|process| process.parse::<ProcessId>().ok());
    let of = found.transaction.clone();
    let facts = TransactionFacts {
        sender: of.receiver,
        receiver: of.sender,
        source_document_type: document_type.map(|id| id.to_string()),
        process: process.map(|id| id.to_string()),
        ..TransactionFacts::default()
    };
    let (family, document) = (Family::InvoiceResponse, text.into_bytes());
    ArrivedDocument { party: of.party, family, facts, document }
}

/// The Invoice Response about a document that was sent, as of this time.
async fn written(
    api: &Api,
    found: &TransactionRecord,
    message: &NetworkMessage<'_>,
    (status, note): (&'static InvoiceResponseCode, &str),
    issued: Timestamp,
) -> Result<String, Problem> {
    let of = &found.transaction;
    let routing = match api.store.document(found).await? {
        Some(bytes) => {
            let look = move || quoin_formats::read(&bytes).routing().unwrap_or_default();
            api.settings.judges.run(of.organisation.as_str(), look).await?
        }
        None => Routing::default(),
    };
    let usual = if routing.is_credit_note() { CREDIT_NOTE } else { COMMERCIAL_INVOICE };
    Ok(invoice_response(&InvoiceResponse {
        id: message.id.to_owned(),
        issued: issued.to_zoned(TimeZone::UTC).datetime(),
        sender: answers::other(&of.receiver, &routing.receiver)?,
        receiver: answers::other(&of.sender, &routing.sender)?,
        invoice: InvoiceReference {
            number: routing.number.clone().or_else(|| of.number.clone()).unwrap_or_default(),
            issue_date: routing.issue_date,
            type_code: routing.type_code.clone().unwrap_or_else(|| usual.to_owned()),
        },
        status,
        reasons: reasons(status, note),
        actions: Vec::new(),
        note: Some(note.to_owned()).filter(|note| !note.is_empty()),
    }))
}

/// Why an invoice is rejected, which an Invoice Response has to say (PEPPOL-T111-R001); networks
/// say it in words only.
fn reasons(status: &InvoiceResponseCode, note: &str) -> Vec<Explained> {
    let code = InvoiceResponseCode::named(REASONS, OTHER).filter(|_| status.code == REJECTED);
    let text = Some(note.to_owned()).filter(|note| !note.is_empty());
    code.map(|code| Explained { code, text }).into_iter().collect()
}

/// Records a document; a repeat of a message is the same document.
pub(super) async fn record(
    api: &Api,
    message: &NetworkMessage<'_>,
    arrived: ArrivedDocument,
) -> Result<NetworkRecord, Problem> {
    record_at(api, message, arrived, api.clock.now()).await
}

async fn record_at(
    api: &Api,
    message: &NetworkMessage<'_>,
    arrived: ArrivedDocument,
    now: Timestamp,
) -> Result<NetworkRecord, Problem> {
    let hook = message.hook;
    // One network of one tenant: ids of others are others.
    let network = format!("{} {} {}", message.network, hook.organisation, hook.key);
    let ArrivedDocument { party, family, facts, document } = arrived;
    let new = NewIncoming {
        organisation: hook.organisation.clone(),
        party,
        document_id: DocumentId::from_uuid(Uuid::new_v4()),
        family,
        facts,
        envelope_sender: format!("{network} {}", message.from),
        message_id: message.id.to_owned(),
        instance_id: message.id.to_owned(),
        access_point: network,
        content: document.into(),
        now,
    };
    let id = new.document_id.to_string();
    Ok(match api.store.receive_with(new, Arrival::default(), Vec::new()).await? {
        RecordOutcome::Accepted(_) => NetworkRecord::Kept(id),
        RecordOutcome::Known { repeat, by, existing } if repeat.refusal(by).is_some() => {
            NetworkRecord::Another(existing)
        }
        RecordOutcome::Known { existing, .. } => {
            let first = api.store.transaction(&existing).await?;
            NetworkRecord::Repeat(first.map(|first| first.transaction.document_id.to_string()))
        }
    })
}
