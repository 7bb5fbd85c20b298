//! What it costs to sign in and to fail: who exists cannot be told from what is answered or from
//! how much work it takes. The work is counted, not timed.

use data_encoding::BASE64;
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{World, answer, world};

/// The answer to a sign-in, and how many passwords were checked for it.
async fn cost(world: &World, form: &str) -> (u16, Value, u64) {
    let before = world.passwords.checks();
    let (status, body) = world.token(form).await;
    (status, body, world.passwords.checks() - before)
}

fn person(name: &str, password: &str) -> String {
    format!("grant_type=password&username={name}&password={password}")
}

fn machine(id: &str, secret: &str) -> String {
    format!("grant_type=client_credentials&client_id={id}&client_secret={secret}")
}

#[tokio::test]
async fn a_wrong_name_costs_as_much_as_a_wrong_password() {
    let world = world().await;
    world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    for (name, body) in [
        ("locked", json!({ "password": "correct horse", "isActive": false })),
        ("elsewhere", json!({})),
    ] {
        let mut user = body;
        user["name"] = json!(name);
        assert_eq!(boss.json(Method::PUT, "/api/v1/user", user).await.0, 200);
    }
    assert_eq!(cost(&world, &person("alice", "correct+horse")).await.2, 1);
    let wrong = cost(&world, &person("alice", "wrong+horse")).await;
    assert_eq!((wrong.0, wrong.2), (400, 1), "{}", wrong.1);
    for (name, password) in [
        ("nobody", "wrong+horse"),
        ("nobody", "nobody+has+this+one"),
        ("locked", "correct+horse"),
        ("elsewhere", "wrong+horse"),
        ("acme/alice", "wrong+horse"),
        ("other/alice", "correct+horse"),
        ("acme-erp", "acme-secret"),
        ("nowhere/alice", "correct+horse"),
    ] {
        assert_eq!(cost(&world, &person(name, password)).await, wrong, "{name}");
    }
}

#[tokio::test]
async fn a_wrong_client_id_costs_as_much_as_a_wrong_secret() {
    let world = world().await;
    let wrong = cost(&world, &machine("acme-erp", "wrong")).await;
    assert_eq!((wrong.0, wrong.2), (401, 0), "{}", wrong.1);
    for (id, secret) in [("nobody", "wrong"), ("nobody", ""), ("alice", "correct+horse")] {
        assert_eq!(cost(&world, &machine(id, secret)).await, wrong, "{id}");
    }
}

/// What is heard at the operations that take HTTP basic, and what it costs.
async fn basic(world: &World, name: &str, secret: &str) -> (u16, Value, u64) {
    let before = world.passwords.checks();
    let pair = BASE64.encode(format!("{name}:{secret}").as_bytes());
    let request = world.http.get(format!("{}/smp/list", world.base));
    let (status, body) = answer(request.header("authorization", format!("Basic {pair}"))).await;
    let heard = json!([body["code"], body["detail"]]);
    (status, heard, world.passwords.checks() - before)
}

#[tokio::test]
async fn with_http_basic_clients_users_and_nobody_cannot_be_told_apart() {
    let world = world().await;
    world.user("alice").await;
    let wrong = basic(&world, "acme-boss", "wrong").await;
    assert_eq!((wrong.0, wrong.2), (401, 1), "{}", wrong.1);
    for (name, secret) in [("nobody", "wrong"), ("alice", "wrong"), ("other-erp", "boss-secret")] {
        assert_eq!(basic(&world, name, secret).await, wrong, "{name}");
    }
    // The right secret of a client costs no password, and the brake holds for all alike.
    assert_eq!(basic(&world, "acme-boss", "boss-secret").await.2, 0);
    for name in ["acme-boss", "alice", "nobody"] {
        let mut last = wrong.clone();
        for _ in 0..5 {
            last = basic(&world, name, "wrong").await;
        }
        assert_eq!(last.0, 429, "{name}");
    }
    assert_eq!(basic(&world, "acme-boss", "boss-secret").await.0, 429, "with the right one too");
}
