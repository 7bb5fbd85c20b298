//! What the answers of a mail server mean, by when they are given.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use super::*;
use crate::clock::Clock;
use crate::net::{HttpClient, HttpSettings};

/// A server that answers each line of ours with the next of these; the first is its greeting.
async fn server(lines: &'static [&'static str]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = BufReader::new(stream);
        for line in lines {
            stream.get_mut().write_all(format!("{line}\r\n").as_bytes()).await.unwrap();
            let mut heard = String::new();
            if stream.read_line(&mut heard).await.unwrap_or_default() == 0 {
                return;
            }
        }
    });
    port
}

async fn outcome(lines: &'static [&'static str], login: bool) -> MailOutcome {
    sent(lines, login, &["them@example.org"]).await.outcome
}

/// What comes of a mail to the first of these, with copies to the others.
async fn sent(lines: &'static [&'static str], login: bool, to: &[&str]) -> MailSent {
    let config = MailSection {
        server: Some(format!("smtp://127.0.0.1:{}", server(lines).await)),
        from: Some("us@example.org".to_owned()),
        username: login.then(|| "us".to_owned()),
        password: login.then(|| crate::config::ConfigSecret::new("secret")),
        timeout_seconds: 5,
        ..MailSection::default()
    };
    let http = HttpClient::new(&HttpSettings::default()).unwrap();
    let tokens = TokenDesk::new(http, Duration::from_secs(1), Clock::default());
    let mailer = Mailer::open(&config, &[], tokens).unwrap().unwrap();
    let to: Vec<Mailbox> = to.iter().map(|to| mailbox(to).unwrap()).collect();
    let from = Message::builder().from("us@example.org".parse().unwrap());
    let message = to.iter().fold(from, |mail, to| mail.bcc(to.clone())).body(String::new());
    let message = message.unwrap();
    let mail = mailer.ready(&message, "1@example.org", Timestamp::UNIX_EPOCH).unwrap();
    mailer.send(mail.left_for(&[to[0].email.clone()], &[])).await
}

#[tokio::test]
async fn what_a_server_says_before_a_mail_is_about_no_mail() {
    for (lines, login, code) in [
        (&["554 5.3.2 closed for today"] as &[&str], false, Some(554)),
        (&["521 no mail here"], false, Some(521)),
        (&["220 hello", "550 who are you", "550 who are you"], false, Some(550)),
        (&["220 hello", "250 AUTH PLAIN", "550 not you"], true, Some(550)),
        // It offers no way to log in, which our side finds.
        (&["220 hello", "250 nothing"], true, None),
    ] {
        let outcome = outcome(lines, login).await;
        let is_later = matches!(&outcome, MailOutcome::Later { code: found, .. } if *found == code);
        assert!(is_later, "{lines:?}: {outcome:?}");
    }
}

#[tokio::test]
async fn what_it_says_of_a_mail_may_be_final() {
    for (lines, is_final) in [
        (&["220 hello", "250 ok", "550 not from you"] as &[&str], true),
        (&["220 hello", "250 ok", "451 later"], false),
        (&["220 hello", "250 ok", "530 log in first"], false),
        (&["220 hello", "250 ok", "250 ok", "550 nobody here"], true),
    ] {
        let outcome = outcome(lines, false).await;
        assert_eq!(
            matches!(outcome, MailOutcome::Never { .. }),
            is_final,
            "{lines:?}: {outcome:?}"
        );
    }
}

/// A code that is positive and fits another question is no yes to this one.
#[tokio::test]
async fn a_mail_is_taken_by_the_codes_that_say_so() {
    let lines = |lines: &[&'static str]| -> &'static [&'static str] { lines.to_vec().leak() };
    let hello = ["220 hello", "250 ok"];
    for (rest, says) in [
        (&["354 go on"] as &[&'static str], "answered MAIL with \"354 go on\", expected 2yz"),
        (&["250 ok", "354 go on"], "answered RCPT with \"354 go on\", expected 2yz"),
        (&["250 ok", "250 ok", "250 ok"], "answered DATA with \"250 ok\", expected 354"),
        (&["250 ok", "250 ok", "354 go on", "354 more"], "answered the end of the mail with"),
        (&["250 ok", "250 ok\r\n250 ok", "554 no"], "said more than its answer to RCPT"),
        (&["250 ok", "250 ok", "354 go\r\n250 taken"], "said more than its answer to DATA"),
        (&["250 ok", "250 ok", "what"], "what it answered is no SMTP"),
    ] {
        let outcome = outcome(lines(&[&hello, rest].concat()), false).await;
        let MailOutcome::Later { code: None, cause } = &outcome else { panic!("{outcome:?}") };
        assert!(cause.contains(says) && !cause.contains(['\r', '\n']), "{rest:?}: {cause}");
    }
    let taken = lines(&["220 hello", "250 ok", "250 ok", "250 ok", "354 go on", "250 taken"]);
    assert!(matches!(outcome(taken, false).await, MailOutcome::Taken { code: 250, .. }));
}

#[tokio::test]
async fn each_address_has_its_own_answer() {
    const FIRST: &str = "first@example.org";
    const SECOND: &str = "second@example.org";
    const DONE: [&str; 2] = ["354 go on", "250 taken"];
    let both = |one: &'static str, two: &'static str| -> &'static [&'static str] {
        let lines = ["220 hello", "250 ok", "250 ok", one, two, DONE[0], DONE[1]];
        Vec::from(lines).leak()
    };
    for (one, two, reached, code) in [
        ("250 ok", "250 ok", &[FIRST, SECOND] as &[&str], Some("taken")),
        ("250 ok", "550 no", &[FIRST], Some("taken")),
        ("250 ok", "450 wait", &[FIRST], None),
        // Copies alone are no reason to send it; the line behind is for RSET.
        ("550 no", "250 ok", &[], Some("never")),
        ("450 wait", "250 ok", &[], None),
        ("550 no", "550 no", &[], Some("never")),
        ("550 no", "450 wait", &[], None),
    ] {
        let sent = sent(both(one, two), false, &[FIRST, SECOND]).await;
        let found: Vec<String> = sent.reached.iter().map(ToString::to_string).collect();
        assert_eq!(found, reached, "{one}, {two}: {sent:?}");
        let word = match &sent.outcome {
            MailOutcome::Taken { .. } => Some("taken"),
            MailOutcome::Never { .. } => Some("never"),
            MailOutcome::Later { .. } => None,
        };
        assert_eq!(word, code, "{one}, {two}: {sent:?}");
    }
}

#[tokio::test]
async fn letters_in_front_of_the_at_need_a_server_that_knows_them() {
    let to = ["m\u{fc}ller@example.org"];
    let plain = sent(&["220 hello", "250 ok", "250 ok", "250 ok"], false, &to).await;
    assert!(
        matches!(&plain.outcome, MailOutcome::Never { cause, .. } if cause.contains("SMTPUTF8"))
    );
    let knows =
        ["220 hello", "250-ok\r\n250 SMTPUTF8", "250 ok", "250 ok", "354 go on", "250 taken"];
    let knows = sent(Vec::from(knows).leak(), false, &to).await;
    assert!(matches!(knows.outcome, MailOutcome::Taken { .. }), "{knows:?}");
}

/// A server that says the login again does not get it onto a timeline, and what it says turns no
/// line around.
#[tokio::test]
async fn a_login_that_a_server_says_again_is_not_told() {
    let login = ["220 hello", "250 AUTH PLAIN"];
    // The base64 of "secret", of the name and the password as PLAIN says them, with the padding.
    let said = "535 no\u{202e} AUTH PLAIN AHVzAHNlY3JldA== AHVzAHNlY3JldA c2VjcmV0 secret";
    let outcome = |rest: &[&'static str]| outcome([&login, rest].concat().leak(), true);
    for lines in [&[said] as &[&str], &["235 in", said], &["235 in", "250 ok", said]] {
        let (MailOutcome::Later { cause, .. } | MailOutcome::Never { cause, .. }) =
            outcome(lines).await
        else {
            panic!("{lines:?}")
        };
        assert!(cause.contains("AUTH PLAIN *** *** *** ***"), "{cause}");
        assert!(!cause.contains('\u{202e}'), "{cause}");
    }
}
