//! A mail server with a mailbox that is hard to read: mails that are marked as deleted and stay,
//! and one that it does not give out.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use quoin_access_point::tls::server_tls;
use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::pki::LabPki;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::inbound::{head, mail, numbers, register, trouble};
use crate::stage::{Stage, until};

/// Mails that are marked as deleted, in front of all others: as many as one look takes, and more.
const MARKED: u32 = 150;
/// The mail that is not given out, and the one that is.
const HELD: u32 = MARKED + 1;
const GOOD: u32 = MARKED + 2;

/// The mailbox; a mail that is moved is gone.
#[derive(Clone)]
struct OddServer {
    letter: Arc<String>,
    moved: Arc<Mutex<BTreeSet<u32>>>,
}

impl OddServer {
    async fn open(self, pki: &LabPki) -> u16 {
        let leaf = pki.server(&["127.0.0.1"]).unwrap();
        let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let acceptor = TlsAcceptor::from(tls);
            while let Ok((stream, _)) = listener.accept().await {
                let (server, acceptor) = (self.clone(), acceptor.clone());
                tokio::spawn(async move { server.session(acceptor, stream).await });
            }
        });
        port
    }

    async fn session(self, acceptor: TlsAcceptor, stream: TcpStream) {
        let Ok(stream) = acceptor.accept(stream).await else { return };
        let mut stream = BufReader::new(stream);
        let mut said = "* OK hello\r\n".to_owned();
        loop {
            if stream.get_mut().write_all(said.as_bytes()).await.is_err() {
                return;
            }
            let mut line = String::new();
            if stream.read_line(&mut line).await.unwrap_or_default() == 0 {
                return;
            }
            let (tag, command) = line.trim_end().split_once(' ').unwrap();
            said = match self.answer(command) {
                Some(told) => format!("{told}{tag} OK done\r\n"),
                None => format!("{tag} NO not that one\r\n"),
            };
        }
    }

    /// The UIDs that are there, each at its place.
    fn uids(&self) -> Vec<u32> {
        let moved = self.moved.lock().unwrap();
        (1..=GOOD).filter(|uid| !moved.contains(uid)).collect()
    }

    fn answer(&self, command: &str) -> Option<String> {
        let words: Vec<&str> = command.split(' ').collect();
        Some(match words.as_slice() {
            ["CAPABILITY"] => "* CAPABILITY IMAP4rev1 MOVE\r\n".to_owned(),
            ["LIST", ..] => "* LIST () \"/\" INBOX\r\n".to_owned(),
            ["SELECT", ..] => format!("* {} EXISTS\r\n", self.uids().len()),
            ["UID", "SEARCH", places, "UNDELETED"] => {
                let (begin, end) = places.split_once(':').unwrap();
                let (begin, end) = (begin.parse::<usize>().unwrap(), end.parse().unwrap());
                let within = self.uids().into_iter().take(end).skip(begin - 1);
                let found = within.filter(|uid| *uid > MARKED).map(|uid| format!(" {uid}"));
                format!("* SEARCH{}\r\n", found.collect::<String>())
            }
            ["UID", "FETCH", uid, "(UID", "BODY.PEEK[])"] if **uid == HELD.to_string() => {
                return None;
            }
            ["UID", "FETCH", uid, "(UID", "BODY.PEEK[])"] => {
                let (text, length) = (&self.letter, self.letter.len());
                format!("* 1 FETCH (UID {uid} BODY[] {{{length}}}\r\n{text})\r\n")
            }
            ["UID", "FETCH", set, ..] => {
                let size = self.letter.len();
                let line = |uid| format!("* 1 FETCH (UID {uid} FLAGS () RFC822.SIZE {size})\r\n");
                set.split(',').map(line).collect()
            }
            ["UID", "MOVE", uid, ..] => {
                self.moved.lock().unwrap().insert(uid.parse().unwrap());
                String::new()
            }
            _ => String::new(),
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_not_given_out_keeps_no_other_waiting() {
    let stage = Stage::set().await;
    let document = invoice(SENDER, RECEIVER, "ODD-1");
    let file = ("application/xml", "a.xml", document.as_str());
    let letter = Arc::new(mail(&head("a@shop.test", "odd"), &[file]));
    let moved = Arc::default();
    let server = OddServer { letter, moved: Arc::clone(&moved) };
    let port = server.open(&stage.around.pki).await;
    let play = stage.play_with(|one, _| one.network.folder_seconds = 1).await;
    let action = format!("mailfrom://box@127.0.0.1:{port}/INBOX?from=shop.test#secret # word");
    register(&play, &action, &["Send*"]).await;
    until("a document", async || (numbers(&play).await == ["ODD-1"]).then_some(())).await;
    let is_moved = async || moved.lock().unwrap().contains(&GOOD).then_some(());
    until("it is set aside", is_moved).await;
    let told = async || trouble(&play).await.into_iter().next();
    let told = until("it is told", told).await;
    assert_eq!(told["details"]["code"], "mailbox-refused");
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(trouble(&play).await.len(), 1, "said once");
    assert_eq!(*moved.lock().unwrap(), BTreeSet::from([GOOD]));
}
