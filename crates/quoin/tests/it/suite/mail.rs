//! A mail server over TLS, with a login. What is particular to mail over TLS has stories of its
//! own: the server is the operator's, and no hook names it.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::config::{Config, ConfigSecret, Protection};
use quoin_access_point::tls::server_tls;
use quoin_lab::lab::mailbox::{Mailbox, Manners, ReceivedMail};
use quoin_lab::lab::pki::LabPki;
use serde_json::{Value, json};

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use super::repeated;
use crate::guide::walk;
use crate::sftp::server::{Cable, CableAct};
use crate::stage::Stage;

const NAME: &str = "suite@example.org";
const PASSWORD: &str = "correct horse of the suite";

/// A mail server of the lab behind a cable, and one with a certificate that nobody believes.
pub struct MailCounterpart {
    mailbox: Mailbox,
    cable: Cable,
    port: u16,
    stranger: u16,
}

/// Opens a mail server with a certificate of these authorities; its port.
async fn open(mailbox: &Mailbox, pki: &LabPki) -> u16 {
    let leaf = pki.server(&["localhost"]).unwrap();
    let tls = server_tls(leaf.certificate_pem.as_bytes(), leaf.key_pem.as_bytes()).unwrap();
    let tls = Some((Protection::Wrapped, Arc::clone(&tls)));
    let login = Some((NAME.to_owned(), PASSWORD.to_owned()));
    mailbox.open_with(Manners { tls, login }).await.unwrap().port()
}

impl Counterpart for MailCounterpart {
    fn start(stage: &Stage) -> BoxFuture<'_, Option<MailCounterpart>> {
        async {
            let mailbox = Mailbox::default();
            let port = open(&mailbox, &stage.around.pki).await;
            let other = LabPki::generate("http://127.0.0.1:1", stage.clock.now()).unwrap();
            let stranger = open(&mailbox, &other).await;
            let cable = Cable::lay(port, &[]).await;
            Some(MailCounterpart { mailbox, cable, port, stranger })
        }
        .boxed()
    }

    fn row(&self) -> CounterpartRow {
        CounterpartRow {
            report: "mail",
            unavailable: "mail-unavailable",
            refused: "mail-refused",
            // Whose certificate it shows is the operator's to mend, so that the mail waits.
            stranger: "mail-unavailable",
            picture: 4 << 20,
            keeps_connections: true,
            lines: 300,
        }
    }

    fn configure(&self, config: &mut Config) {
        config.mail.server = Some(format!("smtps://localhost:{}", self.cable.port));
        config.mail.username = Some(NAME.to_owned());
        config.mail.password = Some(ConfigSecret::new(PASSWORD));
        config.mail.timeout_seconds = 15;
    }

    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>> {
        async move {
            let to = match mood {
                Mood::Refuses | Mood::Repeats => "refused",
                // It says so twice.
                Mood::Later => "busy",
                _ => "suite",
            };
            match mood {
                Mood::Silent => self.cable.will(&[CableAct::Silent; 200]),
                Mood::Slow => self.cable.will(&[CableAct::Slow(Duration::from_millis(100))]),
                Mood::Late => {
                    self.cable.will(&[CableAct::Slow(Duration::from_millis(300)); 10]);
                    // A connection that was kept is none of these.
                    self.cable.cut();
                }
                Mood::CutsBefore => self.cable.will(&[CableAct::Cut(60_000); 200]),
                // Long enough that it is cut between the mail and the word that it was taken.
                Mood::CutsAfter => self.cable.will(&[CableAct::Slow(Duration::from_millis(500))]),
                Mood::Repeats => self.mailbox.refuses_with(repeated::said_again(&[PASSWORD])),
                Mood::Rotated => return Err("the login is the operator's, taken up by a restart"),
                _ => self.cable.will(&[]),
            }
            self.cable.leads_to(if mood == Mood::Stranger { self.stranger } else { self.port });
            self.mailbox.fill(mood == Mood::Full);
            Ok(json!({ "action": format!("mailto:{to}@example.org?page=false&excludeAdditionalAttachments=true") }))
        }
        .boxed()
    }

    fn documents(&self) -> Vec<TakenDocument> {
        let first = |mail: ReceivedMail| mail.files().into_iter().next();
        let files = self.mailbox.mails().into_iter().filter_map(first);
        files.map(|(key, content)| TakenDocument { key, content }).collect()
    }

    fn connections(&self) -> usize {
        self.cable.connections()
    }

    fn cut(&self) {
        self.cable.cut();
    }

    fn secrets(&self) -> Vec<String> {
        vec![PASSWORD.to_owned()]
    }
}

#[test]
fn the_commands_about_mail_do_what_the_page_says() {
    let by_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    match by_root && Path::new("/usr/sbin/dovecot").exists() {
        true => walk("mail", 6),
        false => quoin_testing::skipped("dovecot-imapd, run by root"),
    }
}
