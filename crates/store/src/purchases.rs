//! Purchase invoices of parties at a national system. The system is asked for what was stored since
//! the time that was reached; what it names is recorded together with the time that is reached by
//! it, so that nothing between two questions is missed whatever happens between. What was fetched
//! stays named until the system cannot name it again, so that nothing is fetched twice.
//!
//! Where much is to come, the system makes a package of it: which one is under way is on record
//! with its key, sealed, until the time that it reaches is.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

/// A party at a national system.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PurchasePlace {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party.
    pub party: String,
    /// The number for which it acts there.
    pub taxpayer: String,
    /// As what it is named in the invoices, as the system calls that.
    pub subject: String,
}

/// A package of invoices that the system makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchasePackage {
    /// What the system calls it.
    pub reference: String,
    /// What is remembered of it, its key above all. Sealed at rest.
    pub memory: Vec<u8>,
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

const REACHED: &str = "SELECT reached, package, memory FROM purchase_questions
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND subject = ?4";
const REACH: &str =
    "INSERT INTO purchase_questions (organisation, party, taxpayer, subject, reached, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (organisation, party, taxpayer, subject) DO UPDATE
    SET reached = max(reached, excluded.reached), changed_on = excluded.changed_on";
const BRING_BACK: &str = "UPDATE purchase_questions SET reached = ?5, changed_on = ?5
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND subject = ?4 AND reached > ?5";
const PACKAGE: &str = "UPDATE purchase_questions SET package = ?5, memory = ?6, changed_on = ?7
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND subject = ?4";
/// What was fetched already stays so; what was only named is fetched by now.
const ADD: &str = "INSERT INTO purchases
    (organisation, party, taxpayer, number, digest, seller, stored_on, state, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (organisation, party, taxpayer, number) DO UPDATE
    SET state = CASE excluded.state WHEN 'taken' THEN 'taken' ELSE purchases.state END";
/// What one of the questions of a taxpayer may still name stays: they share what was fetched.
const FORGET: &str = "DELETE FROM purchases WHERE organisation = ?1 AND party = ?2
    AND taxpayer = ?3 AND state = 'taken' AND stored_on < (SELECT min(reached)
        FROM purchase_questions WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3) - ?4";
/// What could not be had before comes behind all others, so that it keeps none of them waiting.
const FOUND: &str = "SELECT number, digest, seller, stored_on FROM purchases
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND state = 'found'
    ORDER BY tries, stored_on, number LIMIT ?4";
const LEFT: &str = "UPDATE purchases SET tries = tries + 1
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND number = ?4";
const TAKEN: &str = "UPDATE purchases SET state = 'taken'
    WHERE organisation = ?1 AND party = ?2 AND taxpayer = ?3 AND number = ?4";

impl PurchasePlace {
    fn key(&self) -> [Param<'_>; 3] {
        [self.organisation.as_str().into(), (&self.party).into(), (&self.taxpayer).into()]
    }

    /// What the memory of a package is sealed for.
    fn seal(&self) -> String {
        let PurchasePlace { organisation, party, taxpayer, subject } = self;
        format!("purchases {organisation} {party} {taxpayer} {subject}")
    }
}

/// Records what was named, and the time that is reached by it.
fn note(
    tx: &mut Tx<'_>,
    place: &PurchasePlace,
    (named, state): (&[Purchase], &str),
    reached: Timestamp,
    now: Timestamp,
) -> Result<(), Error> {
    let [organisation, party, taxpayer] = place.key();
    for one in named {
        let row = [
            organisation,
            party,
            taxpayer,
            (&one.number).into(),
            Param::Blob(&one.digest),
            (&one.seller).into(),
            one.stored_on.into(),
            state.into(),
            now.into(),
        ];
        tx.execute(ADD, &row)?;
    }
    let subject = (&place.subject).into();
    tx.execute(REACH, &[organisation, party, taxpayer, subject, reached.into(), now.into()])?;
    let overlap = i64::try_from(OVERLAP.as_micros()).unwrap_or(i64::MAX);
    tx.execute(FORGET, &[organisation, party, taxpayer, overlap.into()])?;
    Ok(())
}

fn read(mut row: SqlRow) -> Result<Purchase, Fault> {
    Ok(Purchase {
        number: row.text("purchases.number")?,
        digest: row.digest("purchases.digest")?,
        seller: row.text("purchases.seller")?,
        stored_on: row.time("purchases.stored_on")?,
    })
}

fn question(db: &mut dyn Connection, place: &PurchasePlace) -> Result<Option<SqlRow>, Fault> {
    let [organisation, party, taxpayer] = place.key();
    db.first(REACHED, &[organisation, party, taxpayer, (&place.subject).into()])
}

impl Store {
    /// Until when the system was asked; `None` where it never was.
    pub async fn purchases_reached(
        &self,
        place: &PurchasePlace,
    ) -> Result<Option<Timestamp>, Error> {
        let place = place.clone();
        self.read(move |db| {
            let found = question(db, &place)?;
            Ok(found.map(|mut row| row.time("purchase_questions.reached")).transpose()?)
        })
        .await
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
        self.write(move |tx| note(tx, &place, (&named, "found"), reached, now)).await
    }

    /// Brings a time that lies in the future back to now: no system knows what will be stored.
    pub async fn bring_purchases_back(
        &self,
        place: &PurchasePlace,
        now: Timestamp,
    ) -> Result<(), Error> {
        let place = place.clone();
        self.write(move |tx| {
            let [organisation, party, taxpayer] = place.key();
            let row = [organisation, party, taxpayer, (&place.subject).into(), now.into()];
            tx.execute(BRING_BACK, &row)?;
            Ok(())
        })
        .await
    }

    /// The package that the system makes of what was asked for, where one is under way.
    pub async fn purchase_package(
        &self,
        place: &PurchasePlace,
    ) -> Result<Option<PurchasePackage>, Error> {
        let (place, secrets) = (place.clone(), self.secrets.clone());
        self.read(move |db| {
            let Some(mut row) = question(db, &place)? else { return Ok(None) };
            row.time("purchase_questions.reached")?;
            let Some(reference) = row.text_or_none("purchase_questions.package")? else {
                return Ok(None);
            };
            let sealed = row.blob("purchase_questions.memory")?;
            Ok(Some(PurchasePackage { reference, memory: secrets.open(&place.seal(), &sealed)? }))
        })
        .await
    }

    /// Records that a package is under way, or that none is any more.
    pub async fn note_package(
        &self,
        place: &PurchasePlace,
        package: Option<PurchasePackage>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (place, secrets) = (place.clone(), self.secrets.clone());
        self.write(move |tx| {
            let [organisation, party, taxpayer] = place.key();
            let memory = match &package {
                Some(package) => Some(secrets.seal(&place.seal(), &package.memory)?),
                None => None,
            };
            let row = [
                organisation,
                party,
                taxpayer,
                (&place.subject).into(),
                package.as_ref().map(|one| &one.reference).into(),
                memory.as_deref().map_or(Param::Null, Param::Blob),
                now.into(),
            ];
            tx.execute(PACKAGE, &row)?;
            Ok(())
        })
        .await
    }

    /// All of a package is on record: what was in it is not fetched again, the time that it reaches
    /// is reached, and no package is under way any more, in one commit.
    pub async fn package_taken(
        &self,
        place: &PurchasePlace,
        taken: Vec<Purchase>,
        reached: Timestamp,
        now: Timestamp,
    ) -> Result<(), Error> {
        let place = place.clone();
        self.write(move |tx| {
            note(tx, &place, (&taken, "taken"), reached, now)?;
            let [organisation, party, taxpayer] = place.key();
            let subject = (&place.subject).into();
            let (package, memory) = (Param::Null, Param::Null);
            let row = [organisation, party, taxpayer, subject, package, memory, now.into()];
            tx.execute(PACKAGE, &row)?;
            Ok(())
        })
        .await
    }

    /// Invoices that were named and are not fetched yet: those that could not be had before
    /// ([`Store::purchases_left`]) behind all others, and the oldest first.
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

    /// Invoices of these numbers could not be had: they are asked for again behind all others.
    pub async fn purchases_left(
        &self,
        place: &PurchasePlace,
        numbers: Vec<String>,
    ) -> Result<(), Error> {
        let place = place.clone();
        self.write(move |tx| {
            let [organisation, party, taxpayer] = place.key();
            for number in &numbers {
                tx.execute(LEFT, &[organisation, party, taxpayer, number.into()])?;
            }
            Ok(())
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
