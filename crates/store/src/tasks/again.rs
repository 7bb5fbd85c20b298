//! What follows a step that an earlier one was lost of: the process ended, or its commit failed,
//! when a document may have left already. The step after it knows that as well, until somebody
//! says what became of the document.

use jiff::Timestamp;
use quoin_delivery::TaskKind;

use super::recording::record;
use crate::error::Fault;
use crate::writer::Tx;

/// Records the task that follows such a step, as one that was handed out once. First steps, which
/// have lanes of their organisation, follow none.
pub(crate) fn add_again(
    tx: &mut Tx<'_>,
    kind: TaskKind,
    subject: &str,
    run_at: Timestamp,
    lane: Option<&str>,
) -> Result<(), Fault> {
    record(tx, [kind.as_str().into(), subject.into(), run_at.into(), lane.into()], 1)?;
    tx.due(kind, run_at);
    Ok(())
}
