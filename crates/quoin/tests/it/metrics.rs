//! What the service counts, as monitoring reads it: over HTTP, on a door of its own.

use quoin_access_point::config::{Config, ListenerSection};
use quoin_access_point::net::{client_tls, extra_roots};
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_rules::ValidationPolicy;
use quoin_server::start::Running;

use crate::official_rules::register;
use crate::stage::{Stage, until};
use crate::world::plain_client;

fn monitored(config: &mut Config) {
    config.listen.metrics = Some(ListenerSection::default());
}

/// The page of a service.
async fn page(service: &Running) -> String {
    let door = service.metrics.as_ref().expect("the door is open");
    let answer = plain_client().get(format!("{}/metrics", door.url())).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let kind = answer.headers().get("content-type").unwrap().to_str().unwrap().to_owned();
    assert_eq!(kind, "text/plain; version=0.0.4; charset=utf-8");
    answer.text().await.unwrap()
}

/// Waits until the page of a service has all of these lines; answers the page.
async fn has(service: &Running, lines: &[&str]) -> String {
    let wanted = format!("{lines:#?}");
    let look = async || {
        let page = page(service).await;
        lines.iter().all(|line| page.lines().any(|own| own == *line)).then_some(page)
    };
    until(&wanted, look).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_a_refusal_and_a_difference_are_counted() {
    let play = Stage::set()
        .await
        .play_with(|one, two| {
            monitored(one);
            monitored(two);
            // The built-in rules know nothing of this one, so that the engines differ on it.
            one.validation.policy = ValidationPolicy::Both;
            register(&one.data_dir, "1.0");
        })
        .await;
    let before = page(&play.one).await;
    assert!(before.contains("quoin_as4_sent_total{outcome=\"delivered\"} 0\n"), "{before}");
    assert!(before.contains("quoin_store_up 1\n"), "{before}");

    let sent = play.send("OK-1").await;
    assert_eq!(play.ending(&sent).await.text("topic"), "InvoiceSent");
    let refused = play.send("WRONG-1").await;
    assert_eq!(play.ending(&refused).await.text("topic"), "InvoiceSentError");
    let one = has(
        &play.one,
        &[
            "quoin_documents_judged_total{verdict=\"accepted\"} 1",
            "quoin_documents_judged_total{verdict=\"refused\"} 1",
            "quoin_engine_differences_total{rule_set=\"org.example:house:1.0\"} 1",
            "quoin_validation_seconds_count 2",
            "quoin_as4_sent_total{outcome=\"delivered\"} 1",
            "quoin_as4_sent_total{outcome=\"never\"} 0",
            "quoin_hook_calls_total{outcome=\"stopped\"} 0",
            "quoin_tasks{kind=\"deliver\",state=\"due\"} 0",
        ],
    )
    .await;
    // A call is counted after its answer, which may be a moment after the event was seen here.
    until("two calls of hooks are counted", async || {
        let page = page(&play.one).await;
        let called = page.lines().find_map(|line| {
            line.strip_prefix("quoin_hook_calls_total{outcome=\"delivered\"} ")?.parse::<u64>().ok()
        });
        called.filter(|called| *called >= 2)
    })
    .await;
    has(
        &play.two,
        &[
            "quoin_as4_received_total{outcome=\"accepted\"} 1",
            "quoin_as4_received_total{outcome=\"refused\"} 0",
            "quoin_documents_judged_total{verdict=\"accepted\"} 1",
        ],
    )
    .await;
    let all = one + &page(&play.two).await;
    for secret in [SENDER, RECEIVER, "WRONG-1", "OK-1", &sent, &play.stage.sender.organisation] {
        assert!(!all.contains(secret), "{secret} is told by\n{all}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_door_is_closed_unless_it_is_configured_and_no_other_door_shows_the_page() {
    let stage = Stage::set().await;
    let one = stage.start(stage.config_one()).await;
    assert!(one.metrics.is_none());
    let ca = extra_roots(&[stage.folder.path().join("tls-ca.pem")]).unwrap();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(client_tls(&ca).unwrap())
        .no_proxy()
        .build()
        .unwrap();
    for door in [&one.api, &one.as4, &one.smp] {
        let url = format!("{}/metrics", door.as_ref().unwrap().url());
        let answer = client.get(&url).send().await.unwrap();
        assert!(!answer.text().await.unwrap().contains("quoin_as4_sent_total"), "{url}");
    }
}
