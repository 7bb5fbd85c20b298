//! Purchase invoices of parties at the Polish national system: those whose hook `ksef` takes
//! `ReceiveInvoice` are asked for by the time of storing, fetched, and recorded as documents that
//! arrived. From there on they are judged, announced and converted like any other.
//!
//! ```text
//! reached ─► question (250 at most, in the order of storing) ─► named + reached, one commit
//!                                                                  │
//! document that arrived, once by its number ◄─ digest held ◄─ fetch each that is named
//! ```
//! A question begins with the very time that the last one reached, and asks only for what the
//! system says is complete; so nothing is missed at the border, and what is named twice is known by
//! its number. Wherever the process ends, the next question begins where the last commit was.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use data_encoding::BASE64;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::{DocumentId, Family, Topic};
use quoin_ksef::api::{InvoiceDateRange, InvoiceMetadata, InvoiceQuery};
use quoin_ksef::steps::Trouble;
use quoin_store::{
    Arrival, Evidence, Hook, NewIncoming, Purchase, PurchasePlace, RecordOutcome, TransactionFacts,
};
use quoin_xmldsig::keys::sha256;
use uuid::Uuid;

use super::clearing::explained_trouble;
use super::{Worker, rest};
use crate::ksef::{KsefAccount, KsefClient, KsefSessionCalls, NAME};
use crate::step::StepFault;
use crate::tls::Shutdown;

/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_secs(1);
/// Questions of one look; the published limit is 20 an hour.
const QUESTIONS: u32 = 10;
/// Invoices that are fetched in one look; the published limit is 64 an hour.
const FETCHES: u32 = 64;
/// The longest period that is asked for at once: the system takes three months.
const PERIOD: SignedDuration = SignedDuration::from_hours(24 * 89);
/// The system is not that far: what is asked for may still get company.
const TOO_FAR: u32 = 21_183;
/// An invoice is not there yet, or not at all.
const NOT_THERE: [u32; 2] = [21_164, 21_165];

/// What is remembered of a hook between looks.
struct PurchaseMemory {
    changed_on: Timestamp,
    account: KsefAccount,
    next: Timestamp,
    trouble: Option<String>,
}

/// Why a look ended early.
enum LookEnd {
    /// Something over there.
    There(Trouble),
    /// Something of ours.
    Here(StepFault),
}

impl<E: Into<StepFault>> From<E> for LookEnd {
    fn from(fault: E) -> LookEnd {
        LookEnd::Here(fault.into())
    }
}

/// Asks again and again until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let Some(client) = worker.ksef.clone() else { return };
    let mut memories: HashMap<String, PurchaseMemory> = HashMap::new();
    while !shutdown.asked() {
        rest(tokio::time::sleep(TICK), &shutdown).await;
        let hooks = match worker.store.clearing_hooks().await {
            Ok(hooks) => hooks,
            Err(error) => {
                tracing::error!(%error, "parties with purchases at KSeF could not be listed");
                continue;
            }
        };
        let mut before = std::mem::take(&mut memories);
        for hook in hooks.into_iter().filter(takes_purchases) {
            let key = hook.key.to_string();
            let known = before.remove(&key).filter(|own| own.changed_on == hook.changed_on);
            let memory = match known {
                Some(memory) => Some(memory),
                None => worker.purchases_of(&hook).await,
            };
            let Some(mut memory) = memory else { continue };
            let pause = client.settings().purchases;
            if !shutdown.asked() && is_due(memory.next, worker.clock.now(), pause) {
                worker.look_for_purchases(&client, &hook, &mut memory).await;
            }
            memories.insert(key, memory);
        }
    }
}

fn takes_purchases(hook: &Hook) -> bool {
    hook.topics.iter().any(|pattern| pattern.matches(Topic::RECEIVE_INVOICE))
}

impl Worker {
    /// The account of a hook; none where its certificates cannot be used, which sending tells.
    async fn purchases_of(&self, hook: &Hook) -> Option<PurchaseMemory> {
        let account = match self.account_of_hook(hook).await {
            Ok(account) => account?,
            Err(fault) => {
                tracing::error!(hook = hook.id.as_str(), %fault, "a hook ksef cannot be used");
                return None;
            }
        };
        let (changed_on, next) = (hook.changed_on, Timestamp::MIN);
        Some(PurchaseMemory { changed_on, account, next, trouble: None })
    }

    /// One look: questions, then what they named.
    async fn look_for_purchases(
        &self,
        client: &KsefClient,
        hook: &Hook,
        memory: &mut PurchaseMemory,
    ) {
        let Some(party) = hook.scope.party() else { return };
        let place = PurchasePlace {
            organisation: hook.organisation.clone(),
            party: party.to_owned(),
            taxpayer: memory.account.nip.clone(),
        };
        let calls = KsefSessionCalls { client, account: &memory.account };
        let begun = self.clock.now();
        let asked = self.ask_for_purchases(&calls, &place, hook.created_on).await;
        // What was named before is fetched whatever came of the question.
        let fetched = self.fetch_purchases(&calls, &place).await;
        let mut wait = client.settings().purchases;
        let mut trouble = None;
        for end in [asked, fetched].into_iter().filter_map(Result::err) {
            match end {
                LookEnd::There(Trouble::Limited(seconds)) => {
                    let told = seconds.and_then(|told| i64::try_from(told).ok()).unwrap_or(60);
                    wait = wait.min(SignedDuration::from_secs(told.clamp(1, 3_600)));
                }
                LookEnd::There(other) => trouble = trouble.or(Some(explained_trouble(&other))),
                LookEnd::Here(fault) => {
                    tracing::error!(hook = hook.id.as_str(), %fault, "purchases of KSeF");
                }
            }
        }
        if let Some(told) = trouble.as_ref().filter(|told| memory.trouble.as_ref() != Some(told)) {
            self.tell_party(hook, "ksef-purchases", told.clone()).await;
        }
        memory.trouble = trouble;
        memory.next = begun.saturating_add(wait).unwrap_or(Timestamp::MAX);
    }

    /// Asks for what was stored since the last question.
    async fn ask_for_purchases(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
        since: Timestamp,
    ) -> Result<(), LookEnd> {
        let known = self.store.purchases_reached(place).await?;
        let (mut reached, mut page) = (known.unwrap_or(since), 0);
        if known.is_none() {
            self.store.note_purchases(place, Vec::new(), reached, self.clock.now()).await?;
        }
        for _ in 0..QUESTIONS {
            let now = self.clock.now();
            let end = reached.saturating_add(PERIOD).unwrap_or(now);
            let to = (end < now).then_some(end);
            let answer = match calls.purchases(&question(reached, to), page).await {
                Ok(answer) => answer,
                Err(Trouble::Refused(_, problem)) if problem.has(TOO_FAR) => return Ok(()),
                Err(trouble) => return Err(LookEnd::There(trouble)),
            };
            // The time that is reached never passes an invoice that is not on record.
            let named: Option<Vec<Purchase>> = answer.invoices.iter().map(purchase).collect();
            let named = named.ok_or(LookEnd::There(Trouble::Unreadable))?;
            let last = answer.invoices.last().map(|one| one.permanent_storage_date);
            let complete = answer.permanent_storage_hwm_date.or(last);
            let next = match answer.has_more {
                true => last.unwrap_or(reached),
                false => to.or(complete).unwrap_or(reached),
            };
            // The store keeps whole microseconds; a time that is not later is asked for page by
            // page.
            let is_later = next.as_microsecond() > reached.as_microsecond();
            self.store.note_purchases(place, named, next.max(reached), now).await?;
            if !answer.has_more && to.is_none() {
                return Ok(());
            }
            (reached, page) = match is_later {
                true => (next, 0),
                false if answer.has_more => (reached, page + 1),
                false => return Ok(()),
            };
        }
        Ok(())
    }

    /// Fetches what was named, as far as the limit of the system lets it.
    async fn fetch_purchases(
        &self,
        calls: &KsefSessionCalls<'_>,
        place: &PurchasePlace,
    ) -> Result<(), LookEnd> {
        let mut trouble = None;
        for purchase in self.store.purchases_to_fetch(place, FETCHES).await? {
            let content = match calls.invoice(&purchase.number).await {
                Ok(content) => content,
                // The others may be there.
                Err(Trouble::Refused(status, problem))
                    if NOT_THERE.iter().any(|code| problem.has(*code)) =>
                {
                    trouble = trouble.or(Some(Trouble::Refused(status, problem)));
                    continue;
                }
                Err(other) => return Err(LookEnd::There(other)),
            };
            if sha256(&content) != purchase.digest {
                tracing::error!(number = purchase.number, "KSeF gave other bytes than it named");
                trouble = trouble.or(Some(Trouble::Unreadable));
                continue;
            }
            self.record_purchase(place, &purchase, content).await?;
            self.store.purchase_taken(place, &purchase.number).await?;
        }
        trouble.map_or(Ok(()), |trouble| Err(LookEnd::There(trouble)))
    }

    /// Records an invoice as one that arrived. Once: it is known by its number.
    async fn record_purchase(
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
                receiver: Some(place.party.clone()),
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

/// What was stored for the party as the buyer, from a time on.
fn question(from: Timestamp, to: Option<Timestamp>) -> InvoiceQuery {
    InvoiceQuery {
        subject_type: "Subject2".to_owned(),
        date_range: InvoiceDateRange {
            date_type: "PermanentStorage".to_owned(),
            from,
            to,
            restrict_to_permanent_storage_hwm_date: Some(true),
        },
        ksef_number: None,
        invoice_number: None,
        seller_nip: None,
    }
}

/// What is recorded of an invoice that was named; none of one whose digest cannot be read, which
/// the system does not do: it is told, and asked for again.
fn purchase(named: &InvoiceMetadata) -> Option<Purchase> {
    let digest = BASE64.decode(named.invoice_hash.as_bytes()).ok();
    let digest = digest.and_then(|bytes| bytes.try_into().ok());
    if digest.is_none() {
        tracing::error!(number = named.ksef_number, "KSeF named an invoice without a digest");
    }
    Some(Purchase {
        number: named.ksef_number.clone(),
        digest: digest?,
        seller: named.seller.nip.clone(),
        stored_on: named.permanent_storage_date,
    })
}
