//! Services: what the SMP publishes about our participants, and what the AS4 door accepts for them.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Row};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

/// A participant takes a document type in a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// The participant, in one canonical form of the caller's choice.
    pub participant: String,
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// The process in the form `scheme::value`.
    pub process: String,
    /// The tenant whose participant it is.
    pub organisation: OrganisationId,
    /// When it was registered.
    pub created_on: Timestamp,
}

const OWNER: &str = "SELECT organisation FROM services WHERE participant = ?1 LIMIT 1";
const PUT: &str = "INSERT INTO services
    (participant, document_type, process, organisation, created_on) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (participant, document_type, process) DO NOTHING";
const REMOVE: &str = "DELETE FROM services WHERE organisation = ?1 AND participant = ?2";
const OF_PARTICIPANT: &str = "SELECT participant, document_type, process, organisation, created_on
    FROM services WHERE participant = ?1 ORDER BY document_type, process";
const OF_ORGANISATION: &str = "SELECT participant, document_type, process, organisation, created_on
    FROM services WHERE organisation = ?1 ORDER BY participant, document_type, process";
const SERVICED: &str = "SELECT participant, document_type, process, organisation, created_on
    FROM services WHERE participant = ?1 AND document_type = ?2 AND process = ?3";

const REMOVE_ONE: &str = "DELETE FROM services
    WHERE participant = ?1 AND document_type = ?2 AND process = ?3";
const REMOVE_ALL: &str = "DELETE FROM services WHERE participant = ?1";

fn read(mut row: Row) -> Result<Service, Fault> {
    Ok(Service {
        participant: row.text("services.participant")?,
        document_type: row.text("services.document_type")?,
        process: row.text("services.process")?,
        organisation: row.parsed("services.organisation")?,
        created_on: row.time("services.created_on")?,
    })
}

/// Records a service, unless it is on record already.
pub(crate) fn put(tx: &mut Tx<'_>, service: &Service) -> Result<(), Error> {
    let s = service;
    let owner = tx.first(OWNER, &[(&s.participant).into()])?;
    let owner = owner.map(|mut row| row.text("services.organisation")).transpose()?;
    if owner.is_some_and(|owner| owner != s.organisation.as_str()) {
        let key = s.participant.clone();
        return Err(Refusal::Taken { what: "participant", key }.into());
    }
    let row = [
        (&s.participant).into(),
        (&s.document_type).into(),
        (&s.process).into(),
        s.organisation.as_str().into(),
        s.created_on.into(),
    ];
    tx.execute(PUT, &row)?;
    Ok(())
}

/// All services of a participant, whoever publishes it.
pub(crate) fn of_participant(
    db: &mut dyn Connection,
    participant: &str,
) -> Result<Vec<Service>, Fault> {
    db.query(OF_PARTICIPANT, &[participant.into()])?.into_iter().map(read).collect()
}

pub(crate) fn remove_one(
    tx: &mut Tx<'_>,
    participant: &str,
    (document_type, process): &(String, String),
) -> Result<(), Fault> {
    tx.execute(REMOVE_ONE, &[participant.into(), document_type.into(), process.into()])?;
    Ok(())
}

pub(crate) fn remove_all(tx: &mut Tx<'_>, participant: &str) -> Result<(), Fault> {
    tx.execute(REMOVE_ALL, &[participant.into()])?;
    Ok(())
}

pub(crate) fn remove(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
) -> Result<usize, Fault> {
    tx.execute(REMOVE, &[organisation.as_str().into(), participant.into()])
}

impl Store {
    /// Records services, all or none; what is on record already stays as it is.
    ///
    /// Errors: [`Refusal::Taken`] where a participant is registered by another organisation.
    pub async fn put_services(&self, services: Vec<Service>) -> Result<(), Error> {
        self.write(move |tx| services.iter().try_for_each(|service| put(tx, service))).await
    }

    /// Removes all services of a participant; answers how many there were.
    pub async fn remove_services(
        &self,
        organisation: &OrganisationId,
        participant: &str,
    ) -> Result<usize, Error> {
        let (organisation, participant) = (organisation.clone(), participant.to_owned());
        self.write(move |tx| Ok(remove(tx, &organisation, &participant)?)).await
    }

    /// What a participant takes, by document type and process.
    pub async fn services_of(&self, participant: &str) -> Result<Vec<Service>, Error> {
        self.services(OF_PARTICIPANT, vec![participant.to_owned()]).await
    }

    /// All services of an organisation.
    pub async fn services_of_organisation(
        &self,
        organisation: &OrganisationId,
    ) -> Result<Vec<Service>, Error> {
        self.services(OF_ORGANISATION, vec![organisation.as_str().to_owned()]).await
    }

    /// The service for exactly this participant, document type and process: the question of the
    /// AS4 door.
    pub async fn service(
        &self,
        participant: &str,
        document_type: &str,
        process: &str,
    ) -> Result<Option<Service>, Error> {
        let keys = [participant, document_type, process].map(str::to_owned).to_vec();
        Ok(self.services(SERVICED, keys).await?.into_iter().next())
    }

    async fn services(&self, sql: &'static str, keys: Vec<String>) -> Result<Vec<Service>, Error> {
        self.read(move |db| {
            let keys: Vec<_> = keys.iter().map(Into::into).collect();
            let rows = db.query(sql, &keys)?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
