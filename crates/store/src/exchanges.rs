//! What was exchanged with other providers, one line a document that got its receipt. The line is
//! recorded in the commit of the exchange, and stays when the document goes: the statistics reports
//! of a month are made from it (TSR 1.0 and EUSR 1.1).

mod users;

use jiff::Timestamp;
use quoin_delivery::reporting::Month;
use quoin_delivery::{Direction, TransactionId};

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

/// An exchange with another provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// M1: the `eb:Timestamp` of the message that got the receipt.
    pub exchanged_on: Timestamp,
    /// Our seat id.
    pub own: String,
    /// Theirs: of the certificate that signed the message, or to which it was sent.
    pub provider: String,
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// The process in the form `scheme::value`.
    pub process: String,
    /// The transport profile.
    pub transport: String,
    /// The country of corner 1.
    pub country_c1: Option<String>,
    /// The country of corner 4, where that is our customer.
    pub country_c4: Option<String>,
    /// The party of our end user, the same for all of its identifiers.
    pub end_user: String,
    /// The participant under which it sent or was addressed, in lower case.
    pub participant: String,
    /// Its country.
    pub end_user_country: Option<String>,
    /// Bytes of the envelope, uncompressed and unencrypted.
    pub payload_bytes: u64,
}

/// Exchanges of one kind in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeCount {
    /// Which way they went.
    pub direction: Direction,
    /// The transport profile.
    pub transport: String,
    /// The other provider.
    pub provider: String,
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// The process in the form `scheme::value`.
    pub process: String,
    /// The country of corner 1; `None` also on the way out, where nobody asks.
    pub country_c1: Option<String>,
    /// The country of corner 4.
    pub country_c4: Option<String>,
    /// How many.
    pub count: u64,
}

/// An end user that exchanged documents of one kind in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeUser {
    /// The end user.
    pub end_user: String,
    /// Its country.
    pub country: Option<String>,
    /// Which way the documents went.
    pub direction: Direction,
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// The process in the form `scheme::value`.
    pub process: String,
}

const ADD: &str = "INSERT INTO exchanges (transaction_id, month, exchanged_on, direction, own,
    provider, document_type, process, transport, country_c1, country_c4, end_user,
    end_user_country, payload_bytes, participant)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    ON CONFLICT (transaction_id) DO NOTHING";
const COUNTS: &str = "SELECT direction, transport, provider, document_type, process,
    CASE direction WHEN 'incoming' THEN country_c1 END AS c1,
    CASE direction WHEN 'incoming' THEN country_c4 END AS c4, count(*)
    FROM exchanges WHERE month = ?1
    GROUP BY direction, transport, provider, document_type, process, c1, c4";
/// A month goes when its time is over, unless somebody has still to make or to miss its reports.
const FORGET: &str = "DELETE FROM exchanges WHERE transaction_id IN (
    SELECT e.transaction_id FROM exchanges e WHERE e.month < ?1 AND NOT EXISTS (
        SELECT 1 FROM tasks t WHERE t.kind = 'report'
        AND t.subject IN ('TSR ' || e.month, 'EUSR ' || e.month))
    LIMIT ?2)";
/// Lines that are forgotten in one commit.
const FORGET_SIZE: u32 = 2_000;

/// Records an exchange; one that is on record stays as it is.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    transaction: &TransactionId,
    direction: Direction,
    exchange: &Exchange,
) -> Result<(), Fault> {
    let month = Month::of(exchange.exchanged_on).to_string();
    let row = [
        transaction.as_str().into(),
        (&month).into(),
        exchange.exchanged_on.into(),
        direction.as_str().into(),
        (&exchange.own).into(),
        (&exchange.provider).into(),
        (&exchange.document_type).into(),
        (&exchange.process).into(),
        (&exchange.transport).into(),
        exchange.country_c1.as_ref().into(),
        exchange.country_c4.as_ref().into(),
        (&exchange.end_user).into(),
        exchange.end_user_country.as_ref().into(),
        i64::try_from(exchange.payload_bytes).unwrap_or(i64::MAX).into(),
        (&exchange.participant).into(),
    ];
    tx.execute(ADD, &row)?;
    Ok(())
}

fn read_count(mut row: SqlRow) -> Result<ExchangeCount, Fault> {
    Ok(ExchangeCount {
        direction: row.word("exchanges.direction", Direction::named)?,
        transport: row.text("exchanges.transport")?,
        provider: row.text("exchanges.provider")?,
        document_type: row.text("exchanges.document_type")?,
        process: row.text("exchanges.process")?,
        country_c1: row.text_or_none("exchanges.country_c1")?,
        country_c4: row.text_or_none("exchanges.country_c4")?,
        count: row.count("exchanges.count")?,
    })
}

impl Store {
    /// Forgets exchanges of the months before `until`, some of them at a time; answers how many.
    /// Those of a month whose reports are not settled stay, however old they are.
    pub async fn forget_exchanges(&self, until: Month) -> Result<usize, Error> {
        self.write(move |tx| {
            let month = until.to_string();
            Ok(tx.execute(FORGET, &[(&month).into(), FORGET_SIZE.into()])?)
        })
        .await
    }

    /// What was exchanged in a month, counted by kind.
    pub async fn exchange_counts(&self, month: Month) -> Result<Vec<ExchangeCount>, Error> {
        self.read(move |db| {
            let month = month.to_string();
            let rows = db.query(COUNTS, &[(&month).into()])?;
            Ok(rows.into_iter().map(read_count).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Who exchanged something in a month, once for each kind of document and way.
    pub async fn exchange_users(&self, month: Month) -> Result<Vec<ExchangeUser>, Error> {
        self.read(move |db| Ok(users::of_month(db, month)?)).await
    }
}
