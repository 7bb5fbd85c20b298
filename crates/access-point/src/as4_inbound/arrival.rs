//! What is recorded about an arrival beside the document: where it is kept, the exchange for the
//! statistics reports, and the status that may be owed about it.

use jiff::Timestamp;
use quoin_delivery::mls;
use quoin_delivery::service_level::milestone;
use quoin_delivery::{Family, OrganisationId};
use quoin_peppol::as4::{As4Refusal, ReceivedMessage};
use quoin_peppol::identifiers::{SeatId, TransportProfile};
use quoin_peppol::sbdh::Envelope;
use quoin_store::{Arrival, Exchange, NewStatus, PartyRecord, PublishedService};

use super::opening::EnvelopedDocument;
use super::{As4Door, RejectReason};

/// The tenant and the party that a document is kept for.
pub(super) struct Home {
    pub(super) organisation: OrganisationId,
    pub(super) party: String,
}

impl As4Door {
    /// Everything about an arrival that is recorded with it.
    pub(super) async fn arrival(
        &self,
        received: &ReceivedMessage,
        letter: &EnvelopedDocument,
        service: &PublishedService,
        now: Timestamp,
    ) -> Result<(Arrival, Home), RejectReason> {
        let envelope = &letter.envelope;
        let header = &envelope.sbdh;
        let owner = &service.organisation;
        let party = self.store.party_of_identifier(owner, &header.receiver.folded()).await?;
        let sent_on = milestone(received.message.timestamp, now);
        let payload_bytes = u64::try_from(letter.payload_bytes).unwrap_or(u64::MAX);
        let provider = &received.signer.common_name;
        let exchange = Exchange {
            exchanged_on: sent_on,
            own: self.own.at(now).seat_id.clone(),
            provider: provider.clone(),
            document_type: header.document_type.to_string(),
            process: header.process.to_string(),
            transport: TransportProfile::AS4.to_owned(),
            country_c1: Some(header.country.as_str().to_owned()),
            country_c4: party.as_ref().and_then(country),
            end_user: end_user(owner, party.as_ref(), envelope),
            participant: header.receiver.folded(),
            end_user_country: party.as_ref().and_then(country),
            payload_bytes,
        };
        let seat: Option<SeatId> = provider.parse().ok();
        let reply_to = seat.and_then(|seat| header.mls_receiver(&seat).ok());
        let status =
            reply_to.filter(|_| mls::is_answered(&header.document_type)).map(|to| NewStatus {
                provider: provider.clone(),
                envelope: header.instance.clone(),
                sent_on,
                payload_bytes,
                wants_positive: header.wants_positive_mls(),
                reply_to: Some(to.to_string()),
            });
        let home = match (self.subject(owner, letter, provider).await?, party) {
            (Some(home), _) => home,
            (None, Some(party)) => Home { organisation: owner.clone(), party: party.id },
            // What is published for nobody would be seen by nobody.
            (None, None) => return Err(As4Refusal::not_serviced().into()),
        };
        let exchange =
            quoin_delivery::reporting::is_counted(&header.document_type).then_some(exchange);
        Ok((Arrival { exchange, status }, home))
    }

    /// A status that comes to the provider belongs to whoever sent the document that it is about.
    /// One about nothing that we sent stays with the provider.
    async fn subject(
        &self,
        owner: &OrganisationId,
        letter: &EnvelopedDocument,
        provider: &str,
    ) -> Result<Option<Home>, RejectReason> {
        let family = Family::of(&letter.envelope.sbdh.document_type);
        if family != Family::MessageLevelStatus || *owner != self.provider.organisation {
            return Ok(None);
        }
        for reference in &letter.references {
            if let Some(found) = self.store.sent_to_provider(reference, provider).await? {
                let found = found.transaction;
                return Ok(Some(Home { organisation: found.organisation, party: found.party }));
            }
        }
        Ok(None)
    }
}

fn country(party: &PartyRecord) -> Option<String> {
    Some(party.country.clone()).filter(|country| !country.is_empty())
}

/// The end user behind a participant: one key, however many identifiers it has.
fn end_user(owner: &OrganisationId, party: Option<&PartyRecord>, envelope: &Envelope) -> String {
    let id = party.map_or_else(|| envelope.sbdh.receiver.folded(), |party| party.id.clone());
    format!("{owner} {id}")
}
