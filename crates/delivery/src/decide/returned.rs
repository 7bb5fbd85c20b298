//! What a mail server says of a mail that it took, after the document is done with: it is told, and
//! no status changes (`docs/adr/0018`).

use super::{DecisionContext, put, put_code};
use crate::channel::{MAIL_BOUNCED, MAIL_DELAYED};
use crate::decision::Decision;
use crate::event::{Event, MailFate, MailWord};
use crate::transaction::{Direction, Status};

impl DecisionContext<'_> {
    /// What was said of the mail of a document that is done with: told, and no more.
    pub(super) fn returned(&self, event: &Event, word: &MailWord) -> Decision {
        if self.tx.direction == Direction::Incoming {
            return self.ignore(event, "an arrived document was not sent by mail");
        }
        if !self.tx.status.is_final() {
            return self.ignore(event, "it is still under way");
        }
        let MailWord { recipient, status, said, .. } = word;
        let known = [status.as_str(), said.as_str()].into_iter().filter(|word| !word.is_empty());
        let why = match known.collect::<Vec<_>>().join(", ") {
            known if known.is_empty() => String::new(),
            known => format!(" ({known})"),
        };
        let (name, code, line) = match word.fate {
            MailFate::Late => (
                "Delayed",
                MAIL_DELAYED,
                format!("The mail to {recipient} is late; a mail server still tries{why}."),
            ),
            MailFate::CameBack => (
                "Bounced",
                MAIL_BOUNCED,
                format!("The mail to {recipient} came back and was not delivered{why}."),
            ),
            MailFate::NotTaken => (
                "Bounced",
                MAIL_BOUNCED,
                format!(
                    "The mail server did not take the mail for {recipient}{why}; others got it."
                ),
            ),
        };
        let mut draft = self.next(self.tx.status).line(name, &line).coded(code);
        draft.decision.channel = None;
        if word.fate == MailFate::Late || self.tx.status != Status::Delivered {
            return draft.decision;
        }
        let mut details = self.details();
        put_code(&mut details, code);
        put(&mut details, "mailRecipient", recipient);
        put(&mut details, "mailStatus", status);
        put(&mut details, "cause", said);
        draft.notice(self.tx.family.row().error, &line, details).decision
    }
}
