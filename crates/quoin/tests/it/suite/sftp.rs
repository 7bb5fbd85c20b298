//! A folder on OpenSSH's own server.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use serde_json::{Value, json};

use super::counterpart::{Counterpart, CounterpartRow, Mood, TakenDocument};
use crate::guide::walk;
use crate::sftp::server::{Cable, CableAct, OpenSsh};
use crate::stage::Stage;

/// A folder, and the cable to it.
pub struct FolderCounterpart {
    ssh: OpenSsh,
    cable: Mutex<Option<Cable>>,
    key: Mutex<String>,
    is_full: Mutex<bool>,
}

impl Counterpart for FolderCounterpart {
    fn start(stage: &Stage) -> BoxFuture<'_, Option<FolderCounterpart>> {
        let started = OpenSsh::start(stage.folder.path()).map(|ssh| {
            let key = Mutex::new(ssh.key.clone());
            FolderCounterpart { ssh, key, cable: Mutex::default(), is_full: Mutex::default() }
        });
        async { started }.boxed()
    }

    fn row(&self) -> CounterpartRow {
        CounterpartRow {
            report: "sftp",
            unavailable: "sftp-unavailable",
            refused: "sftp-refused",
            stranger: "sftp-host-key",
            picture: 15 << 20,
            keeps_connections: true,
            lines: 300,
        }
    }

    fn meets(&self, mood: Mood) -> BoxFuture<'_, Result<Value, &'static str>> {
        async move {
            if mood == Mood::Repeats {
                return Err("OpenSSH says nothing in words of others");
            }
            let acts = match mood {
                Mood::Later => vec![CableAct::Cut(0); 200],
                Mood::Silent => vec![CableAct::Silent; 200],
                Mood::Slow => vec![CableAct::Slow(Duration::from_millis(100))],
                Mood::CutsBefore => vec![CableAct::Cut(60_000); 200],
                Mood::Late => vec![CableAct::Slow(Duration::from_millis(200)); 10],
                Mood::CutsAfter => vec![CableAct::Slow(Duration::from_millis(500))],
                _ => Vec::new(),
            };
            let cable = Cable::lay(self.ssh.port, &acts).await;
            let port = cable.port;
            *self.cable.lock().unwrap() = Some(cable);
            if mood == Mood::Rotated {
                *self.key.lock().unwrap() = self.ssh.rotate();
            }
            let mut is_full = self.is_full.lock().unwrap();
            if *is_full != (mood == Mood::Full) {
                *is_full = mood == Mood::Full;
                self.ssh.fill(*is_full);
            }
            let known = match mood {
                Mood::Stranger => format!("SHA256:{}", "A".repeat(43)),
                _ => self.ssh.fingerprint.clone(),
            };
            let action = self.ssh.action_at(port, &format!("hostKey={known}"));
            let action =
                if mood == Mood::Refuses { action.replace("/in?", "/out?") } else { action };
            Ok(json!({ "action": format!("{action}#{}", self.key.lock().unwrap()) }))
        }
        .boxed()
    }

    /// Files under their names; what is under way has another one.
    fn documents(&self) -> Vec<TakenDocument> {
        let whole = self.ssh.files().into_iter().filter(|(name, _)| !name.starts_with('.'));
        whole.map(|(key, content)| TakenDocument { key, content }).collect()
    }

    fn writes_over(&self) -> bool {
        true
    }

    fn connections(&self) -> usize {
        self.cable.lock().unwrap().as_ref().map_or(0, Cable::connections)
    }

    fn cut(&self) {
        if let Some(cable) = self.cable.lock().unwrap().as_ref() {
            cable.cut();
        }
    }

    fn secrets(&self) -> Vec<String> {
        vec![self.ssh.key.clone(), self.key.lock().unwrap().clone()]
    }
}

#[test]
fn the_commands_about_sftp_do_what_the_page_says() {
    match Path::new("/usr/sbin/sshd").exists() {
        true => walk("sftp", 6),
        false => quoin_testing::skipped("openssh-server"),
    }
}
