//! What is taken of answers that do not end as they should, without TLS; with it, a story does.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

#[test]
fn pe_19_no_cause_carries_the_page_of_a_library() {
    let said = "peer closed connection without sending TLS close_notify: \
                https://docs.rs/rustls/latest/rustls/manual/_03_howto/index.html#unexpected-eof";
    let error = std::io::Error::new(std::io::ErrorKind::UnexpectedEof, said);
    assert_eq!(last(&error), "peer closed connection without sending TLS close_notify");
}

/// A server that says this and then closes, or says nothing more.
async fn server(says: &'static str, closes: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut heard = [0; 4_096];
            let _ = stream.read(&mut heard).await;
            stream.write_all(says.as_bytes()).await.unwrap();
            if !closes {
                tokio::time::sleep(Duration::from_secs(60)).await;
            }
        }
    });
    url
}

async fn call(url: &str, cut_answer: bool) -> Result<HttpAnswer, CallError> {
    let guard = Guard { plain: true, any_address: true, ..Guard::default() };
    let client = HttpClient::new(&HttpSettings { guard, ..HttpSettings::default() }).unwrap();
    let get = HttpCall::get(url, Duration::from_secs(2), 100);
    client.call(HttpCall { cut_answer, ..get }).await
}

#[tokio::test]
async fn an_answer_whose_body_breaks_off_or_does_not_end_is_its_status() {
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nthanks";
    let chunked = "HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nthanks\r\n";
    for (says, closes, status) in
        [(short, true, 200), (short, false, 200), (chunked, true, 202), (chunked, false, 202)]
    {
        let url = server(says, closes).await;
        let answer = call(&url, true).await.unwrap();
        assert_eq!((answer.status, &answer.body[..]), (status, b"thanks".as_slice()), "{says:?}");
        // Where the body counts, it is no answer.
        assert!(call(&url, false).await.is_err(), "{says:?}");
    }
    // Without a status there is no answer.
    let url = server("HTTP/1.1 20", true).await;
    assert!(call(&url, true).await.is_err());
}
