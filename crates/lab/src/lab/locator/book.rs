//! What the lab's SML has on record, and its rules: an SMP belongs to the certificate that
//! registered it or to the one that was announced, a participant to one SMP, and a list is taken
//! whole or not at all.

use std::collections::BTreeMap;
use std::ops::Bound;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::soap::{
    CertificateChange, Entries, FaultKind, LIST_LIMIT, Move, ParticipantPage, Publisher,
    SMP_SERVICE, SmlAnswer, SmlFault, SmlRequest, check_migration_key,
};

/// Participants in a page, unless told otherwise.
const PAGE: usize = 1_000;

/// The records.
#[derive(Debug)]
pub(super) struct Book {
    /// Participants in a page.
    pub page: usize,
    publishers: BTreeMap<String, PublisherRecord>,
    participants: BTreeMap<String, Listed>,
}

#[derive(Debug)]
struct PublisherRecord {
    publisher: Publisher,
    /// The certificate that speaks for it (SHA-256).
    certificate: [u8; 32],
    /// The one that does so from a day on.
    next: Option<([u8; 32], Date)>,
}

impl PublisherRecord {
    /// Whether a certificate speaks for the SMP on a day.
    fn is(&self, certificate: &Certificate, today: Date) -> bool {
        let due = self.next.filter(|(_, from)| *from <= today);
        due.map_or(self.certificate, |(next, _)| next) == *certificate.fingerprint()
    }
}

#[derive(Debug)]
struct Listed {
    id: ParticipantId,
    publisher: String,
    key: Option<String>,
}

/// The answer, and the participants whose names change.
type LocatorResult = Result<(SmlAnswer, Vec<ParticipantId>), SmlFault>;

impl Default for Book {
    fn default() -> Book {
        Book { page: PAGE, publishers: BTreeMap::new(), participants: BTreeMap::new() }
    }
}

fn fault(kind: FaultKind, text: String) -> SmlFault {
    SmlFault { kind, text }
}

fn bad(text: impl std::fmt::Display) -> SmlFault {
    fault(FaultKind::BadRequest, format!("[ERR-106] {text}"))
}

impl Book {
    pub(super) fn publisher_of(&self, participant: &str) -> Option<String> {
        self.participants.get(participant).map(|listed| listed.publisher.clone())
    }

    pub(super) fn len(&self) -> usize {
        self.participants.len()
    }

    /// Carries a request of the SMP with this certificate out.
    pub(super) fn carry_out(
        &mut self,
        caller: &Certificate,
        request: SmlRequest,
        today: Date,
    ) -> LocatorResult {
        let request = match request {
            SmlRequest::CreatePublisher(publisher) => {
                return self.create_publisher(caller, publisher);
            }
            SmlRequest::ChangeCertificate(change) => {
                return self.change_certificate(caller, &change, today);
            }
            SmlRequest::IsAlive => return Ok((SmlAnswer::Done, vec![])),
            SmlRequest::CreateAs(entries, service) if service == SMP_SERVICE => {
                SmlRequest::Create(entries)
            }
            SmlRequest::CreateAs(_, service) => {
                return Err(bad(format!("the service {service:?} is not {SMP_SERVICE}")));
            }
            other => other,
        };
        let mut id = request.publisher().to_owned();
        if id.is_empty() {
            // Left out where the caller has one SMP only.
            let mut own = self.publishers.iter().filter(|(_, known)| known.is(caller, today));
            if let (Some((name, _)), None) = (own.next(), own.next()) {
                id.clone_from(name);
            }
        }
        let known = self.publishers.get(&id).ok_or_else(|| {
            fault(FaultKind::NotFound, format!("[ERR-100] The SMP '{id}' is not known here."))
        })?;
        if !known.is(caller, today) {
            let text = format!("[ERR-101] The SMP [{id}] belongs to another certificate.");
            return Err(fault(FaultKind::Unauthorized, text));
        }
        match request {
            SmlRequest::UpdatePublisher(publisher) => Ok(self.update_publisher(publisher)),
            SmlRequest::CreatePublisher(_)
            | SmlRequest::ChangeCertificate(_)
            | SmlRequest::CreateAs(..)
            | SmlRequest::IsAlive => Ok((SmlAnswer::Done, vec![])),
            SmlRequest::ReadPublisher(_) => {
                Ok((SmlAnswer::Publisher(known.publisher.clone()), vec![]))
            }
            SmlRequest::DeletePublisher(id) => Ok(self.delete_publisher(&id)),
            SmlRequest::Create(entries) | SmlRequest::CreateList(entries) => {
                self.create(Entries { publisher: id, ..entries })
            }
            SmlRequest::Delete(entries) | SmlRequest::DeleteList(entries) => {
                self.delete(&Entries { publisher: id, ..entries })
            }
            SmlRequest::List { publisher, page } => Ok((self.list(&publisher, page), vec![])),
            SmlRequest::PrepareToMigrate(moved) => self.prepare(moved),
            SmlRequest::Migrate(moved) => self.migrate(&moved),
        }
    }

    /// The certificate of all SMPs that the caller speaks for is another one from a day on.
    fn change_certificate(
        &mut self,
        caller: &Certificate,
        change: &CertificateChange,
        today: Date,
    ) -> LocatorResult {
        let pem = &change.certificate_pem;
        if !pem.starts_with("-----BEGIN CERTIFICATE-----") {
            return Err(bad(
                "the new certificate must be PEM with the lines that begin and end it",
            ));
        }
        let next = Certificate::from_text(pem).map_err(bad)?;
        let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
        let from = change.on.unwrap_or_else(|| day(next.not_before()));
        if from < today || from < day(next.not_before()) || from > day(next.not_after()) {
            let text =
                format!("the migration date {from} is in the past or outside of the validity");
            return Err(bad(text));
        }
        let mut found = false;
        for known in self.publishers.values_mut().filter(|known| known.is(caller, today)) {
            known.certificate = *caller.fingerprint();
            known.next = Some((*next.fingerprint(), from));
            found = true;
        }
        match found {
            true => Ok((SmlAnswer::Done, vec![])),
            false => {
                let text = "[ERR-101] no SMP belongs to this certificate.".to_owned();
                Err(fault(FaultKind::Unauthorized, text))
            }
        }
    }

    fn create_publisher(&mut self, caller: &Certificate, publisher: Publisher) -> LocatorResult {
        if self.publishers.contains_key(&publisher.id) {
            return Err(bad(format!("the SMP '{}' exists already", publisher.id)));
        }
        if !publisher.logical_address.starts_with("https://") {
            return Err(bad("the logical address must begin with https://"));
        }
        let (id, certificate) = (publisher.id.clone(), *caller.fingerprint());
        self.publishers.insert(id, PublisherRecord { publisher, certificate, next: None });
        Ok((SmlAnswer::Done, vec![]))
    }

    fn of(&self, publisher: &str) -> impl Iterator<Item = &Listed> {
        let publisher = publisher.to_owned();
        self.participants.values().filter(move |listed| listed.publisher == publisher)
    }

    fn update_publisher(&mut self, publisher: Publisher) -> (SmlAnswer, Vec<ParticipantId>) {
        let changes = self.of(&publisher.id).map(|listed| listed.id.clone()).collect();
        if let Some(known) = self.publishers.get_mut(&publisher.id) {
            known.publisher = publisher;
        }
        (SmlAnswer::Done, changes)
    }

    fn delete_publisher(&mut self, id: &str) -> (SmlAnswer, Vec<ParticipantId>) {
        let changes = self.of(id).map(|listed| listed.id.clone()).collect();
        self.participants.retain(|_, listed| listed.publisher != id);
        self.publishers.remove(id);
        (SmlAnswer::Done, changes)
    }

    fn create(&mut self, entries: Entries) -> LocatorResult {
        let Entries { publisher, participants } = entries;
        few(&participants)?;
        for id in &participants {
            if self.participants.contains_key(&id.folded()) {
                let text = format!("the participant identifier [{id}] does already exist");
                return Err(bad(text));
            }
        }
        let changes = participants.clone();
        for id in participants {
            let listed = Listed { id: id.clone(), publisher: publisher.clone(), key: None };
            self.participants.insert(id.folded(), listed);
        }
        Ok((SmlAnswer::Done, changes))
    }

    /// The address of the SMP that a participant belongs to.
    pub(super) fn address_of(&self, id: &ParticipantId) -> Option<&str> {
        let listed = self.participants.get(&id.folded())?;
        Some(self.publishers.get(&listed.publisher)?.publisher.logical_address.as_str())
    }

    /// The record of a participant that belongs to this SMP.
    fn own(&mut self, publisher: &str, id: &ParticipantId) -> Result<&mut Listed, SmlFault> {
        let listed = self.participants.get_mut(&id.folded());
        listed.filter(|listed| listed.publisher == publisher).ok_or_else(|| {
            let text = format!("[ERR-110] The SMP '{publisher}' has no participant [{id}].");
            fault(FaultKind::NotFound, text)
        })
    }

    fn delete(&mut self, entries: &Entries) -> LocatorResult {
        few(&entries.participants)?;
        for id in &entries.participants {
            if self.own(&entries.publisher, id)?.key.is_some() {
                let text = format!("[ERR-114] A migration of [{id}] is prepared.");
                return Err(fault(FaultKind::BadRequest, text));
            }
        }
        for id in &entries.participants {
            self.participants.remove(&id.folded());
        }
        Ok((SmlAnswer::Done, entries.participants.clone()))
    }

    fn list(&self, publisher: &str, after: Option<String>) -> SmlAnswer {
        let start = after.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let mut own = self
            .participants
            .range::<str, _>((start, Bound::Unbounded))
            .filter(|(_, listed)| listed.publisher == publisher);
        let page: Vec<_> = own.by_ref().take(self.page).collect();
        let next = own.next().and(page.last()).map(|(last, _)| (*last).clone());
        SmlAnswer::Page(ParticipantPage {
            participants: page.into_iter().map(|(_, listed)| listed.id.clone()).collect(),
            publisher: Some(publisher.to_owned()),
            next,
        })
    }

    fn prepare(&mut self, moved: Move) -> LocatorResult {
        check_migration_key(&moved.key).map_err(bad)?;
        self.own(&moved.publisher, &moved.participant)?.key = Some(moved.key);
        Ok((SmlAnswer::Done, vec![]))
    }

    /// The key is used once; the participant belongs to the new SMP from now on.
    fn migrate(&mut self, moved: &Move) -> LocatorResult {
        let listed = self.participants.get_mut(&moved.participant.folded());
        let Some(listed) = listed.filter(|listed| listed.key.as_ref() == Some(&moved.key)) else {
            let id = &moved.participant;
            return Err(bad(format!("no migration of [{id}] was prepared with this key")));
        };
        listed.publisher.clone_from(&moved.publisher);
        listed.key = None;
        Ok((SmlAnswer::Done, vec![moved.participant.clone()]))
    }
}

fn few(participants: &[ParticipantId]) -> Result<(), SmlFault> {
    match participants.len() {
        1..=LIST_LIMIT => Ok(()),
        many => Err(bad(format!("a list has 1 to {LIST_LIMIT} participants, found {many}"))),
    }
}
