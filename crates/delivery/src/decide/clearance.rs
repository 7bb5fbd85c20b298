//! What follows when an authority registers documents before they leave: they wait, and each of its
//! five outcomes lets them go on, ends them, or only tells something.

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use quoin_ksef::outcome::KsefOutcome;

use super::details::{put, put_code, put_end};
use super::{Decision, DecisionContext, cut};
use crate::decision::{Notice, TaskKind};
use crate::event::{ClearanceNews, Event};
use crate::hook::published;
use crate::topics::Topic;
use crate::transaction::Status;

impl DecisionContext<'_> {
    /// The document waits: no task follows, the batch that it is in has its own.
    pub(super) fn clearing(&self, authority: &str) -> Decision {
        let line = format!("The document waits to be registered by {authority}.");
        self.next(self.tx.status)
            .line("Clearing", &line)
            .notice(Some(Topic::CLEAR_INVOICE_BATCHED), &line, self.details())
            .decision
    }

    /// The authority has answered, or is not there. A document that is on its way already stays
    /// where it is; it is told all the same.
    pub(super) fn cleared(&self, event: &Event, news: &ClearanceNews) -> Decision {
        let waits = self.tx.status == Status::Validated;
        let message = news.message.as_str();
        let mut details = self.details();
        details.extend(news.details.clone());
        put(&mut details, "clearanceCode", &news.outcome.code().to_string());
        put_code(&mut details, &news.code);
        let name = match news.outcome {
            KsefOutcome::Registered | KsefOutcome::RegisteredLater => "Cleared",
            KsefOutcome::Offline => "Offline",
            KsefOutcome::Unavailable => "Retry",
            KsefOutcome::Failed if waits => Status::Failed.as_str(),
            KsefOutcome::Failed => "ClearanceFailed",
        };
        let goes_on = matches!(news.outcome, KsefOutcome::Registered | KsefOutcome::Offline);
        if goes_on && !waits && self.tx.status.is_final() {
            return self.ignore(event, "the status is final");
        }
        let ends = waits && news.outcome == KsefOutcome::Failed;
        if ends {
            put_end(&mut details);
        }
        let mut draft = self
            .next(if ends { Status::Failed } else { self.tx.status })
            .line(name, message)
            .coded(&news.code);
        for topic in topics(news) {
            draft = draft.output(topic, message, details.clone());
        }
        if ends {
            draft = draft.notice(self.tx.family.row().error, message, details);
        }
        match goes_on && waits {
            true => draft.task(TaskKind::Route, self.now),
            false => draft.decision,
        }
    }
}

/// An invoice as an authority has it, whatever becomes of its copy for the receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedInvoice {
    /// The number that the authority gave it; none where it is still to be registered.
    pub number: Option<String>,
    /// Why it was issued without the authority, where it was.
    pub mode: Option<String>,
    /// Until when it has to be registered then.
    pub due_on: Option<Timestamp>,
}

impl IssuedInvoice {
    fn put(&self, notice: &mut Notice) {
        put(&mut notice.details, "ksefNumber", self.number.as_deref().unwrap_or_default());
        put(&mut notice.details, "clearanceMode", self.mode.as_deref().unwrap_or_default());
    }

    fn sentence(&self) -> String {
        let fact = match &self.number {
            Some(number) => format!("The invoice is registered by KSeF under {number}"),
            None => "The invoice was issued and is still to be registered by KSeF".to_owned(),
        };
        format!(
            "{fact}: only its copy did not reach the receiver. It is an invoice, so do not send it \
             anew as another one."
        )
    }
}

impl Decision {
    /// The decision about an invoice that an authority has, or is owed: who is told that it was
    /// delivered is told its number, and who is told that it failed, that it is an invoice all the
    /// same. Any other decision stays as it is.
    #[must_use]
    pub fn of_issued(mut self, invoice: &IssuedInvoice) -> Decision {
        if self.ignored.is_some() {
            return self;
        }
        match self.status {
            Status::Failed => self.failed_all_the_same(invoice),
            Status::Delivered => {
                let due = invoice.due_on.map(|on| on.to_string()).unwrap_or_default();
                let sent = |notice: &&mut Notice| notice.topic == Topic::INVOICE_SENT;
                for notice in self.notices.iter_mut().filter(sent) {
                    invoice.put(notice);
                    put(&mut notice.details, "clearanceDueOn", &due);
                }
                self
            }
            _ => self,
        }
    }

    fn failed_all_the_same(mut self, invoice: &IssuedInvoice) -> Decision {
        let sentence = invoice.sentence();
        let failed =
            self.timeline.iter_mut().rev().find(|line| line.name == Status::Failed.as_str());
        if let Some(line) = failed {
            line.description = cut(&format!("{sentence} {}", line.description));
        }
        // What tells of no failure has no code.
        for notice in self.notices.iter_mut().filter(|notice| notice.details.contains_key("code")) {
            notice.message = cut(&format!("{sentence} {}", notice.message));
            invoice.put(notice);
        }
        self
    }
}

/// What the hook publishes for an outcome: its own rows, or the topic of the outcome.
fn topics(news: &ClearanceNews) -> Vec<Topic> {
    let code = news.outcome.code().to_string();
    let own: Vec<Topic> = published(&news.output, &code).collect();
    if own.is_empty() { Topic::named(news.outcome.topic()).into_iter().collect() } else { own }
}
