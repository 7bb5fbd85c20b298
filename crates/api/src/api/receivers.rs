//! The network as the place where receivers are looked up.

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::lookup::{Lookup, Offer, OfferFilter};
use quoin_access_point::sending::PROTOCOL;
use quoin_formats::Detection;
use quoin_identity::ProcessOffer;
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, best_match};
use quoin_peppol::lookup::LookupError;

use super::{AccessPointInfo, Recipient, RecipientLookup};

impl RecipientLookup for Lookup {
    fn lookup<'a>(
        &'a self,
        participant: &'a ParticipantId,
        document_type: Option<&'a DocumentTypeId>,
    ) -> BoxFuture<'a, Result<Recipient, LookupError>> {
        async move {
            let found = self.registrations(participant).await?;
            let (document_types, unreadable) = (found.document_types, found.unreadable);
            // What is preferred is not demanded: another type shows as well that it is reached.
            let preferred = document_type.filter(|id| best_match(id, &document_types).is_some());
            let any = || document_types.iter().find(|id| !id.is_pattern());
            let access_point = match preferred.or_else(any) {
                Some(document_type) => endpoint(self, participant, document_type).await?,
                None => None,
            };
            Ok(Recipient { document_types, unreadable, access_point })
        }
        .boxed()
    }

    fn offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        wanted: &'a OfferFilter,
    ) -> BoxFuture<'a, Result<Vec<Offer>, LookupError>> {
        Lookup::offers(self, participant, wanted).boxed()
    }

    fn conversion_offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        source: &'a Detection,
    ) -> BoxFuture<'a, Result<Vec<ProcessOffer>, LookupError>> {
        Lookup::conversion_offers(self, participant, source).boxed()
    }

    fn reach<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<u16, String>> {
        self.reach(url).boxed()
    }
}

/// The endpoint of the first process of the code list under which there is one.
async fn endpoint(
    network: &Lookup,
    participant: &ParticipantId,
    document_type: &DocumentTypeId,
) -> Result<Option<AccessPointInfo>, LookupError> {
    let row = codelists::document_type(document_type);
    let mut last = None;
    for process in row.map_or(&[][..], |row| row.processes) {
        let Ok(process) = process.parse::<ProcessId>() else { continue };
        match network.find(participant, document_type, &process).await {
            Ok(found) => {
                return Ok(Some(AccessPointInfo {
                    url: found.endpoint.address,
                    seat_id: found.endpoint.certificate.seat().to_string(),
                    protocol: PROTOCOL.to_owned(),
                }));
            }
            Err(failure) => last = Some(failure.error),
        }
    }
    last.map_or(Ok(None), Err)
}
