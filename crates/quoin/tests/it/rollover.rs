//! A certificate takes over from another: both decrypt all the time, and from a set time on the new
//! one signs and is published.

use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan};
use quoin_access_point::config::{
    Config, ConfigSecret, ConfiguredStage as NetworkStage, KeyPlace, NextKey,
};
use quoin_access_point::net::{HttpAnswer as WebAnswer, HttpCall};
use quoin_access_point::registers::sml::{SmlClient, client};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::pki::{LeafRole, LeafValidity};
use quoin_peppol::pki::Certificate;
use quoin_peppol::sml::soap::{
    CertificateChange, Entries, FaultKind, FaultMeaning, SmlAnswer, SmlRequest,
};
use quoin_peppol::smp::service_metadata_path;
use quoin_server::start::start;
use quoin_xmldsig::pkcs12;
use reqwest::header::{
    ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use rustls::pki_types::{PrivatePkcs8KeyDer, pem::PemObject};

use crate::stage::Stage;

const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

#[tokio::test(flavor = "multi_thread")]
async fn a_new_certificate_takes_over_at_its_time_and_nothing_is_lost() {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000002", LeafValidity::Current);
    let leaf = leaf.unwrap();
    let folder = stage.folder.path().join("next");
    let (certificate, key) = leaf.write(&folder, "ap").unwrap();
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: KeyPlace::files(certificate, key) };
    let new = Certificate::from_der(&leaf.certificate_der).unwrap();
    let play = stage.play_with(|_, two| two.access_point.next = Some(next)).await;
    let used = async |number: &str| {
        let id = play.send(number).await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent", "{number}");
        let attempts = play.attempts(&id).await;
        attempts.last().unwrap().report["send"]["certificateSha256"].as_str().unwrap().to_owned()
    };
    let new = data_encoding::HEXLOWER.encode(new.fingerprint());
    assert_ne!(used("BEFORE").await, new);
    // The sender still has the old certificate from the SMP when the new one takes over.
    play.stage.clock.advance(SignedDuration::from_hours(25));
    assert_ne!(used("CACHED").await, new, "it is decrypted with the old key");
    play.one.parts.lookup.forget(&RECEIVER.parse().unwrap());
    assert_eq!(used("AFTER").await, new);
    let (_, status) = play.sender().await.timeline(SENDER, &play.send("LAST").await).await;
    assert!(!status.is_empty());
}

/// What the SMP keeps of its answers ends with the old certificate, and no validator of before
/// holds.
#[tokio::test(flavor = "multi_thread")]
async fn the_smp_publishes_the_new_certificate_to_who_has_the_old_answer() {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000002", LeafValidity::Current);
    let leaf = leaf.unwrap();
    let (certificate, key) = leaf.write(&stage.folder.path().join("next"), "ap").unwrap();
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: KeyPlace::files(certificate, key) };
    let play = stage.play_with(|_, two| two.access_point.next = Some(next)).await;
    let stage = &play.stage;
    let new = Certificate::from_der(&leaf.certificate_der).unwrap().base64();
    let path = service_metadata_path(&RECEIVER.parse().unwrap(), &BILLING.parse().unwrap());
    let url = format!("{}{path}", stage.two.smp_url);
    let ask = async |validator: Option<(HeaderName, HeaderValue)>| {
        let headers = validator.into_iter().collect();
        let call = HttpCall { headers, ..HttpCall::get(&url, Duration::from_secs(20), 1 << 20) };
        stage.around.client().unwrap().call(call).await.unwrap()
    };
    let names_new = |answer: &WebAnswer| String::from_utf8_lossy(&answer.body).contains(&new);
    // Long enough after the registration that the time of the change is told.
    stage.clock.advance(SignedDuration::from_hours(1));
    let before = ask(None).await;
    assert!(before.status == 200 && !names_new(&before));
    let validators = [
        (IF_NONE_MATCH, before.headers[ETAG].clone()),
        (IF_MODIFIED_SINCE, before.headers[LAST_MODIFIED].clone()),
    ];
    for validator in &validators {
        assert_eq!(ask(Some(validator.clone())).await.status, 304, "{validator:?}");
    }
    stage.clock.advance(SignedDuration::from_hours(24));
    for validator in validators {
        let after = ask(Some(validator.clone())).await;
        assert_eq!(after.status, 200, "{validator:?}");
        assert!(names_new(&after), "{validator:?}");
        assert_ne!(after.headers[ETAG], before.headers[ETAG]);
        assert_ne!(after.headers[LAST_MODIFIED], before.headers[LAST_MODIFIED]);
        let again = (IF_MODIFIED_SINCE, after.headers[LAST_MODIFIED].clone());
        assert_eq!(ask(Some(again)).await.status, 304);
    }
}

/// The SMP's own certificate is followed in the same way: from its time on the next one signs, and
/// whoever has the old answer gets a new one.
#[tokio::test(flavor = "multi_thread")]
async fn the_smp_signs_with_its_next_certificate_from_its_time_on() {
    let stage = Stage::set().await;
    let leaf = stage.around.pki.leaf(LeafRole::Smp, "POP000002", LeafValidity::Current).unwrap();
    let (certificate, key) = leaf.write(&stage.folder.path().join("next"), "smp").unwrap();
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let next = NextKey { from: Some(from), key: KeyPlace::files(certificate, key) };
    let play = stage.play_with(|_, two| two.smp.next = Some(next)).await;
    let stage = &play.stage;
    let signer = Certificate::from_der(&leaf.certificate_der).unwrap().base64();
    let path = service_metadata_path(&RECEIVER.parse().unwrap(), &BILLING.parse().unwrap());
    let ask = async |path: &str, validator: Option<(HeaderName, HeaderValue)>| {
        let url = format!("{}{path}", stage.two.smp_url);
        let headers = validator.into_iter().collect();
        let call = HttpCall { headers, ..HttpCall::get(&url, Duration::from_secs(20), 1 << 20) };
        stage.around.client().unwrap().call(call).await.unwrap()
    };
    let is_new = |answer: &WebAnswer| String::from_utf8_lossy(&answer.body).contains(&signer);
    let forms = [path.clone(), format!("/bdxr-smp-1{path}"), format!("/bdxr-smp-2{path}")];
    stage.clock.advance(SignedDuration::from_hours(1));
    let mut validators = Vec::new();
    for form in &forms {
        let before = ask(form, None).await;
        assert!(before.status == 200 && !is_new(&before), "{form}");
        validators.push((IF_NONE_MATCH, before.headers[ETAG].clone()));
        validators.push((IF_MODIFIED_SINCE, before.headers[LAST_MODIFIED].clone()));
    }
    let id = play.send("BEFORE").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");

    stage.clock.advance(SignedDuration::from_hours(24));
    for (form, validators) in forms.iter().zip(validators.chunks(2)) {
        for validator in validators {
            let after = ask(form, Some(validator.clone())).await;
            assert_eq!(after.status, 200, "{form} {validator:?}");
            assert!(is_new(&after), "{form}");
        }
    }
    // Corner 2 reads and believes what is signed with the next certificate.
    play.one.parts.lookup.forget(&RECEIVER.parse().unwrap());
    let id = play.send("AFTER").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let uses: Vec<String> = play.two.parts.certificates.iter().map(|own| own.used.name()).collect();
    assert!(uses.contains(&"next-smp".to_owned()), "{uses:?}");
}

/// Certificates of the test network do not serve in production: the service does not start, and the
/// check of the configuration says why.
#[tokio::test(flavor = "multi_thread")]
async fn certificates_of_the_other_network_are_refused_at_the_start() {
    let stage = Stage::set().await;
    let mut config = stage.config_two();
    config.trust.stage = NetworkStage::Production;
    let refused = start(config.clone(), stage.clock.clone()).await.err().unwrap().to_string();
    assert!(refused.contains("is of the test network"), "{refused}");
    assert!(refused.contains("trust.stage is \"production\""), "{refused}");

    let folder = stage.folder.path();
    let path = |name: &str| folder.join(name).display().to_string();
    let file = |stage: &str| {
        let (root, ap, smp) = (path("root-ca.pem"), path("ap-ca.pem"), path("smp-ca.pem"));
        let own = |file: &Option<std::path::PathBuf>| file.as_ref().unwrap().display().to_string();
        let (certificate, key) =
            (own(&config.access_point.certificate_file), own(&config.access_point.key_file));
        format!(
            "roles = [\"as4\", \"worker\"]\n[access_point]\ncertificate_file = \"{certificate}\"\n\
             key_file = \"{key}\"\n[trust]\nstage = \"{stage}\"\nap_anchors = [\"{root}\"]\n\
             ap_intermediates = [\"{ap}\"]\nsmp_anchors = [\"{root}\"]\n\
             smp_intermediates = [\"{smp}\"]\n"
        )
    };
    let check = |stage: &str| {
        let at = folder.join(format!("{stage}.toml"));
        std::fs::write(&at, file(stage)).unwrap();
        let program = std::process::Command::new(env!("CARGO_BIN_EXE_quoin"));
        let output = { program }.arg("check-config").arg(&at).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    let (good, said) = check("test");
    assert!(good && said.contains("network test, zone participant.sml.test."), "{said}");
    let (good, said) = check("production");
    assert!(!good && said.contains("is of the test network"), "{said}");
}

/// A certificate and its key in a PKCS#12 file.
fn in_pkcs12(folder: &Path, name: &str, certificate: &[u8], key: &[u8]) -> KeyPlace {
    let path = folder.join(format!("{name}.p12"));
    std::fs::write(&path, pkcs12::seal(key, certificate, "quoin", [7; 48]).unwrap()).unwrap();
    let pkcs12_password = Some(ConfigSecret::new("quoin"));
    KeyPlace { pkcs12_file: Some(path), pkcs12_password, ..KeyPlace::default() }
}

/// The SML knows an SMP by its certificate. A next one that was announced speaks for it from its
/// day on, one that was not does not, and what nobody could become is refused. Keys in PKCS#12 files
/// are shown as those in PEM are.
#[tokio::test(flavor = "multi_thread")]
async fn the_sml_knows_the_smp_by_the_certificate_that_was_announced() {
    let stage = Stage::set().await;
    let around = &stage.around;
    let from = stage.clock.now() + SignedDuration::from_hours(24);
    let with_next = |mut config: Config, name: &str| {
        let leaf = around.pki.leaf(LeafRole::Smp, "POP000001", LeafValidity::Current).unwrap();
        let key = in_pkcs12(stage.folder.path(), name, &leaf.certificate_der, &leaf.key_der);
        config.smp.next = Some(NextKey { from: Some(from), key });
        (config, leaf.certificate_pem)
    };
    let section = |corner, mut config: Config| {
        config.sml = around.sml_section(corner);
        config
    };
    let (one, pem) = with_next(section(&stage.one, stage.config_one()), "next-one");
    let (mut two, _) = with_next(section(&stage.two, stage.config_two()), "next-two");
    let own = &mut two.smp;
    let (certificate, key) = (own.certificate_file.take().unwrap(), own.key_file.take().unwrap());
    let certificate = Certificate::from_text(&std::fs::read_to_string(certificate).unwrap());
    let key = PrivatePkcs8KeyDer::from_pem_file(key).unwrap();
    let (certificate, key) = (certificate.unwrap(), key.secret_pkcs8_der());
    let place = in_pkcs12(stage.folder.path(), "two", certificate.der(), key);
    (own.pkcs12_file, own.pkcs12_password) = (place.pkcs12_file, place.pkcs12_password);
    around.enlist(&one, &[SENDER.to_owned()]).await.unwrap();
    around.enlist(&two, &[RECEIVER.to_owned()]).await.unwrap();
    let settings = || around.call_settings().unwrap();
    let speaks = |config: &Config| client(config, settings(), &stage.clock).unwrap().unwrap();
    let (one, two) = (speaks(&one), speaks(&two));
    let create = |who: &SmlClient, id: &str| {
        let (publisher, participants) = (who.publisher().to_owned(), vec![id.parse().unwrap()]);
        SmlRequest::Create(Entries { publisher, participants })
    };
    let on = from.to_zoned(TimeZone::UTC).date();
    let change = |certificate_pem: &str, on| {
        let certificate_pem = certificate_pem.to_owned();
        SmlRequest::ChangeCertificate(CertificateChange { certificate_pem, on: Some(on) })
    };
    let bare: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    for (wrong, why) in [
        (change(&bare, on), "lines that begin and end it"),
        (change(&pem, on.saturating_sub(2.days())), "in the past"),
        (change(&pem, on.saturating_add(10.years())), "outside of the validity"),
    ] {
        let SmlAnswer::Fault(fault) = one.call(&wrong).await.unwrap() else { panic!("{why}") };
        assert!(fault.kind == FaultKind::BadRequest && fault.text.contains(why), "{fault:?}");
    }
    assert_eq!(one.call(&change(&pem, on)).await.unwrap(), SmlAnswer::Done);
    assert_eq!(one.call(&create(&one, "0106:00000001")).await.unwrap(), SmlAnswer::Done);
    stage.clock.advance(SignedDuration::from_hours(25));
    assert_eq!(one.call(&create(&one, "0106:00000002")).await.unwrap(), SmlAnswer::Done);
    let SmlAnswer::Fault(fault) = two.call(&create(&two, "0106:00000003")).await.unwrap() else {
        panic!("nobody announced it")
    };
    assert_eq!(fault.meaning(), FaultMeaning::ForeignCertificate, "{fault:?}");
}
