//! Mail with tokens of OAuth 2.0 in place of passwords: Dovecot asks a token server whether a token
//! is good, and is what Postfix asks in turn.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::Router;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use quoin_access_point::config::{ConfigSecret, MailTokenSection};
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_formats::samples::invoice;
use quoin_lab::lab::network::{ClaimedPort, RECEIVER, SENDER};
use reqwest::Method;
use serde_json::{Value, json};

use super::inbound::{head, mail};
use super::servers::{Dovecot, Postfix, USER};
use crate::stage::caller::Answered;
use crate::stage::{PATIENCE, Play, Stage, until};

const SECRET: &str = "secret-of-the-client";
const REFRESH: &str = "refresh-0";

/// What the token server knows.
#[derive(Default)]
struct Tokens {
    asked: Vec<BTreeMap<String, String>>,
    good: Option<String>,
    refresh: usize,
}

/// A token server: it gives tokens, and tells of each whether it is good. The newest is.
#[derive(Clone, Default)]
struct TokenServer(Arc<Mutex<Tokens>>);

type Fields = BTreeMap<String, String>;

async fn give(
    State(server): State<TokenServer>,
    headers: HeaderMap,
    Form(form): Form<Fields>,
) -> (StatusCode, Json<Value>) {
    let mut tokens = server.0.lock().unwrap();
    tokens.asked.push(form.clone());
    let no = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error })));
    let said = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let mut answer = json!({ "token_type": "Bearer", "expires_in": 3_600 });
    match said("grant_type") {
        "refresh_token" if said("refresh_token") == format!("refresh-{}", tokens.refresh) => {
            tokens.refresh += 1;
            answer["refresh_token"] = json!(format!("refresh-{}", tokens.refresh));
        }
        "client_credentials" => {
            let shown = headers.get("authorization").and_then(|value| value.to_str().ok());
            let known = data_encoding::BASE64.encode(format!("quoin:{SECRET}").as_bytes());
            if shown != Some(&format!("Basic {known}")) {
                return no(&format!("invalid_client: {}", shown.unwrap_or_default()));
            }
        }
        _ => return no("invalid_grant"),
    }
    if said("scope") != "mail" {
        return no("invalid_scope");
    }
    let token = format!("token-{}", tokens.asked.len());
    tokens.good = Some(token.clone());
    answer["access_token"] = json!(token);
    (StatusCode::OK, Json(answer))
}

async fn tell(State(server): State<TokenServer>, Form(form): Form<Fields>) -> Json<Value> {
    let is_good = form.get("token") == server.0.lock().unwrap().good.as_ref();
    Json(json!({ "active": is_good, "username": USER, "scope": "mail" }))
}

impl TokenServer {
    /// Opens it; its address.
    async fn open(&self) -> String {
        let routes = Router::new().route("/token", post(give)).route("/introspect", post(tell));
        let address = "127.0.0.1:0".parse().unwrap();
        let door = Door { name: "tokens", address, tls: None, limits: DoorLimits::default() };
        door.open(routes.with_state(self.clone()), Shutdown::default()).await.unwrap().url()
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().asked.len()
    }

    /// From now on no token is good that it gave.
    fn revoke(&self) {
        self.0.lock().unwrap().good = None;
    }
}

/// Dovecot that takes tokens in these ways, and is asked by Postfix at a port.
fn dovecot(stage: &Stage, tokens: &str, ways: &str, sasl: &ClaimedPort) -> Option<Dovecot> {
    std::fs::create_dir_all(stage.folder.path()).unwrap();
    let file = stage.folder.path().join("oauth2.conf");
    let text = format!(
        "introspection_mode = post\nintrospection_url = {tokens}/introspect\n\
         username_attribute = username\nactive_attribute = active\nactive_value = true\n"
    );
    std::fs::write(&file, text).unwrap();
    let more = format!(
        "auth_mechanisms = plain {ways}\npassdb {{\n  driver = oauth2\n  mechanisms = {ways}\n\
         \x20 args = {}\n}}\nservice auth {{\n  inet_listener {{\n    address = 127.0.0.1\n\
         \x20   port = {}\n  }}\n}}\n",
        file.display(),
        sasl.number
    );
    Dovecot::with(stage.folder.path(), &stage.around.pki, &more)
}

fn claimed() -> ClaimedPort {
    ClaimedPort::claim().unwrap()
}

/// A service that looks every second.
async fn play(stage: Stage) -> Play {
    stage.play_with(|one, _| one.network.folder_seconds = 1).await
}

async fn put(play: &Play, dovecot: &Dovecot, secret: &str, init: Value) -> Answered {
    let action =
        format!("mailfrom://{USER}@127.0.0.1:{}/INBOX?from=shop.test{secret}", dovecot.port);
    let hook = json!({ "id": "post", "action": action, "topics": ["Send*"], "init": init });
    let headers = [("content-type", "application/json")];
    let path = format!("/api/v1/{SENDER}/hook");
    let sender = play.sender().await;
    sender.call(Method::PUT, &path, &headers, Some(hook.to_string())).await.unwrap()
}

fn client(tokens: &str, scope: &str) -> Value {
    json!({ "tokenUrl": format!("{tokens}/token"), "clientId": "quoin", "clientSecret": SECRET,
            "scope": scope })
}

/// Puts a mail with an invoice into the mailbox, and waits until it is set aside.
async fn is_taken(dovecot: &Dovecot, number: &str) {
    let before = dovecot.mails("done").len();
    let document = invoice(SENDER, RECEIVER, number);
    let file = ("application/xml", "one.xml", document.as_str());
    dovecot.deliver(&mail(&head("a@shop.test", number), &[file]));
    let taken = async || (dovecot.mails("done").len() > before).then_some(());
    until("the mail is taken", taken).await;
}

/// The event that tells of the mailbox, with a word in it.
async fn told(play: &Play, word: &str) -> Value {
    let about = |told: &quoin_lab::lab::sink::ReceivedCall| {
        told.text("topic") == "FolderError" && told.text("message").contains(word)
    };
    let found = play.stage.around.sink.wait_for(PATIENCE, about).await;
    let told = found.unwrap_or_else(|| panic!("{word} was not told"));
    for secret in [SECRET, "another one", "Basic cXVv", "token-", REFRESH] {
        assert!(!told.payload.to_string().contains(secret), "{told:#?}");
    }
    told.payload
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_is_opened_by_a_token_that_is_kept_and_fetched_again_when_refused() {
    let (stage, tokens) = (Stage::set().await, TokenServer::default());
    let place = tokens.open().await;
    let Some(dovecot) = dovecot(&stage, &place, "oauthbearer xoauth2", &claimed()) else { return };
    let play = play(stage).await;
    let answer = put(&play, &dovecot, "", client(&place, "mail")).await;
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(answer.json["init"]["clientSecret"], "***", "{}", answer.json);
    is_taken(&dovecot, "OAUTH-1").await;
    is_taken(&dovecot, "OAUTH-2").await;
    assert_eq!(tokens.asked(), 1, "it is kept");
    tokens.revoke();
    is_taken(&dovecot, "OAUTH-3").await;
    assert_eq!(tokens.asked(), 2, "a refused one is fetched once more");
    // The same hook again keeps what is sealed.
    let mut again = client(&place, "mail");
    again["clientSecret"] = json!("***");
    assert_eq!(put(&play, &dovecot, "", again.clone()).await.status, 200);
    // Not for another endpoint, and never beside a password.
    again["tokenUrl"] = json!("https://tokens.example/token");
    put(&play, &dovecot, "", again).await.is_problem(400, "API400.Hook", "clientSecret");
    let both = put(&play, &dovecot, "#word", client(&place, "mail")).await;
    both.is_problem(400, "API400.Hook", "two ways to log in");
    let inside = put(&play, &dovecot, "", client("https://10.0.0.1", "mail")).await;
    inside.is_problem(400, "API400.Hook", "not a public address");
    let bare = json!({ "tokenUrl": "https://tokens.example/", "clientId": "quoin" });
    put(&play, &dovecot, "", bare).await.is_problem(400, "API400.Hook", "clientSecret or");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_of_a_token_is_told() {
    let (stage, tokens) = (Stage::set().await, TokenServer::default());
    let place = tokens.open().await;
    let Some(dovecot) = dovecot(&stage, &place, "oauthbearer", &claimed()) else { return };
    let play = play(stage).await;
    let nobody = claimed();
    let closed = format!("http://127.0.0.1:{}", nobody.number);
    let mut wrong = client(&place, "mail");
    wrong["clientSecret"] = json!("another one");
    for (init, word, code) in [
        (client(&place, "calendar"), "invalid_scope", "mailbox-login"),
        (wrong, "invalid_client", "mailbox-login"),
        (client(&closed, "mail"), "no token", "mailbox-unavailable"),
    ] {
        assert_eq!(put(&play, &dovecot, "", init).await.status, 200);
        let word = if word == "no token" { "onnection" } else { word };
        let payload = told(&play, word).await;
        assert_eq!(payload["details"]["code"], code, "{payload}");
    }
    assert_eq!(put(&play, &dovecot, "", client(&place, "mail")).await.status, 200);
    is_taken(&dovecot, "OAUTH-4").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_and_those_after_it_open_a_mailbox() {
    let (stage, tokens) = (Stage::set().await, TokenServer::default());
    let place = tokens.open().await;
    let Some(dovecot) = dovecot(&stage, &place, "xoauth2", &claimed()) else { return };
    let play = play(stage).await;
    let init = json!({ "tokenUrl": format!("{place}/token"), "clientId": "quoin", "scope": "mail",
                       "refreshToken": REFRESH });
    let answer = put(&play, &dovecot, "", init).await;
    assert_eq!(answer.json["init"]["refreshToken"], "***", "{}", answer.json);
    is_taken(&dovecot, "OAUTH-5").await;
    tokens.revoke();
    is_taken(&dovecot, "OAUTH-6").await;
    let asked = tokens.0.lock().unwrap().asked.clone();
    let shown: Vec<&str> = asked.iter().map(|form| form["refresh_token"].as_str()).collect();
    assert_eq!(shown, ["refresh-0", "refresh-1"], "each is used once");
    assert!(asked.iter().all(|form| form["client_id"] == "quoin"));
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_goes_out_by_a_token_and_what_comes_back_is_read_by_one() {
    let (stage, tokens) = (Stage::set().await, TokenServer::default());
    let (place, sasl) = (tokens.open().await, claimed());
    let Some(dovecot) = dovecot(&stage, &place, "oauthbearer xoauth2", &sasl) else { return };
    let more = format!(
        "smtpd_tls_security_level = may\nsmtpd_sasl_auth_enable = yes\nsmtpd_sasl_type = dovecot\n\
         smtpd_sasl_path = inet:127.0.0.1:{}\n\
         smtpd_relay_restrictions = permit_sasl_authenticated, reject\n",
        sasl.number
    );
    let Some(postfix) = Postfix::with(stage.folder.path(), &dovecot, 9, &more) else { return };
    let login = MailTokenSection {
        token_url: format!("{place}/token"),
        client_id: "quoin".to_owned(),
        client_secret: Some(ConfigSecret::new(SECRET)),
        scope: Some("mail".to_owned()),
        ..MailTokenSection::default()
    };
    let (imap, smtp) = (dovecot.port, postfix.port);
    let play = stage
        .play_with(|one, _| {
            one.network.folder_seconds = 1;
            one.retry.delivery_seconds = vec![0.2; 150];
            let mail = &mut one.mail;
            mail.server = Some(format!("smtp+starttls://127.0.0.1:{smtp}"));
            mail.username = Some(USER.to_owned());
            mail.from = Some("Invoices <invoices@story.test>".to_owned());
            mail.bounce_address = Some("bounces@story.test".to_owned());
            mail.bounce_mailbox = Some(format!("imaps://{USER}@127.0.0.1:{imap}/INBOX"));
            (mail.oauth, mail.bounce_oauth) = (Some(login.clone()), Some(login));
        })
        .await;
    let hook = json!({ "id": "out", "action": "mailto:books@story.test", "topics": ["Send*"] });
    let headers = [("content-type", "application/json")];
    let sender = play.sender().await;
    let answer = sender.call(Method::PUT, "/api/v1/hook", &headers, Some(hook.to_string())).await;
    assert_eq!(answer.unwrap().status, 200);
    for number in ["OAUTH-7", "OAUTH-8"] {
        let id = play.send(number).await;
        let told = play.ending(&id).await;
        assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
        // A token that is good no more is no matter of the document.
        tokens.revoke();
    }
    // What is no report is set aside: the mailbox was read.
    let read = async || (dovecot.mails("other").len() == 2).then_some(());
    until("both mails came and were looked at", read).await;
    let attempts = sender.get("/api/v1/events?limit=500").await.json.to_string();
    assert!(!attempts.contains(SECRET) && !attempts.contains("token-"));
}
