//! What is to be done at the Polish national system before a time is over: invoices that were
//! issued without it have to be registered by the end of a day, and certificates end. Both are told
//! while something can still be done.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::clock::is_due;
use quoin_delivery::{AlarmKind, DocumentId, Notice, OrganisationId, Topic};
use quoin_ksef::offline::warsaw;
use quoin_ksef::steps::POLLS_IN_VAIN;
use quoin_store::{DueClearances, EventSubject, Hook, WaitingClearances};
use uuid::Uuid;

use super::{Worker, rest};
use crate::ksef::explained_own;
use crate::tls::Shutdown;

/// How often the clock is looked at, which a laboratory may move.
const TICK: Duration = Duration::from_secs(1);
/// How long there is between two looks.
const PAUSE: SignedDuration = SignedDuration::from_mins(15);
/// How long before its end a term is told: terms end at midnight, so at noon.
const BEFORE: SignedDuration = SignedDuration::from_hours(12);
/// So many attempts in vain take about an hour, with a hook or without one.
const IN_VAIN: u32 = 7;
/// How long what was issued without the system may wait: some days, since a failure may last.
const DAYS: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Alarms that are looked through at most.
const ALARMS: usize = 1_000;

/// When the certificates of a hook end, and when the hook was changed.
struct CertificateEnds {
    changed_on: Timestamp,
    ends: [Timestamp; 2],
    soon: [bool; 2],
}

/// What was found before, so that nothing is opened or told twice.
#[derive(Default)]
struct TermMemory {
    certificates: HashMap<String, CertificateEnds>,
    told: BTreeSet<String>,
}

/// Watches until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    if worker.ksef.is_none() {
        return;
    }
    let (mut next, mut memory) = (Timestamp::MIN, TermMemory::default());
    while !shutdown.asked() {
        // Nothing is over by a clock that is not believed.
        let due = worker.watch.believed().filter(|now| is_due(next, *now, PAUSE));
        if let Some(now) = due {
            if let Err(error) = worker.watch_terms(&mut memory, now).await {
                tracing::error!(%error, "terms of KSeF could not be looked at");
            }
            next = now.saturating_add(PAUSE).unwrap_or(Timestamp::MAX);
        }
        rest(tokio::time::sleep(TICK), &shutdown).await;
    }
}

impl Worker {
    async fn watch_terms(
        &self,
        memory: &mut TermMemory,
        now: Timestamp,
    ) -> Result<(), quoin_store::Error> {
        let mut current = BTreeSet::new();
        let until = now.saturating_add(BEFORE).unwrap_or(now);
        for due in self.store.clearances_due(until).await? {
            let party = self.name_of(&due.organisation, &due.party).await;
            let subject = format!("{} {party}", due.organisation);
            self.tell_term(&due, (&party, &subject), memory, now).await;
            current.insert((AlarmKind::CLEARANCE_DUE.code, subject));
        }
        let issued_by = now.saturating_sub(DAYS).unwrap_or(now);
        for waiting in self.store.clearances_waiting((IN_VAIN, POLLS_IN_VAIN), issued_by).await? {
            let party = self.name_of(&waiting.organisation, &waiting.party).await;
            let subject = format!("{} {party}", waiting.organisation);
            self.tell_waiting(&waiting, (&party, &subject)).await;
            current.insert((AlarmKind::CLEARANCE_WAITS.code, subject));
        }
        for hook in self.store.clearing_hooks().await? {
            let key = hook.key.to_string();
            let known = memory.certificates.remove(&key);
            let known = known.filter(|own| own.changed_on == hook.changed_on);
            let ends = match known {
                Some(ends) => Some(ends),
                None => self.certificate_ends(&hook).await,
            };
            let Some(mut ends) = ends else { continue };
            for subject in self.tell_certificates(&hook, &mut ends, now).await {
                current.insert((AlarmKind::CLEARANCE_CERTIFICATE.code, subject));
            }
            memory.certificates.insert(key, ends);
        }
        let waits = AlarmKind::CLEARANCE_WAITS;
        for kind in [AlarmKind::CLEARANCE_DUE, AlarmKind::CLEARANCE_CERTIFICATE, waits] {
            for alarm in self.store.open_alarms(ALARMS).await? {
                let is_over = !current.contains(&(kind.code, alarm.subject.clone()));
                if alarm.code == kind.code && is_over {
                    self.alarms.end(kind, &alarm.subject).await;
                }
            }
        }
        Ok(())
    }

    /// Invoices of a party that have to be registered soon.
    async fn tell_term(
        &self,
        due: &DueClearances,
        (party, subject): (&str, &str),
        memory: &mut TermMemory,
        now: Timestamp,
    ) {
        let (count, end) = (due.documents, warsaw(due.first_due));
        let word = if due.first_due <= now { "term-over" } else { "term" };
        let found = format!("{count}, {}.", end.strftime("%Y-%m-%d %H:%M"));
        let message = explained_own(word, &found);
        let details = [
            ("code", "ksef-term".to_owned()),
            ("partyId", party.to_owned()),
            ("count", count.to_string()),
            ("clearanceDueOn", due.first_due.to_string()),
        ];
        let borrowed: Vec<(&str, &str)> =
            details.iter().map(|(name, fact)| (*name, fact.as_str())).collect();
        self.alarms.raise(AlarmKind::CLEARANCE_DUE, subject, message.clone(), &borrowed).await;
        let once = format!("{subject} {word} {}", due.first_due);
        if memory.told.insert(once) {
            let owned = details.map(|(name, fact)| (name.to_owned(), fact)).into();
            let notice = Notice::new(Topic::INVOICE_CLEARED_RETRY, message, owned);
            self.tell_owner((&due.organisation, &due.party), notice).await;
        }
    }

    /// Invoices of a party that wait for long. Their party was told when it began.
    async fn tell_waiting(&self, waiting: &WaitingClearances, (party, subject): (&str, &str)) {
        let count = waiting.documents.to_string();
        let found = format!("{party}: {count}, {}.", waiting.since);
        let message = explained_own("stuck", &found);
        let details = [("partyId", party), ("count", count.as_str())];
        self.alarms.raise(AlarmKind::CLEARANCE_WAITS, subject, message, &details).await;
    }

    /// When the certificates of a hook end; none where they cannot be opened.
    async fn certificate_ends(&self, hook: &Hook) -> Option<CertificateEnds> {
        let account = self.account_of_hook(hook).await.ok()?.ok()?;
        let ends = [account.init.online.not_after(), account.init.offline.not_after()];
        Some(CertificateEnds { changed_on: hook.changed_on, ends, soon: [false, false] })
    }

    /// Tells of certificates that end soon; the subjects of the alarms that go on.
    async fn tell_certificates(
        &self,
        hook: &Hook,
        known: &mut CertificateEnds,
        now: Timestamp,
    ) -> Vec<String> {
        let mut subjects = Vec::new();
        let Some(key) = hook.scope.party() else { return subjects };
        let party = self.name_of(&hook.organisation, key).await;
        let fields = ["onlineCertificate", "offlineCertificate"];
        for ((field, end), told) in fields.into_iter().zip(known.ends).zip(&mut known.soon) {
            if !quoin_ksef::certificate::is_soon(end, now) {
                continue;
            }
            let subject = format!("{} {party} {field}", hook.organisation);
            let day = warsaw(end).date();
            let word = if end <= now { "certificate-ended" } else { "certificate-ends" };
            let message = explained_own(word, &format!("{field}: {day}."));
            let details = [
                ("code", "ksef-certificate".to_owned()),
                ("partyId", party.clone()),
                ("hook", hook.id.to_string()),
                ("use", field.to_owned()),
                ("notAfter", end.to_string()),
            ];
            let borrowed: Vec<(&str, &str)> =
                details.iter().map(|(name, fact)| (*name, fact.as_str())).collect();
            let kind = AlarmKind::CLEARANCE_CERTIFICATE;
            self.alarms.raise(kind, &subject, message.clone(), &borrowed).await;
            if !std::mem::replace(told, true) {
                let owned = details.map(|(name, fact)| (name.to_owned(), fact)).into();
                let notice = Notice::new(Topic::CERTIFICATE_EXPIRING, message, owned);
                self.tell_owner((&hook.organisation, key), notice).await;
            }
            subjects.push(subject);
        }
        subjects
    }

    /// Tells a party something that is about no document of it.
    async fn tell_owner(&self, (owner, party): (&OrganisationId, &str), notice: Notice) {
        let subject = EventSubject {
            organisation: owner.clone(),
            party: party.to_owned(),
            transaction: None,
            document_id: DocumentId::from_uuid(Uuid::now_v7()),
            origin: None,
            depth: 0,
        };
        if let Err(error) = self.store.announce(subject, notice, self.clock.now()).await {
            tracing::error!(%error, "a term of KSeF could not be told");
        }
    }
}
