//! Tests of `mailbox::imap`: servers that behave and servers that do not, at the other end of a
//! pipe.

use tokio::io::{DuplexStream, duplex};

use super::*;

const SOON: Duration = Duration::from_millis(200);

/// A server that says these lines, each behind a line of ours; the first is the greeting.
async fn server(stream: DuplexStream, lines: Vec<String>) -> Vec<String> {
    let mut stream = BufReader::new(stream);
    let mut heard = Vec::new();
    for (number, said) in lines.into_iter().enumerate() {
        if number > 0 {
            let mut line = String::new();
            if stream.read_line(&mut line).await.unwrap_or_default() == 0 {
                break;
            }
            heard.push(line.trim_end().to_owned());
        }
        let said = said.replace('\n', "\r\n");
        if stream.get_mut().write_all(said.as_bytes()).await.is_err() {
            break;
        }
    }
    // It stays, and says nothing more.
    tokio::time::sleep(SOON * 3).await;
    heard
}

fn begin(lines: &[&str]) -> (DuplexStream, tokio::task::JoinHandle<Vec<String>>) {
    let (ours, theirs) = duplex(1 << 20);
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    (ours, tokio::spawn(server(theirs, lines)))
}

const HELLO: &[&str] = &["* OK hello\n", "* CAPABILITY IMAP4rev1 AUTH=PLAIN move\nq1 OK done\n"];

async fn session(
    more: &[&str],
) -> (ImapSession<DuplexStream>, tokio::task::JoinHandle<Vec<String>>) {
    let (stream, heard) = begin(&[HELLO, more].concat());
    (ImapSession::begin(stream, SOON).await.unwrap(), heard)
}

/// However long its lines are, a server has a few of them kept.
#[tokio::test]
async fn the_answers_to_a_command_have_their_bytes_together() {
    let line = format!("* OK {}\n", "x".repeat(60_000));
    let (mut session, _) = session(&[&line.repeat(5)]).await;
    let error = session.command("SELECT INBOX").await.unwrap_err();
    assert!(matches!(error, ImapError::TooLong("the answers to a command")), "{error}");
}

#[tokio::test]
async fn a_session_logs_in_and_fetches() {
    let more = [
        "+ \n",
        "q2 OK in\n",
        "* CAPABILITY IMAP4rev1 MOVE UIDPLUS\nq3 OK done\n",
        "* 1 FETCH (UID 6 FLAGS ())\n* 2 FETCH (UID 7 BODY[] {10}\nab\n\nc)\n)\nq4 OK done\n",
    ];
    let (mut session, heard) = session(&more).await;
    assert!(session.can("MOVE") && !session.can("UIDPLUS"));
    session.log_in("a", "b c").await.unwrap();
    assert!(session.can("UIDPLUS"));
    let mail = session.fetch(7, 100).await.unwrap().unwrap();
    assert_eq!(&mail[..], b"ab\r\n\r\nc)\r\n");
    let heard = heard.await.unwrap();
    assert_eq!(heard[1..3], ["q2 AUTHENTICATE PLAIN", "AGEAYiBj"]);
}

/// A mail that is there and not given out is no mail that is gone.
#[tokio::test]
async fn a_mail_without_its_body_is_told() {
    let nil = "* 1 FETCH (UID 7 BODY[] NIL)\nq2 OK done\n";
    let (mut session, _) = session(&[nil]).await;
    let error = session.fetch(7, 100).await.unwrap_err();
    assert!(matches!(&error, ImapError::No(said) if said.contains("NIL")), "{error}");
    let other = "* 1 FETCH (UID 77 BODY[] NIL)\nq2 OK done\n";
    let (mut session, _) = self::session(&[other]).await;
    assert!(session.fetch(7, 100).await.unwrap().is_none(), "it is about another one");
}

#[tokio::test]
async fn a_refusal_and_a_goodbye_are_told() {
    let (mut one, _) = session(&["+ \n", "q2 NO [AUTHENTICATIONFAILED] not you\n"]).await;
    let refused = one.log_in("a", "b").await.unwrap_err();
    assert!(matches!(&refused, ImapError::No(said) if said.contains("not you")), "{refused}");
    let (mut one, _) = session(&["* BYE tired\n"]).await;
    let ended = one.command("NOOP").await.unwrap_err();
    assert!(matches!(&ended, ImapError::Ended(said) if said == "tired"), "{ended}");
    let (stream, _heard) = begin(&["* BYE full\n"]);
    assert!(matches!(ImapSession::begin(stream, SOON).await, Err(ImapError::Ended(_))));
}

#[tokio::test]
async fn a_server_that_misbehaves_is_left() {
    let long = "x".repeat(LINE + 10);
    let flood = "* 1 EXISTS\n".repeat(ANSWERS + 1);
    for (said, word) in [
        ("nothing of IMAP\n", "no IMAP"),
        ("q9 OK another\n", "no IMAP"),
        ("", "did not answer"),
        ("* 1 FETCH (UID 7 BODY[] {101}\n", "a literal"),
        ("* 1 FETCH (UID 7 BODY[] {99999999999999999999999}\n", "a literal"),
        ("* 1 FETCH (UID 7 BODY[] {50}\nshort", "did not answer"),
        (long.as_str(), "a line"),
        (flood.as_str(), "answers"),
    ] {
        let (mut session, _) = session(&[said]).await;
        let error = session.fetch(7, 100).await.unwrap_err().to_string();
        assert!(error.contains(word), "{said:.40}: {error}");
    }
}

#[test]
fn what_is_said_of_a_mail_is_read() {
    let answer = |text: &str| ImapAnswer { text: text.to_owned(), literals: Vec::new() };
    for (text, found) in [
        ("* 3 FETCH (UID 9 RFC822.SIZE 120 FLAGS (\\Seen))", Some((9, 120, false))),
        ("* 3 FETCH (FLAGS (\\Deleted) RFC822.SIZE 5 UID 1)", Some((1, 5, true))),
        ("* 3 fetch (UID 9 RFC822.SIZE 120)", None),
        ("* 3 FETCH (UID 99999999999 RFC822.SIZE 120)", None),
        ("* 3 FETCH (RFC822.SIZE 120)", None),
        ("* 3 EXISTS", None),
    ] {
        assert_eq!(answer(text).listed(), found, "{text}");
    }
    assert!(quoted("a\"\\").is_ok_and(|text| text == "\"a\\\"\\\\\""));
    assert!(quoted("ü").is_err() && quoted("a\r\nb").is_err());
}

/// A server that claims to have mails without end is not asked without end, and what it names of
/// them in one answer is not all kept.
#[tokio::test]
async fn a_folder_without_end_is_looked_through_to_an_end() {
    let many: String = (1..9_000).map(|uid| format!(" {uid}")).collect();
    let named = format!("* SEARCH{many}\nq2 OK done\n");
    let (mut session, heard) = session(&[&named, "* 1 FETCH ()\nq3 OK done\n"]).await;
    assert_eq!(session.undeleted(usize::MAX, 2, |_| false).await.unwrap(), []);
    assert_eq!(heard.await.unwrap()[2], "q3 UID FETCH 1,2 (UID FLAGS RFC822.SIZE)");
    let nothing: Vec<String> = (2..=201).map(|n| format!("* SEARCH\nq{n} OK done\n")).collect();
    let nothing: Vec<&str> = nothing.iter().map(String::as_str).collect();
    let (mut session, heard) = self::session(&nothing).await;
    assert_eq!(session.undeleted(usize::MAX, 2, |_| false).await.unwrap(), []);
    assert_eq!(heard.await.unwrap().len(), 201, "the greeting's, and one for each 5,000");
}

/// However many mails that are marked as deleted lie before them, those behind are found; what came
/// last the last time comes behind all others.
#[tokio::test]
async fn mails_behind_those_that_are_marked_are_found() {
    let more = [
        "* SEARCH\nq2 OK done\n",
        "* SEARCH 6001 6002 6003\nq3 OK done\n",
        "* 5002 FETCH (UID 6002 FLAGS () RFC822.SIZE 20)\n\
         * 5003 FETCH (UID 6003 FLAGS (\\Seen) RFC822.SIZE 30)\nq4 OK done\n",
        "* SEARCH 6001 6002\nq5 OK done\n",
        "* SEARCH 6003\nq6 OK done\n",
        "* 1 FETCH (UID 6001 FLAGS () RFC822.SIZE 10)\n\
         * 2 FETCH (UID 6002 FLAGS (\\Deleted) RFC822.SIZE 20)\n\
         * 3 FETCH (UID 6003 FLAGS () RFC822.SIZE 30)\nq7 OK done\n",
    ];
    let (mut session, heard) = session(&more).await;
    let found = session.undeleted(5_003, 2, |uid| uid == 6_001).await.unwrap();
    assert_eq!(found, [(6_002, 20), (6_003, 30)]);
    let found = session.undeleted(5_003, 500, |uid| uid == 6_001).await.unwrap();
    assert_eq!(found, [(6_003, 30), (6_001, 10)]);
    assert_eq!(session.undeleted(0, 500, |_| false).await.unwrap(), []);
    let heard = heard.await.unwrap();
    let asked = [
        "q2 UID SEARCH 1:5000 UNDELETED",
        "q3 UID SEARCH 5001:5003 UNDELETED",
        "q4 UID FETCH 6002,6003 (UID FLAGS RFC822.SIZE)",
    ];
    assert_eq!(heard[1..4], asked);
    assert_eq!(heard[6], "q7 UID FETCH 6002,6003,6001 (UID FLAGS RFC822.SIZE)");
}

/// A server that says the login again does not get it into what is told, whatever it answers.
#[tokio::test]
async fn a_login_that_a_server_says_again_is_not_told() {
    let plain = "AHUAcHctc2VjcmV0LXg=";
    let no = format!("q2 NO \u{202e}{plain} pw-secret-x cHctc2VjcmV0LXg= AHUAcHctc2VjcmV0LXg\n");
    let (mut one, _) = session(&["+ \n", &no]).await;
    let refused = one.log_in("u", "pw-secret-x").await.unwrap_err();
    assert!(matches!(&refused, ImapError::No(said) if said == " *** *** *** ***"), "{refused}");
    let bye = format!("* BYE {}{plain}\n", "x".repeat(195));
    let (mut one, _) = session(&["+ \n", "q2 OK in\n", "q3 OK done\n", &bye]).await;
    one.log_in("u", "pw-secret-x").await.unwrap();
    let ended = one.command("NOOP").await.unwrap_err().to_string();
    assert!(ended.ends_with("x***"), "nothing of it is left by the cut: {ended}");
}
