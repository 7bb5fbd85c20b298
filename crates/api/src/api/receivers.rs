//! The network as the place where receivers are looked up.

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::lookup::{Lookup, OfferFilter, ParticipantOffers};
use quoin_access_point::sending::PROTOCOL;
use quoin_formats::Detection;
use quoin_identity::ProcessOffer;
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, best_match};
use quoin_peppol::lookup::LookupError;
use quoin_peppol::smp::EndpointRefusal;

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
            let others = document_types.iter().filter(|id| !id.is_pattern());
            let asked = preferred.into_iter().chain(others).take(TYPES);
            let access_point = access_point(self, participant, asked).await?;
            Ok(Recipient { document_types, unreadable, access_point })
        }
        .boxed()
    }

    fn offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        wanted: &'a OfferFilter,
    ) -> BoxFuture<'a, Result<ParticipantOffers, LookupError>> {
        Lookup::offers(self, participant, wanted).boxed()
    }

    fn conversion_offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        source: &'a Detection,
    ) -> BoxFuture<'a, Result<Vec<ProcessOffer>, LookupError>> {
        Lookup::conversion_offers(self, participant, (source, None)).boxed()
    }

    fn reach<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<u16, String>> {
        self.reach(url).boxed()
    }
}

/// Document types that are asked for until one shows that the participant is reached.
const TYPES: usize = 8;

/// The access point of the first of these document types that has one; none where none of them is
/// known to have a process.
///
/// # Errors
/// Where nobody answers; where all have answered, why the first one that says more than that it is
/// not taken in a process cannot be used.
async fn access_point(
    network: &Lookup,
    participant: &ParticipantId,
    document_types: impl Iterator<Item = &DocumentTypeId>,
) -> Result<Option<AccessPointInfo>, LookupError> {
    let mut refused: Option<LookupError> = None;
    for document_type in document_types {
        let processes =
            codelists::document_type(document_type).map_or(&[][..], |row| row.processes);
        for process in processes.iter().filter_map(|process| process.parse::<ProcessId>().ok()) {
            match network.find(participant, document_type, &process).await {
                Ok(found) => {
                    return Ok(Some(AccessPointInfo {
                        url: found.endpoint.address,
                        seat_id: found.endpoint.certificate.seat().to_string(),
                        protocol: PROTOCOL.to_owned(),
                    }));
                }
                Err(failure) if failure.error.is_temporary() && !failure.error.is_not_yet() => {
                    return Err(failure.error);
                }
                Err(failure) => {
                    if refused.as_ref().is_none_or(is_of_another_process) {
                        refused = Some(failure.error);
                    }
                }
            }
        }
    }
    refused.map_or(Ok(None), Err)
}

/// Whether it only says that a document type is taken in other processes.
fn is_of_another_process(error: &LookupError) -> bool {
    matches!(error, LookupError::NoUsableEndpoint(EndpointRefusal::OtherProcesses { .. }))
}
