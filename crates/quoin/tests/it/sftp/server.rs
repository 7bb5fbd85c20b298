//! OpenSSH's own server on loopback, in a folder of the story, and a cable in front of it that can
//! be cut.

use std::collections::{BTreeMap, VecDeque};
use std::net::TcpStream as StdStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quoin_lab::lab::network::ClaimedPort;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::stage::PATIENCE;

const SSHD: &str = "/usr/sbin/sshd";
pub const SFTP: &str = "/usr/lib/openssh/sftp-server";
/// Where the server wants a folder when it runs as root.
const SEPARATION: &str = "/run/sshd";
/// How large a file may be while the disk is full, in blocks of 512 bytes.
const FULL: u32 = 4;

/// A server, with an account that a key opens.
pub struct OpenSsh {
    /// Its port.
    pub port: u16,
    /// The fingerprint of its key.
    pub fingerprint: String,
    /// The private key that opens the account.
    pub key: String,
    /// The account: whoever runs the test.
    pub user: String,
    root: PathBuf,
    child: Child,
    _claim: ClaimedPort,
}

impl OpenSsh {
    /// Starts it; none, and the test counts as skipped, where it is not installed.
    pub fn start(folder: &Path) -> Option<OpenSsh> {
        OpenSsh::with_keys(folder, "ed25519")
    }

    /// The same with keys of another kind, its own and the one that opens the account.
    pub fn with_keys(folder: &Path, kind: &str) -> Option<OpenSsh> {
        if !is_installed() {
            return None;
        }
        let root = folder.join("ssh");
        std::fs::create_dir_all(root.join("in")).unwrap();
        let user = said(Command::new("id").arg("-un"));
        if user == "root" {
            std::fs::create_dir_all(SEPARATION).unwrap();
        }
        for key in ["host", "client"] {
            make_key(&root.join(key), kind);
        }
        let known = std::fs::read_to_string(root.join("client.pub")).unwrap();
        std::fs::write(root.join("authorized"), known).unwrap();
        let full = root.join("full");
        let script = format!(
            "#!/bin/sh\ntrap '' XFSZ\nif [ -e {} ]; then ulimit -f {FULL}; fi\nexec {SFTP}\n",
            full.display()
        );
        std::fs::write(root.join("sftp.sh"), script).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(root.join("sftp.sh"), executable).unwrap();
        let server = (0..5).find_map(|_| listening(&root));
        let (claim, child) = server.expect("a server that listens");
        let listed = said(Command::new("ssh-keygen").arg("-lf").arg(root.join("host.pub")));
        let fingerprint = listed.split(' ').nth(1).unwrap().to_owned();
        let key = std::fs::read_to_string(root.join("client")).unwrap();
        let port = claim.number;
        Some(OpenSsh { port, fingerprint, key, user, root, child, _claim: claim })
    }

    /// The folder that documents go to.
    pub fn inbox(&self) -> PathBuf {
        self.root.join("in")
    }

    /// An action that names its folder at a port, with these parameters, and no secret.
    pub fn action_at(&self, port: u16, parameters: &str) -> String {
        let (user, folder) = (&self.user, self.inbox());
        format!("sftp://{user}@127.0.0.1:{port}{}?{parameters}", folder.display())
    }

    /// The action that works.
    pub fn action(&self) -> String {
        self.confirmed_at(self.port)
    }

    /// The same at another port, that of a cable.
    pub fn confirmed_at(&self, port: u16) -> String {
        let parameters = format!("hostKey={}", self.fingerprint);
        format!("{}#{}", self.action_at(port, &parameters), self.key)
    }

    /// Every file in the folder, hidden ones too, with what is in it.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.inbox()).unwrap().flatten();
        let file = |entry: std::fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap_or_default())
        };
        entries.map(file).collect()
    }

    /// From now on another key opens the account, which is answered, and no other one.
    pub fn rotate(&self) -> String {
        make_key(&self.root.join("next"), "ed25519");
        let known = std::fs::read_to_string(self.root.join("next.pub")).unwrap();
        std::fs::write(self.root.join("authorized"), known).unwrap();
        std::fs::read_to_string(self.root.join("next")).unwrap()
    }

    /// From now on this private key opens the account, and no other one.
    pub fn opens_to(&self, key: &str) {
        let path = self.root.join("other");
        std::fs::write(&path, key).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let known = said(Command::new("ssh-keygen").arg("-y").arg("-f").arg(&path));
        std::fs::write(self.root.join("authorized"), known).unwrap();
    }

    /// Fills its disk, or empties it again: what is written may have two kilobytes.
    pub fn fill(&self, full: bool) {
        let mark = self.root.join("full");
        match full {
            true => std::fs::write(mark, "").unwrap(),
            false => std::fs::remove_file(mark).unwrap(),
        }
    }
}

impl Drop for OpenSsh {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether OpenSSH's server is here; where it is not, the test counts as skipped.
pub fn is_installed() -> bool {
    let is_here = [SSHD, SFTP].iter().all(|tool| Path::new(tool).exists());
    if !is_here {
        quoin_testing::skipped("openssh-server");
    }
    is_here
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A pair of keys of a kind, without a passphrase.
pub fn make_key(path: &Path, kind: &str) {
    let mut command = Command::new("ssh-keygen");
    said(command.args(["-q", "-t", kind, "-N", "", "-C", "story", "-f"]).arg(path));
}

/// A server at a port that was free a moment ago; none where somebody else took it. What it starts
/// has its home here: the shell of whoever runs the test would otherwise read what that one set up.
fn listening(root: &Path) -> Option<(ClaimedPort, Child)> {
    let claim = ClaimedPort::claim().unwrap();
    let port = claim.number;
    let file = |name: &str| root.join(name).display().to_string();
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\n\
         StrictModes no\nUsePAM no\nPasswordAuthentication yes\nKbdInteractiveAuthentication no\n\
         PermitRootLogin yes\nMaxStartups 200\nMaxSessions 100\nLogLevel ERROR\n\
         Subsystem sftp {}\nSetEnv HOME={}\n",
        file("host"),
        file("authorized"),
        file("sftp.sh"),
        root.display()
    );
    std::fs::write(root.join("config"), config).unwrap();
    let log = std::fs::File::create(root.join("log")).unwrap();
    let mut child = Command::new(SSHD)
        .args(["-D", "-e", "-f"])
        .arg(root.join("config"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if child.try_wait().unwrap().is_some() {
            println!("{}", std::fs::read_to_string(root.join("log")).unwrap_or_default());
            return None;
        }
        if StdStream::connect(("127.0.0.1", port)).is_ok() {
            return Some((claim, child));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// What a cable does with one connection.
#[derive(Debug, Clone, Copy)]
pub enum CableAct {
    /// Breaks after so many bytes towards the server.
    Cut(u64),
    /// Takes everything, and carries nothing.
    Silent,
    /// Holds each answer back for so long.
    Slow(Duration),
}

/// A cable to a server: what it does with the next connections, and then nothing in particular.
#[derive(Clone)]
pub struct Cable {
    /// Where it begins.
    pub port: u16,
    acts: Arc<Mutex<VecDeque<CableAct>>>,
    to: Arc<AtomicU16>,
    laid: Arc<AtomicUsize>,
    ends: Arc<Notify>,
}

impl Cable {
    /// Lays a cable to a port.
    pub async fn lay(to: u16, acts: &[CableAct]) -> Cable {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let acts = Arc::new(Mutex::new(acts.iter().copied().collect::<VecDeque<_>>()));
        let (laid, ends) = (Arc::default(), Arc::default());
        let to = Arc::new(AtomicU16::new(to));
        let cable = Cable { port, acts: Arc::clone(&acts), to: Arc::clone(&to), laid, ends };
        let (laid, ends) = (Arc::clone(&cable.laid), Arc::clone(&cable.ends));
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                laid.fetch_add(1, Ordering::Relaxed);
                let (act, ends) = (acts.lock().unwrap().pop_front(), Arc::clone(&ends));
                let to = to.load(Ordering::Relaxed);
                tokio::spawn(async move {
                    tokio::select! {
                        () = carry(near, to, act) => {}
                        () = ends.notified() => {}
                    }
                });
            }
        });
        cable
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.laid.load(Ordering::Relaxed)
    }

    /// What it does with the next connections, instead of what was planned.
    pub fn will(&self, acts: &[CableAct]) {
        *self.acts.lock().unwrap() = acts.iter().copied().collect();
    }

    /// Leads to another port from the next connection on.
    pub fn leads_to(&self, port: u16) {
        self.to.store(port, Ordering::Relaxed);
    }

    /// Cuts every connection that there is.
    pub fn cut(&self) {
        self.ends.notify_waiters();
    }

    /// How many connections something is still planned for.
    pub fn planned(&self) -> usize {
        self.acts.lock().unwrap().len()
    }
}

async fn carry(near: TcpStream, to: u16, act: Option<CableAct>) {
    let (limit, pause) = match act {
        Some(CableAct::Silent) => {
            tokio::time::sleep(PATIENCE).await;
            return;
        }
        Some(CableAct::Cut(limit)) => (limit, Duration::ZERO),
        Some(CableAct::Slow(pause)) => (u64::MAX, pause),
        None => (u64::MAX, Duration::ZERO),
    };
    let Ok(far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    let ((near_reads, near_writes), (far_reads, far_writes)) =
        (near.into_split(), far.into_split());
    tokio::select! {
        () = one_way(near_reads, far_writes, limit, Duration::ZERO) => {}
        () = one_way(far_reads, near_writes, u64::MAX, pause) => {}
    }
}

async fn one_way(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    limit: u64,
    pause: Duration,
) {
    let (mut carried, mut bytes) = (0, vec![0; 16 << 10]);
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        carried += count as u64;
        tokio::time::sleep(pause).await;
        if carried > limit || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
