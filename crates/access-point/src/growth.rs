//! What a stranger's mail costs to read grows as the mail, and what a server says as the text.

use quoin_testing::growth::{Case, Parser, check};

use crate::mail::ReturnAddress;
use crate::mailbox::{InboundLetter, MailFromAction, ReturnedMail};
use crate::net::{CallError, HttpAnswer};
use crate::oauth::ShownLogin;

fn repeat(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    format!("{head}{}{tail}", unit.repeat(bytes / unit.len())).into_bytes()
}

const HEAD: &str = "From: a@example.org\r\nMessage-ID: <1@example.org>\r\n";
const MIXED: &str = "From: a@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";

const LETTERS: &[Case] = &[
    ("headers", |n| repeat(HEAD, "a: b\r\n", "\r\n", n)),
    ("one header in many lines", |n| repeat("Subject: x", "\r\n y", "\r\n\r\n", n)),
    ("words that are not ASCII", |n| repeat("Subject: ", "=?utf-8?Q?a?= ", "\r\n\r\n", n)),
    ("words that never end", |n| repeat("Subject: ", "=?", "\r\n\r\n", n)),
    ("senders", |n| repeat("From: ", "\"a\" <a@b.example>, ", "\r\n\r\n", n)),
    ("comments", |n| repeat("From: ", "(", "\r\n\r\n", n)),
    ("parameters", |n| repeat("Content-Type: a/b", "; a=b", "\r\n\r\n", n)),
    ("a name in pieces", |n| {
        let pieces = (0..n / 24).map(|one| format!("; filename*{one}=\"abcdef\""));
        let pieces: String = pieces.collect();
        format!("Content-Disposition: attachment{pieces}\r\n\r\n").into_bytes()
    }),
    ("what a server says", |n| {
        repeat(
            "From: a@example.org\r\nAuthentication-Results: mx.example.org",
            "; dkim=fail",
            "\r\n\r\n",
            n,
        )
    }),
    ("parts", |n| repeat(MIXED, "--b\r\n\r\nx\r\n", "--b--\r\n", n)),
    ("lines that are nearly a boundary", |n| repeat(MIXED, "--b-\r\n", "", n)),
    ("parts in parts", |n| {
        let deep: String = (0..9)
            .map(|one| {
                format!("--b{one}\r\nContent-Type: multipart/mixed; boundary=b{}\r\n\r\n", one + 1)
            })
            .collect();
        let head = format!("Content-Type: multipart/mixed; boundary=b0\r\n\r\n{deep}");
        repeat(&head, "--x\r\n", "", n)
    }),
    ("Base64", |n| repeat("Content-Transfer-Encoding: base64\r\n\r\n", "YWJj\r\n", "", n)),
    ("quoted-printable", |n| {
        repeat("Content-Transfer-Encoding: quoted-printable\r\n\r\n", "=3D=\r\n", "", n)
    }),
];

const REPORT: &str = "Delivered-To: bounces@example.org\r\n\
    Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
    --b\r\nContent-Type: message/delivery-status\r\n\r\n";

const REPORTS: &[Case] = &[
    ("recipients", |n| {
        let fields = (0..n / 60).map(|one| {
            format!("Final-Recipient: rfc822; a{one}@example.org\r\nAction: failed\r\n\r\n")
        });
        format!("{REPORT}{}\r\n--b--\r\n", fields.collect::<String>()).into_bytes()
    }),
    ("empty lines", |n| repeat(REPORT, "\r\n", "--b--\r\n", n)),
    ("addresses", |n| repeat("To: ", "bounces+1@example.org, ", "\r\n\r\n", n)),
    ("references", |n| {
        let head = "X-Failed-Recipients: a@example.org\r\nReferences: ";
        repeat(head, "<0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7@a.example> ", "\r\n\r\n", n)
    }),
    ("qmail's words", |n| repeat("\r\nHi. This is the ", "<a@b.example>:\nno\n", "", n)),
    ("failed recipients", |n| repeat("X-Failed-Recipients: ", "a@b.example,", "\r\n\r\n", n)),
];

const ACTIONS: &[Case] = &[
    ("senders", |n| repeat("mailfrom://u@h.example?from=", "a.example,", "", n)),
    ("parameters", |n| repeat("mailfrom://u@h.example?", "answer=true&", "from=a.example", n)),
];

/// What a server may say again, however it is written.
const SAYINGS: &[Case] = &[
    ("nothing of it", |n| repeat("", "535 no such login ", "", n)),
    ("the secret", |n| repeat("", "s3cret&aaaa", "", n)),
    ("its beginning", |n| repeat("", "s3cret&a", "", n)),
    ("its first letter", |n| repeat("", "s", "", n)),
    ("entities", |n| repeat("", "&#x73;&#51;", "", n)),
    ("entities that never end", |n| repeat("", "&", "", n)),
    ("percents", |n| repeat("", "%73%33", "", n)),
    ("percents of nothing", |n| repeat("", "%F0%90", "", n)),
    ("escapes", |n| repeat("", "\\u0073\\\\", "", n)),
    ("halves of letters", |n| repeat("", "\\ud800", "", n)),
];

fn letter(mail: &[u8]) {
    let text = "mailfrom://u@h.example?from=example.org&authenticated=mx.example.org";
    if let Ok(action) = MailFromAction::parse(text) {
        std::hint::black_box(InboundLetter::read(mail, &action).is_ok());
    }
}

fn report(mail: &[u8]) {
    let returns = ReturnAddress::parse("bounces@example.org").ok();
    std::hint::black_box(ReturnedMail::read(mail, returns.as_ref()).is_ok());
}

fn action(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    std::hint::black_box(MailFromAction::parse(&text).is_ok());
}

fn saying(text: &[u8]) {
    let shown = ShownLogin::secret("s3cret&aaaa");
    std::hint::black_box(shown.hidden(&String::from_utf8_lossy(text), usize::MAX).len());
    let cut = HttpAnswer {
        status: 400,
        headers: hyper::HeaderMap::new(),
        body: text.to_vec().into(),
        cut: Some(CallError::TooLarge(text.len())),
        elapsed: std::time::Duration::ZERO,
        repeated: false,
        shown: Vec::new(),
    };
    std::hint::black_box(shown.hidden_in(&cut, usize::MAX).len());
}

const PARSERS: &[Parser] = &[
    Parser { name: "a mail", covers: &[], cases: LETTERS, size: 16 << 10, run: letter },
    Parser { name: "a report", covers: &[], cases: REPORTS, size: 16 << 10, run: report },
    Parser { name: "an action", covers: &[], cases: ACTIONS, size: 2 << 10, run: action },
    Parser { name: "what a server says", covers: &[], cases: SAYINGS, size: 16 << 10, run: saying },
];

#[test]
fn what_a_mail_costs_grows_as_the_mail() {
    check(PARSERS);
}
