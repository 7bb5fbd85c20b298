//! The sending of one mail: to whom, with what, and who of them has it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lettre::Address;
use lettre::message::Mailbox;
use serde::Serialize;

use super::outcome::never;
use crate::budget::in_place;
use crate::mail::{
    MailAction, MailOutcome, MailSent, MailedPage, Mailer, MissedAddress, OutgoingMail, ReadyMail,
    message, plain_message, recipient,
};

/// A mail that was sent or not; kept with the attempt as JSON.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MailReport {
    /// The mail server.
    pub(super) server: String,
    /// To whom.
    pub(super) to: Vec<String>,
    /// To whom besides, unseen by those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bcc: Vec<String>,
    /// Whether the address that the hook keeps for such cases was used.
    pub(super) fallback: bool,
    /// The server's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<u16>,
    /// What the server said, or what went wrong.
    pub(super) reply: String,
    /// Why the mail has no page, where it should have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) without_page: Option<String>,
    /// Who has it, where others are to be tried again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reached: Vec<String>,
    /// Whom the server did not take it for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missed: Vec<MissedRecipient>,
}

/// Somebody for whom a mail was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MissedRecipient {
    /// The address.
    pub(super) recipient: String,
    /// What the server said.
    pub(super) said: String,
}

/// The tries of one mail.
#[derive(Clone, Copy)]
pub(super) struct MailTries<'a> {
    /// Who has it from an earlier one.
    pub(super) reached: &'a [Address],
    /// Whether none comes after this one.
    pub(super) is_last: bool,
}

/// What a mail is about.
pub(super) struct Matter<'a> {
    pub(super) message_id: String,
    pub(super) subject: String,
    pub(super) text: &'a str,
    pub(super) facts: BTreeMap<String, String>,
    pub(super) document: Option<&'a [u8]>,
    /// Whether the document goes along.
    pub(super) along: bool,
    /// Whether this is how the document is delivered.
    pub(super) delivers: bool,
    /// Its page, or why there is none.
    pub(super) page: Result<Option<MailedPage>, String>,
}

/// Sends a mail to whom the hook names, else to whom the document names, and to the address that
/// the hook keeps for when there is none or it is refused, also by being put off to the end.
pub(super) async fn dispatch(
    mailer: &Mailer,
    action: &MailAction,
    (matter, tries): (&Matter<'_>, MailTries<'_>),
    now: Timestamp,
) -> (MailOutcome, MailReport) {
    let read = |document| in_place(|| recipient(&quoin_formats::read(document)));
    let named = || matter.document.and_then(read);
    let to = if action.to.is_empty() { named().into_iter().collect() } else { action.to.clone() };
    let first = match to.is_empty() {
        true => None,
        false => Some(fitted(mailer, action, (matter, tries), &to, now).await),
    };
    if let Some((sent, report)) = first
        && (!is_refused(&sent, tries) || action.fallback.is_none())
    {
        return (sent, report);
    }
    let Some(fallback) = action.fallback.clone() else {
        let cause = "neither the hook nor the document names a mail address".to_owned();
        return (never(cause), MailReport::default());
    };
    let (sent, report) = fitted(mailer, action, (matter, tries), &[fallback], now).await;
    (sent, MailReport { fallback: true, ..report })
}

/// Sends a mail, and without its page where the server finds it too large with it.
async fn fitted(
    mailer: &Mailer,
    action: &MailAction,
    (matter, tries): (&Matter<'_>, MailTries<'_>),
    to: &[Mailbox],
    now: Timestamp,
) -> (MailOutcome, MailReport) {
    let page = matter.page.as_ref().map(Option::as_ref).map_err(String::as_str);
    let (sent, report) = send(mailer, action, (matter, page, tries), to, now).await;
    let too_large = match (&sent, page) {
        (MailOutcome::Never { code, cause }, Ok(Some(_))) => is_too_large(*code, cause),
        _ => false,
    };
    if !too_large || !report.reached.is_empty() {
        return (sent, report);
    }
    let why = format!("with it the mail is too large for {}: {}", report.server, report.reply);
    send(mailer, action, (matter, Err(&why), tries), to, now).await
}

/// Whether a server refused a mail for its size (RFC 1870, section 6; RFC 3463, X.3.4 and X.2.3).
fn is_too_large(code: Option<u16>, cause: &str) -> bool {
    let is_final = code.is_some_and(|code| (500..600).contains(&code));
    code == Some(552) || is_final && ["5.3.4", "5.2.3"].iter().any(|own| cause.contains(own))
}

/// What one mail is sent with: what it is about, its page, and the tries before.
type MailMatter<'m, 'a> = (&'m Matter<'a>, Result<Option<&'m MailedPage>, &'m str>, MailTries<'m>);

async fn send(
    mailer: &Mailer,
    action: &MailAction,
    (matter, page, tries): MailMatter<'_, '_>,
    to: &[Mailbox],
    now: Timestamp,
) -> (MailOutcome, MailReport) {
    let letter = OutgoingMail {
        action,
        to,
        message_id: &matter.message_id,
        subject: matter.subject.trim(),
        text: matter.text,
        facts: &matter.facts,
        document: matter.document.filter(|_| matter.along),
        delivers: matter.delivers,
        page: page.ok().flatten(),
        now,
    };
    let addressees: Vec<Address> = to.iter().map(|mailbox| mailbox.email.clone()).collect();
    let written = || {
        let mail = ready(mailer, &letter)?;
        Ok(mail.left_for(&addressees, tries.reached))
    };
    let mut left = Vec::new();
    let sent = match in_place(written) {
        Ok(mail) if mail.is_done() => {
            let reply = "nobody is left who does not have it".to_owned();
            MailSent::to_nobody(MailOutcome::Taken { code: 250, reply })
        }
        Ok(mail) => {
            left = mail.to().to_vec();
            mailer.send(mail).await
        }
        Err(unsent) => MailSent::to_nobody(unsent),
    };
    let is_there =
        |address: &Address| sent.reached.contains(address) || tries.reached.contains(address);
    let given_up = match &sent.outcome {
        MailOutcome::Never { cause, .. } | MailOutcome::Later { cause, .. } => cause.clone(),
        MailOutcome::Taken { .. } => String::new(),
    };
    let outcome = ended(sent.outcome, addressees.iter().any(is_there), tries.is_last);
    let (code, reply) = match &outcome {
        MailOutcome::Taken { code, reply } => (Some(*code), reply.clone()),
        MailOutcome::Later { code, cause } | MailOutcome::Never { code, cause } => {
            (*code, cause.clone())
        }
    };
    let server = mailer.server().to_owned();
    let without_page = page.err().map(str::to_owned);
    left.retain(|address| !sent.reached.contains(address));
    let is_to_go_on = matches!(outcome, MailOutcome::Later { .. });
    let reached = sent.reached.iter().filter(|_| is_to_go_on).map(ToString::to_string);
    let report = MailReport {
        server,
        to: addressees.iter().map(ToString::to_string).collect(),
        bcc: action.bcc.iter().map(|mailbox| mailbox.email.to_string()).collect(),
        fallback: false,
        code,
        reply,
        without_page,
        reached: reached.collect(),
        missed: missed(&left, &sent.missed, &given_up),
    };
    (outcome, report)
}

/// A mail as it travels, with another header beside it where its own has letters beyond ASCII.
fn ready(mailer: &Mailer, letter: &OutgoingMail<'_>) -> Result<ReadyMail, MailOutcome> {
    let signed = |mail| mailer.ready(&mail, letter.message_id, letter.now);
    let mail = signed(message(letter, mailer.senders()).map_err(never)?)?;
    if mail.is_plain() {
        return Ok(mail);
    }
    let plain = plain_message(letter, mailer.senders()).map_err(never)?.map(signed).transpose()?;
    Ok(match plain {
        Some(plain) => mail.or_plain(plain),
        None => mail,
    })
}

/// Whether nobody is left who may take the mail: it was refused to all, and who is still asked to
/// come again after the last try is refused it as well. A server that said nothing refused nobody.
fn is_refused(sent: &MailOutcome, tries: MailTries<'_>) -> bool {
    match sent {
        MailOutcome::Never { .. } => true,
        MailOutcome::Later { code, .. } => tries.is_last && code.is_some(),
        MailOutcome::Taken { .. } => false,
    }
}

/// Those for whom the mail was not taken, with what was said of each; where nothing was, what was
/// said of all.
fn missed(left: &[Address], said: &[MissedAddress], of_all: &str) -> Vec<MissedRecipient> {
    let said_of = |address: &Address| {
        let one = said.iter().find(|missed| missed.address == *address);
        one.map_or(of_all, |missed| missed.said.as_str()).to_owned()
    };
    let told =
        |address| MissedRecipient { recipient: format!("{address}"), said: said_of(address) };
    left.iter().map(told).collect()
}

/// What a try comes to. A mail that somebody has is sent: who is refused it in this try, or has to
/// wait for it in the last one, is told of, and keeps it from nobody.
fn ended(outcome: MailOutcome, is_there: bool, is_last: bool) -> MailOutcome {
    match outcome {
        MailOutcome::Never { code, cause } if is_there => {
            MailOutcome::Taken { code: code.unwrap_or_default(), reply: cause }
        }
        MailOutcome::Later { code, cause } if is_there && is_last => {
            MailOutcome::Taken { code: code.unwrap_or_default(), reply: cause }
        }
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::TcpListener;

    use super::*;
    use crate::clock::Clock;
    use crate::config::MailSection;
    use crate::net::{HttpClient, HttpSettings};
    use crate::oauth::TokenDesk;

    /// A server that takes mails of so many bytes, offers this, and keeps what it was told.
    async fn serving(most: usize, offer: &'static str) -> (Mailer, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let mut stream = BufReader::new(stream);
                let mut answer = "220 hello".to_owned();
                loop {
                    let said = format!("{answer}\r\n");
                    if stream.get_mut().write_all(said.as_bytes()).await.is_err() {
                        break;
                    }
                    let mut text = String::new();
                    while stream.read_line(&mut text).await.unwrap_or_default() > 0 {
                        if answer != "354 go on" || text.ends_with("\r\n.\r\n") {
                            break;
                        }
                    }
                    if text.is_empty() {
                        break;
                    }
                    let is_mail = answer == "354 go on";
                    answer = match text.split_whitespace().next().unwrap_or_default() {
                        _ if is_mail && text.len() > most => "552 5.3.4 too big".to_owned(),
                        "EHLO" => offer.to_owned(),
                        "DATA" => "354 go on".to_owned(),
                        _ => "250 ok".to_owned(),
                    };
                    kept.lock().unwrap().push(text);
                }
            }
        });
        let config = MailSection {
            server: Some(format!("smtp://127.0.0.1:{port}")),
            from: Some("us@example.org".to_owned()),
            timeout_seconds: 5,
            ..MailSection::default()
        };
        let http = HttpClient::new(&HttpSettings::default()).unwrap();
        let tokens = TokenDesk::new(http, Duration::from_secs(1), Clock::default());
        (Mailer::open(&config, &[], tokens).unwrap().unwrap(), heard)
    }

    async fn sent(mailer: &Mailer, action: &str, html: usize) -> (MailOutcome, MailReport) {
        let action = MailAction::parse(action, Some(mailer.senders())).unwrap();
        let page = MailedPage { html: Some("x".repeat(html)), pdf: b"%PDF-1.7".to_vec() };
        let matter = Matter {
            message_id: "1@example.org".to_owned(),
            subject: "An invoice".to_owned(),
            text: "Hello.",
            facts: BTreeMap::new(),
            document: Some(b"<a/>"),
            along: true,
            delivers: true,
            page: Ok(Some(page)),
        };
        let tries = MailTries { reached: &[], is_last: false };
        dispatch(mailer, &action, (&matter, tries), Timestamp::UNIX_EPOCH).await
    }

    #[tokio::test]
    async fn a_mail_that_is_too_large_with_its_page_goes_without_it() {
        let (mailer, heard) = serving(5_000, "250 8BITMIME").await;
        let (outcome, report) = sent(&mailer, "mailto:them@example.org", 9_000).await;
        assert!(matches!(outcome, MailOutcome::Taken { .. }), "{outcome:?}");
        assert!(report.without_page.unwrap().contains("552"), "the timeline says why");
        let mails = |own: &&String| own.contains("Subject:");
        let taken = heard.lock().unwrap().iter().rfind(mails).cloned().unwrap();
        assert!(taken.contains("PGEvPg==") && !taken.contains(".pdf"), "{taken}");
        // One that is too large without it fails, and one that fits has it.
        let (mailer, _) = serving(50, "250 8BITMIME").await;
        let (outcome, _) = sent(&mailer, "mailto:them@example.org", 9_000).await;
        assert!(matches!(outcome, MailOutcome::Never { code: Some(552), .. }), "{outcome:?}");
        let (mailer, _) = serving(50_000, "250 8BITMIME").await;
        let (_, report) = sent(&mailer, "mailto:them@example.org", 9_000).await;
        assert_eq!(report.without_page, None);
    }

    #[tokio::test]
    async fn letters_beyond_ascii_in_an_address_keep_the_mail_from_nobody_else() {
        let action = "mailto:a@example.org,r\u{e9}@example.org?replyTo=s\u{e9}@example.org";
        for offer in ["250 ok", "250 8BITMIME"] {
            let (mailer, heard) = serving(50_000, offer).await;
            let (outcome, report) = sent(&mailer, action, 10).await;
            assert!(matches!(outcome, MailOutcome::Taken { .. }), "{outcome:?}");
            assert_eq!(report.missed.len(), 1, "{report:?}");
            assert!(report.missed[0].said.contains("SMTPUTF8"), "{report:?}");
            assert!(heard.lock().unwrap().iter().all(|said| said.is_ascii()), "{offer}");
        }
        let (mailer, heard) = serving(50_000, "250-8BITMIME\r\n250 SMTPUTF8").await;
        let only_header = "mailto:a@example.org?replyTo=s\u{e9}@example.org";
        for action in [action, only_header] {
            heard.lock().unwrap().clear();
            let (_, report) = sent(&mailer, action, 10).await;
            assert!(report.missed.is_empty(), "{report:?}");
            let heard = heard.lock().unwrap();
            let mail = heard.iter().find(|said| said.starts_with("MAIL")).unwrap();
            assert!(mail.contains("SMTPUTF8") && mail.contains("BODY=8BITMIME"), "{mail}");
        }
        let (mailer, _) = serving(50_000, "250 8BITMIME").await;
        let from = "mailto:a@example.org?from=f\u{e9}@example.org";
        let (outcome, _) = sent(&mailer, from, 10).await;
        let MailOutcome::Never { cause, .. } = &outcome else { panic!("{outcome:?}") };
        assert!(cause.contains("SMTPUTF8") && cause.contains("from"), "{cause}");
    }

    #[test]
    fn a_mail_is_too_large_where_the_server_says_so_for_good() {
        for (code, cause, is_one) in [
            (Some(552), "message file too big", true),
            (Some(554), "554 5.3.4 Message too big for system", true),
            (Some(550), "5.2.3 larger than the limit of the recipient", true),
            (Some(550), "no such user", false),
            (Some(452), "5.3.4 later", false),
            (None, "5.3.4", false),
        ] {
            assert_eq!(is_too_large(code, cause), is_one, "{code:?} {cause}");
        }
    }
}
