//! A `quoin serve` as a process of its own, which can be killed and started again.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;

use quoin_access_point::config::{Config, OrganisationSeed};
use toml::{Table, Value};

/// Lines of a log that are shown.
const LINES: usize = 30;

pub struct Service {
    pub api_url: String,
    name: String,
    config: PathBuf,
    log: PathBuf,
    child: Mutex<Option<Child>>,
    environment: Vec<(String, String)>,
}

impl Service {
    pub fn new(name: &str, config: Config, api_url: String, folder: &Path) -> Service {
        let file = folder.join(format!("{name}.toml"));
        std::fs::write(&file, text_of(&config)).unwrap();
        let read = Config::load(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read, config, "the file says what was meant");
        Service {
            api_url,
            name: name.to_owned(),
            config: file,
            log: folder.join(format!("{name}.log")),
            child: Mutex::default(),
            environment: Vec::new(),
        }
    }

    /// The same with its log in another place.
    pub fn logging_to(mut self, log: &Path) -> Service {
        self.log = log.to_owned();
        self
    }

    /// The same with a variable in its environment.
    pub fn with(mut self, name: &str, value: &str) -> Service {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn start(&self) {
        let log: File = OpenOptions::new().create(true).append(true).open(&self.log).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_quoin"))
            .arg("serve")
            .arg("--config")
            .arg(&self.config)
            .env_remove("QUOIN_LOG")
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        *self.child.lock().unwrap() = Some(child);
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.lock().unwrap().as_ref().unwrap().id()
    }

    /// Memory that is resident, in MiB.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// SIGTERM, as a service manager sends it; answers how long the process took to end, or nothing
    /// where it did not within the time.
    pub fn terminate(&self, within: std::time::Duration) -> Option<std::time::Duration> {
        let begun = std::time::Instant::now();
        self.end(within).map(|_| begun.elapsed())
    }

    /// The same, with how it ended.
    pub fn end(&self, within: std::time::Duration) -> Option<ExitStatus> {
        let begun = std::time::Instant::now();
        let pid = self.pid().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let mut child = self.child.lock().unwrap();
        while begun.elapsed() < within {
            if let Some(status) = child.as_mut().unwrap().try_wait().unwrap() {
                *child = None;
                return Some(status);
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        None
    }

    /// SIGKILL: no destructor runs, no buffer is written.
    pub fn kill(&self) {
        if let Some(mut child) = self.child.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Its configuration.
    pub fn file(&self) -> &Path {
        &self.config
    }

    /// Where its store lies.
    pub fn data(&self) -> PathBuf {
        self.config.with_file_name(&self.name).join("data")
    }

    /// Asserts that the process has not ended by itself.
    pub fn stays_up(&self) {
        let ended = self.child.lock().unwrap().as_mut().unwrap().try_wait().unwrap();
        if let Some(status) = ended {
            panic!("it ended with {status}\n{}", self.log());
        }
    }

    /// The end of its log.
    pub fn log(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        format!("log of {}:\n{}", self.name, last.join("\n"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A configuration as a file. A configuration never writes its secrets, so they are put in here.
fn text_of(config: &Config) -> String {
    let mut table = Table::try_from(config).unwrap();
    let written = table.get_mut("organisation").and_then(Value::as_array_mut).unwrap();
    for (entry, organisation) in written.iter_mut().zip(&config.organisation) {
        put_secrets(entry.as_table_mut().unwrap(), organisation);
    }
    let mail =
        [("password", &config.mail.password), ("bounce_password", &config.mail.bounce_password)];
    for (name, secret) in mail {
        let section = table.get_mut("mail").and_then(Value::as_table_mut).unwrap();
        if let Some(secret) = secret {
            section.insert(name.to_owned(), Value::from(secret.expose()));
        }
    }
    for (name, token) in [("access_point", &config.access_point.token), ("smp", &config.smp.token)]
    {
        let Some(pin) = token.as_ref().and_then(|token| token.pin.as_ref()) else { continue };
        let section = table.get_mut(name).and_then(|it| it.get_mut("token"));
        let entry = section.and_then(Value::as_table_mut).unwrap();
        entry.insert("pin".to_owned(), Value::from(pin.expose()));
    }
    toml::to_string(&table).unwrap()
}

fn put_secrets(entry: &mut Table, organisation: &OrganisationSeed) {
    let clients = entry.get_mut("clients").and_then(Value::as_array_mut).unwrap();
    for (entry, client) in clients.iter_mut().zip(&organisation.clients) {
        let secret = client.secret.as_ref().unwrap().expose();
        entry.as_table_mut().unwrap().insert("secret".to_owned(), Value::from(secret));
    }
    let hooks = entry.get_mut("hooks").and_then(Value::as_array_mut).unwrap();
    for (entry, hook) in hooks.iter_mut().zip(&organisation.hooks) {
        let action = hook.action.expose();
        entry.as_table_mut().unwrap().insert("action".to_owned(), Value::from(action));
    }
}
