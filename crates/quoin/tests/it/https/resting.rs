//! A destination that was left alone is left alone after a restart, too, over HTTPS and over SFTP.

use quoin_access_point::config::Config;
use quoin_lab::lab::network::SENDER;
use serde_json::{Value, json};

use super::server::{DocumentServer, ServerAct};
use super::{put, send};
use crate::sftp::server::{Cable, CableAct, OpenSsh};
use crate::stage::{Play, Stage, until};

/// Documents in a row that open a breaker in these stories.
const FAILURES: usize = 3;

fn patient(config: &mut Config) {
    config.breaker.failures = FAILURES;
    config.breaker.rest_seconds = 1800.0;
    // A document that failed comes back long after the story is over.
    config.retry.delivery_seconds = vec![3600.0; 7];
    config.limits.hook_timeout_seconds = 2;
}

/// Documents fail at a destination, the service begins again, and the next document waits.
async fn is_left_alone_again(stage: Stage, action: &str, code: &str, calls: impl Fn() -> usize) {
    let play = stage.play_with(|one, _| patient(one)).await;
    put(&play.sender().await, action, &["Send*"], &Value::Null).await;
    for _ in 0..FAILURES {
        let (id, _) = send(&play, 2, "?channel=posts").await;
        play.told(&id, &["InvoiceSentRetry"]).await;
    }
    let (before, Play { stage, one, two }) = (calls(), play);
    one.stop().await;
    let mut config = stage.config_one();
    patient(&mut config);
    let play = Play { one: stage.start(config).await, two, stage };
    let seen = play.sender().await.get(&format!("/api/v1/{SENDER}/destination")).await.json;
    assert_eq!(seen[0]["state"], "open", "{seen}");
    let (id, _) = send(&play, 2, "?channel=posts").await;
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let waits = async || {
        let lines = play.sender().await.get(&path).await.json;
        lines.as_array()?.iter().find(|line| line["name"] == "Postponed").cloned()
    };
    assert_eq!(until("it waits", waits).await["code"], json!(code));
    assert_eq!((play.attempts(&id).await.len(), calls()), (0, before), "nobody was called");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_web_server_is_left_alone_after_a_restart() {
    let stage = Stage::set().await;
    let server = DocumentServer::beside(&stage).await;
    server.always(Some(ServerAct::Answer(503, "", "")));
    let url = server.url("/in");
    is_left_alone_again(stage, &url, "https-resting", || server.got().len()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_folder_is_left_alone_after_a_restart() {
    let stage = Stage::set().await;
    let Some(ssh) = OpenSsh::start(stage.folder.path()) else { return };
    let cable = Cable::lay(ssh.port, &[CableAct::Cut(0); 200]).await;
    let action = ssh.confirmed_at(cable.port);
    is_left_alone_again(stage, &action, "sftp-resting", || cable.connections()).await;
}
