//! What came of a mail, in the words of the room `delivery`.

use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::calls::HookAnswer;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{DeliveryOutcome, Later, Never, Proof};
use quoin_store::HookTry;

use super::dispatch::MissedRecipient;
use crate::channels::CallOutcome;
use crate::channels::protocol;
use crate::mail::MailOutcome;

/// A mail that is never taken.
pub(super) fn never(cause: String) -> MailOutcome {
    MailOutcome::Never { code: None, cause }
}

pub(super) fn tried(
    started_on: Timestamp,
    started: Instant,
    sent: MailOutcome,
    missed: &[MissedRecipient],
) -> CallOutcome {
    let duration = SignedDuration::try_from(started.elapsed()).unwrap_or(SignedDuration::MAX);
    let (answer, status, response, error) = match sent {
        MailOutcome::Taken { code, reply } => {
            let told =
                missed.iter().map(|one| format!("; not for {}: {}", one.recipient, one.said));
            let reply = told.fold(reply, |reply, one| reply + &one);
            (HookAnswer::Http { status: 200, retry_after: None }, Some(code), reply, None)
        }
        MailOutcome::Later { code, cause } => {
            (HookAnswer::None { cause: cause.clone() }, code, String::new(), Some(cause))
        }
        MailOutcome::Never { code, cause } => {
            (HookAnswer::Refused { cause: cause.clone() }, code, String::new(), Some(cause))
        }
    };
    CallOutcome::of(answer, HookTry { started_on, duration, status, response, error })
}

pub(super) fn outcome(
    sent: MailOutcome,
    endpoint: &str,
    message_id: String,
    remark: Option<String>,
) -> DeliveryOutcome {
    let endpoint = endpoint.to_owned();
    match sent {
        MailOutcome::Taken { reply, .. } => DeliveryOutcome::Delivered(Proof {
            endpoint,
            protocol: protocol(ActionKind::Mail).to_owned(),
            message_id,
            returned_message_id: reply,
            remark,
        }),
        MailOutcome::Later { cause, .. } => DeliveryOutcome::Later(Later {
            code: "mail-unavailable".to_owned(),
            message: format!("{cause}."),
            endpoint: Some(endpoint),
            ..Later::default()
        }),
        MailOutcome::Never { cause, .. } => DeliveryOutcome::Never(Never {
            code: "mail-refused".to_owned(),
            message: format!("{cause}."),
            endpoint: Some(endpoint),
            ..Never::default()
        }),
    }
}
