//! A document that the network does not take as it is, and whose receiver takes nothing that it
//! could become, or is not there.

use quoin_delivery::{Event, Status};
use quoin_peppol::lookup::LookupError;

use super::READ;
use crate::channels::{OutboundRun, unroutable};
use crate::lookup::LookupFailure;
use crate::plan::{NotCarried, Plan, not_as_it_is};

impl OutboundRun<'_> {
    /// Notes that a document does not take the form that its channel carries. Where there is none
    /// of it, it takes the channel that comes after that; what would be lost keeps it from leaving.
    pub(super) fn without_form(&mut self, checked: &str, refusal: NotCarried) {
        if let NotCarried::NoForm(event) = &refusal
            && let Event::Rejected { summary, .. } = &**event
            && self.may_pass_on()
        {
            if self.now_at.status == Status::Pending {
                self.decide(&Event::Validated { summary: checked.to_owned() });
            }
            self.passes_on("not-convertible", summary);
            return;
        }
        self.not_carried(&refusal.rejection());
    }

    /// Notes why the network does not reach the receiver of a document that it does not take as it
    /// is either, so that another channel may follow.
    pub(super) async fn unreached(
        &mut self,
        plan: &Plan,
        (rejected, instead): (&Event, Option<String>),
    ) {
        let lookup = self.context.lookup;
        let found = lookup.find(&plan.receiver, &plan.document_type, &plan.process).await;
        let Err(failure) = found else {
            self.not_carried(&with_reason(rejected, instead));
            return;
        };
        let failure = LookupFailure { instead, ..failure };
        if matches!(failure.error, LookupError::Crowded { .. }) {
            self.aside = true;
        } else if failure.error.is_temporary() {
            self.unanswered(&failure, self.context.clock.now());
        } else {
            if self.now_at.status == Status::Pending {
                self.decide(&Event::Validated { summary: READ.to_owned() });
            }
            let takes_nothing = matches!(failure.error, LookupError::UnsupportedDocumentType)
                && lookup
                    .registrations(&plan.receiver)
                    .await
                    .is_ok_and(|found| found.document_types.is_empty() && found.unreadable == 0);
            self.decide(&unreached(plan, (&failure, takes_nothing), rejected));
        }
    }
}

/// Why nobody takes a document of this form, and what keeps it from going as it is; or that its
/// receiver takes nothing at all.
fn unreached(
    plan: &Plan,
    (failure, takes_nothing): (&LookupFailure, bool),
    rejected: &Event,
) -> Event {
    let (code, receiver) = (failure.error.code().to_owned(), &plan.receiver);
    let cause = serde_json::to_string(&failure.report).unwrap_or_default();
    let as_it_is = not_as_it_is(plan, rejected);
    let mut message = match (&failure.error, &failure.instead) {
        (LookupError::UnsupportedDocumentType, None) if takes_nothing => format!(
            "{receiver} is registered for no document type: nothing can be sent to it. Ask the \
             receiver, or send the document over another channel."
        ),
        (LookupError::UnsupportedDocumentType, None) => {
            let form = match &as_it_is {
                Some(_) => String::new(),
                None => format!(
                    ", and the network has no documents of its form ({})",
                    plan.process.value()
                ),
            };
            format!(
                "{receiver} takes nothing that the document could be converted to{form}. Ask the \
                 receiver what it takes, or send it over another channel."
            )
        }
        _ => unroutable(plan, failure),
    };
    if let Some(why) = as_it_is.filter(|_| !takes_nothing) {
        message.push_str(&format!(" {why}"));
    }
    Event::Unroutable { code, message, cause }
}

/// A refusal with what the receiver takes in another course of business, where it does.
pub(super) fn with_reason(rejected: &Event, instead: Option<String>) -> Event {
    match (rejected, instead) {
        (Event::Rejected { summary, findings }, Some(why)) => {
            Event::Rejected { summary: format!("{summary} {why}"), findings: findings.clone() }
        }
        (rejected, _) => rejected.clone(),
    }
}
