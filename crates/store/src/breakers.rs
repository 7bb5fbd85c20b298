//! Breakers of access point addresses and of the destinations of other channels, so that a restart
//! does not hammer what was left alone.

use jiff::Timestamp;
use quoin_delivery::Breaker;

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

const PUT: &str = "INSERT INTO breakers (endpoint, failing, openings, rests_until, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (endpoint) DO UPDATE SET failing = excluded.failing,
    openings = excluded.openings, rests_until = excluded.rests_until,
    changed_on = excluded.changed_on";
const REMOVE: &str = "DELETE FROM breakers WHERE endpoint = ?1";
const ALL: &str = "SELECT endpoint, failing, openings, rests_until FROM breakers";

/// What is known about a destination, and the name under which it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedBreaker {
    /// The address of an access point; of another channel the organisation and its destination.
    pub place: String,
    /// What is known.
    pub breaker: Breaker,
}

/// Records what is known about an address; one that is well needs no line.
pub(crate) fn put(
    tx: &mut Tx<'_>,
    endpoint: &str,
    breaker: &Breaker,
    now: Timestamp,
) -> Result<(), Fault> {
    if *breaker == Breaker::default() {
        tx.execute(REMOVE, &[endpoint.into()])?;
        return Ok(());
    }
    let failing = serde_json::Value::from(breaker.failing.clone()).to_string();
    let row = [
        endpoint.into(),
        (&failing).into(),
        breaker.openings.into(),
        breaker.rests_until.into(),
        now.into(),
    ];
    tx.execute(PUT, &row)?;
    Ok(())
}

fn read(mut row: SqlRow) -> Result<(String, Breaker), Fault> {
    let endpoint = row.text("breakers.endpoint")?;
    let breaker = Breaker {
        failing: row.json("breakers.failing")?,
        openings: row.count("breakers.openings")?,
        rests_until: row.time_or_none("breakers.rests_until")?,
        // A probe of an earlier process is over.
        probing_until: None,
    };
    Ok((endpoint, breaker))
}

impl Store {
    /// Every breaker that is not at rest in its first state, by address.
    pub async fn breakers(&self) -> Result<Vec<(String, Breaker)>, Error> {
        self.read(|db| Ok(db.query(ALL, &[])?.into_iter().map(read).collect::<Result<_, _>>()?))
            .await
    }
}
