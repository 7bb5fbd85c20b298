//! What is said of a mail after the document is done with.

use super::*;
use crate::event::{MailFate, MailWord};

pub(super) fn returned(is_delayed: bool) -> Event {
    word(if is_delayed { MailFate::Late } else { MailFate::CameBack })
}

fn word(fate: MailFate) -> Event {
    Event::Returned(MailWord {
        recipient: "buyer@example.net".to_owned(),
        fate,
        status: "5.1.1".to_owned(),
        said: "550 no such user".to_owned(),
    })
}

#[test]
fn what_is_said_of_a_mail_is_told_and_changes_no_status() {
    let tx = |status| transaction(Direction::Outgoing, status, 1);
    let bounced = after(&tx(Status::Delivered), returned(false));
    assert_eq!((bounced.status, bounced.tasks.len()), (Status::Delivered, 0));
    assert_eq!(topics(&bounced), [Topic::INVOICE_SENT_ERROR]);
    assert_eq!(bounced.timeline[0].name, "Bounced");
    assert_eq!(bounced.timeline[0].code.as_deref(), Some("mail-bounced"));
    assert_eq!(
        bounced.timeline[0].description,
        "The mail to buyer@example.net came back and was not delivered (5.1.1, 550 no such user)."
    );
    let details = &bounced.notices[0].details;
    assert_eq!(details["mailRecipient"], "buyer@example.net");
    assert_eq!((details["corner"].as_str(), details["whoCanFix"].as_str()), ("mail", "sender"));
    let missed = after(&tx(Status::Delivered), word(MailFate::NotTaken));
    assert_eq!(topics(&missed), [Topic::INVOICE_SENT_ERROR]);
    assert_eq!(
        missed.timeline[0].description,
        "The mail server did not take the mail for buyer@example.net (5.1.1, 550 no such user); \
         others got it."
    );
    let late = after(&tx(Status::Delivered), returned(true));
    assert_eq!((late.status, late.notices.len()), (Status::Delivered, 0));
    assert_eq!(late.timeline[0].code.as_deref(), Some("mail-delayed"));
    let failed = after(&tx(Status::Failed), returned(false));
    assert_eq!(
        (failed.status, failed.notices.len(), failed.timeline.len()),
        (Status::Failed, 0, 1)
    );
    for status in [Status::Pending, Status::Validated, Status::Routed] {
        assert!(after(&tx(status), returned(false)).ignored.is_some(), "{status}");
    }
    let arrived = transaction(Direction::Incoming, Status::Delivered, 0);
    assert!(after(&arrived, returned(false)).ignored.is_some());
}
