//! What follows a step that an earlier one was lost of: the process ended, or its commit failed,
//! when a document may have left already. The step after it knows that as well, until somebody
//! says what became of the document.

use jiff::Timestamp;
use quoin_delivery::TaskKind;

use crate::error::Fault;
use crate::writer::Tx;

/// As a task that was handed out once.
const ADD: &str = "INSERT INTO tasks (kind, subject, run_at, lane, available_on, claims)
    SELECT ?1, ?2, ?3, ?4,
        CASE WHEN EXISTS (SELECT 1 FROM tasks WHERE lane = ?4) THEN NULL ELSE ?3 END, 1";

/// Records the task that follows such a step.
pub(crate) fn add_again(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    run_at: Timestamp,
    lane: Option<&str>,
) -> Result<(), Fault> {
    tx.execute(ADD, &[kind.as_str().into(), subject.into(), run_at.into(), lane.into()])?;
    tx.due(kind, run_at);
    Ok(())
}
