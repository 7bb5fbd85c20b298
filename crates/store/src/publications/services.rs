//! Services: the document types and processes that the SMP publishes for a participant, and that
//! the AS4 door accepts for it.

use std::sync::Arc;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use serde::{Deserialize, Serialize};

use crate::engine::json;
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::remembered::KeptQuestion;
use crate::writer::Tx;

/// A participant takes a document type in a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedService {
    /// The participant, in one canonical form of the caller's choice.
    pub participant: String,
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// The process in the form `scheme::value`.
    pub process: String,
    /// The tenant whose participant it is.
    pub organisation: OrganisationId,
    /// Whether it was registered by itself, and not as part of a capability.
    pub explicit: bool,
    /// Where its documents go; `None` for our access point alone.
    pub endpoints: Option<Vec<ServiceEndpoint>>,
    /// When it was registered.
    pub created_on: Timestamp,
}

/// An endpoint of a service that is not simply ours (Peppol SMP 1.4.0, section 2.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceEndpoint {
    /// Transport profile.
    pub transport_profile: String,
    /// Address of the access point; `None` for that of ours.
    pub address: Option<String>,
    /// Its certificate, Base64 of DER; `None` for that of ours, whichever it is at the time.
    pub certificate: Option<String>,
    /// Usable from this instant on; `None` for always.
    pub activation: Option<Timestamp>,
    /// Usable until this instant; `None` for always.
    pub expiration: Option<Timestamp>,
    /// What the service is, for people.
    pub description: String,
    /// Address or mail of a technical contact.
    pub technical_contact: String,
    /// Address of technical information.
    pub technical_information: Option<String>,
}

impl ServiceEndpoint {
    /// The bytes of what it says.
    pub fn bytes(&self) -> usize {
        let texts = [&self.address, &self.certificate, &self.technical_information];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        let rest = [&self.transport_profile, &self.description, &self.technical_contact];
        texts + rest.into_iter().map(String::len).sum::<usize>()
    }
}

impl PublishedService {
    /// The bytes of what its endpoints say, other than ours.
    pub fn bytes(&self) -> usize {
        self.endpoints.iter().flatten().map(ServiceEndpoint::bytes).sum()
    }

    /// Whether our access point takes its documents at this time.
    pub fn is_here(&self, now: Timestamp) -> bool {
        let ours = |endpoint: &ServiceEndpoint| {
            endpoint.certificate.is_none()
                && endpoint.activation.is_none_or(|from| from <= now)
                && endpoint.expiration.is_none_or(|until| now < until)
        };
        self.endpoints.as_ref().is_none_or(|endpoints| endpoints.iter().any(ours))
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT s.participant, k.document_type, k.process, g.organisation, s.explicit,
                s.endpoints, s.created_on
             FROM services s JOIN service_kinds k ON k.id = s.kind
             JOIN service_groups g ON g.participant = s.participant ",
            $rest
        )
    };
}

/// What a participant takes, which may be a hundred services.
const TAKEN: KeptQuestion<Arc<[PublishedService]>> =
    KeptQuestion::of("services", &["services", "service_kinds", "service_groups"], 500)
        .unless(|taken| taken.iter().map(PublishedService::bytes).sum::<usize>() > KEPT);
/// Bytes of endpoints of which what a participant takes is kept, at most: a hundred services with
/// certificates of their own have more, and are read anew.
const KEPT: usize = 64 << 10;
/// Of which of its document types another SMP tells.
const ELSEWHERE: KeptQuestion<Arc<[String]>> =
    KeptQuestion::of("redirects", &["redirects", "service_groups"], 500);
const REDIRECTED: &str = "SELECT document_type FROM redirects WHERE participant = ?1";
const OF_PARTICIPANT: &str =
    select!("WHERE s.participant = ?1 ORDER BY k.document_type, k.process");
const OF_ORGANISATION: &str =
    select!("WHERE g.organisation = ?1 ORDER BY s.participant, k.document_type, k.process");
const SERVICED: &str =
    select!("WHERE s.participant = ?1 AND k.document_type = ?2 AND k.process = ?3");
const KIND: &str = "SELECT id FROM service_kinds WHERE document_type = ?1 AND process = ?2";
const PUT_KIND: &str = "INSERT INTO service_kinds (document_type, process) VALUES (?1, ?2)";
const PUT: &str = "INSERT INTO services (participant, kind, explicit, endpoints, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (participant, kind) DO NOTHING";
const REPLACE: &str = "INSERT INTO services (participant, kind, explicit, endpoints, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (participant, kind) DO UPDATE SET
    explicit = excluded.explicit, endpoints = excluded.endpoints";
const REMOVE_ONE: &str = "DELETE FROM services WHERE participant = ?1 AND kind =
    (SELECT id FROM service_kinds WHERE document_type = ?2 AND process = ?3)";

fn read(mut row: SqlRow) -> Result<PublishedService, Fault> {
    Ok(PublishedService {
        participant: row.text("services.participant")?,
        document_type: row.text("service_kinds.document_type")?,
        process: row.text("service_kinds.process")?,
        organisation: row.parsed("service_groups.organisation")?,
        explicit: row.yes("services.explicit")?,
        endpoints: row.json_or_none("services.endpoints")?,
        created_on: row.time("services.created_on")?,
    })
}

/// The number of a document type in a process.
fn kind(tx: &mut Tx<'_>, document_type: &str, process: &str) -> Result<i64, Fault> {
    let pair = [document_type.into(), process.into()];
    if tx.first(KIND, &pair)?.is_none() {
        tx.execute(PUT_KIND, &pair)?;
    }
    let row = tx.first(KIND, &pair)?;
    row.ok_or_else(|| Fault::record("service_kinds.id", "nothing"))?.integer("service_kinds.id")
}

/// Records a service, unless it is on record already.
pub(crate) fn put(tx: &mut Tx<'_>, service: &PublishedService) -> Result<(), Error> {
    record(tx, service, PUT)
}

/// Records a service in place of what it was.
pub(crate) fn replace(tx: &mut Tx<'_>, service: &PublishedService) -> Result<(), Error> {
    record(tx, service, REPLACE)
}

fn record(tx: &mut Tx<'_>, service: &PublishedService, sql: &'static str) -> Result<(), Error> {
    let s = service;
    super::put_group(tx, &s.organisation, &s.participant, s.created_on)?;
    let kind = kind(tx, &s.document_type, &s.process)?;
    let endpoints = s.endpoints.as_ref().map(json).transpose()?;
    let row = [
        (&s.participant).into(),
        kind.into(),
        s.explicit.into(),
        endpoints.as_ref().into(),
        s.created_on.into(),
    ];
    if tx.execute(sql, &row)? > 0 {
        super::changed(tx, &s.participant, s.created_on)?;
    }
    Ok(())
}

/// All services of a participant, whoever publishes it.
pub(crate) fn of_participant(
    db: &mut dyn Connection,
    participant: &str,
) -> Result<Vec<PublishedService>, Fault> {
    db.query(OF_PARTICIPANT, &[participant.into()])?.into_iter().map(read).collect()
}

pub(crate) fn remove_one(
    tx: &mut Tx<'_>,
    participant: &str,
    (document_type, process): &(String, String),
    now: Timestamp,
) -> Result<usize, Fault> {
    let row = [participant.into(), document_type.into(), process.into()];
    let removed = tx.execute(REMOVE_ONE, &row)?;
    if removed > 0 {
        super::changed(tx, participant, now)?;
    }
    Ok(removed)
}

impl Store {
    /// Records services, all or none; what is on record already stays as it is.
    ///
    /// Errors: [`crate::Refusal::Taken`] where a participant is registered by another organisation.
    pub async fn put_services(&self, services: Vec<PublishedService>) -> Result<(), Error> {
        self.write(move |tx| services.iter().try_for_each(|service| put(tx, service))).await
    }

    /// What a participant takes, by document type and process.
    pub async fn services_of(&self, participant: &str) -> Result<Arc<[PublishedService]>, Error> {
        let one = participant.to_owned();
        self.recalled(&TAKEN, one.clone(), move |db| Ok(of_participant(db, &one)?.into())).await
    }

    /// The document types of a participant that another SMP tells of: what is registered for them
    /// here is not published.
    pub async fn redirected_types(&self, participant: &str) -> Result<Arc<[String]>, Error> {
        let one = participant.to_owned();
        let read = move |db: &mut dyn Connection| {
            let mut rows = db.query(REDIRECTED, &[(&one).into()])?;
            let types = rows.iter_mut().map(|row| row.text("redirects.document_type"));
            Ok(types.collect::<Result<Arc<[String]>, Fault>>()?)
        };
        self.recalled(&ELSEWHERE, participant.to_owned(), read).await
    }

    /// All services of an organisation.
    pub async fn services_of_organisation(
        &self,
        organisation: &OrganisationId,
    ) -> Result<Vec<PublishedService>, Error> {
        self.services(OF_ORGANISATION, vec![organisation.as_str().to_owned()]).await
    }

    /// The service for exactly this participant, document type and process: the question of the
    /// AS4 door.
    pub async fn service(
        &self,
        participant: &str,
        document_type: &str,
        process: &str,
    ) -> Result<Option<PublishedService>, Error> {
        let keys = [participant, document_type, process].map(str::to_owned).to_vec();
        Ok(self.services(SERVICED, keys).await?.into_iter().next())
    }

    async fn services(
        &self,
        sql: &'static str,
        keys: Vec<String>,
    ) -> Result<Vec<PublishedService>, Error> {
        self.read(move |db| {
            let keys: Vec<_> = keys.iter().map(Into::into).collect();
            let rows = db.query(sql, &keys)?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
