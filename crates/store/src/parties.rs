//! Parties: whom an organisation sends and receives for. A party has several identifiers, and an
//! identifier has one party (interface specification 2.1).

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Row};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

/// A party of an organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// Its key: any text the caller chooses, the same for ever.
    pub id: String,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// Identifiers in the canonical form `scheme:identifier` (numeric scheme), the first one first.
    pub identifiers: Vec<String>,
    /// Its name for people.
    pub name: String,
    /// ISO 3166-1 alpha-2 code of its country.
    pub country: String,
    /// When it was recorded.
    pub created_on: Timestamp,
}

const PUT: &str = "INSERT INTO parties (id, organisation, name, country, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, country = excluded.country
    WHERE parties.organisation = excluded.organisation";
const DROP_IDENTIFIERS: &str = "DELETE FROM party_identifiers WHERE party = ?1";
const PUT_IDENTIFIER: &str = "INSERT INTO party_identifiers (identifier, party, position)
    VALUES (?1, ?2, ?3) ON CONFLICT (identifier) DO NOTHING";
const BY_IDENTIFIER: &str = "SELECT p.id, p.organisation, p.name, p.country, p.created_on
    FROM party_identifiers i JOIN parties p ON p.id = i.party WHERE i.identifier = ?1";
const OF: &str = "SELECT id, organisation, name, country, created_on
    FROM parties WHERE organisation = ?1 ORDER BY id";
const IDENTIFIERS: &str =
    "SELECT identifier FROM party_identifiers WHERE party = ?1 ORDER BY position";
const REMOVE: &str = "DELETE FROM parties WHERE id = ?1 AND organisation = ?2";

fn read(db: &mut dyn Connection, mut row: Row) -> Result<Party, Fault> {
    let id = row.text("parties.id")?;
    let identifiers = db
        .query(IDENTIFIERS, &[(&id).into()])?
        .into_iter()
        .map(|mut row| row.text("party_identifiers.identifier"))
        .collect::<Result<_, _>>()?;
    Ok(Party {
        id,
        organisation: row.parsed("parties.organisation")?,
        identifiers,
        name: row.text("parties.name")?,
        country: row.text("parties.country")?,
        created_on: row.time("parties.created_on")?,
    })
}

fn put(tx: &mut Tx<'_>, party: &Party) -> Result<(), Error> {
    let Party { id, organisation, identifiers, name, country, created_on } = party;
    let row = [
        id.into(),
        organisation.as_str().into(),
        name.into(),
        country.into(),
        (*created_on).into(),
    ];
    if tx.execute(PUT, &row)? == 0 {
        return Err(Refusal::Taken { what: "party", key: id.clone() }.into());
    }
    tx.execute(DROP_IDENTIFIERS, &[id.into()])?;
    for (position, identifier) in (0i64..).zip(identifiers) {
        let new = tx.execute(PUT_IDENTIFIER, &[identifier.into(), id.into(), position.into()])?;
        if new == 0 {
            let key = identifier.clone();
            return Err(Refusal::Taken { what: "identifier", key }.into());
        }
    }
    Ok(())
}

impl Store {
    /// Records a party with all its identifiers, in place of what was known of it.
    ///
    /// Errors: [`Refusal::Taken`] where the key belongs to another organisation, or an identifier
    /// to another party.
    pub async fn put_party(&self, party: Party) -> Result<(), Error> {
        self.write(move |tx| put(tx, &party)).await
    }

    /// The party with this identifier (canonical `scheme:identifier`), of any organisation.
    pub async fn party_of_identifier(&self, identifier: &str) -> Result<Option<Party>, Error> {
        let key = identifier.to_owned();
        self.read(move |db| {
            let row = db.first(BY_IDENTIFIER, &[(&key).into()])?;
            Ok(row.map(|row| read(db, row)).transpose()?)
        })
        .await
    }

    /// The parties of an organisation, by key.
    pub async fn parties_of(&self, organisation: &OrganisationId) -> Result<Vec<Party>, Error> {
        let key = organisation.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[key.as_str().into()])?;
            Ok(rows.into_iter().map(|row| read(db, row)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Removes a party with its identifiers and permissions; its documents stay. Answers whether
    /// there was one.
    pub async fn remove_party(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<bool, Error> {
        let (organisation, id) = (organisation.clone(), id.to_owned());
        self.write(move |tx| {
            Ok(tx.execute(REMOVE, &[(&id).into(), organisation.as_str().into()])? > 0)
        })
        .await
    }
}
