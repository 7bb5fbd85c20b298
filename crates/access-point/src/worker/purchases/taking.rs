//! What was named is fetched one by one, and recorded as documents that arrived.

use bytes::Bytes;
use quoin_delivery::{DocumentId, Family};
use quoin_ksef::api::{KsefProblem, SAID};
use quoin_ksef::number::KsefNumber;
use quoin_ksef::steps::Trouble;
use quoin_model::text::cut;
use quoin_store::{
    Arrival, Evidence, NewIncoming, Purchase, PurchasePlace, RecordOutcome, TransactionFacts,
};
use quoin_xmldsig::keys::sha256;
use uuid::Uuid;

use super::LookEnd;
use crate::ksef::{KsefSessionCalls, NAME};
use crate::step::StepFault;
use crate::worker::Worker;

/// Invoices that are fetched in one look; the published limit is 64 an hour.
const FETCHES: u32 = 64;

impl Worker {
    /// Fetches what was named, as far as the limit of the system lets it. What cannot be had of one
    /// invoice keeps none of the others waiting: it stays named, and is asked for again.
    pub(super) async fn fetch_purchases(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
    ) -> Result<(), LookEnd> {
        let (mut trouble, mut unlike) = (None, Vec::new());
        for purchase in self.store.purchases_to_fetch(place, FETCHES).await? {
            let number = match KsefNumber::parse(&purchase.number) {
                Ok(number) => number,
                Err(error) => {
                    tracing::error!(%error, "KSeF named a purchase by a number that is none");
                    trouble = trouble.or(Some(Trouble::Unreadable));
                    continue;
                }
            };
            // Without it nothing can be had.
            calls.signed_in().await.map_err(LookEnd::There)?;
            let content = match calls.invoice(number.as_str()).await {
                Ok(content) => content,
                Err(other) if is_of_one(&other) => {
                    tracing::warn!(%number, "KSeF does not give a purchase that it named");
                    trouble = trouble.or(Some(other));
                    continue;
                }
                Err(other) => return Err(LookEnd::There(other)),
            };
            if sha256(&content) != purchase.digest {
                tracing::error!(%number, "KSeF gave other bytes than it named");
                unlike.push(number.to_string());
                continue;
            }
            self.record_purchase(place, &purchase, content).await?;
            self.store.purchase_taken(place, &purchase.number).await?;
        }
        let trouble = of_other_bytes(&unlike).or(trouble);
        trouble.map_or(Ok(()), |trouble| Err(LookEnd::There(trouble)))
    }

    /// Records an invoice as one that arrived. Once: it is known by its number.
    pub(super) async fn record_purchase(
        &self,
        place: &PurchasePlace,
        purchase: &Purchase,
        content: Bytes,
    ) -> Result<(), StepFault> {
        // Another tenant may be named in the same invoice.
        let whose = format!("{NAME} {} {}", place.organisation, place.party);
        let new = NewIncoming {
            organisation: place.organisation.clone(),
            party: place.party.clone(),
            document_id: DocumentId::from_uuid(Uuid::now_v7()),
            family: Family::Invoice,
            facts: TransactionFacts {
                sender: Some(format!("9945:{}", purchase.seller)),
                receiver: Some(self.store.party_name(&place.organisation, &place.party).await?),
                country_c1: Some("PL".to_owned()),
                ..TransactionFacts::default()
            },
            envelope_sender: whose.clone(),
            message_id: purchase.number.clone(),
            instance_id: purchase.number.clone(),
            access_point: whose,
            content,
            now: self.clock.now(),
        };
        let evidence: Vec<Evidence> = Vec::new();
        match self.store.receive_with(new, Arrival::default(), evidence).await? {
            RecordOutcome::Accepted(id) => {
                tracing::info!(number = purchase.number, transaction = %id, "a purchase of KSeF");
            }
            RecordOutcome::Known { .. } => {}
        }
        Ok(())
    }
}

/// Invoices of these numbers came and are not those of their digests; nothing where there is none.
fn of_other_bytes(numbers: &[String]) -> Option<Trouble> {
    let problem = || KsefProblem {
        reason: Some("own.digest".to_owned()),
        detail: cut(&numbers.join(", "), SAID).into_owned(),
        ..KsefProblem::default()
    };
    (!numbers.is_empty()).then(|| Trouble::Refused(200, problem()))
}

/// Whether a trouble is about the invoice that was asked for: the others may be there. Where the
/// system cannot be reached, lets nobody in or has had enough, none is.
fn is_of_one(trouble: &Trouble) -> bool {
    match trouble {
        Trouble::NoAnswer | Trouble::Limited(_) | Trouble::Unauthorized => false,
        Trouble::Server(status) => *status != 503,
        Trouble::Refused(status, _) | Trouble::Gateway(status) => !matches!(status, 401 | 403),
        Trouble::Unreadable => true,
    }
}
