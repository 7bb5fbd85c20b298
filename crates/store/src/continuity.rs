//! What says that this store is the one that was there before: the newest time that was believed.

use jiff::Timestamp;

use crate::error::Error;
use crate::open::Store;

const NOTE_TIME: &str = "UPDATE continuity SET newest_on = ?1";
const NEWEST: &str = "SELECT coalesce(newest_on,
    (SELECT created_on FROM events ORDER BY seq DESC LIMIT 1)) FROM continuity";

impl Store {
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
