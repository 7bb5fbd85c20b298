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
use crate::transactions::TransactionFacts;
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
const UNDER_WAY: &str = "SELECT family, source_document_type, count(*) FROM transactions
    WHERE organisation = ?1 AND direction = 'outgoing'
        AND status NOT IN ('Delivered', 'Rejected', 'Failed')
    GROUP BY family, source_document_type";
const PUT_PACKAGE: &str = "INSERT INTO packages (organisation, package) VALUES (?1, ?2)
    ON CONFLICT (organisation) DO UPDATE SET package = excluded.package";
const DROP_PACKAGE: &str = "DELETE FROM packages WHERE organisation = ?1";
const PACKAGE: &str = "SELECT package FROM packages WHERE organisation = ?1";

/// The month of an instant in UTC: `2026-05`.
pub fn month(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string()
}

/// Counts a document that reached its end with this decision.
pub(crate) fn count(
    tx: &mut Tx<'_>,
    transaction: &Transaction,
    (decision, facts): (&Decision, &TransactionFacts),
    protocol: Option<&str>,
    now: Timestamp,
) -> Result<(), Fault> {
    if decision.status != Status::Delivered || transaction.status == Status::Delivered {
        return Ok(());
    }
    let family = facts.family.unwrap_or(transaction.family);
    let document_type = facts.source_document_type.as_deref();
    let document_type = document_type.or(transaction.source_document_type.as_deref());
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
fn taken(db: &mut dyn Connection, owner: &OrganisationId, month: &str) -> Result<u64, Fault> {
    let delivered = db.first(BILLABLE, &[owner.as_str().into(), month.into()])?;
    let mut taken: u64 = delivered.map_or(Ok(0), |mut row| row.count("usage_counts.documents"))?;
    for mut row in db.query(UNDER_WAY, &[owner.as_str().into()])? {
        // A row that cannot be read keeps nobody from sending.
        let family = Family::named(&row.text("transactions.family")?);
        let document_type = row.text_or_none("transactions.source_document_type")?;
        let count: u64 = row.count("count")?;
        if family.is_none_or(|family| is_billable(family, document_type.as_deref())) {
            taken = taken.saturating_add(count);
        }
    }
    Ok(taken)
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
    let used = taken(tx.connection(), &transaction.organisation, &month(now))?;
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
        let (owner, month) = (organisation.clone(), month(now));
        self.read(move |db| {
            let package = package(db, &owner)?;
            let taken = match package {
                Some(_) => taken(db, &owner, &month)?,
                None => 0,
            };
            Ok((package, taken))
        })
        .await
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
                Some(name) => tx.execute(PUT_PACKAGE, &[key, name.into()])?,
                None => tx.execute(DROP_PACKAGE, &[key])?,
            };
            Ok(())
        })
        .await
    }
}

fn package(db: &mut dyn Connection, owner: &OrganisationId) -> Result<Option<String>, Fault> {
    let found = db.first(PACKAGE, &[owner.as_str().into()])?;
    found.map(|mut row| row.text("packages.package")).transpose()
}
