//! Several identifiers of one recipient, looked up side by side: the first that can be reached is
//! the answer, and nobody who is silent delays it.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use quoin_delivery::{Family, OrganisationId};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, best_match};
use quoin_peppol::lookup::LookupError;
use tokio::time::{Instant, timeout_at};

use super::super::Api;
use super::super::recipient::{LookupParty, answer, unanswered_problem};
use super::asked::LookupQuery;
use super::sorted;
use crate::http::{Problem, codes};

/// How long others are waited for once somebody can be reached.
const GRACE: Duration = Duration::from_secs(2);

/// Who would send what.
#[derive(Clone, Copy)]
pub(super) struct From<'a> {
    pub owner: &'a OrganisationId,
    pub party: &'a str,
    pub family: Family,
}

type IndexedLookup = (usize, Result<LookupParty, LookupError>);

/// Looks all of them up; the first in their order that can be reached is the answer, and all others
/// are candidates, also those that did not answer in time.
pub(super) async fn recipients(
    api: &Api,
    asked: &LookupQuery,
    from: From<'_>,
) -> Result<LookupParty, Problem> {
    if asked.parties.is_empty() {
        let detail = "the body names no identifier, expected one or more";
        return Err(Problem::new(&codes::BAD_JSON, detail));
    }
    let mut found = together(api, asked).await;
    let best = found.iter().position(|found| found.as_ref().is_ok_and(LookupParty::is_reached));
    let unanswered = asked.parties.iter().zip(&found).find_map(|(id, found)| match found {
        Err(error) if error.is_temporary() => Some((id, error.clone())),
        _ => None,
    });
    if let (None, Some((id, error))) = (best, unanswered) {
        // Somebody may be reachable who did not answer in time.
        return Err(unanswered_problem(id, &error));
    }
    let chosen = best.unwrap_or_default();
    let mut parties = Vec::new();
    for (id, found) in asked.parties.iter().zip(found.drain(..)) {
        let mut party = found.unwrap_or_else(|error| answer(id, Err(error)));
        party.choose(api, from.owner, from.party, from.family).await?;
        parties.push(party);
    }
    let mut answer = parties.remove(chosen);
    answer.candidates = parties;
    Ok(answer)
}

/// What was found of each, in their order. Nobody has longer than the limit of a look-up, and once
/// somebody can be reached, not much longer than that.
async fn together(api: &Api, asked: &LookupQuery) -> Vec<Result<LookupParty, LookupError>> {
    let limit = api.settings.lookup_timeout;
    let mut end = Instant::now() + limit;
    let one = |(place, id)| -> BoxFuture<'_, IndexedLookup> {
        Box::pin(async move { (place, recipient(api, id, asked).await) })
    };
    let mut running: FuturesUnordered<_> = asked.parties.iter().enumerate().map(one).collect();
    let slow =
        |limit: Duration| LookupError::SmpTrouble { what: format!("no answer within {limit:?}") };
    let mut all: Vec<_> = asked.parties.iter().map(|_| Err(slow(limit))).collect();
    while let Ok(Some((place, found))) = timeout_at(end, running.next()).await {
        if found.as_ref().is_ok_and(LookupParty::is_reached) {
            end = end.min(Instant::now() + GRACE);
        }
        all[place] = found;
    }
    all
}

async fn recipient(
    api: &Api,
    id: &ParticipantId,
    asked: &LookupQuery,
) -> Result<LookupParty, LookupError> {
    let looked = async {
        let recipient = api.lookup.lookup(id, asked.preferred.as_ref()).await?;
        let takes = asked.wanted.among(&recipient.document_types);
        let offers = match asked.options {
            true => Some(api.lookup.offers(id, &asked.wanted).await?.usable),
            false => None,
        };
        Ok::<_, LookupError>((recipient, takes, offers))
    };
    let (recipient, takes, offers) = match looked.await {
        Ok(looked) => looked,
        // What begins later is an answer: nothing is taken now.
        Err(error) if error.is_temporary() && !error.is_not_yet() => {
            return Err(error);
        }
        Err(error) => return Ok(answer(id, Err(error))),
    };
    let preferred = preference(asked.preferred.as_ref(), &recipient.document_types);
    let mut found = answer(id, Ok(recipient));
    found.description.push_str(preferred);
    if takes.is_empty() && asked.wanted.family.is_some() {
        let family = asked.wanted.family.map_or("", |family| family.name);
        found.channel = None;
        found.reason = Some("unsupported-document-type".to_owned());
        found.description =
            format!("registered on Peppol, but for no document of the family {family}");
    }
    found.options =
        offers.map(|offers| sorted(offers.into_iter().map(|offer| (id, offer)).collect(), asked));
    Ok(found)
}

/// What is said of a preferred document type that is not taken.
pub(in crate::api) fn preference(
    preferred: Option<&DocumentTypeId>,
    types: &[DocumentTypeId],
) -> &'static str {
    match preferred {
        Some(wanted) if best_match(wanted, types).is_none() => ", not for the preferred one",
        _ => "",
    }
}
