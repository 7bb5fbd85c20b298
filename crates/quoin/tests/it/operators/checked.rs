//! What `check-config` says and what a start finds are the same.

use std::path::Path;

use jiff::SignedDuration;
use quoin_access_point::config::{Config, KeyPlace, NextKey, PublishedEndpoint};
use quoin_delivery::EventId;
use quoin_lab::lab::pki::{LabPki, LeafCertificate, LeafRole, LeafValidity};
use quoin_server::start::checking::look;
use quoin_server::start::start;

use super::super::promises::duplicates::alarms;
use crate::stage::{Play, Stage, until};

/// A change of a configuration, and what is said of it.
struct Broken {
    change: fn(&mut Config, &Path),
    said: &'static str,
}

const BROKEN: &[Broken] = &[
    Broken {
        change: |config, folder| config.api.token_key_file = Some(folder.join("gone.key")),
        said: "gone.key (api.token_key_file)",
    },
    Broken {
        change: |config, folder| config.api.token_key_file = Some(folder.join("rubbish.pem")),
        said: "rubbish.pem",
    },
    Broken {
        change: |config, folder| config.tls.extra_ca_files = vec![folder.join("gone.pem")],
        said: "gone.pem (tls.extra_ca_files)",
    },
    Broken {
        change: |config, folder| config.tls.extra_ca_files = vec![folder.join("rubbish.pem")],
        said: "rubbish.pem",
    },
    Broken {
        change: |config, folder| {
            let certificate_file = Some(folder.join("rubbish.pem"));
            let endpoint = PublishedEndpoint { certificate_file, address: None };
            config.endpoints.insert("other".to_owned(), endpoint);
        },
        said: "rubbish.pem",
    },
    Broken {
        change: |config, _| config.provider.organisation = "no id/".to_owned(),
        said: "[provider] organisation",
    },
    Broken {
        change: |config, _| {
            config.listen.api.certificate_file.clone_from(&config.listen.as4.certificate_file);
            config.listen.api.key_file.clone_from(&config.access_point.key_file);
        },
        said: "door api: certificate and key are not usable",
    },
    Broken {
        change: |config, folder| config.listen.as4.certificate_file = Some(folder.join("gone.pem")),
        said: "gone.pem (listen.as4.certificate_file)",
    },
    Broken {
        change: |config, folder| config.listen.smp.key_file = Some(folder.join("rubbish.pem")),
        said: "door smp: the PEM text holds no private key",
    },
    Broken {
        change: |config, folder| config.smp.key_file = Some(folder.join("gone.key")),
        said: "gone.key (smp.key_file)",
    },
    Broken {
        change: |config, folder| config.trust.ap_anchors = vec![folder.join("rubbish.pem")],
        said: "rubbish.pem",
    },
    Broken {
        change: |config, _| {
            std::fs::create_dir_all(&config.data_dir).unwrap();
            std::fs::write(config.data_dir.join("store.key"), "no key").unwrap();
        },
        said: "store.key: expected 32 bytes",
    },
    Broken {
        change: |config, _| {
            std::fs::create_dir_all(&config.data_dir).unwrap();
            std::fs::write(config.data_dir.join("continuity.json"), "{}").unwrap();
        },
        said: "has no database, but a note of its last commit lies there",
    },
    Broken {
        change: |config, _| {
            std::fs::create_dir_all(&config.data_dir).unwrap();
            std::fs::write(config.data_dir.join("store.key"), "7".repeat(64)).unwrap();
            std::fs::write(config.data_dir.join("blobs"), "no folder").unwrap();
        },
        said: "/blobs: ",
    },
    Broken {
        change: |config, _| {
            std::fs::create_dir_all(config.data_dir.join("quoin.db-shm")).unwrap();
            std::fs::write(config.data_dir.join("store.key"), "7".repeat(64)).unwrap();
        },
        said: "quoin.db-shm: ",
    },
    Broken {
        change: |config, _| {
            let trust = &mut config.trust;
            std::mem::swap(&mut trust.ap_intermediates, &mut trust.smp_intermediates);
        },
        said: "exchange trust.ap_intermediates",
    },
    Broken {
        change: |config, folder| {
            let _ = std::fs::remove_dir_all(&config.data_dir);
            let _ = std::fs::remove_file(&config.data_dir);
            std::os::unix::fs::symlink(folder.join("not-mounted"), &config.data_dir).unwrap();
        },
        said: "is its disk mounted?",
    },
    Broken {
        change: |config, _| {
            let own = config.access_point.certificate_file.clone().unwrap();
            config.trust.ap_anchors.push(own);
        },
        said: "is no authority",
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn what_check_config_finds_keeps_the_service_from_starting_and_nothing_else() {
    let stage = Stage::set().await;
    let folder = stage.folder.path();
    std::fs::write(folder.join("rubbish.pem"), "rubbish").unwrap();
    let found = look(&stage.config_one());
    assert_eq!((found.missing.concat(), found.problems.concat()), (String::new(), String::new()));
    for Broken { change, said } in BROKEN {
        let mut config = stage.config_one();
        config.data_dir = folder.join("broken");
        let _ = std::fs::remove_dir_all(&config.data_dir);
        let _ = std::fs::remove_file(&config.data_dir);
        change(&mut config, folder);
        let found = look(&config);
        let all = [found.missing, found.problems].concat();
        assert_eq!(all.len(), 1, "{said}: {all:?}");
        assert!(all[0].contains(said), "{said}: {all:?}");
        assert!(!found.certificates.is_empty(), "{said}: what is there is looked at");
        let started = start(config, stage.clock.clone()).await;
        assert!(started.is_err(), "{said}");
    }
    // All of it at once: one hides nothing of another.
    let mut config = stage.config_one();
    config.data_dir = folder.join("broken-at-once");
    for Broken { change, .. } in BROKEN.iter().step_by(3) {
        change(&mut config, folder);
    }
    let found = look(&config);
    for Broken { said, .. } in BROKEN.iter().step_by(3) {
        let all = [&found.missing[..], &found.problems[..]].concat();
        assert!(all.iter().any(|one| one.contains(said)), "{said}: {all:?}");
    }
    stage.start(stage.config_one()).await.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_certificate_that_ended_documents_wait_and_whoever_runs_it_is_told() {
    for validity in [LeafValidity::Expired, LeafValidity::NotYet] {
        let stage = Stage::set().await;
        let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000001", validity).unwrap();
        leaf.write(&stage.one.folder, "ap").unwrap();
        let config = look(&stage.config_one());
        let now = stage.clock.now();
        let wrong = config.certificates.iter().filter(|own| {
            own.standing(now) != quoin_access_point::trust::CertificateStanding::Valid
        });
        assert_eq!(wrong.map(|own| own.used.name()).collect::<Vec<_>>(), ["access-point"]);
        let play = stage.play_with(|one, _| one.retry.delivery_seconds = vec![3_600.0]).await;
        let id = play.send("OWN-CERTIFICATE").await;
        let attempts = until("an attempt is made", async || {
            Some(play.attempts(&id).await).filter(|attempts| !attempts.is_empty())
        })
        .await;
        assert_eq!(attempts[0].code.as_deref(), Some("SEAL"), "{attempts:?}");
        assert_eq!(play.times(&id, "InvoiceSentError"), 0, "it waits");
        let told = until("the alarm", async || {
            alarms(&play.one, "certificate-ended").await.into_iter().next()
        })
        .await;
        assert!(told.message.contains("access-point of CN=POP000001"), "{}", told.message);
        play.stage.clock.advance(SignedDuration::from_secs(1));
    }
}

/// It is told when it ends, and not an hour later.
#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_ends_while_the_service_runs_is_told_then() {
    let play = Play::begin().await;
    let clock = play.stage.clock.clone();
    let own = play.one.parts.certificates.iter().find(|own| own.used.name() == "access-point");
    let end = own.unwrap().certificate.not_after();
    clock.advance(end.duration_since(clock.now()) - SignedDuration::from_secs(20));
    let provider = play.one.parts.provider.as_ref().unwrap().organisation.clone();
    let expiring = async |days: &str| {
        let store = &play.one.parts.store;
        let all = store.events_since(&provider, EventId(0), 1_000).await.unwrap();
        let told = all.into_iter().find(|event| {
            event.topic.as_str() == "CertificateExpiring"
                && event.details["use"] == "access-point"
                && event.details["daysLeft"] == days
        });
        told.map(|event| event.message)
    };
    until("it ends soon", async || expiring("0").await).await;
    assert!(alarms(&play.one, "certificate-ended").await.is_empty());
    clock.advance(SignedDuration::from_secs(25));
    until("the alarm", async || alarms(&play.one, "certificate-ended").await.into_iter().next())
        .await;
    let told = until("the end", async || expiring("-1").await).await;
    assert!(told.contains(" ended at "), "{told}");
}

#[test]
fn check_config_says_which_certificates_cannot_be_used() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stage = runtime.block_on(Stage::set());
    let config = stage.config_one();
    let file = |name: &str, certificate: &Path| {
        let path = |file: &Option<std::path::PathBuf>| file.as_ref().unwrap().display().to_string();
        let (root, ap) = (&config.trust.ap_anchors[0], &config.trust.ap_intermediates[0]);
        let smp = &config.trust.smp_intermediates[0];
        let text = format!(
            "roles = ['as4', 'worker']\ndata_dir = 'data'\n[access_point]\ncertificate_file = \
             '{}'\nkey_file = '{}'\n[trust]\nap_anchors = ['{}']\nap_intermediates = ['{}']\n\
             smp_anchors = ['{}']\nsmp_intermediates = ['{}']\n",
            certificate.display(),
            path(&config.access_point.key_file),
            root.display(),
            ap.display(),
            root.display(),
            smp.display(),
        );
        let at = stage.folder.path().join(name);
        std::fs::write(&at, text).unwrap();
        at
    };
    let check = |file: &Path| {
        let mut quoin = std::process::Command::new(env!("CARGO_BIN_EXE_quoin"));
        let output = quoin.arg("check-config").arg(file).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let own = config.access_point.certificate_file.clone().unwrap();
    let (code, said) = check(&file("good.toml", &own));
    assert!(code == Some(0) && said.contains("good.toml: ok\n"), "{said}");
    let (code, said) = check(&file("gone.toml", Path::new("/gone/ap.pem")));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("missing: /gone/ap.pem (access_point.certificate_file)\n"), "{said}");
    for (validity, word) in
        [(LeafValidity::Expired, "\nENDED "), (LeafValidity::NotYet, "\nNOT YET ")]
    {
        let leaf = stage.around.pki.leaf(LeafRole::AccessPoint, "POP000001", validity).unwrap();
        leaf.write(&stage.one.folder, "ap").unwrap();
        let (code, said) = check(&file("ended.toml", &own));
        assert!(code == Some(2) && said.contains(word) && said.contains(": not ok\n"), "{said}");
    }
}

/// A service starts with what the network would refuse, since it may be the network that changes;
/// it is told before.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_would_believe_is_told_before_the_start() {
    let stage = Stage::set().await;
    let pki = &stage.around.pki;
    let other = LabPki::generate("http://127.0.0.1:1", stage.clock.now()).unwrap();
    let at = |name: &str, leaf: LeafCertificate, what: &str| {
        let (certificate, key) = leaf.write(&stage.folder.path().join(name), what).unwrap();
        KeyPlace::files(certificate, key)
    };
    let leaf = |pki: &LabPki, role, seat: &str, validity| pki.leaf(role, seat, validity).unwrap();
    let (ap, current) = (LeafRole::AccessPoint, LeafValidity::Current);
    let foreign = at("foreign", leaf(&other, ap, "POP000001", current), "ap");
    let seat = at("seat", leaf(pki, ap, "POP000009", current), "ap");
    let ended = at("ended", leaf(pki, ap, "POP000001", LeafValidity::Expired), "ap");
    let then = at("then", leaf(pki, ap, "POP000001", current), "ap");
    let smp = at("smp", leaf(pki, LeafRole::Smp, "POP000001", current), "smp");
    let in_hours = |hours| Some(stage.clock.now() + SignedDuration::from_hours(hours));
    let next = |key: &KeyPlace, from| Some(NextKey { from, key: key.clone() });
    let good = look(&stage.config_one());
    assert_eq!(good.doubts, [""; 0]);
    let doubted = |change: &dyn Fn(&mut Config)| {
        let mut config = stage.config_one();
        change(&mut config);
        look(&config).doubts
    };
    for (change, said) in [
        (
            &(|config: &mut Config| {
                config.access_point.certificate_file.clone_from(&foreign.certificate_file);
                config.access_point.key_file.clone_from(&foreign.key_file);
            }) as &dyn Fn(&mut Config),
            "the certificate access-point (CN=POP000001",
        ),
        (&|config| config.access_point.next = next(&seat, in_hours(1)), "POP000009"),
        (&|config| config.access_point.next = next(&then, in_hours(24 * 3650)), "before that"),
        (&|config| config.access_point.next = next(&then, in_hours(-24 * 30)), "a later time"),
        (&|config| config.access_point.next = next(&ended, in_hours(1)), "before that"),
        (&|config| config.smp.next = next(&smp, in_hours(24 * 3650)), "smp.next.from"),
        (&|config| config.access_point.old_keys = vec![smp.clone()], "one of an SMP"),
    ] {
        let doubts = doubted(change);
        assert!(doubts.iter().any(|doubt| doubt.contains(said)), "{said}: {doubts:?}");
    }
    // The present one ends, and nothing signs until the next one takes over.
    let doubts = doubted(&|config| {
        config.access_point.next = next(&then, in_hours(24 * 3650));
    });
    assert!(
        doubts.iter().any(|doubt| doubt.contains("the present certificate ends")),
        "{doubts:?}"
    );
    assert_eq!(doubted(&|config| config.access_point.next = next(&then, in_hours(1))), [""; 0]);
    let mut config = stage.config_one();
    config.access_point.old_keys = vec![smp];
    stage.start(config).await.stop().await;
}

/// What a register of the network says of a certificate that ended is about ours.
#[test]
fn the_register_of_participants_is_not_blamed_for_a_certificate_of_ours_that_ended() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stage = runtime.block_on(Stage::set());
    let leaf = stage.around.pki.leaf(LeafRole::Smp, "POP000001", LeafValidity::Expired).unwrap();
    let (certificate, key) = leaf.write(&stage.folder.path().join("ended"), "smp").unwrap();
    let file = stage.folder.path().join("sml.toml");
    let text = format!(
        "roles = ['smp']\n[smp]\npublic_url = 'https://smp.example.org'\ncertificate_file = '{}'\n\
         key_file = '{}'\n[sml]\nurl = 'https://127.0.0.1:9'\nsmp_id = 'SMP-1'\n[network]\n\
         allow_any_port = true\n",
        certificate.display(),
        key.display()
    );
    std::fs::write(&file, text).unwrap();
    for verb in ["show", "list"] {
        let mut quoin = std::process::Command::new(env!("CARGO_BIN_EXE_quoin"));
        let output = quoin.args(["sml", verb, "--config"]).arg(&file).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("The certificate of our SMP (CN=POP000001"), "{said}");
        assert!(said.contains(" ended at "), "{said}");
    }
}
