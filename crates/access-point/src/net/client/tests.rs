//! What is taken of answers that do not end as they should, without TLS; with it, a story does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::header::AUTHORIZATION;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::failing::last;
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

fn client() -> HttpClient {
    let guard = Guard { plain: true, any_address: true, ..Guard::default() };
    HttpClient::new(&HttpSettings { guard, ..HttpSettings::default() }).unwrap()
}

async fn call(url: &str, cut_answer: CutAnswer) -> Result<HttpAnswer, CallError> {
    let get = HttpCall::get(url, Duration::from_secs(2), 100);
    client().call(HttpCall { cut_answer, ..get }).await
}

/// A server of which each connection answers so many requests and closes on the next one, with the
/// number of requests that it read.
async fn server_of(answers: &'static [usize]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (read, counted) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let heard = read.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let connection = counted.fetch_add(1, Ordering::SeqCst);
            let mut left = answers.get(connection).copied().unwrap_or_default();
            let heard = heard.clone();
            tokio::spawn(async move {
                let mut request = [0; 4_096];
                while matches!(stream.read(&mut request).await, Ok(1..)) {
                    heard.fetch_add(1, Ordering::SeqCst);
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks";
                    stream.write_all(answer).await.unwrap();
                }
            });
        }
    });
    (url, read)
}

#[tokio::test]
async fn a_call_is_made_again_only_where_a_kept_connection_lost_it() {
    // The first answer leaves a connection, on which the second call gets none: it goes again on a
    // new one, which answers nothing either, and once more is not tried.
    let (url, read) = server_of(&[1, 0]).await;
    let client = client();
    let get = || HttpCall::get(&url, Duration::from_secs(5), 100);
    assert!(!client.call(get()).await.unwrap().repeated);
    let lost = client.call(get()).await;
    assert!(matches!(lost, Err(CallError::Closed(_))), "{lost:?}");
    assert_eq!(read.load(Ordering::SeqCst), 3);
    // Lately or not: a connection that is new is no kept one.
    let lost = client.call(get()).await;
    assert!(matches!(lost, Err(CallError::Closed(_))), "{lost:?}");
    assert_eq!(read.load(Ordering::SeqCst), 4, "once");
    // Where the new connection answers, the call says that it was made twice.
    let (url, read) = server_of(&[1, 1]).await;
    let get = || HttpCall::get(&url, Duration::from_secs(5), 100);
    assert!(!client.call(get()).await.unwrap().repeated);
    assert!(client.call(get()).await.unwrap().repeated);
    assert_eq!(read.load(Ordering::SeqCst), 3);
    // What is not to be made twice is not.
    let (url, read) = server_of(&[1, 1]).await;
    let post =
        || HttpCall { method: Method::POST, ..HttpCall::get(&url, Duration::from_secs(5), 9) };
    assert!(client.call(post()).await.is_ok() && client.call(post()).await.is_err());
    assert_eq!(read.load(Ordering::SeqCst), 2);
}

/// A server of which each connection answers one request, and the next one with something that is
/// no answer of HTTP, with the number of requests that it read.
async fn server_that_answers_then(says: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let read = Arc::new(AtomicUsize::new(0));
    let heard = read.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4_096];
            for answer in ["HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks", says] {
                if !matches!(stream.read(&mut request).await, Ok(1..)) {
                    break;
                }
                heard.fetch_add(1, Ordering::SeqCst);
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    });
    (url, read)
}

#[tokio::test]
async fn an_answer_that_is_broken_is_no_reason_to_call_again_at_once() {
    for says in [
        "SSH-2.0-OpenSSH_9.6\r\n",
        "<html>HTTP/0.9 answers so</html>",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Length: 7\r\n\r\nthanks!",
        "HTTP/1.1 20",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "\0",
    ] {
        let (url, read) = server_that_answers_then(says).await;
        let client = client();
        let get = || HttpCall::get(&url, Duration::from_secs(5), 100);
        assert!(!client.call(get()).await.unwrap().repeated);
        let broken = client.call(get()).await;
        assert!(matches!(broken, Err(CallError::Broken(_))), "{says:?}: {broken:?}");
        assert_eq!(read.load(Ordering::SeqCst), 2, "{says:?}");
    }
    // On the first connection, too.
    let url = server("SSH-2.0-OpenSSH_9.6\r\n", true).await;
    let broken = client().call(HttpCall::get(&url, Duration::from_secs(5), 100)).await;
    assert!(matches!(broken, Err(CallError::Broken(_))), "{broken:?}");
    // Where nothing came, it is as it was: the connection was lost.
    let (url, read) = server_that_answers_then("").await;
    let client = client();
    let get = || HttpCall::get(&url, Duration::from_secs(5), 100);
    assert!(!client.call(get()).await.unwrap().repeated);
    assert!(client.call(get()).await.unwrap().repeated);
    assert_eq!(read.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn an_answer_whose_body_breaks_off_or_does_not_end_is_its_status() {
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nthanks";
    let chunked = "HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nthanks\r\n";
    for (says, closes, status) in
        [(short, true, 200), (short, false, 200), (chunked, true, 202), (chunked, false, 202)]
    {
        let url = server(says, closes).await;
        let answer = call(&url, CutAnswer::Beginning).await.unwrap();
        assert_eq!((answer.status, &answer.body[..]), (status, b"thanks".as_slice()), "{says:?}");
        // Where the body counts, it is no answer.
        assert!(call(&url, CutAnswer::Nothing).await.is_err(), "{says:?}");
        // Where it is signed, what came is handed on, and said not to be known to be whole.
        let url = server(says, closes).await;
        let answer = call(&url, CutAnswer::Signed).await.unwrap();
        assert_eq!((&answer.body[..], answer.cut.is_some()), (b"thanks".as_slice(), true));
    }
    // What the call showed is known with its answer, so that it can be hidden there.
    let url = server(chunked, true).await;
    let client = client();
    let mut token = HeaderValue::from_static("Bearer t");
    token.set_sensitive(true);
    let headers = vec![(ACCEPT, HeaderValue::from_static("a/b")), (AUTHORIZATION, token.clone())];
    let (cut_answer, limit) = (CutAnswer::Beginning, Duration::from_secs(1));
    let asked = HttpCall { headers, cut_answer, ..HttpCall::get(&url, limit, 100) };
    let answer = client.call(asked).await.unwrap();
    assert_eq!((answer.shown, answer.cut.is_some()), (vec![token], true));
    // Without a status there is no answer.
    let url = server("HTTP/1.1 20", true).await;
    assert!(call(&url, CutAnswer::Beginning).await.is_err());
}

#[tokio::test]
async fn a_whole_answer_is_not_called_cut_and_a_large_one_is_none() {
    let url = server("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks", true).await;
    let answer = call(&url, CutAnswer::Signed).await.unwrap();
    assert!(answer.cut.is_none() && answer.body == "thanks", "{answer:?}");
    let url = server("HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\nthanks", true).await;
    let large = call(&url, CutAnswer::Signed).await;
    assert!(matches!(large, Err(CallError::TooLarge(100))), "{large:?}");
}

/// On one thread, which whoever reads without an end would keep from everybody else.
#[tokio::test]
async fn informational_answers_without_an_end_stop_nobody() {
    let storm: &'static str = "HTTP/1.1 100 C\r\n\r\n".repeat(1 << 19).leak();
    let url = server(storm, false).await;
    let began = Instant::now();
    let stormed = call(&url, CutAnswer::Beginning).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let error = stormed.unwrap_err();
    assert!(matches!(error, CallError::Unreadable(_)), "{error:?}");
    assert!(error.to_string().contains("informational responses (1xx)"), "{error}");
    // Some of them are what servers say.
    let early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
                 HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks";
    assert_eq!(call(&server(early, true).await, CutAnswer::Nothing).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_head_that_is_too_large_is_an_answer_that_is_not_read() {
    let head = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "a".repeat(500 << 10));
    let error = call(&server(head.leak(), false).await, CutAnswer::Signed).await.unwrap_err();
    assert!(matches!(error, CallError::Unreadable(_)), "{error:?}");
}

#[tokio::test]
async fn where_tls_is_not_agreed_in_time_nothing_was_sent() {
    let url = server("", false).await.replace("http://", "https://");
    let error = call(&url, CutAnswer::Nothing).await.unwrap_err();
    assert!(matches!(error, CallError::Connect(_)), "{error:?}");
    assert_eq!(error.to_string(), "no connection: it was not open within 2 s");
}
