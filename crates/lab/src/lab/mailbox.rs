//! A mail server on loopback: it takes mail for everybody, keeps it, and misbehaves for addresses
//! that ask for it. `refused@…` is refused for good, `busy@…` for the first two times. It speaks
//! plain, TLS from the first byte or STARTTLS, and asks for a login where it is told to.

mod session;

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use data_encoding::BASE64;
use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use quoin_access_point::config::Protection;

/// How often a busy address says that it is.
const BUSY: u32 = 2;

/// A mail that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMail {
    /// The sender of the envelope.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    /// Head and body, lines ended by CRLF.
    pub text: String,
    /// Whether it came over TLS.
    pub encrypted: bool,
    /// Who had logged in.
    pub login: Option<String>,
}

/// How the server speaks.
#[derive(Clone, Default)]
pub struct Manners {
    /// With it, TLS from the first byte or after STARTTLS; without, the server knows none.
    pub tls: Option<(Protection, Arc<ServerConfig>)>,
    /// Name and password without which no mail is taken.
    pub login: Option<(String, String)>,
}

impl ReceivedMail {
    /// The value of a header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        unfolded.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    }

    /// The attached files in their order: name and bytes.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut found = Vec::new();
        for (place, _) in self.text.match_indices("Content-Disposition: attachment") {
            let part = self.text.get(place..).unwrap_or_default();
            let Some((head, body)) = part.split_once("\r\n\r\n") else { continue };
            let name = filename(head);
            let body = body.split("\r\n--").next().unwrap_or_default();
            let body: String = body.split_ascii_whitespace().collect();
            let bytes = BASE64.decode(body.as_bytes()).unwrap_or_default();
            found.push((name, bytes));
        }
        found
    }
}

/// The file name in a head; a long one comes in parts (RFC 2231, section 3).
fn filename(head: &str) -> String {
    let values = head.split("filename").skip(1);
    let quoted = values.filter_map(|rest| rest.split('"').nth(1));
    quoted.collect()
}

/// The server; clones share their memory.
#[derive(Clone, Default)]
pub struct Mailbox {
    mails: Arc<Mutex<Vec<ReceivedMail>>>,
    busy: Arc<Mutex<HashMap<String, u32>>>,
    full: Arc<AtomicBool>,
    refusal: Arc<Mutex<Option<String>>>,
    news: Arc<Notify>,
}

impl Mailbox {
    /// Opens the server on a free port; it ends with the process.
    ///
    /// # Errors
    /// No port.
    pub async fn open(&self) -> std::io::Result<SocketAddr> {
        self.open_with(Manners::default()).await
    }

    /// The same, for clients that must protect the connection or log in.
    ///
    /// # Errors
    /// No port.
    pub async fn open_with(&self, manners: Manners) -> std::io::Result<SocketAddr> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let mailbox = self.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (mailbox, manners) = (mailbox.clone(), manners.clone());
                // A client that goes away ends its session.
                tokio::spawn(async move { session::serve(&mailbox, &manners, stream).await });
            }
        });
        Ok(address)
    }

    /// Everything that was taken so far.
    pub fn mails(&self) -> Vec<ReceivedMail> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first mail of which this holds, as soon as it is there.
    pub async fn wait_for(
        &self,
        patience: Duration,
        holds: impl Fn(&ReceivedMail) -> bool,
    ) -> Option<ReceivedMail> {
        let found = async {
            loop {
                let news = self.news.notified();
                if let Some(mail) = self.mails().into_iter().find(&holds) {
                    return mail;
                }
                news.await;
            }
        };
        tokio::time::timeout(patience, found).await.ok()
    }

    /// From now on its disk is full, or is not any more: mails are turned away when they are whole.
    pub fn fill(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// From now on it says this to whoever is refused.
    pub fn refuses_with(&self, text: &str) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
    }

    fn recipient(&self, envelope: &mut ReceivedMail, to: String) -> String {
        if to.starts_with("refused@") {
            let refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return format!("550 {}", refusal.as_deref().unwrap_or("no such user here"));
        }
        if to.starts_with("busy@") {
            let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
            let times = busy.entry(to.clone()).or_default();
            *times += 1;
            if *times <= BUSY {
                return "450 come back later".to_owned();
            }
        }
        envelope.to.push(to);
        "250 fine".to_owned()
    }

    fn take(&self, mail: ReceivedMail) -> String {
        if self.full.load(Ordering::Relaxed) {
            return "452 4.3.1 no room left on the disk".to_owned();
        }
        let mut mails = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        mails.push(mail);
        let number = mails.len();
        drop(mails);
        self.news.notify_waiters();
        format!("250 taken as {number}")
    }
}
