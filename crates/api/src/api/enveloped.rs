//! Envelopes that callers make themselves: they travel as they are, under the identifier that they
//! have (checklist D-15).

use memchr::memmem;
use quoin_delivery::{Event, TransactionId};
use quoin_peppol::sbdh;
use quoin_store::PartyRecord;

use super::Api;
use super::upload::{self, NewUpload, UploadContent};
use crate::http::body::loaded;
use crate::http::{Problem, codes};
use quoin_access_point::plan::Plan;

/// Why an envelope is not taken.
const TAKEN: &str = "Another envelope of your organisation has this InstanceIdentifier: each envelope \
                     needs one of its own, and this one is not sent. Leave the envelope out, and \
                     the service writes it.";

/// The instance identifier of the envelope around a document, where there is one that can be read.
/// What is wrong with one that cannot is told of the document, like everything else about it.
pub(super) async fn instance(api: &Api, parcel: &NewUpload) -> Result<Option<String>, Problem> {
    let start = match &parcel.content {
        UploadContent::Held(content) => content,
        UploadContent::Stored(stored) => &stored.head,
    };
    // The header of an envelope that can be read ends within this, whatever stands before it.
    let head = start.get(..sbdh::HEADER_LIMIT).unwrap_or(start);
    if memmem::find(head, b"StandardBusinessDocument").is_none() {
        return Ok(None);
    }
    let who = parcel.party.organisation.as_str();
    let content = match &parcel.content {
        UploadContent::Held(content) => content.clone(),
        UploadContent::Stored(stored) => loaded(stored, &api.settings.uploads, who).await?,
    };
    let read = move || sbdh::read(&content).ok().map(|envelope| envelope.sbdh.instance);
    api.settings.judges.run(parcel.party.organisation.as_str(), read).await
}

/// A plan whose envelope, where its caller made one, has an identifier that is free; else why not.
pub(super) async fn free(
    api: &Api,
    party: &PartyRecord,
    plan: Plan,
) -> Result<Result<Plan, Box<Event>>, Problem> {
    let Some(header) = plan.payload.header() else { return Ok(Ok(plan)) };
    if api.store.is_envelope_free(&party.organisation, &header.instance).await? {
        return Ok(Ok(plan));
    }
    Ok(Err(Box::new(Event::Rejected { summary: TAKEN.to_owned(), findings: Vec::new() })))
}

/// The answer to an envelope whose identifier is that of another one. Where that one is the same,
/// and the party's, it is a repeat of it; else nothing was stored, and the answer is no conflict
/// that a client takes for good news.
pub(super) async fn taken(
    api: &Api,
    party: &PartyRecord,
    existing: &TransactionId,
    same_content: bool,
) -> Result<Problem, Problem> {
    let found = api.store.transaction(existing).await?.map(|found| found.transaction);
    match found.filter(|found| same_content && found.party == party.id) {
        Some(found) => {
            let own = (party, &found.document_id, None);
            upload::taken(api, own, existing, (true, None)).await
        }
        None => Ok(Problem::new(&codes::ENVELOPE, TAKEN.to_owned())),
    }
}
