//! Keys in a PKCS#11 token (SoftHSM): two services sign, decrypt and give receipts with keys that
//! never leave it; the SMP shows its certificate to the SML with one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::{ConfigSecret, TokenKey};
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};

use crate::kill::process::Service;
use crate::stage::Folder;
use crate::stage::caller::Caller;

/// Where Debian and others put the library.
const LIBRARIES: [&str; 4] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
];
const PIN: &str = "20261121";
/// How long the whole story may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// A folder of tokens of its own.
struct Tokens {
    library: PathBuf,
    settings: PathBuf,
}

impl Tokens {
    fn new(folder: &Path) -> Option<Tokens> {
        let library = LIBRARIES.iter().map(PathBuf::from).find(|path| path.exists())?;
        let tokens = folder.join("tokens");
        std::fs::create_dir_all(&tokens).unwrap();
        let settings = folder.join("softhsm2.conf");
        let text = format!("directories.tokendir = {}\nlog.level = ERROR\n", tokens.display());
        std::fs::write(&settings, text).unwrap();
        Some(Tokens { library, settings })
    }

    fn run(&self, arguments: &[&str]) -> Option<()> {
        let mut command = Command::new("softhsm2-util");
        command.env("SOFTHSM2_CONF", &self.settings).args(arguments);
        let output = command.output().ok()?;
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {told}");
        Some(())
    }

    /// Puts a private key into a token of its own; the file goes.
    fn put(&self, label: &str, key: &Path) -> Option<TokenKey> {
        let file = key.to_str().unwrap();
        self.run(&["--init-token", "--free", "--label", label, "--so-pin", PIN, "--pin", PIN])?;
        let place = ["--token", label, "--pin", PIN, "--label", "access point", "--id", "01"];
        self.run(&[&["--import", file][..], &place[..]].concat())?;
        std::fs::remove_file(key).unwrap();
        Some(TokenKey {
            module: self.library.clone(),
            label: label.to_owned(),
            key: "access point".to_owned(),
            pin: Some(ConfigSecret::new(PIN)),
        })
    }
}

impl Tokens {
    /// Makes the SMP of a configuration known to the SML, which asks for its certificate.
    fn makes_known(&self, config: &Path) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quoin"));
        command.args(["sml", "create", "--config"]).arg(config);
        let output = command.env("SOFTHSM2_CONF", &self.settings).output().unwrap();
        let [said, why] =
            [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{}: {said}{why}", output.status);
    }

    /// The folder of a token.
    fn of(&self, label: &str) -> PathBuf {
        let folder = self.settings.with_file_name("tokens");
        let mut all = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let has = |path: &PathBuf| {
            let token = std::fs::read(path.join("token.object")).unwrap();
            token.windows(label.len()).any(|part| part == label.as_bytes())
        };
        all.find(has).unwrap()
    }
}

async fn caller(around: &Surroundings, service: &Service, customer: &Customer) -> Caller {
    let begun = Instant::now();
    loop {
        service.stays_up();
        let client = around.client().unwrap();
        match Caller::at(&service.api_url, client, customer).await {
            Ok(caller) => return caller,
            Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}\n{}", service.log()),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_signed_and_decrypted_with_keys_in_a_token() {
    let folder = Folder::new();
    let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
    let Some(tokens) = Tokens::new(folder.path()) else {
        quoin_testing::skipped("SoftHSM");
        return;
    };
    let mut services = Vec::new();
    for (name, seat, participant) in [("one", "POP000001", SENDER), ("two", "POP000002", RECEIVER)]
    {
        let corner = LabAccessPoint::new(&around, name, seat).unwrap();
        let customer = Customer::new(name, &[participant]).unwrap();
        around.register(participant, &corner.smp_url).unwrap();
        let mut config = corner.config(&around, &customer);
        let key = config.access_point.key_file.take().unwrap();
        let Some(token) = tokens.put(&format!("quoin {name}"), &key) else {
            quoin_testing::skipped("softhsm2-util");
            return;
        };
        config.access_point.token = Some(token);
        if name == "one" {
            let key = config.smp.key_file.take().unwrap();
            config.smp.token = tokens.put("quoin smp", &key);
            (config.sml, config.directory) =
                (around.sml_section(&corner), around.directory_section());
        }
        let settings = tokens.settings.to_str().unwrap();
        let service = Service::new(name, config, corner.api_url.clone(), folder.path());
        let service = service.with("SOFTHSM2_CONF", settings);
        if name == "one" {
            tokens.makes_known(&folder.path().join("one.toml"));
        }
        service.start();
        services.push((service, customer));
    }
    let [(one, sender), (two, receiver)] = services.as_slice() else { panic!("two services") };
    let (sender, receiver) =
        (caller(&around, one, sender).await, caller(&around, two, receiver).await);
    let begun = Instant::now();
    while around.locator.publisher_of(SENDER).is_none() {
        assert!(begun.elapsed() < PATIENCE, "no word to the SML\n{}", one.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let id = uuid::Uuid::new_v4().to_string();
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "TOKEN-1");
    assert_eq!(sender.send(SENDER, &id, invoice).await.status, 200);
    let begun = Instant::now();
    loop {
        let (lines, status) = sender.timeline(SENDER, &id).await;
        if status == "Delivered" {
            break;
        }
        let late = begun.elapsed() > PATIENCE;
        assert!(!late, "{lines:?}\n{}\n{}", one.log(), two.log());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(receiver.purchases(RECEIVER).await.unwrap().len(), 1);
    let dossier = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier")).await;
    let parts = quoin_access_point::dossier::unzip(&dossier.body).unwrap();
    let root = quoin_peppol::pki::Certificate::from_der(around.pki.root.der()).unwrap();
    let verdict = quoin_peppol::dossier::verify(&parts, &[root]);
    assert!(verdict.holds(), "the token signs manifests as well: {:#?}", verdict.checks);
    is_away_and_comes_back(&tokens, &sender, (&receiver, two)).await;
}

/// A token that fails says nothing about a message: its sender tries again, whoever runs the
/// service is told, and what was away is used again without a start.
async fn is_away_and_comes_back(tokens: &Tokens, sender: &Caller, receiver: (&Caller, &Service)) {
    let (caller, service) = receiver;
    let own = tokens.of("quoin two");
    let away = own.with_extension("away");
    std::fs::rename(&own, &away).unwrap();
    let (id, begun) = (uuid::Uuid::new_v4().to_string(), Instant::now());
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "TOKEN-2");
    assert_eq!(sender.send(SENDER, &id, invoice).await.status, 200);
    loop {
        let (lines, status) = sender.timeline(SENDER, &id).await;
        assert!(status != "Failed" && status != "Delivered", "{lines:?}\n{}", service.log());
        let health = caller.get("/health").await.json;
        let is_told =
            health["alarms"].as_array().is_some_and(|all| all.contains(&"key-unusable".into()));
        if is_told && lines.iter().any(|line| line == "Retry") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{lines:?} {health}\n{}", service.log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    std::fs::rename(&away, &own).unwrap();
    let begun = Instant::now();
    loop {
        let health = caller.get("/health").await.json;
        if health["alarms"].as_array().is_some_and(Vec::is_empty) {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{health}\n{}", service.log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let id = uuid::Uuid::new_v4().to_string();
    let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, "TOKEN-3");
    assert_eq!(sender.send(SENDER, &id, invoice).await.status, 200);
    loop {
        let (lines, status) = sender.timeline(SENDER, &id).await;
        if status == "Delivered" {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{lines:?}\n{}", service.log());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
