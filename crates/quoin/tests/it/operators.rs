//! What whoever runs the service meets: mistakes told before the start, lines and counts about what
//! fails, files that nobody else reads, a lab that begins again.

mod checked;
mod commands;
pub mod full;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::metrics::Outgoing;
use quoin_lab::lab::network::{Customer, LabAccessPoint, LabNetwork, SENDER, Surroundings};
use quoin_lab::lab::story;
use quoin_server::start::start;

use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Folder, Play, Stage, until};

fn problems(text: &str) -> String {
    Config::parse(text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn c_31_check_config_finds_what_would_keep_the_service_from_starting() {
    let declared = |hook: &str, party: &str| {
        format!(
            "[[organisation]]\nid = 'a'\nname = 'A'\nclients = []\nhooks = [{{ {hook} }}]\n\
             [[organisation.parties]]\nidentifiers = ['0106:12345678']\nname = 'A'\n\
             country = 'NL'\n{party}\n"
        )
    };
    let hook = "id = 'h', action = 'https://erp.example.org/h', topics = ['InvoiceSent']";
    assert_eq!(problems(&declared(hook, "")), "");
    for (text, expected) in [
        (declared(&hook.replace("InvoiceSent", "Invoces"), ""), "Invoces"),
        (declared(&hook.replace("https", "http"), ""), "hook \"h\""),
        (declared(hook, "capabilities = { invoice = 'on' }"), "no capability \"invoice\""),
        (declared(hook, "capabilities = { invoices = 'yes' }"), "invoices"),
        ("[log]\nfilter = 'information'\n".to_owned(), "\"information\" is no level"),
        ("[log]\nfilter = 'verbose=='\n".to_owned(), "cannot be read"),
        ("data_dir = 's3://bucket/x'\n".to_owned(), "is no folder"),
        (
            "[listen.api]\naddress = '127.0.0.1:9000'\n[listen.smp]\naddress = '127.0.0.1:9000'\n"
                .to_owned(),
            "is also the address of listen.",
        ),
    ] {
        let found = problems(&text);
        assert!(found.contains(expected), "{expected}: {found}\n{text}");
    }
    for fine in ["info", "warn,quoin_server=debug", "quoin_server=trace", "off"] {
        assert_eq!(problems(&format!("[log]\nfilter = '{fine}'\n")), "", "{fine}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_the_certificate_of_the_other_role_is_refused() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.smp.certificate_file.clone_from(&config.access_point.certificate_file);
    config.smp.key_file.clone_from(&config.access_point.key_file);
    let error = start(config, stage.clock.clone()).await.err().unwrap().to_string();
    assert!(error.contains("the certificate smp") && error.contains("AP"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_token_key_is_told_with_its_file() {
    let stage = Stage::set().await;
    stage.start(stage.config_one()).await.stop().await;
    let config = stage.config_one();
    let found = quoin_server::start::checking::look(&config);
    assert_eq!(found.problems, Vec::<String>::new());
    std::fs::write(config.data_dir.join("token.key"), "garbage").unwrap();
    let found = quoin_server::start::checking::look(&config).problems.join(" ");
    let error = start(config, stage.clock.clone()).await.err().unwrap().to_string();
    for told in [&found, &error] {
        assert!(told.contains("token.key") && told.contains("put the file back"), "{told}");
    }
}

#[test]
fn an_identifier_is_declared_of_one_party() {
    let party = |identifiers: &str| {
        format!(
            "[[organisation.parties]]\nidentifiers = [{identifiers}]\nname = 'P'\ncountry = 'NL'\n"
        )
    };
    let first = party("'0106:12345678'");
    let organisation = |id: &str| format!("[[organisation]]\nid = '{id}'\nname = 'A'\n");
    for second in [
        party("'0106:12345678'"),
        party("'0106:20000888', 'iso6523-actorid-upis::0106:12345678'"),
        organisation("b") + &first,
    ] {
        let found = problems(&(organisation("a") + &first + &second));
        assert!(found.contains("0106:12345678") && found.contains("already"), "{found}\n{second}");
    }
    let other = organisation("b") + &party("'0106:20000888'");
    assert_eq!(problems(&(organisation("a") + &first + &other)), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_a_lost_store_key_keeps_the_service_from_starting() {
    let stage = Stage::set().await;
    stage.start(stage.config_one()).await.stop().await;
    let key = stage.config_one().data_dir.join("store.key");
    let kept = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let error = start(stage.config_one(), stage.clock.clone()).await.err().unwrap().to_string();
    assert!(error.contains("store.key") && error.contains("put it back"), "{error}");
    assert!(!key.exists(), "no other one is made");
    std::fs::write(&key, kept).unwrap();
    stage.start(stage.config_one()).await.stop().await;
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_nobody_else_reads_the_files_of_the_service() {
    let play = Play::begin().await;
    let folder = play.one.parts.config.data_dir.clone();
    assert_eq!(mode(&folder), 0o700);
    for name in ["quoin.db", "quoin.db-wal", "quoin.db-shm", "store.key", "token.key"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_what_fails_on_its_way_out_is_counted() {
    let play = Play::begin().await;
    let lost = quoin_formats::samples::invoice(SENDER, "0106:40440404", "LOST");
    let broken = lost.replacen("<cbc:IssueDate>", "<cbc:IssueDate>not a day", 1);
    for document in [lost, broken] {
        let id = play.send_document(document).await;
        play.ending(&id).await;
    }
    let id = play.send("FINE").await;
    play.ending(&id).await;
    let counted = &play.one.parts.metrics.outgoing;
    for outcome in [Outgoing::Failed, Outgoing::Rejected, Outgoing::Delivered] {
        until("it is counted", async || (counted.of(outcome) >= 1).then_some(())).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_a_second_lab_in_a_folder_works_and_two_at_once_do_not() {
    let folder = Folder::new();
    for turn in ["first", "second"] {
        let mut out = Vec::new();
        let told = story::tell(folder.path(), true, &mut out).await;
        let said = String::from_utf8(out).unwrap();
        assert_eq!(told, Ok(()), "{turn}: {said}");
        assert!(said.contains("Delivered. The receipt"), "{turn}: {said}");
    }
    let running = LabNetwork::start(folder.path(), Clock::default()).await.unwrap();
    let error = LabNetwork::start(folder.path(), Clock::default()).await.err().unwrap().to_string();
    assert!(error.contains("another lab runs in"), "{error}");
    running.stop().await;
    let file = folder.path().join("a-file");
    std::fs::write(&file, "x").unwrap();
    let error = LabNetwork::start(&file, Clock::default()).await.err().unwrap().to_string();
    assert!(error.contains("a-file"), "the path is told: {error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c_31_a_hang_up_ends_nothing_and_wrong_secrets_and_failures_leave_lines() {
    let folder = Folder::new();
    let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
    let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
    let customer = Customer::new("sender", &[SENDER]).unwrap();
    let config = corner.config(&around, &customer);
    let service = Service::new("one", config, corner.api_url.clone(), folder.path());
    service.start();
    let caller = until("it answers", async || {
        Caller::at(&service.api_url, around.client().unwrap(), &customer).await.ok()
    })
    .await;
    let pid = service.pid().to_string();
    let hung = std::process::Command::new("kill").args(["-HUP", &pid]).status().unwrap();
    assert!(hung.success());
    let stranger = Customer { secret: "wrong".to_owned(), ..customer.clone() };
    let refused = Caller::at(&service.api_url, around.client().unwrap(), &stranger).await;
    assert!(refused.is_err());
    let lost = quoin_formats::samples::invoice(SENDER, "0106:40440404", "LOST");
    let id = uuid::Uuid::new_v4().to_string();
    assert_eq!(caller.send(SENDER, &id, lost).await.status, 200);
    for line in ["SIGHUP changes nothing", "client id or secret is wrong", &id] {
        let seen = async || service.log().contains(line).then_some(());
        until(&format!("{line} is logged"), seen).await;
    }
    assert!(service.log().contains("failed: "), "{}", service.log());
    assert!(!service.log().contains("wrong-secret"), "secrets are not logged");
    service.stays_up();
}
