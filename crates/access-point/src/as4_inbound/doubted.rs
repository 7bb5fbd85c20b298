//! Refusals while the clock here is doubted.

use super::{As4Door, InboundFault, RejectReason};

impl As4Door {
    /// A refusal that hangs on the day, such as of a certificate that expired, is none while the
    /// clock here is doubted: it would be final for the sender.
    pub(super) fn by_a_clock_that_is_believed(&self, no: RejectReason) -> RejectReason {
        match no {
            RejectReason::Refused(refusal)
                if refusal.may_hang_on_the_time() && self.watch.believed().is_none() =>
            {
                RejectReason::Failed(InboundFault {
                    fault: format!("by a clock that is doubted: {refusal}"),
                    detail: "the clock here may be wrong; send the message again later",
                    message_id: refusal.message_id,
                })
            }
            other => other,
        }
    }
}
