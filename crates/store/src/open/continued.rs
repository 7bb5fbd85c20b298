//! What the open store tells of its continuity: its name, what a restore left open, and the newest
//! time that was believed.

use jiff::Timestamp;

use super::Store;
use crate::continuity::{Continuity, Restored, of};
use crate::engine::Connection;
use crate::error::{Error, Fault};

const UNDER_WAY: &str = "SELECT count(*) FROM transactions
    WHERE direction = 'outgoing' AND status NOT IN ('Delivered', 'Rejected', 'Failed')";
const FORGONE: &str = "SELECT count(*) FROM statuses WHERE closed_on = ?1 AND code IS NULL";
const LAST_EVENT: &str = "SELECT max(created_on) FROM events
    WHERE seq = (SELECT max(seq) FROM events)";
const IS_UNTOLD: &str = "SELECT 1 FROM continuity WHERE is_told = 0";
const TOLD: &str = "UPDATE continuity SET is_told = 1";
const NOTE_TIME: &str = "UPDATE continuity SET newest_on = ?1";
const NEWEST: &str = "SELECT coalesce(newest_on,
    (SELECT created_on FROM events ORDER BY seq DESC LIMIT 1)) FROM continuity";

impl Store {
    /// What the store is called, and how far it came when that was noted last.
    pub async fn continuity(&self) -> Result<Continuity, Error> {
        let missing = || Fault::record("continuity", "nothing");
        self.read(move |db| Ok(of(db)?.ok_or_else(missing)?)).await
    }

    /// What a start with another store than the one before leaves open.
    pub async fn restored(&self) -> Result<Restored, Error> {
        let continuity = self.continuity().await?;
        self.read(move |db| {
            let count = |db: &mut dyn Connection, sql, key: &[_]| -> Result<u64, Fault> {
                db.first(sql, key)?.map_or(Ok(0), |mut row| row.count("count"))
            };
            let last = db.first(LAST_EVENT, &[])?;
            let last = last.map_or(Ok(None), |mut row| row.time_or_none("events.created_on"))?;
            Ok(Restored {
                under_way: count(db, UNDER_WAY, &[])?,
                statuses: count(db, FORGONE, &[continuity.since.into()])?,
                last,
                continuity,
            })
        })
        .await
    }

    /// Whether this store was taken in place of the one before, because it was asked for or since
    /// the file of the database is a copy, and that was told to nobody yet.
    pub async fn is_taken_anew(&self) -> Result<bool, Error> {
        self.read(|db| Ok(db.first(IS_UNTOLD, &[])?.is_some())).await
    }

    /// Notes that it was told.
    pub async fn taken_anew_is_told(&self) -> Result<(), Error> {
        self.write(|tx| Ok(tx.execute(TOLD, &[]).map(|_| ())?)).await
    }

    /// Notes a time that is believed.
    pub async fn note_time(&self, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| Ok(tx.execute(NOTE_TIME, &[now.into()]).map(|_| ())?)).await
    }

    /// The newest time on record that was believed; in a store that has none, that of its last
    /// event.
    pub async fn newest_time(&self) -> Result<Option<Timestamp>, Error> {
        self.read(|db| {
            let row = db.first(NEWEST, &[])?;
            Ok(row.map_or(Ok(None), |mut row| row.time_or_none("continuity.newest_on"))?)
        })
        .await
    }
}
