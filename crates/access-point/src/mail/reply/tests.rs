//! What is read of an answer, and what of one that does not end.

use std::time::Duration;

use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::Noop;
use lettre::transport::smtp::extension::ClientId;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

use super::*;

const SOON: Duration = Duration::from_millis(500);

/// A server that says each of these, with a line of ours between them, and then stays silent.
fn server(answers: Vec<String>) -> DuplexStream {
    let (ours, theirs) = duplex(8 << 10);
    tokio::spawn(async move {
        let mut stream = BufReader::new(theirs);
        for answer in answers {
            let _ = stream.get_mut().write_all(answer.as_bytes()).await;
            let _ = stream.read_line(&mut String::new()).await;
        }
        std::future::pending::<()>().await;
    });
    ours
}

/// What is wrong with the last of these answers: to the connection, to EHLO, or to what follows.
async fn fault(answers: Vec<String>) -> Option<String> {
    let stream = Box::new(ReplyStream::new(server(answers), ([127, 0, 0, 1], 25).into()));
    let talk = async {
        let hello = ClientId::Domain("example.org".to_owned());
        let mut connection = AsyncSmtpConnection::connect_with_transport(stream, &hello).await?;
        connection.command(Noop).await.map(drop)
    };
    let said = tokio::time::timeout(SOON, talk).await.expect("it ends in time");
    said.err().map(|error| error.to_string())
}

#[tokio::test]
async fn an_answer_without_end_ends_the_connection() {
    for (begins, word) in [
        ("220-\r\n".repeat(16_600), "more than 100 lines"),
        ("2".repeat(1 << 20), "a line has more than 2,000 bytes"),
        (format!("220-{}\r\n", "x".repeat(900)).repeat(20), "more than 16 KiB"),
    ] {
        let before = ["220 hello\r\n".to_owned(), "250 hello\r\n".to_owned()];
        for asked in 0..3 {
            let mut answers = before.iter().take(asked).cloned().collect::<Vec<_>>();
            answers.push(begins.clone());
            let fault = fault(answers).await.unwrap();
            assert!(fault.contains(word), "{asked}: {fault}");
        }
    }
}

/// Each answer is counted by itself, whatever came before it.
#[tokio::test]
async fn an_honest_answer_is_taken() {
    let long = |code: u16, lines: usize| {
        let before = format!("{code}-{}\r\n", "x".repeat(150)).repeat(lines - 1);
        format!("{before}{code} done\r\n")
    };
    for lines in [1, 20, LINES] {
        assert_eq!(fault(vec![long(220, lines), long(250, lines), long(250, lines)]).await, None);
    }
    let beyond = fault(vec![long(220, 20), long(250, 20), long(250, LINES + 1)]).await.unwrap();
    assert!(beyond.contains("more than 100 lines"), "{beyond}");
}

#[tokio::test]
async fn a_server_that_greeted_us_does_not_do_so_again() {
    let stream = server(vec![String::new(), "250 hello\r\n".to_owned()]);
    let stream = Box::new(ReplyStream::greeted(stream, ([127, 0, 0, 1], 25).into()));
    let hello = ClientId::Domain("example.org".to_owned());
    let talk = AsyncSmtpConnection::connect_with_transport(stream, &hello);
    assert!(tokio::time::timeout(SOON, talk).await.unwrap().is_ok());
}
