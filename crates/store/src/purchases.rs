//! Purchase invoices of parties at a national system. The system is asked for what was stored since
//! the time that was reached; what it names is recorded together with the time that is reached by
//! it, so that nothing between two questions is missed whatever happens between. What was fetched
//! stays named until the system cannot name it again, so that nothing is fetched twice.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// A party at a national system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PurchasePlace {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The party, `scheme:identifier`.
    pub party: String,
    /// The number for which it acts there.
    pub taxpayer: String,
}

/// An invoice that the system named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// Its number there.
    pub number: String,
    /// SHA-256 of its bytes.
    pub digest: [u8; 32],
    /// The number of who sold.
    pub seller: String,
    /// When it was stored there for good.
    pub stored_on: Timestamp,
}

/// How long before the time that is reached an invoice may still be named again: the system is
/// asked from that time on, the time itself included.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

const REACHED: &str = "SELECT reached FROM purchase_places
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3";
const REACH: &str =
    "INSERT INTO purchase_places (organisation, party, taxpayer, reached, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (organisation, party, taxpayer) DO UPDATE
    SET reached = max(reached, excluded.reached), changed_on = excluded.changed_on";
const ADD: &str = "INSERT INTO purchases
    (organisation, party, taxpayer, number, digest, seller, stored_on, state, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'found', ?8) ON CONFLICT DO NOTHING";
const FORGET: &str = "DELETE FROM purchases WHERE organisation = ?1 AND party = ?2
    AND taxpayer = ?3 AND state = 'taken' AND stored_on < ?4";
const FOUND: &str = "SELECT number, digest, seller, stored_on FROM purchases
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND state = 'found'
    ORDER BY stored_on, number LIMIT ?4";
const TAKEN: &str = "UPDATE purchases SET state = 'taken'
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND number = ?4";

impl PurchasePlace {
    fn key(&self) -> [Param<'_>; 3] {
        [self.organisation.as_str().into(), (&self.party).into(), (&self.taxpayer).into()]
    }
}

fn read(mut row: SqlRow) -> Result<Purchase, Fault> {
    Ok(Purchase {
        number: row.text("purchases.number")?,
        digest: row.digest("purchases.digest")?,
        seller: row.text("purchases.seller")?,
        stored_on: row.time("purchases.stored_on")?,
    })
}

fn reached(db: &mut dyn Connection, place: &PurchasePlace) -> Result<Option<Timestamp>, Fault> {
    let found = db.first(REACHED, &place.key())?;
    found.map(|mut row| row.time("purchase_places.reached")).transpose()
}

impl Store {
    /// Until when the system was asked; `None` where it never was.
    pub async fn purchases_reached(
        &self,
        place: &PurchasePlace,
    ) -> Result<Option<Timestamp>, Error> {
        let place = place.clone();
        self.read(move |db| Ok(reached(db, &place)?)).await
    }

    /// Records what the system named, and the time that is reached by it, in one commit. What is
    /// known already is not recorded again; the time never goes back.
    pub async fn note_purchases(
        &self,
        place: &PurchasePlace,
        named: Vec<Purchase>,
        reached: Timestamp,
        now: Timestamp,
    ) -> Result<(), Error> {
        let place = place.clone();
        self.write(move |tx| {
            let [organisation, party, taxpayer] = place.key();
            for one in &named {
                let row = [
                    organisation,
                    party,
                    taxpayer,
                    (&one.number).into(),
                    Param::Blob(&one.digest),
                    (&one.seller).into(),
                    one.stored_on.into(),
                    now.into(),
                ];
                tx.execute(ADD, &row)?;
            }
            let row = [organisation, party, taxpayer, reached.into(), now.into()];
            tx.execute(REACH, &row)?;
            let before = reached.saturating_sub(OVERLAP).unwrap_or(reached);
            tx.execute(FORGET, &[organisation, party, taxpayer, before.into()])?;
            Ok(())
        })
        .await
    }

    /// Invoices that were named and are not fetched yet, the oldest first.
    pub async fn purchases_to_fetch(
        &self,
        place: &PurchasePlace,
        most: u32,
    ) -> Result<Vec<Purchase>, Error> {
        let place = place.clone();
        self.read(move |db| {
            let [organisation, party, taxpayer] = place.key();
            let rows = db.query(FOUND, &[organisation, party, taxpayer, most.into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// An invoice is on record: it is not fetched again.
    pub async fn purchase_taken(&self, place: &PurchasePlace, number: &str) -> Result<(), Error> {
        let (place, number) = (place.clone(), number.to_owned());
        self.write(move |tx| {
            let [organisation, party, taxpayer] = place.key();
            tx.execute(TAKEN, &[organisation, party, taxpayer, (&number).into()])?;
            Ok(())
        })
        .await
    }
}
