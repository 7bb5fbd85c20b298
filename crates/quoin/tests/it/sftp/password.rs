//! Servers that ask for a password: at once, or in words of their own. They are ours, since
//! OpenSSH asks the machine for its passwords; the files are written by OpenSSH's `sftp-server`.

use std::borrow::Cow;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use quoin_lab::lab::network::SENDER;
use russh::keys::{HashAlg, PrivateKey};
use russh::server::{self, Auth, ChannelOpenHandle, Msg, Response, Session};
use russh::{Channel, ChannelId, MethodKind, MethodSet};
use tokio::io::copy;
use tokio::net::TcpListener;
use tokio::process::Command;

use super::server::{SFTP, is_installed, make_key};
use super::{put, send};
use crate::stage::{Stage, until};

const USER: &str = "Jürgen@Mustermann";
const PASSWORD: &str = "correct # horse ß";

/// How a server asks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asks {
    Plainly,
    InWords,
}

struct Door {
    asks: Asks,
    channel: Option<Channel<Msg>>,
}

impl server::Handler for Door {
    type Error = russh::Error;

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, russh::Error> {
        let knows = self.asks == Asks::Plainly && (user, password) == (USER, PASSWORD);
        Ok(if knows { Auth::Accept } else { Auth::reject() })
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, russh::Error> {
        let Some(mut response) = response else {
            let prompts = vec![(Cow::Borrowed("Passwort: "), false)];
            let (name, instructions) = (Cow::Borrowed(""), Cow::Borrowed("Guten Tag"));
            return Ok(Auth::Partial { name, instructions, prompts: prompts.into() });
        };
        let knows = user == USER && response.next().is_some_and(|said| said == PASSWORD.as_bytes());
        Ok(if knows { Auth::Accept } else { Auth::reject() })
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), russh::Error> {
        self.channel = Some(channel);
        reply.accept().await;
        Ok(())
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), russh::Error> {
        assert_eq!(name, "sftp");
        session.channel_success(id)?;
        let mut files = Command::new(SFTP)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (mut into, mut out) = (files.stdin.take().unwrap(), files.stdout.take().unwrap());
        let stream = self.channel.take().unwrap().into_stream();
        tokio::spawn(async move {
            let (mut reads, mut writes) = tokio::io::split(stream);
            tokio::select! {
                _ = copy(&mut reads, &mut into) => {}
                _ = copy(&mut out, &mut writes) => {}
            }
            drop(files);
        });
        Ok(())
    }
}

/// A server; its port and the fingerprint of its key.
async fn open(folder: &Path, asks: Asks) -> (u16, String) {
    let path = folder.join("door");
    make_key(&path, "ed25519");
    let key = PrivateKey::read_openssh_file(&path).unwrap();
    let fingerprint = key.public_key().fingerprint(HashAlg::Sha256).to_string();
    let method = match asks {
        Asks::Plainly => MethodKind::Password,
        Asks::InWords => MethodKind::KeyboardInteractive,
    };
    let config = Arc::new(server::Config {
        keys: vec![key],
        methods: MethodSet::from([method].as_slice()),
        ..server::Config::default()
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let door = Door { asks, channel: None };
            let config = config.clone();
            tokio::spawn(async move {
                if let Ok(session) = server::run_stream(config, stream, door).await {
                    let _ = session.await;
                }
            });
        }
    });
    (port, fingerprint)
}

async fn lets_in(asks: Asks) {
    if !is_installed() {
        return;
    }
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.retry.delivery_seconds = vec![0.2; 150]).await;
    let folder = play.stage.folder.path();
    let (port, fingerprint) = open(folder, asks).await;
    std::fs::create_dir_all(folder.join("to here")).unwrap();
    let user = "J%C3%BCrgen%40Mustermann";
    let place = folder.display().to_string();
    let action = format!("sftp://{user}@127.0.0.1:{port}{place}/to%20here?hostKey={fingerprint}");
    let sender = play.sender().await;
    put(&sender, &format!("{action}#wrong"), &["Send*"]).await;
    let (id, document) = send(&play, 2, "?channel=files").await;
    let refused = async || {
        let attempts = play.attempts(&id).await;
        attempts.first()?.code.clone()
    };
    assert_eq!(until("a refusal", refused).await, "sftp-login");
    let hook = put(&sender, &format!("{action}#{PASSWORD}"), &["Send*"]).await;
    assert!(!hook.to_string().contains("horse"), "{hook}");
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let file = folder.join("to here").join(format!("{id}.xml"));
    assert_eq!(std::fs::read_to_string(file).unwrap(), document);
    let attempts = play.attempts(&id).await;
    let report = &attempts.last().unwrap().report["sftp"];
    assert_eq!((&report["login"], &report["user"]), (&"password".into(), &USER.into()));
    let shown = format!("{}{report}", sender.get("/api/v1/events?limit=500").await.json);
    assert!(!shown.contains("horse"), "{shown}");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}");
    assert!(!sender.get(&path).await.json.to_string().contains("horse"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_opens_a_server_that_asks_for_it() {
    lets_in(Asks::Plainly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_opens_a_server_that_asks_in_words_of_its_own() {
    lets_in(Asks::InWords).await;
}
