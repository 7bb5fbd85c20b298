//! Lanes that go on: what stepped out of them comes back, each at its place in the order.

use jiff::Timestamp;

use crate::error::Fault;
use crate::writer::Tx;

const WAITING_DUE: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3
    WHERE lane >= ?1 AND lane < ?2 AND claim_token IS NULL AND available_on > ?3";
const GO_HOME: &str = "UPDATE tasks SET lane = home, home = NULL, run_at = ?3, available_on = NULL
    WHERE home >= ?1 AND home < ?2 AND claim_token IS NULL AND held_on IS NULL";
const RELEASE: &str = "UPDATE tasks SET available_on = run_at
    WHERE lane >= ?1 AND lane < ?2 AND available_on IS NULL
    AND NOT EXISTS (SELECT 1 FROM tasks AS older
        WHERE older.lane = tasks.lane AND older.available_on IS NULL AND older.id < tasks.id)
    AND NOT EXISTS (SELECT 1 FROM tasks AS other
        WHERE other.lane = tasks.lane AND other.available_on IS NOT NULL)";

/// Makes everything due that waits in the lanes that begin with `lanes`, which ends with a space,
/// and brings back what stepped out of them, each at its place in the order.
pub(crate) fn return_home(tx: &mut Tx<'_>, lanes: &str, now: Timestamp) -> Result<(), Fault> {
    // The character after the space ends the range.
    let end = format!("{}!", lanes.trim_end());
    let key = [lanes.into(), (&end).into(), now.into()];
    tx.execute(WAITING_DUE, &key)?;
    tx.execute(GO_HOME, &key)?;
    tx.execute(RELEASE, &[lanes.into(), (&end).into()])?;
    tx.due_any();
    Ok(())
}
