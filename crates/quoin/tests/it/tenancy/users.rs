//! Users: administration, the password grant, links to parties, and what they see.

use jiff::SignedDuration;
use quoin_store::{AccountRole, UserChange};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{As, World, world};

const PARTY: &str = "0106:12345678";
const PASSWORD: &str = "correct horse";

impl World {
    /// The answer to a token request.
    pub async fn token(&self, form: &str) -> (u16, Value) {
        let request = self
            .http
            .post(format!("{}/connect/token", self.base))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        crate::world::answer(request).await
    }

    /// A user of acme, made by its ApManager, with its token.
    pub async fn user(&self, name: &str) -> As {
        let boss = self.client("acme-boss", "boss-secret").await;
        let body = json!({ "name": name, "password": PASSWORD });
        let (status, user) = boss.json(Method::PUT, "/api/v1/user", body).await;
        assert_eq!(status, 200, "{user}");
        self.sign_in(name).await
    }

    /// A user of an organisation with the role ApManager.
    pub async fn manager(&self, organisation: &str) -> As {
        let hash = self.passwords.hash(PASSWORD).await.unwrap();
        let change = UserChange {
            password_hash: Some(hash),
            role: Some(AccountRole::ApManager),
            ..UserChange::default()
        };
        let owner = organisation.parse().unwrap();
        self.store.put_user(&owner, "head", change, self.clock.now()).await.unwrap();
        self.sign_in(&format!("{organisation}/head")).await
    }

    pub async fn sign_in(&self, name: &str) -> As {
        let form = format!("grant_type=password&username={name}&password=correct+horse&scope=ap");
        let (status, body) = self.token(&form).await;
        assert_eq!(status, 200, "{body}");
        As::with_token(&self.base, body["access_token"].as_str().unwrap())
    }
}

#[tokio::test]
async fn a_user_signs_in_with_name_and_password() {
    let world = world().await;
    let alice = world.user("alice").await;
    let (_, me) = alice.get("/api/v1/me").await;
    assert_eq!((&me["name"], &me["role"]), (&json!("alice"), &json!("ApUser")));
    assert_eq!(me["parties"], json!([]), "a new user sees no party");
    let form = "grant_type=password&username=alice&password=correct+horse";
    for (more, status) in [
        ("&scope=openid+ap", 200),
        ("&scope=root", 400),
        ("&client_id=acme-erp&client_secret=acme-secret", 200),
        ("&client_id=acme-erp&client_secret=wrong", 401),
        ("&client_id=other-erp&client_secret=other-secret", 400),
    ] {
        let (found, body) = world.token(&format!("{form}{more}")).await;
        assert_eq!(found, status, "{more} {body}");
    }
    let (_, body) = world.token(&format!("{form}&scope=openid+ap")).await;
    assert_eq!((&body["scope"], &body["expires_in"]), (&json!("openid ap"), &json!(3600)));
    let (status, body) = world.token(&form.replace("horse", "house")).await;
    assert_eq!((status, &body["error"]), (400, &json!("invalid_grant")));
}

#[tokio::test]
async fn guessing_a_password_is_slowed_down() {
    let world = world().await;
    world.user("alice").await;
    let wrong = "grant_type=password&username=alice&password=wrong+horse";
    for _ in 0..5 {
        assert_eq!(world.token(wrong).await.0, 400);
    }
    let right = "grant_type=password&username=alice&password=correct+horse";
    assert_eq!(world.token(right).await.0, 429);
    world.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(world.token(right).await.0, 200);
}

#[tokio::test]
async fn users_of_one_name_in_two_organisations_are_told_apart() {
    let world = world().await;
    world.user("alice").await;
    let hash = world.passwords.hash("another horse").await.unwrap();
    let change = UserChange { password_hash: Some(hash), ..UserChange::default() };
    let other = "other".parse().unwrap();
    world.store.put_user(&other, "alice", change, world.clock.now()).await.unwrap();
    for (name, password, organisation) in [
        ("alice", "correct+horse", "acme"),
        ("alice", "another+horse", "other"),
        ("other/alice", "another+horse", "other"),
    ] {
        let form = format!("grant_type=password&username={name}&password={password}");
        let (status, body) = world.token(&form).await;
        assert_eq!(status, 200, "{form} {body}");
        let alice = As::with_token(&world.base, body["access_token"].as_str().unwrap());
        assert_eq!(alice.get("/api/v1/me").await.1["organisationId"], organisation);
    }
    let crossed = "grant_type=password&username=other/alice&password=correct+horse";
    assert_eq!(world.token(crossed).await.0, 400);
}

/// A user of that name in an organisation, whose password is this one.
async fn namesake(world: &World, organisation: &str, name: &str, password: &str) {
    let hash = world.passwords.hash(password).await.unwrap();
    let change = UserChange { password_hash: Some(hash), ..UserChange::default() };
    let owner = organisation.parse().unwrap();
    world.store.put_user(&owner, name, change, world.clock.now()).await.unwrap();
}

/// The status of a sign-in and the organisation that it leads to.
async fn enters(world: &World, name: &str, password: &str) -> (u16, Value) {
    let form = format!("grant_type=password&username={name}&password={password}");
    let (status, body) = world.token(&form).await;
    let Some(token) = body["access_token"].as_str() else { return (status, Value::Null) };
    let me = As::with_token(&world.base, token).get("/api/v1/me").await.1;
    (status, me["organisationId"].clone())
}

/// A password that fits one's own user is tried at the users of that name elsewhere, too: they
/// count it, and after as many as anybody may try they are not looked at.
#[tokio::test]
async fn a_user_made_for_it_is_no_help_in_guessing_at_a_namesake() {
    let world = world().await;
    world.user("alice").await;
    let own = (200, json!("other"));
    for number in 0..5 {
        namesake(&world, "other", "alice", &format!("guess {number}")).await;
        assert_eq!(enters(&world, "alice", &format!("guess+{number}")).await, own, "{number}");
    }
    namesake(&world, "other", "alice", "correct horse").await;
    assert_eq!(enters(&world, "alice", "correct+horse").await, own, "right as if it were wrong");
    // Whom others keep waiting says where it belongs.
    let told = enters(&world, "acme/alice", "correct+horse").await;
    assert_eq!(told, (200, json!("acme")));
    world.clock.advance(SignedDuration::from_secs(61));
    let form = "grant_type=password&username=alice&password=correct+horse";
    let (status, both) = world.token(form).await;
    let text = both["error_description"].as_str().unwrap();
    assert!(status == 400 && text.contains("organisation/name"), "{both}");
}

#[tokio::test]
async fn who_names_its_organisation_is_found_among_any_number_of_namesakes() {
    let world = world().await;
    let hash = world.passwords.hash("not this one").await.unwrap();
    for number in 10..30 {
        let id: quoin_delivery::OrganisationId = format!("org{number}").parse().unwrap();
        let (name, created_on) = (format!("Organisation {number}"), world.clock.now());
        let organisation = quoin_store::Organisation { id: id.clone(), name, created_on };
        world.store.put_organisation(organisation).await.unwrap();
        let change = UserChange { password_hash: Some(hash.clone()), ..UserChange::default() };
        world.store.put_user(&id, "admin", change, world.clock.now()).await.unwrap();
    }
    namesake(&world, "org29", "admin", "correct horse").await;
    let own = (200, json!("org29"));
    assert_eq!(enters(&world, "org29/admin", "correct+horse").await, own);
    // Those that cannot sign in take no places.
    for number in 10..29 {
        let off = UserChange { active: Some(false), ..UserChange::default() };
        let id = format!("org{number}").parse().unwrap();
        world.store.put_user(&id, "admin", off, world.clock.now()).await.unwrap();
    }
    assert_eq!(enters(&world, "admin", "correct+horse").await, own);
}

#[tokio::test]
async fn another_password_ends_the_tokens_of_a_user_and_switching_it_off_does_for_good() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let alice = world.user("alice").await;
    let renewed = json!({ "name": "alice", "role": "ApManager" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", renewed).await.0, 200);
    assert_eq!(alice.get("/api/v1/me").await.0, 200, "another role is read at each request");
    let changed = json!({ "name": "alice", "password": "another horse" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", changed).await.0, 200);
    let (status, body) = alice.get("/api/v1/me").await;
    assert_eq!((status, &body["code"]), (401, &json!("API401.Invalid")), "{body}");
    let said = body["detail"].as_str().unwrap();
    assert!(said.contains("has ended") && said.contains("password"), "it is active: {said}");
    let form = "grant_type=password&username=alice&password=another+horse";
    let (_, body) = world.token(form).await;
    let alice = As::with_token(&world.base, body["access_token"].as_str().unwrap());
    for (is_active, status) in [(true, 200), (false, 401), (true, 401)] {
        let body = json!({ "name": "alice", "isActive": is_active });
        assert_eq!(boss.json(Method::PUT, "/api/v1/user", body).await.0, 200);
        let (found, body) = alice.get("/api/v1/me").await;
        assert_eq!(found, status, "{is_active}");
        let is_off = body["detail"].as_str().is_some_and(|said| said.contains("no active account"));
        assert_eq!(is_off, !is_active, "{body}");
    }
}

#[tokio::test]
async fn a_user_is_linked_to_parties_and_held_to_them() {
    let world = world().await;
    let alice = world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let list = format!("/api/v1/{PARTY}/purchaseInvoice");
    let (status, unlinked) = alice.get(&list).await;
    assert_eq!((status, &unlinked["code"]), (403, &json!("API403")));
    let body = json!({
        "id": "NL:KVK:12345678", "permissions": { "canReceiveDocument": true },
    });
    let (status, link) = boss.json(Method::PUT, "/api/v1/user/alice/party", body.clone()).await;
    assert_eq!((status, &link["id"]), (200, &json!(PARTY)), "{link}");
    assert_eq!(boss.json(Method::PUT, "/api/v1/user/alice/party", body).await.1, link);
    assert_eq!(alice.get(&list).await.0, 200);
    assert_eq!(alice.send(alice.xml(PARTY, "<Invoice/>")).await.0, 403);
    let (_, mine) = alice.get("/api/v1/me/party").await;
    assert_eq!(mine, json!([link]));
    assert_eq!(boss.get("/api/v1/user/alice/party").await.1, json!([link]));
    let gone = boss.request(Method::DELETE, "/api/v1/user/alice/party/NL%3AKVK%3A12345678");
    assert_eq!(boss.send(gone).await.0, 204);
    assert_eq!(alice.get(&list).await.0, 403);
    assert_eq!(boss.get("/api/v1/user/alice/party").await.1, json!([]));
}

#[tokio::test]
async fn what_is_taken_away_counts_at_once() {
    let world = world().await;
    let alice = world.user("alice").await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let manager = json!({ "name": "alice", "role": "ApManager" });
    assert_eq!(alice.get("/api/v1/user").await.1["code"], "API403.Role");
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", manager).await.0, 200);
    let (_, users) = alice.get("/api/v1/user").await;
    let names: Vec<_> = users.as_array().unwrap().iter().map(|user| &user["name"]).collect();
    assert_eq!(names, ["alice", "acme-boss", "acme-erp"]);
    assert!(!users.to_string().contains("argon2"), "{users}");
    let off = json!({ "name": "alice", "isActive": false });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", off).await.0, 200);
    assert_eq!(alice.get("/api/v1/me").await.1["code"], "API401.Invalid");
    let form = "grant_type=password&username=alice&password=correct+horse";
    assert_eq!(world.token(form).await.0, 400);
    assert_eq!(boss.send(boss.request(Method::DELETE, "/api/v1/user/alice")).await.0, 204);
    assert_eq!(boss.send(boss.request(Method::DELETE, "/api/v1/user/alice")).await.0, 404);
}

/// A name is given to somebody else in the same second: what its holder before was given is of no
/// use.
#[tokio::test]
async fn the_token_of_a_user_that_was_removed_is_not_that_of_the_next_one() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    let alice = world.user("alice").await;
    assert_eq!(alice.get("/api/v1/me").await.0, 200);
    assert_eq!(boss.send(boss.request(Method::DELETE, "/api/v1/user/alice")).await.0, 204);
    assert_eq!(alice.get("/api/v1/me").await.0, 401);
    let next = json!({ "name": "alice", "password": "another horse", "role": "ApManager" });
    assert_eq!(boss.json(Method::PUT, "/api/v1/user", next).await.0, 200);
    let (status, body) = alice.get("/api/v1/me").await;
    assert_eq!((status, &body["code"]), (401, &json!("API401.Invalid")), "{body}");
    let (status, body) =
        world.token("grant_type=password&username=alice&password=another+horse").await;
    assert_eq!(status, 200, "{body}");
    let next = As::with_token(&world.base, body["access_token"].as_str().unwrap());
    assert_eq!(next.get("/api/v1/me").await.0, 200);
}

#[tokio::test]
async fn each_bad_user_has_its_own_answer() {
    let world = world().await;
    let boss = world.client("acme-boss", "boss-secret").await;
    for (body, status, code) in [
        (json!({ "name": "" }), 400, "API400.User"),
        (json!({ "name": "a/b" }), 400, "API400.User"),
        (json!({ "name": "x".repeat(129) }), 400, "API400.User"),
        (json!({ "name": "bob", "password": "short" }), 400, "API400.User"),
        (json!({ "name": "bob", "role": "King" }), 400, "API400.Json"),
        (json!({ "name": "acme-erp" }), 409, "API409.Name"),
    ] {
        let (found, answer) = boss.json(Method::PUT, "/api/v1/user", body).await;
        assert_eq!((found, &answer["code"]), (status, &json!(code)), "{answer}");
    }
    for (method, path) in [
        (Method::DELETE, "/api/v1/user/nobody"),
        (Method::DELETE, "/api/v1/user/acme-erp"),
        (Method::GET, "/api/v1/user/nobody/party"),
        (Method::GET, "/api/v1/user/other-erp/party"),
    ] {
        let (status, answer) = boss.send(boss.request(method, path)).await;
        assert_eq!((status, &answer["code"]), (404, &json!("API404.User")), "{path}");
    }
    assert_eq!(world.user("bob").await.get("/api/v1/me").await.0, 200);
    let foreign = json!({ "id": "0208:0123456749", "permissions": {} });
    let (status, answer) = boss.json(Method::PUT, "/api/v1/user/bob/party", foreign).await;
    assert_eq!((status, &answer["code"]), (403, &json!("API403")));
}
