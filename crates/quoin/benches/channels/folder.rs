//! A folder on OpenSSH's own server, in processes of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server and its part for files.
const SSHD: &str = "/usr/sbin/sshd";
/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server with a folder.
pub struct SshFolder {
    root: PathBuf,
    port: u16,
    child: Child,
}

impl SshFolder {
    /// Starts one; none where it is not installed.
    pub fn start(folder: &Path) -> Option<SshFolder> {
        if !Path::new(SSHD).exists() {
            return None;
        }
        let root = folder.join("ssh");
        std::fs::create_dir_all(root.join("in")).expect("a folder");
        if said(Command::new("id").arg("-un")) == "root" {
            std::fs::create_dir_all("/run/sshd").expect("its own folder");
        }
        for key in ["host", "client"] {
            let mut command = Command::new("ssh-keygen");
            said(command.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(root.join(key)));
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = port.local_addr().expect("an address").port();
        let file = |name: &str| root.join(name).display().to_string();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none\n\
             AuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n\
             MaxStartups 200\nLogLevel INFO\nSubsystem sftp internal-sftp\n",
            file("host"),
            file("client.pub"),
        );
        std::fs::write(root.join("config"), config).expect("written");
        let log = std::fs::File::create(root.join("log")).expect("a log");
        let mut command = Command::new(SSHD);
        command.args(["-D", "-e", "-f"]).arg(root.join("config"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let child = command.spawn().expect("sshd");
        let server = SshFolder { root, port, child };
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "sshd does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// The action of a hook, without its secret.
    pub fn action(&self) -> String {
        let listed = said(Command::new("ssh-keygen").arg("-lf").arg(self.root.join("host.pub")));
        let fingerprint = listed.split(' ').nth(1).expect("a fingerprint");
        let user = said(Command::new("id").arg("-un"));
        let (port, folder) = (self.port, self.root.join("in"));
        format!("sftp://{user}@127.0.0.1:{port}{}?hostKey={fingerprint}", folder.display())
    }

    /// The private key that logs in.
    pub fn key(&self) -> String {
        std::fs::read_to_string(self.root.join("client")).expect("a key")
    }

    /// How many logins there were.
    pub fn connections(&self) -> usize {
        let log = std::fs::read_to_string(self.root.join("log")).unwrap_or_default();
        log.lines().filter(|line| line.contains("Accepted publickey")).count()
    }

    /// How many files are in the folder.
    pub fn files(&self) -> usize {
        std::fs::read_dir(self.root.join("in")).map_or(0, Iterator::count)
    }
}

impl Drop for SshFolder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn said(command: &mut Command) -> String {
    let output = command.output().expect("a tool");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
