//! Verbs whose call is wrong, whose reader has gone, or whose disk is full: each says so once, and
//! destroys nothing.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::stage::Folder;

const INVOICE: &str = include_str!("../../../../formats/samples/bis3-invoice.xml");

struct Desk(Folder);

impl Desk {
    fn new() -> Desk {
        let folder = Folder::new();
        std::fs::create_dir_all(folder.path()).unwrap();
        Desk(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn quoin(&self, arguments: &[&str]) -> Command {
        let mut quoin = Command::new(env!("CARGO_BIN_EXE_quoin"));
        quoin.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        quoin.env_remove("QUOIN_LOG").env_remove("QUOIN_DATA");
        quoin
    }

    /// What a verb says on standard error that ends with 2.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], word: &str) -> String {
        let output = self.quoin(arguments).output().unwrap();
        refused(&output, word)
    }
}

#[track_caller]
fn refused(output: &Output, word: &str) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(word), "{word}: {said}");
    said
}

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_full_disk_behind_standard_output_is_told_and_nobody_panics() {
    let desk = Desk::new();
    desk.file("invoice.xml", INVOICE);
    desk.file("quoin.toml", "roles = ['smp']\n");
    for verb in [
        &["convert", "invoice.xml", "--to", "cii"][..],
        &["render", "invoice.xml"],
        &["validate", "invoice.xml"],
        &["explain", "BR-01"],
        &["testbed", "--list"],
        &["default-config"],
    ] {
        let output = desk.quoin(verb).stdout(full()).output().unwrap();
        let said = refused(&output, "quoin: standard output: ");
        assert!(!said.contains("invoice.xml"), "{verb:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{verb:?}: {said}");
    }
    // Where nobody can be told, the exit code still tells.
    for verb in [&["convert", "gone.xml", "--to", "cii"][..], &["check-config", "gone.toml"]] {
        let output = desk.quoin(verb).stdout(full()).stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{verb:?}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error_of_convert_and_render() {
    let desk = Desk::new();
    desk.file("invoice.xml", INVOICE);
    for verb in [&["convert", "invoice.xml", "--to", "cii"][..], &["render", "invoice.xml"]] {
        let mut quoin = desk.quoin(verb);
        let mut child = quoin.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!said.contains("pipe"), "{said}");
    }
}

#[test]
fn nothing_is_written_over_what_is_read_or_written() {
    let desk = Desk::new();
    let input = desk.file("invoice.xml", INVOICE);
    for arguments in [
        &["convert", "invoice.xml", "--to", "cii", "--output", "invoice.xml"][..],
        &["convert", "invoice.xml", "--to", "cii", "--output", "./invoice.xml"],
        &["convert", "invoice.xml", "--to", "cii", "--losses", "invoice.xml"],
        &["convert", "invoice.xml", "--to", "cii", "--output", "o", "--losses", "o"],
        &["render", "invoice.xml", "--output", "invoice.xml"],
    ] {
        desk.refuses(arguments, "are the same file");
        assert_eq!(std::fs::read_to_string(&input).unwrap(), INVOICE);
        assert!(!desk.0.path().join("o").exists());
    }
}

#[test]
fn what_is_named_and_not_there_is_told() {
    let desk = Desk::new();
    desk.file("invoice.xml", INVOICE);
    desk.refuses(&["validate", "--data", "nowhere", "invoice.xml"], "nowhere");
    desk.refuses(&["validate", "--config", "nowhere.toml", "invoice.xml"], "nowhere.toml");
    desk.refuses(&["rules", "--data", "nowhere", "list"], "nowhere");
    let mut by_environment = desk.quoin(&["validate", "invoice.xml"]);
    refused(&by_environment.env("QUOIN_DATA", "nowhere").output().unwrap(), "nowhere");
    desk.refuses(&["verify", "/dev/zero"], "larger than");
    desk.refuses(&["rules", "add", "/dev/zero"], "");
    desk.refuses(&["validate", "-s", "--format", "json", "invoice.xml"], "--summary is text");
    desk.refuses(&["testbed", "--only", "H-1O"], "\"H-1O\" names no case");
    desk.refuses(&["testbed", "--list", "--only", "TYPO"], "\"TYPO\" names no case");
    let listed = desk.quoin(&["testbed", "--list", "--json"]).output().unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert!(listed.as_array().unwrap().len() > 50, "{listed}");
}

#[test]
fn a_verb_about_a_stopped_service_makes_no_store() {
    let desk = Desk::new();
    let config = desk.file("quoin.toml", "data_dir = 'mistyped'\n");
    let config = config.to_str().unwrap();
    let tax = ["tax", "--config", config, "--organisation", "acme", "list"];
    desk.refuses(&tax, "no service was ever started");
    let document = uuid::Uuid::new_v4().to_string();
    let dossier = ["dossier", "--config", config, "--organisation", "acme", "-o", "d.zip"];
    desk.refuses(&[&dossier[..], &[&document]].concat(), "no service was ever started");
    let report = ["report", "--config", config, "--month"];
    desk.refuses(&[&report[..], &["2999-01"]].concat(), "has not begun");
    assert!(!Path::exists(&desk.0.path().join("mistyped")));
}

#[test]
fn a_filter_of_the_environment_that_is_none_keeps_the_service_from_starting() {
    let desk = Desk::new();
    desk.file("quoin.toml", "");
    for wrong in ["information", "foo="] {
        let mut quoin = desk.quoin(&["serve", "--config", "quoin.toml"]);
        refused(&quoin.env("QUOIN_LOG", wrong).output().unwrap(), "QUOIN_LOG: ");
        let mut quoin = desk.quoin(&["check-config", "quoin.toml"]);
        let output = quoin.env("QUOIN_LOG", wrong).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("wrong: QUOIN_LOG: "), "{said}");
    }
}

#[test]
fn a_testbed_that_cannot_be_built_does_not_begin() {
    let desk = Desk::new();
    for size in ["0", "501", "99999", "many"] {
        desk.refuses(&["testbed", "--large", size, "--only", "H-02"], "expected 1 to 500");
    }
    let file = desk.file("taken", "").display().to_string();
    for folder in [&*file, &format!("{file}/below")] {
        let said = desk.refuses(&["testbed", "--by-hand", folder, "--only", "H-03"], "--by-hand: ");
        assert!(said.contains("cannot be written to"), "{said}");
    }
    desk.file("setup.toml", "[limits]\nlarge_megabytes = 0\n");
    let call = ["testbed", "https://ap.example.org/as4", "--setup", "setup.toml"];
    desk.refuses(&call, "limits.large_megabytes is 0: expected 1 to 500");
}

/// Whoever waits for the file finds the lab that wrote it.
#[cfg(unix)]
#[test]
fn the_variables_of_a_lab_are_there_while_it_answers() {
    let desk = Desk::new();
    let variables = desk.0.path().join("lab/lab.env");
    let mut lab = desk.quoin(&["lab", "--folder", "lab"]);
    let mut lab = lab.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    for _ in 0..600 {
        if variables.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let was_there = variables.exists();
    let pid = lab.id().to_string();
    let asked = Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert!(asked.success() && lab.wait().unwrap().success() && was_there);
    assert!(!variables.exists());
}

/// One mistake hides no other: of a setting, of a secret, of a file.
#[test]
fn check_config_tells_values_secrets_and_files_in_one_go() {
    let desk = Desk::new();
    desk.file(
        "quoin.toml",
        "roles = ['smp']\n[access_point]\npublic_url = 'https://ap.example.org/as4'\n[smp]\n\
         certificate_file = 'gone.pem'\nkey_file = 'gone.key'\nendpoint_exceptions = { nobody = \
         'https://x.example.org/as4' }\n[trust]\nap_anchors = ['gone-too.pem']\n[limits]\n\
         connections = 'many'\n[[organisation]]\nid = 'a'\nname = 'A'\nclients = [{ id = 'c', \
         secret = 'env:QUOIN_NO_SUCH', role = 'ApMnager' }]\n",
    );
    let output = desk.quoin(&["check-config", "quoin.toml"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in [
        "quoin.toml: not ok\n",
        "wrong: line 11: limits.connections: expected a whole number from 0 on, found \"many\"",
        "wrong: line 15: organisation \"a\", clients \"c\", role: expected \"ApUser\" or \"ApManager\", \
         found \"ApMnager\"",
        "wrong: line 15: organisation \"a\", clients \"c\", secret: the environment variable",
        "wrong: smp.endpoint_exceptions \"nobody\": expected a participant",
        "wrong: smp.public_url: is not set, but",
        "missing: gone.pem (smp.certificate_file)",
        "missing: gone.key (smp.key_file)",
        "missing: gone-too.pem (trust.ap_anchors)",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}
