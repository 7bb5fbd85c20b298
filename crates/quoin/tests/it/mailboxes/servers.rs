//! Debian's Dovecot and Postfix on loopback, in a folder of the story. Mail lies in a Maildir that
//! both know, so that a story puts a mail there as it would look at a file.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use quoin_lab::lab::network::ClaimedPort;
use quoin_lab::lab::pki::LabPki;

use crate::stage::PATIENCE;

const DOVECOT: &str = "/usr/sbin/dovecot";
const POSTFIX: &str = "/usr/lib/postfix/sbin/master";
/// What it did, for a story that fails.
const LOG: &str = "log";
/// The account.
pub const USER: &str = "box";
pub const PASSWORD: &str = "secret # word";
/// Mails so far, for their names.
static MAILS: AtomicU32 = AtomicU32::new(0);

/// An IMAP server with one account.
pub struct Dovecot {
    /// Its port, TLS from the first byte.
    pub port: u16,
    /// The folder of its mailbox.
    pub maildir: PathBuf,
    root: PathBuf,
    child: Child,
    _claim: ClaimedPort,
}

/// An SMTP server that hands mail for `story.test` to the mailbox, and all other mail on.
pub struct Postfix {
    /// Its port.
    pub port: u16,
    log: PathBuf,
    child: Child,
    _claim: ClaimedPort,
}

/// Whether a server is here and can be run; where it is not, the test counts as skipped.
fn can_run(program: &str, package: &str) -> bool {
    let by_root = Command::new("id").arg("-u").output();
    let by_root = by_root.is_ok_and(|id| id.stdout == b"0\n");
    let can = by_root && Path::new(program).exists();
    if !can {
        // Both change to users of their own, which only root can.
        quoin_testing::skipped(package);
    }
    can
}

fn folder_for_all(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
}

/// Waits until something listens; none where the process ended.
fn listening(port: u16, child: &mut Child) -> Option<()> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(());
        }
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    None
}

impl Dovecot {
    /// Starts it; none, and the test counts as skipped, where it is not installed.
    pub fn start(folder: &Path, pki: &LabPki) -> Option<Dovecot> {
        Dovecot::with(folder, pki, "")
    }

    /// The same with more in its configuration.
    pub fn with(folder: &Path, pki: &LabPki, more: &str) -> Option<Dovecot> {
        if !can_run(DOVECOT, "dovecot-imapd, run by root") {
            return None;
        }
        let root = folder.join("imap");
        let maildir = root.join("mail").join(USER);
        for inner in ["", "run", "mail"] {
            folder_for_all(&root.join(inner));
        }
        for inner in ["", "new", "cur", "tmp"] {
            folder_for_all(&maildir.join(inner));
        }
        let leaf = pki.server(&["127.0.0.1"]).unwrap();
        std::fs::write(root.join("cert.pem"), leaf.certificate_pem).unwrap();
        std::fs::write(root.join("key.pem"), leaf.key_pem).unwrap();
        let server = (0..5).find_map(|_| {
            let claim = ClaimedPort::claim().unwrap();
            let port = claim.number;
            std::fs::write(root.join("dovecot.conf"), dovecot(&root, port) + more).unwrap();
            let mut child = Command::new(DOVECOT)
                .arg("-F")
                .arg("-c")
                .arg(root.join("dovecot.conf"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(std::fs::File::create(root.join("out")).unwrap())
                .spawn()
                .unwrap();
            listening(port, &mut child).map(|()| (claim, child))
        });
        let (claim, child) = server.expect("an IMAP server that listens");
        let dovecot = Dovecot { port: claim.number, maildir, root, child, _claim: claim };
        dovecot.set_password(PASSWORD);
        Some(dovecot)
    }

    /// What opens the account from now on.
    pub fn set_password(&self, password: &str) {
        let line = format!("{USER}:{{PLAIN}}{password}::::::\n");
        std::fs::write(self.root.join("users"), line).unwrap();
    }

    /// The action of a hook that reads its mailbox.
    pub fn action(&self, parameters: &str) -> String {
        format!("mailfrom://{USER}@127.0.0.1:{}/INBOX?{parameters}#{PASSWORD}", self.port)
    }

    /// Puts a mail into the mailbox, as a server does that takes one.
    pub fn deliver(&self, mail: &str) -> PathBuf {
        let number = MAILS.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}.{number}.story", std::process::id());
        let (draft, file) =
            (self.maildir.join("tmp").join(&name), self.maildir.join("new").join(&name));
        std::fs::write(&draft, mail).unwrap();
        std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o666)).unwrap();
        std::fs::rename(&draft, &file).unwrap();
        file
    }

    /// The mails in a folder inside the mailbox (`done`), or in the mailbox itself (nothing).
    pub fn mails(&self, folder: &str) -> Vec<String> {
        let folder = match folder {
            "" => self.maildir.clone(),
            name => self.maildir.join(format!(".INBOX.{name}")),
        };
        let entries =
            ["new", "cur"].into_iter().filter_map(|inner| folder.join(inner).read_dir().ok());
        let files = entries.flatten().flatten();
        files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect()
    }
}

fn dovecot(root: &Path, port: u16) -> String {
    let root = root.display();
    format!(
        "base_dir = {root}/run\nstate_dir = {root}/run\nlog_path = {root}/log\nprotocols = imap\n\
         listen = 127.0.0.1\nssl = required\nssl_cert = <{root}/cert.pem\n\
         ssl_key = <{root}/key.pem\n\
         default_internal_user = dovecot\ndefault_internal_group = dovecot\n\
         default_login_user = dovenull\nfirst_valid_uid = 1\n\
         mail_location = maildir:{root}/mail/%u\n\
         disable_plaintext_auth = yes\nauth_mechanisms = plain\n\
         auth_failure_delay = 0\n\
         mail_max_userip_connections = 50\n\
         passdb {{\n  driver = passwd-file\n\
         \x20 args = scheme=PLAIN username_format=%u {root}/users\n}}\n\
         userdb {{\n  driver = static\n\
         \x20 args = uid=nobody gid=nogroup home={root}/mail/%u\n}}\n\
         namespace inbox {{\n  inbox = yes\n  separator = .\n}}\n\
         service imap-login {{\n  chroot =\n  inet_listener imap {{\n    port = 0\n  }}\n\
         \x20 inet_listener imaps {{\n    port = {port}\n    ssl = yes\n  }}\n}}\n\
         service anvil {{\n  chroot =\n}}\nservice stats {{\n  chroot =\n}}\n"
    )
}

impl Postfix {
    /// Starts it before a mailbox: mail for `story.test` goes there, all other mail to the server
    /// at `next`.
    pub fn start(folder: &Path, mailbox: &Dovecot, next: u16) -> Option<Postfix> {
        Postfix::with(folder, mailbox, next, "")
    }

    /// The same with more in its configuration, for which it has the mailbox's certificate.
    pub fn with(folder: &Path, mailbox: &Dovecot, next: u16, more: &str) -> Option<Postfix> {
        if !can_run(POSTFIX, "postfix, run by root") {
            return None;
        }
        let root = folder.join("smtp");
        for inner in ["etc", "spool", "data"] {
            std::fs::create_dir_all(root.join(inner)).unwrap();
        }
        let owned = Command::new("chown").arg("postfix").arg(root.join("data")).status();
        assert!(owned.unwrap().success());
        let (claim, child) = (0..5).find_map(|_| {
            let claim = ClaimedPort::claim().unwrap();
            let port = claim.number;
            let keys = mailbox.root.display();
            let tls = format!(
                "smtpd_tls_cert_file = {keys}/cert.pem\nsmtpd_tls_key_file = {keys}/key.pem\n"
            );
            let main = postfix(&root, mailbox, next) + &tls + more;
            std::fs::write(root.join("etc/main.cf"), main).unwrap();
            std::fs::write(root.join("etc/master.cf"), services(port)).unwrap();
            // It makes the folders of its queue, whose owners matter.
            let etc = root.join("etc");
            let made = Command::new("/usr/sbin/postfix").arg("-c").arg(&etc).arg("check").output();
            assert!(made.unwrap().status.success(), "{}", etc.display());
            let mut child = Command::new(POSTFIX)
                .arg("-c")
                .arg(&etc)
                .arg("-d")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            listening(port, &mut child).map(|()| (claim, child))
        })?;
        let log = root.join(LOG);
        Some(Postfix { port: claim.number, log, child, _claim: claim })
    }
}

fn postfix(root: &Path, mailbox: &Dovecot, next: u16) -> String {
    let (base, user) = (mailbox.maildir.parent().unwrap().display(), USER);
    let root = root.display();
    format!(
        "compatibility_level = 3.6\nqueue_directory = {root}/spool\ndata_directory = {root}/data\n\
         command_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\n\
         mail_owner = postfix\nsetgid_group = postdrop\ninet_interfaces = 127.0.0.1\n\
         inet_protocols = ipv4\nmyhostname = mx.story.test\nmydestination =\n\
         mynetworks = 127.0.0.0/8\nalias_maps =\nalias_database =\nlocal_recipient_maps =\n\
         virtual_mailbox_domains = story.test\nvirtual_mailbox_base = {base}\n\
         virtual_mailbox_maps = static:{user}/\nvirtual_uid_maps = static:65534\n\
         virtual_gid_maps = static:65534\nvirtual_minimum_uid = 1\nrecipient_delimiter = +\n\
         virtual_mailbox_limit = 0\nmessage_size_limit = 50000000\n\
         relayhost = [127.0.0.1]:{next}\ndisable_dns_lookups = yes\n\
         smtpd_relay_restrictions = permit_mynetworks, reject\nsmtpd_peername_lookup = no\n\
         delay_warning_time = 1s\nqueue_run_delay = 1s\nminimal_backoff_time = 1s\n\
         maximal_backoff_time = 1s\nmaillog_file = {root}/{LOG}\nmaillog_file_prefixes = {root}\n"
    )
}

fn services(port: u16) -> String {
    let lines = [
        "pickup unix n - n 60 1 pickup",
        "cleanup unix n - n - 0 cleanup",
        "qmgr unix n - n 300 1 qmgr",
        "rewrite unix - - n - - trivial-rewrite",
        "bounce unix - - n - 0 bounce",
        "defer unix - - n - 0 bounce",
        "trace unix - - n - 0 bounce",
        "verify unix - - n - 1 verify",
        "flush unix n - n 1000? 0 flush",
        "proxymap unix - - n - - proxymap",
        "smtp unix - - n - - smtp",
        "relay unix - - n - - smtp",
        "error unix - - n - - error",
        "retry unix - - n - - error",
        "discard unix - - n - - discard",
        "virtual unix - n n - - virtual",
        "anvil unix - - n - 1 anvil",
        "tlsmgr unix - - n 1000? 1 tlsmgr",
        "scache unix - - n - 1 scache",
        "postlog unix-dgram n - n - 1 postlogd",
    ];
    format!("{port} inet n - n - - smtpd\n{}\n", lines.join("\n"))
}

/// Asks a server to end with all that it started, and waits for it.
fn end(child: &mut Child) {
    let _ = Command::new("kill").arg(child.id().to_string()).status();
    let begun = Instant::now();
    while begun.elapsed() < std::time::Duration::from_secs(5) {
        if child.try_wait().is_ok_and(|status| status.is_some()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        end(&mut self.child);
        if std::thread::panicking() {
            println!("{}", std::fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}
