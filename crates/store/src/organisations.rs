//! Organisations: the tenants.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::jobs;
use crate::open::Store;
use crate::remembered::KeptQuestion;

/// A tenant: it owns parties, documents, hooks and clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    /// Its key.
    pub id: OrganisationId,
    /// Its name for people.
    pub name: String,
    /// When it was recorded.
    pub created_on: Timestamp,
}

const COLUMNS: &str =
    "SELECT id, name, created_on FROM organisations WHERE closed_on IS NULL ORDER BY id";
const OPEN: KeptQuestion<bool> = KeptQuestion::of("open organisation", &["organisations"], 10_000);
const PUT: &str = "INSERT INTO organisations (id, name, created_on) VALUES (?1, ?2, ?3)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, closed_on = NULL";
const IS_OPEN: &str = "SELECT 1 FROM organisations WHERE id = ?1 AND closed_on IS NULL";

fn read(mut row: SqlRow) -> Result<Organisation, Fault> {
    Ok(Organisation {
        id: row.parsed("organisations.id")?,
        name: row.text("organisations.name")?,
        created_on: row.time("organisations.created_on")?,
    })
}

impl Store {
    /// Records an organisation, or renames it; one that was closed is open again, and its bulk jobs
    /// go on where they were.
    pub async fn put_organisation(&self, organisation: Organisation) -> Result<(), Error> {
        self.write(move |tx| {
            let Organisation { id, name, created_on } = &organisation;
            let rested = jobs::rest(tx.connection(), id)?;
            tx.execute(PUT, &[id.as_str().into(), name.into(), (*created_on).into()])?;
            match rested {
                true => Ok(jobs::wake_all(tx, id, *created_on)?),
                false => Ok(()),
            }
        })
        .await
    }

    /// What organisations weigh beside each other where they have more to send or to take than can
    /// be done at once, each within [`crate::WEIGHTS`]; those that are not named weigh 1.
    pub fn weigh(&self, weights: BTreeMap<OrganisationId, u32>) {
        self.shares().weigh(weights);
    }

    /// What an organisation weighs.
    pub fn weight_of(&self, organisation: &OrganisationId) -> u32 {
        self.shares().weight_of(organisation)
    }

    /// Whether there is an organisation of this id that is not closed.
    pub async fn is_open(&self, id: &OrganisationId) -> Result<bool, Error> {
        let (key, id) = (id.as_str().to_owned(), id.clone());
        self.recalled(&OPEN, key, move |db| Ok(db.first(IS_OPEN, &[id.as_str().into()])?.is_some()))
            .await
    }

    /// All organisations that are not closed, by id.
    pub async fn organisations(&self) -> Result<Vec<Organisation>, Error> {
        self.read(|db| {
            Ok(db.query(COLUMNS, &[])?.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
