//! Calls of systems that publish how often they may be made: each is on record before it is made,
//! so that a restart does not begin to count anew.

use jiff::{SignedDuration, Timestamp};

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::open::Store;

/// How long a call counts at most: an hour, and until it was given up.
const COUNTS: SignedDuration = SignedDuration::from_mins(70);

const SINCE: &str = "SELECT called_on FROM counted_calls
    WHERE caller = ?1 AND kind = ?2 AND called_on > ?3 ORDER BY called_on";
const ADD: &str = "INSERT INTO counted_calls (caller, kind, called_on) VALUES (?1, ?2, ?3)";
const FORGET: &str =
    "DELETE FROM counted_calls WHERE caller = ?1 AND kind = ?2 AND called_on <= ?3";

impl Store {
    /// The calls of a kind by a caller that may still count at a time, in order.
    pub async fn calls_counted(
        &self,
        caller: &str,
        kind: &str,
        now: Timestamp,
    ) -> Result<Vec<Timestamp>, Error> {
        let (caller, kind) = (caller.to_owned(), kind.to_owned());
        let since = now.saturating_sub(COUNTS).unwrap_or(now);
        let read =
            |mut row: SqlRow| -> Result<Timestamp, Fault> { row.time("counted_calls.called_on") };
        self.read(move |db| {
            let rows = db.query(SINCE, &[(&caller).into(), (&kind).into(), since.into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Counts a call that is about to be made.
    pub async fn count_call(&self, caller: &str, kind: &str, now: Timestamp) -> Result<(), Error> {
        let (caller, kind) = (caller.to_owned(), kind.to_owned());
        let since = now.saturating_sub(COUNTS).unwrap_or(now);
        self.write(move |tx| {
            tx.execute(FORGET, &[(&caller).into(), (&kind).into(), since.into()])?;
            tx.execute(ADD, &[(&caller).into(), (&kind).into(), now.into()])?;
            Ok(())
        })
        .await
    }
}
