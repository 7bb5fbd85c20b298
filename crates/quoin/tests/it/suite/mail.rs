//! A mail server. What is particular to mail over TLS, strangers and logins among it, has stories
//! of its own: the server is the operator's, and no hook names it.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use quoin_access_point::config::Config;
use quoin_lab::lab::mailbox::{Mailbox, ReceivedMail};
use serde_json::{Value, json};

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use crate::sftp::server::{Cable, CableAct};
use crate::stage::Stage;

/// The mail server of the lab behind a cable.
pub struct MailCounterpart {
    mailbox: Mailbox,
    cable: Cable,
}

impl Counterpart for MailCounterpart {
    fn start(stage: &Stage) -> BoxFuture<'_, Option<MailCounterpart>> {
        async {
            let mailbox = stage.around.mailbox.clone();
            let cable = Cable::lay(stage.around.mail_server.port(), &[]).await;
            Some(MailCounterpart { mailbox, cable })
        }
        .boxed()
    }

    fn row(&self) -> CounterpartRow {
        CounterpartRow {
            report: "mail",
            unavailable: "mail-unavailable",
            refused: "mail-refused",
            stranger: "",
            picture: 4 << 20,
            keeps_connections: false,
            lines: 300,
        }
    }

    fn configure(&self, config: &mut Config) {
        config.mail.server = Some(format!("smtp://127.0.0.1:{}", self.cable.port));
        config.mail.timeout_seconds = 15;
    }

    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>> {
        async move {
            let to = match mood {
                Mood::Refuses => "refused",
                // It says so twice.
                Mood::Later => "busy",
                _ => "suite",
            };
            match mood {
                Mood::Takes | Mood::Refuses | Mood::Later => self.cable.will(&[]),
                Mood::Silent => self.cable.will(&[CableAct::Silent; 200]),
                Mood::Slow => self.cable.will(&[CableAct::Slow(Duration::from_millis(100))]),
                Mood::CutsBefore => self.cable.will(&[CableAct::Cut(60_000); 200]),
                Mood::CutsAfter => return Err("a mail server answers at once when it has it"),
                Mood::Full => return Err("a mail server says `later`, whatever its reason"),
                Mood::Stranger | Mood::Rotated => return Err("the operator's server, not a hook's"),
            }
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

    fn secrets(&self) -> Vec<String> {
        Vec::new()
    }
}
