//! Who holds an identifier. This is the one place that changes it: a claim that another
//! organisation's holding stands against is refused, whoever makes it and for whatever reason.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::ownership::{self, ActingRight, Claimed, Holder, HoldingBasis};
use quoin_delivery::registration::{DesiredState, Register};

use crate::configs;
use crate::engine::Connection;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::publications;
use crate::registrations::{self, NewWish};
use crate::remembered::{KeptQuestion, key};
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;

const RIGHTS: KeptQuestion<Vec<ActingRight>> =
    KeptQuestion::of("acting rights", &["holdings", "verifications"], 10_000);
const GET: &str = "SELECT organisation FROM holdings WHERE identifier = ?1";
const PUT: &str = "INSERT INTO holdings (identifier, organisation, basis, since)
    VALUES (?1, ?2, ?3, ?4) ON CONFLICT (identifier) DO UPDATE SET
    organisation = excluded.organisation, basis = excluded.basis, since = excluded.since";
const REMOVE: &str = "DELETE FROM holdings WHERE identifier = ?1 AND organisation = ?2";
const COVERED: &str = "SELECT 1 FROM verifications v, json_each(v.identifiers) j
    WHERE v.organisation = ?1 AND v.party = ?2 AND j.value = ?3 LIMIT 1";

/// The organisation that holds an identifier.
pub(crate) fn holder(
    db: &mut dyn Connection,
    identifier: &str,
) -> Result<Option<OrganisationId>, Fault> {
    let row = db.first(GET, &[identifier.into()])?;
    row.map(|mut row| row.parsed("holdings.organisation")).transpose()
}

/// Whether an organisation holds an identifier.
pub(crate) fn holds(
    db: &mut dyn Connection,
    owner: &OrganisationId,
    identifier: &str,
) -> Result<bool, Fault> {
    Ok(holder(db, identifier)?.is_some_and(|holder| holder == *owner))
}

/// Whether a verification of a party covers an identifier.
pub(crate) fn is_verified(
    db: &mut dyn Connection,
    owner: &OrganisationId,
    party: &str,
    identifier: &str,
) -> Result<bool, Fault> {
    let key = [owner.as_str().into(), party.into(), identifier.into()];
    Ok(db.first(COVERED, &key)?.is_some())
}

/// Who asks for an identifier.
pub(crate) struct Claimant<'a> {
    pub organisation: &'a OrganisationId,
    /// The key of a migration, if it has one.
    pub key: Option<&'a Secret>,
    pub secrets: &'a SecretBox,
    pub now: Timestamp,
}

/// Who holds an identifier, seen by the one who asks for it.
pub(crate) fn seen_by(
    db: &mut dyn Connection,
    asker: &Claimant<'_>,
    identifier: &str,
) -> Result<Holder, Fault> {
    let Some(holder) = holder(db, identifier)? else { return Ok(Holder::Nobody) };
    if holder == *asker.organisation {
        return Ok(Holder::Asker);
    }
    let sml = registrations::find(db, Register::Sml, identifier, asker.secrets)?;
    let lets_go = sml.is_some_and(|sml| {
        sml.organisation == holder
            && sml.wish == DesiredState::Leaving
            && asker.key.is_some()
            && sml.migration_key.as_ref() == asker.key
    });
    Ok(Holder::Other { lets_go })
}

/// Claims an identifier. What its former holder published of it ends where it moves.
///
/// Errors: [`Refusal::Taken`] where another organisation holds it.
pub(crate) fn claim(
    tx: &mut Tx<'_>,
    asker: &Claimant<'_>,
    identifier: &str,
    basis: HoldingBasis,
) -> Result<(), Error> {
    let claimed = ownership::claim(seen_by(tx.connection(), asker, identifier)?);
    match claimed {
        Claimed::Refused => return Err(taken(identifier)),
        Claimed::Kept => return Ok(()),
        Claimed::New => {}
        Claimed::Moved => moved(tx, asker, identifier)?,
    }
    let row = [
        identifier.into(),
        asker.organisation.as_str().into(),
        basis.as_str().into(),
        asker.now.into(),
    ];
    tx.execute(PUT, &row)?;
    Ok(())
}

/// The refusal of a claim on what another organisation holds.
pub(crate) fn taken(identifier: &str) -> Error {
    Refusal::Taken { what: "participant", key: identifier.to_owned() }.into()
}

/// Ends what the former holder published: its services, and its card in the Directory.
fn moved(tx: &mut Tx<'_>, asker: &Claimant<'_>, identifier: &str) -> Result<(), Error> {
    let former = holder(tx.connection(), identifier)?;
    publications::remove_group(tx, identifier)?;
    if let Some(former) = &former {
        configs::left(tx, former, identifier)?;
    }
    let card =
        registrations::find(tx.connection(), Register::Directory, identifier, asker.secrets)?;
    if card.is_some_and(|card| card.wish != DesiredState::Absent) {
        let new = NewWish {
            register: Register::Directory,
            participant: identifier,
            organisation: asker.organisation,
            wish: DesiredState::Absent,
            migration_key: None,
        };
        registrations::wish(tx, &new, asker.secrets, asker.now)?;
    }
    Ok(())
}

/// Gives an identifier up, where the organisation holds it.
pub(crate) fn release(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    identifier: &str,
) -> Result<(), Fault> {
    tx.execute(REMOVE, &[identifier.into(), owner.as_str().into()])?;
    Ok(())
}

fn standing(
    db: &mut dyn Connection,
    party: &PartyRecord,
    identifier: &str,
) -> Result<ActingRight, Fault> {
    let owner = &party.organisation;
    let holder = match holder(db, identifier)? {
        None => Holder::Nobody,
        Some(holder) if holder == *owner => Holder::Asker,
        Some(_) => Holder::Other { lets_go: false },
    };
    let verified = holder == Holder::Nobody && is_verified(db, owner, &party.id, identifier)?;
    Ok(ownership::standing(holder, verified))
}

impl Store {
    /// Whether a party's organisation may act under one of its identifiers (in lower case).
    pub async fn standing(
        &self,
        party: &PartyRecord,
        identifier: &str,
    ) -> Result<ActingRight, Error> {
        let found = self.acting_rights(party, vec![identifier.to_owned()]).await?;
        found.first().copied().ok_or_else(|| Fault::record("holdings", "nothing").into())
    }

    async fn acting_rights(
        &self,
        party: &PartyRecord,
        identifiers: Vec<String>,
    ) -> Result<Vec<ActingRight>, Error> {
        let whose = [party.organisation.as_str(), &party.id, &identifiers.join(" ")];
        let (key, party) = (key(whose), party.clone());
        self.recalled(&RIGHTS, key, move |db| {
            identifiers.iter().map(|one| Ok(standing(db, &party, one)?)).collect()
        })
        .await
    }

    /// The same for all identifiers of a party, in their order.
    pub async fn standings(
        &self,
        party: &PartyRecord,
    ) -> Result<Vec<(String, ActingRight)>, Error> {
        let identifiers = party.identifiers.clone();
        let found = self.acting_rights(party, identifiers.clone()).await?;
        Ok(identifiers.into_iter().zip(found).collect())
    }

    /// Whether identifiers (in lower case) are verified for an organisation: all of them, with the
    /// party that they belong to.
    pub async fn is_verified(
        &self,
        organisation: &OrganisationId,
        identifiers: &[String],
    ) -> Result<bool, Error> {
        let (owner, identifiers) = (organisation.clone(), identifiers.to_vec());
        self.read(move |db| {
            for identifier in &identifiers {
                let party = parties::of_identifier(db, &owner, identifier)?;
                let Some(party) = party else { return Ok(false) };
                if !is_verified(db, &owner, &party.id, identifier)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
        .await
    }
}
