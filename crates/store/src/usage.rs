//! Counting: how many documents of an organisation reached their end in a month, and which package
//! it has. A document is counted in the commit that delivers it, so that none is counted twice.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::{
    Decision, Direction, Family, OrganisationId, Status, Transaction, is_billable,
};

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::remembered::KeptQuestion;
use crate::transactions::TransactionFacts;
use crate::under_way;
use crate::writer::Tx;

/// A line of the count by channel, of what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelUsageLine {
    /// The month, `2026-05`.
    pub month: String,
    /// The channel, as its protocol names it.
    pub protocol: String,
    /// The kind of business.
    pub family: Family,
    /// How many there were.
    pub documents: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

/// A line of the count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageLine {
    /// The month, `2026-05`.
    pub month: String,
    /// Which way the documents went.
    pub direction: Direction,
    /// The kind of business.
    pub family: Family,
    /// Whether they are paid for.
    pub is_billable: bool,
    /// How many there were.
    pub documents: u64,
    /// How many bytes they had.
    pub bytes: u64,
}

const ADD: &str = "INSERT INTO usage_counts
    (organisation, month, direction, family, is_billable, documents, bytes)
    SELECT ?1, ?2, ?3, ?4, ?5, 1, size FROM transactions WHERE id = ?6
    ON CONFLICT (organisation, month, direction, family, is_billable)
    DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes";
const OF: &str = "SELECT month, direction, family, is_billable, documents, bytes
    FROM usage_counts WHERE organisation = ?1 AND month >= ?2 AND month <= ?3
    ORDER BY month, direction, family, is_billable";
const ADD_CHANNEL: &str = "INSERT INTO channel_counts
    (organisation, month, protocol, family, documents, bytes)
    SELECT ?1, ?2, ?3, ?4, 1, size FROM transactions WHERE id = ?5
    ON CONFLICT (organisation, month, protocol, family)
    DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes";
const OF_CHANNELS: &str = "SELECT month, protocol, family, documents, bytes
    FROM channel_counts WHERE organisation = ?1 AND month >= ?2 AND month <= ?3
    ORDER BY month, protocol, family";
const BILLABLE: &str = "SELECT coalesce(sum(documents), 0) FROM usage_counts
    WHERE organisation = ?1 AND month = ?2 AND is_billable = 1";
const PUT_PACKAGE: &str = "INSERT INTO packages (organisation, package, under_way)
    VALUES (?1, ?2, ?3) ON CONFLICT (organisation) DO UPDATE SET package = excluded.package,
    under_way = excluded.under_way";
const DROP_PACKAGE: &str = "DELETE FROM packages WHERE organisation = ?1";
/// Organisations that were given none: the count of one changes with each document.
const UNPACKAGED: KeptQuestion<()> = KeptQuestion::of("no package", &["packages"], 10_000);
const PACKAGE: &str = "SELECT package, under_way FROM packages WHERE organisation = ?1";
/// There is no line of those that have no package.
const MORE: &str = "UPDATE packages SET under_way = under_way + ?2 WHERE organisation = ?1";

/// The month of an instant in UTC: `2026-05`.
pub fn month(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string()
}

/// Counts a document that is new: it is under way from now on.
pub(crate) fn begun(tx: &mut Tx<'_>, transaction: &Transaction) -> Result<(), Fault> {
    let document_type = transaction.source_document_type.as_deref();
    let counts = transaction.direction == Direction::Outgoing
        && is_billable(transaction.family, document_type);
    if counts {
        tx.execute(MORE, &[transaction.organisation.as_str().into(), 1_i64.into()])?;
    }
    Ok(())
}

/// Counts what a step changes about what is under way: a document ends, or turns out to be another
/// one than it was taken for.
fn moved(
    tx: &mut Tx<'_>,
    before: &Transaction,
    decision: &Decision,
    (family, document_type): (Family, Option<&str>),
) -> Result<(), Fault> {
    if before.direction != Direction::Outgoing {
        return Ok(());
    }
    let counted = |status: Status, family, document_type: Option<&str>| {
        i64::from(!status.is_final() && is_billable(family, document_type))
    };
    let was = counted(before.status, before.family, before.source_document_type.as_deref());
    let more = counted(decision.status, family, document_type) - was;
    if more != 0 {
        tx.execute(MORE, &[before.organisation.as_str().into(), more.into()])?;
    }
    Ok(())
}

/// Counts a document that reached its end with this decision.
pub(crate) fn count(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    (decision, facts): (&Decision, &TransactionFacts),
    protocol: Option<&str>,
    now: Timestamp,
) -> Result<(), Fault> {
    let family = facts.family.unwrap_or(transaction.family);
    let document_type = facts.source_document_type.as_deref();
    let document_type = document_type.or(transaction.source_document_type.as_deref());
    moved(tx, transaction, decision, (family, document_type))?;
    if decision.status != Status::Delivered || transaction.status == Status::Delivered {
        return Ok(());
    }
    let month = month(now);
    let row = [
        transaction.organisation.as_str().into(),
        (&month).into(),
        transaction.direction.as_str().into(),
        family.row().name.into(),
        is_billable(family, document_type).into(),
        transaction.id.as_str().into(),
    ];
    tx.execute(ADD, &row)?;
    let sent = transaction.direction == Direction::Outgoing;
    if let Some(protocol) = protocol.filter(|_| sent) {
        let row = [
            transaction.organisation.as_str().into(),
            (&month).into(),
            protocol.into(),
            family.row().name.into(),
            transaction.id.as_str().into(),
        ];
        tx.execute(ADD_CHANNEL, &row)?;
    }
    Ok(())
}

fn read(mut row: SqlRow) -> Result<UsageLine, Fault> {
    Ok(UsageLine {
        month: row.text("usage_counts.month")?,
        direction: row.word("usage_counts.direction", Direction::named)?,
        family: row.word("usage_counts.family", Family::named)?,
        is_billable: row.yes("usage_counts.is_billable")?,
        documents: row.count("usage_counts.documents")?,
        bytes: row.count("usage_counts.bytes")?,
    })
}

fn read_channel(mut row: SqlRow) -> Result<ChannelUsageLine, Fault> {
    Ok(ChannelUsageLine {
        month: row.text("channel_counts.month")?,
        protocol: row.text("channel_counts.protocol")?,
        family: row.word("channel_counts.family", Family::named)?,
        documents: row.count("channel_counts.documents")?,
        bytes: row.count("channel_counts.bytes")?,
    })
}

/// The documents of an organisation that are paid for: those of a month that were delivered, and
/// those to be sent that are under way.
fn taken(
    db: &mut dyn Connection,
    owner: &OrganisationId,
    (month, under_way): (&str, i64),
) -> Result<u64, Fault> {
    let delivered = db.first(BILLABLE, &[owner.as_str().into(), month.into()])?;
    let taken: u64 = delivered.map_or(Ok(0), |mut row| row.count("usage_counts.documents"))?;
    Ok(taken.saturating_add(u64::try_from(under_way).unwrap_or(0)))
}

/// Sees that another document of this kind fits into a package of so many.
pub(crate) fn check_room(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    most: u64,
    now: Timestamp,
) -> Result<(), Error> {
    if !is_billable(transaction.family, transaction.source_document_type.as_deref()) {
        return Ok(());
    }
    let (db, owner) = (tx.connection(), &transaction.organisation);
    let under_way = match package(db, owner)? {
        Some((_, under_way)) => under_way,
        // A limit without a package: nobody counts for it.
        None => under_way::count(db, owner.as_str())?,
    };
    let used = taken(db, owner, (&month(now), under_way))?;
    if used < most { Ok(()) } else { Err(Refusal::PackageFull { used }.into()) }
}

impl Store {
    /// What an organisation used in these months, both included.
    pub async fn usage(
        &self,
        organisation: &OrganisationId,
        (from, to): (String, String),
    ) -> Result<Vec<UsageLine>, Error> {
        let owner = organisation.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[owner.as_str().into(), (&from).into(), (&to).into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// What an organisation sent over each channel in these months, both included.
    pub async fn usage_of_channels(
        &self,
        organisation: &OrganisationId,
        (from, to): (String, String),
    ) -> Result<Vec<ChannelUsageLine>, Error> {
        let owner = organisation.clone();
        self.read(move |db| {
            let months = [owner.as_str().into(), (&from).into(), (&to).into()];
            let rows = db.query(OF_CHANNELS, &months)?;
            Ok(rows.into_iter().map(read_channel).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The name of the package of an organisation, if it was given one, and the documents of this
    /// month that are paid for, those included that are under way; 0 where it was given none.
    pub async fn package_of(
        &self,
        organisation: &OrganisationId,
        now: Timestamp,
    ) -> Result<(Option<String>, u64), Error> {
        let (key, owner) = (organisation.as_str().to_owned(), organisation.clone());
        let count = self.count_of(&UNPACKAGED);
        if self.kept.get(&UNPACKAGED, &key, count).is_some() {
            return Ok((None, 0));
        }
        let month = month(now);
        let found = self.read(move |db| {
            let Some((package, under_way)) = package(db, &owner)? else { return Ok((None, 0)) };
            let taken = taken(db, &owner, (&month, under_way))?;
            Ok((Some(package), taken))
        });
        let found = found.await?;
        if found.0.is_none() {
            self.kept.keep(&UNPACKAGED, key, count, ());
        }
        Ok(found)
    }

    /// Gives an organisation a package by its name, or takes it away.
    pub async fn put_package(
        &self,
        organisation: &OrganisationId,
        package: Option<&str>,
    ) -> Result<(), Error> {
        let (owner, package) = (organisation.clone(), package.map(str::to_owned));
        self.write(move |tx| {
            let key = Param::from(owner.as_str());
            match &package {
                Some(name) => {
                    let found = under_way::count(tx.connection(), owner.as_str())?;
                    tx.execute(PUT_PACKAGE, &[key, name.into(), found.into()])?
                }
                None => tx.execute(DROP_PACKAGE, &[key])?,
            };
            Ok(())
        })
        .await
    }
}

/// The package of an organisation, and what is under way.
fn package(
    db: &mut dyn Connection,
    owner: &OrganisationId,
) -> Result<Option<(String, i64)>, Fault> {
    let found = db.first(PACKAGE, &[owner.as_str().into()])?;
    let read =
        |mut row: SqlRow| Ok((row.text("packages.package")?, row.integer("packages.under_way")?));
    found.map(read).transpose()
}
