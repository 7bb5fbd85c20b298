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
use crate::worker::clearing::is_of_one;

/// Invoices that are fetched in one look; the published limit is 64 an hour.
const FETCHES: u32 = 64;

/// What could not be had of what was named.
#[derive(Default)]
struct LeftPurchases {
    /// The numbers as they are on record.
    numbers: Vec<String>,
    /// Those of which other bytes came than were named.
    unlike: Vec<String>,
    /// What else stands in the way of the first of them.
    trouble: Option<Trouble>,
}

impl Worker {
    /// Fetches what was named, as far as the limit of the system lets it. What cannot be had of one
    /// invoice keeps none of the others waiting: it stays named, and is asked for again behind
    /// them. Adds what stands in the way, and answers whether all that is named was asked for.
    pub(super) async fn fetch_purchases(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        ends: &mut Vec<LookEnd>,
    ) -> bool {
        let mut left = LeftPurchases::default();
        let fetched = self.fetch_named(calls, place, &mut left).await;
        let LeftPurchases { numbers, unlike, trouble } = left;
        ends.extend(of_other_bytes(&unlike).or(trouble).map(LookEnd::There));
        if !numbers.is_empty()
            && let Err(error) = self.store.purchases_left(place, numbers).await
        {
            ends.push(error.into());
        }
        fetched.unwrap_or_else(|end| {
            ends.push(end);
            false
        })
    }

    async fn fetch_named(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        left: &mut LeftPurchases,
    ) -> Result<bool, LookEnd> {
        let named = self.store.purchases_to_fetch(place, FETCHES).await?;
        let is_all = named.len() < FETCHES as usize;
        for purchase in named {
            let number = match KsefNumber::parse(&purchase.number) {
                Ok(number) => number,
                Err(error) => {
                    tracing::error!(%error, "KSeF named a purchase by a number that is none");
                    left.trouble.get_or_insert(Trouble::Unreadable);
                    left.numbers.push(purchase.number);
                    continue;
                }
            };
            // Without it nothing can be had.
            calls.signed_in().await.map_err(LookEnd::There)?;
            let content = match calls.invoice(number.as_str()).await {
                Ok(content) => content,
                Err(other) if is_of_one(&other) => {
                    tracing::warn!(%number, "KSeF does not give a purchase that it named");
                    left.trouble.get_or_insert(other);
                    left.numbers.push(purchase.number);
                    continue;
                }
                Err(other) => return Err(LookEnd::There(other)),
            };
            if sha256(&content) != purchase.digest {
                tracing::error!(%number, "KSeF gave other bytes than it named");
                left.unlike.push(number.to_string());
                left.numbers.push(purchase.number);
                continue;
            }
            self.record_purchase(place, &purchase, content).await?;
            self.store.purchase_taken(place, &purchase.number).await?;
        }
        Ok(is_all)
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
