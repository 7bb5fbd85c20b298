//! An outgoing document made ready beforehand, so that any commit can record it: an upload, or a
//! message that the service writes in the course of a step.

use quoin_delivery::{Direction, Event, TransactionId};

use super::{New, NewOutgoing, WISH, add, open, pending};
use crate::blobs::Ready;
use crate::engine::Param;
use crate::error::{Error, Fault};
use crate::transactions::SubmitOptions;
use crate::writer::Tx;

/// An outgoing document that a commit may record.
pub(crate) struct PreparedSubmission {
    pub(super) new: New,
    wishes: SubmitOptions,
}

impl PreparedSubmission {
    /// The id that its transaction will have.
    pub(crate) fn id(&self) -> &TransactionId {
        &self.new.transaction.id
    }

    /// The same with what is asked beside it.
    pub(crate) fn with(self, wishes: SubmitOptions) -> PreparedSubmission {
        PreparedSubmission { wishes, ..self }
    }

    /// The same of another party.
    pub(crate) fn of_party(mut self, party: &str) -> PreparedSubmission {
        party.clone_into(&mut self.new.transaction.party);
        self
    }

    /// The file to discard where it is not recorded.
    pub(crate) fn discarded(self) -> Option<String> {
        self.new.blob.into_file()
    }
}

/// Makes an outgoing document ready to be recorded.
pub(crate) fn outgoing(new: &NewOutgoing, blob: Ready) -> PreparedSubmission {
    let new = New {
        transaction: pending(
            (new.organisation.clone(), new.party.clone(), new.document_id.clone()),
            (Direction::Outgoing, new.family),
            &new.facts,
        ),
        facts: new.facts.clone(),
        channel: new.channel.clone(),
        message_id: new.message_id.clone(),
        instance_id: new.instance_id.clone(),
        access_point: None,
        envelope_sender: None,
        blob,
        now: new.now,
    };
    PreparedSubmission { new, wishes: SubmitOptions::default() }
}

/// Records an outgoing document with its first task. Answers the file to discard after the commit,
/// if any.
pub(crate) fn add_outgoing(
    tx: &mut Tx<'_>,
    prepared: PreparedSubmission,
) -> Result<Option<String>, Error> {
    let PreparedSubmission { mut new, wishes } = prepared;
    if !add(tx, &mut new)? {
        // Whoever may be refused was, before.
        let message = format!("there is a document {}", new.transaction.document_id);
        return Err(Fault::Constraint { doing: "record a document", message }.into());
    }
    let surplus = open(tx, &new, &Event::Uploaded)?;
    if wishes != SubmitOptions::default() {
        let id = new.transaction.id.as_str().into();
        let row: Vec<Param<'_>> = std::iter::once(id).chain(wishes.params()).collect();
        tx.execute(WISH, &row)?;
    }
    Ok(surplus)
}
