//! Tests of `mailbox::dsn`: reports as mail servers write them, and mails that are none.

use super::*;

const ID: &str = "0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f7";

fn own() -> Uuid {
    ID.parse().unwrap()
}

fn returns() -> ReturnAddress {
    ReturnAddress::parse("bounces@example.org").unwrap()
}

fn read(text: &str) -> Option<ReturnedMail> {
    let text = text.replace('\n', "\r\n");
    ReturnedMail::read(text.as_bytes(), Some(&returns())).unwrap()
}

fn recipient(address: &str, action: ReturnAction, status: &str, said: &str) -> ReturnedRecipient {
    let (status, said) = (status.to_owned(), said.to_owned());
    ReturnedRecipient { address: address.to_owned(), action, status, said }
}

/// A report of RFC 3464, with these fields for its recipients, and what came back.
fn report(to: &str, recipients: &str, back: &str) -> String {
    format!(
        "Return-Path: <>\nDelivered-To: {to}\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example>\n\
         Auto-Submitted: auto-replied\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b/1\"\n\n\
         --b/1\nContent-Type: text/plain\n\nI'm sorry.\n\n\
         --b/1\nContent-Type: message/delivery-status\n\n\
         Reporting-MTA: dns; mx.example\nArrival-Date: Thu, 26 Nov 2026 10:00:00 +0000\n\n\
         {recipients}\n\
         --b/1\n{back}\n--b/1--\n"
    )
}

const FAILED: &str = "Final-Recipient: rfc822; Forwarded@inner.example\n\
    Original-Recipient: rfc822;Buyer@example.net\nAction: failed\nStatus: 5.1.1\n\
    Diagnostic-Code: smtp; 550 5.1.1 <buyer@example.net>:\n    no such user\n";

fn back() -> String {
    format!(
        "Content-Type: message/rfc822\n\nMessage-ID: <{ID}@as4.example>\nSubject: x\n\nthe secret body\n"
    )
}

#[test]
fn a_report_of_the_standard_names_mail_and_recipients() {
    let told = read(&report("bounces@example.org", FAILED, &back())).unwrap();
    assert_eq!(told.ids, [own()]);
    let said = "550 5.1.1 <buyer@example.net>: no such user";
    assert_eq!(
        told.recipients,
        [recipient("buyer@example.net", ReturnAction::Failed, "5.1.1", said)]
    );
    let kept = String::from_utf8(told.report.to_vec()).unwrap();
    assert!(kept.contains("no such user") && kept.contains("Subject: x"), "{kept}");
    assert!(!kept.contains("the secret body"), "{kept}");
}

#[test]
fn the_address_that_it_came_to_is_enough() {
    let to = format!("bounces+{}@example.org", ID.replace('-', ""));
    for head in ["", "X-Original-To: someone@else.example\n"] {
        let text = head.to_owned() + &report(&to, FAILED, "Content-Type: text/plain\n\nnothing");
        assert_eq!(read(&text).unwrap().ids, [own()]);
    }
    let answered = format!("In-Reply-To: <{ID}@as4.example>\n");
    let exchange = answered + &report("bounces@example.org", FAILED, "Content-Type: a/b\n\n");
    assert_eq!(read(&exchange).unwrap().ids, [own()]);
    let headers = back().replace("message/rfc822", "text/rfc822-headers");
    assert_eq!(read(&report("x@example.org", FAILED, &headers)).unwrap().ids.len(), 1);
}

#[test]
fn late_is_not_failed_and_delivered_is_nothing() {
    for (fields, expected) in [
        (
            "Final-Recipient: rfc822; a@b.example\nAction: delayed\nStatus: 4.4.1\n",
            Some(ReturnAction::Delayed),
        ),
        (
            "Final-Recipient: rfc822; a@b.example\nAction: Failed\nStatus: 4.4.7\n",
            Some(ReturnAction::Failed),
        ),
        ("Final-Recipient: rfc822; a@b.example\nStatus: 5.0.0\n", Some(ReturnAction::Failed)),
        (
            "Final-Recipient: rfc822; a@b.example\nAction: failed (unknown (or gone))\n",
            Some(ReturnAction::Failed),
        ),
        ("Final-Recipient: rfc822; a@b.example\nStatus: 4.0.0\n", Some(ReturnAction::Delayed)),
        ("Final-Recipient: rfc822; a@b.example\nAction: relayed\nStatus: 2.0.0\n", None),
        ("Final-Recipient: rfc822; a@b.example\nAction: delivered\nStatus: 2.0.0\n", None),
        ("Action: failed\nStatus: 5.0.0\n", None),
    ] {
        let told = read(&report("bounces@example.org", fields, &back()));
        assert_eq!(told.map(|told| told.recipients[0].action), expected, "{fields}");
    }
}

#[test]
fn each_recipient_is_told_once() {
    let other = FAILED.replace("Buyer@", "two@").replace("failed", "delayed");
    let told = read(&report("x@example.org", &format!("{FAILED}\n{other}\n{FAILED}"), &back()));
    let told = told.unwrap().recipients;
    let actions: Vec<_> = told.iter().map(|one| (one.address.as_str(), one.action)).collect();
    let expected =
        [("buyer@example.net", ReturnAction::Failed), ("two@example.net", ReturnAction::Delayed)];
    assert_eq!(actions, expected);
}

#[test]
fn what_stands_in_brackets_is_a_comment_but_in_what_the_server_said() {
    let commented = "Final-Recipient: rfc822; \"a(b\"@b.example (Alice)\nAction: failed\n\
                     Status: 5.1.1 (no such user)\nDiagnostic-Code: smtp; 550 5.1.1 (x1) unknown\n";
    let told = read(&report("bounces@example.org", commented, &back())).unwrap();
    let said = "550 5.1.1 (x1) unknown";
    let expected = recipient("\"a(b\"@b.example", ReturnAction::Failed, "5.1.1", said);
    assert_eq!(told.recipients, [expected]);
}

#[test]
fn exim_and_qmail_tell_it_in_words() {
    let exim = format!(
        "Return-path: <>\nX-Failed-Recipients: Buyer@example.net\nAuto-Submitted: auto-replied\n\
         From: Mail Delivery System <Mailer-Daemon@mx.example>\n\n\
         A message that you sent could not be delivered.\n\n\
         \x20 buyer@example.net\n    no such user\n\n\
         ------ This is a copy of the message, including all the headers. ------\n\n\
         Received: by us\nMessage-ID: <{ID}@as4.example>\n\nthe secret body\n"
    );
    let told = read(&exim).unwrap();
    assert_eq!(told.ids, [own()]);
    assert_eq!(told.recipients, [recipient("buyer@example.net", ReturnAction::Failed, "", "")]);
    assert!(!String::from_utf8_lossy(&told.report).contains("the secret body"));
    let warning = exim.replace(
        "X-Failed-Recipients: Buyer@example.net",
        "Subject: Warning: message 1x delayed 24 hours",
    );
    let told = read(&warning).unwrap();
    assert_eq!(told.recipients, [recipient("buyer@example.net", ReturnAction::Delayed, "", "")]);
    let qmail = format!(
        "From: MAILER-DAEMON@mx.example\n\nHi. This is the qmail-send program at mx.example.\n\
         I wasn't able to deliver your message.\n\n\
         <buyer@example.net>:\nNo mailbox here. (#5.1.1)\n\n\
         --- Below this line is a copy of the message.\n\nReturn-Path: <a@example.org>\n\
         Message-ID: <{ID}@as4.example>\n\nbody\n"
    );
    let told = read(&qmail).unwrap();
    let said = "No mailbox here. (#5.1.1)";
    assert_eq!(told.recipients, [recipient("buyer@example.net", ReturnAction::Failed, "", said)]);
    assert_eq!(told.ids, [own()]);
}

#[test]
fn what_is_no_report_says_nothing() {
    let to = format!("bounces+{}@example.org", ID.replace('-', ""));
    for text in [
        format!("To: {to}\nAuto-Submitted: auto-replied\nSubject: Out of office\n\nI am away.\n"),
        format!("To: {to}\nSubject: Re: your invoice\nIn-Reply-To: <{ID}@a.example>\n\nThanks\n"),
        format!("To: {to}\nSubject: Warning: message of today delayed 2 hours\n\n  a@b.example\n"),
        String::new(),
    ] {
        assert_eq!(read(&text), None, "{text}");
    }
}

#[test]
fn whatever_is_cut_or_changed_comes_to_something() {
    let to = format!("bounces+{}@example.org", ID.replace('-', ""));
    let text = report(&to, FAILED, &back()).replace('\n', "\r\n").into_bytes();
    let action = "mailfrom://u@h.example?from=example.org&authenticated=mx.example";
    let action = super::super::MailFromAction::parse(action).unwrap();
    let read = |bytes: &[u8]| {
        let told = ReturnedMail::read(bytes, Some(&returns()));
        if let Ok(Some(told)) = told {
            assert!(told.report.len() <= bytes.len() && !told.recipients.is_empty());
        }
        let _ = super::super::InboundLetter::read(bytes, &action);
    };
    for end in 0..text.len() {
        read(&text[..end]);
    }
    // The same changes each time: a linear congruence picks place and byte.
    let mut state = 7_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap()
    };
    for _ in 0..2_000 {
        let mut changed = text.clone();
        for _ in 0..1 + next() % 8 {
            let (at, byte) = (next() % changed.len(), next() % 256);
            match next() % 3 {
                0 => changed[at] = u8::try_from(byte).unwrap(),
                1 => drop(changed.remove(at)),
                _ => changed.insert(at, b"\r\n:;-=<>@ "[byte % 10]),
            }
        }
        read(&changed);
    }
}
