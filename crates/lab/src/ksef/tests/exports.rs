//! Packages of invoices: whole in their parts, once for who asked, with an end, and within limits.

use jiff::SignedDuration;
use quoin_ksef::api::{ExportPackage, ExportStarted, ExportStatus};
use quoin_ksef::export::opened_package;
use quoin_ksef::package::SessionKey;
use serde_json::{Value, json};

use super::super::KsefLabSettings;
use super::caller::{Caller, NIP};

fn key() -> SessionKey {
    SessionKey::from_random([9; 48])
}

async fn signed_in(settings: KsefLabSettings) -> Caller {
    let quick = KsefLabSettings { auth_polls: 0, limits: false, ..settings };
    let mut caller = Caller::open(quick).await;
    caller.sign_in();
    caller
}

/// The body that asks for what was bought in the last hour.
fn body(caller: &Caller) -> Value {
    let keys = caller.lab.authority().public_keys();
    let since = caller.clock.now() - SignedDuration::from_hours(1);
    json!({
        "encryption": key().wrapped(&keys[0]).unwrap(),
        "filters": {"subjectType": "Subject2", "dateRange": {"dateType": "PermanentStorage",
            "from": since, "restrictToPermanentStorageHwmDate": true}},
    })
}

fn started(caller: &Caller, body: &Value) -> String {
    let answer = caller.call("POST", "invoices/exports", body.to_string().as_bytes()).unwrap();
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    let told: ExportStarted = serde_json::from_slice(&answer.body).unwrap();
    told.reference_number
}

fn status(caller: &Caller, reference: &str) -> ExportStatus {
    serde_json::from_value(caller.get(&format!("invoices/exports/{reference}"))).unwrap()
}

fn deposit(caller: &Caller, count: usize) {
    for number in 0..count {
        let day = caller.clock.now().to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
        let xml = super::super::sample_purchase(("1132191233", NIP), &format!("E/{number}"), &day);
        caller.lab.deposit(&xml, caller.clock.now()).unwrap();
    }
}

fn parts(caller: &Caller, package: &ExportPackage) -> Vec<Vec<u8>> {
    let links = package.parts.iter().map(|part| part.url.splitn(4, '/').nth(3).unwrap());
    links.map(|path| caller.without_token("GET", path).unwrap().body).collect()
}

#[tokio::test]
async fn a_package_is_made_encrypted_and_ends() {
    let settings = KsefLabSettings {
        export_polls: 2,
        export_set: 5,
        export_part: 700,
        ..KsefLabSettings::default()
    };
    let caller = signed_in(settings).await;
    deposit(&caller, 7);
    let reference = started(&caller, &body(&caller));
    for _ in 0..2 {
        assert_eq!(status(&caller, &reference).status.code, 100);
    }
    let package = status(&caller, &reference).package.unwrap();
    assert_eq!((package.invoice_count, package.is_truncated), (5, true));
    assert!(package.parts.len() > 1 && package.last_permanent_storage_date.is_some());
    let all = opened_package(&package, &parts(&caller, &package), &key()).unwrap();
    assert_eq!(all.len(), 5);
    assert!(all.iter().all(|one| one.xml.starts_with(b"<?xml")));
    // Nobody else sees it, and a token has no place at its links.
    let mut other = caller.of("7811767696");
    other.sign_in();
    let path = format!("invoices/exports/{reference}");
    assert_eq!(other.refused("GET", &path, &[])["errors"][0]["code"], 21_175);
    let link = package.parts[0].url.splitn(4, '/').nth(3).unwrap();
    assert_eq!(caller.call("GET", link, &[]).unwrap().status, 401);
    // Its links end, and then it does.
    caller.clock.advance(SignedDuration::from_mins(61));
    assert_eq!(caller.without_token("GET", link).unwrap().status, 403);
    caller.clock.advance(SignedDuration::from_hours(24));
    let mut later = caller;
    later.sign_in();
    assert_eq!(status(&later, &reference).status.code, 210);
}

#[tokio::test]
async fn what_cannot_be_exported_is_said() {
    let caller = signed_in(KsefLabSettings::default()).await;
    deposit(&caller, 1);
    let with = |path: &[&str], value: Value| {
        let mut body = body(&caller);
        let place = path.iter().fold(&mut body, |at, name| &mut at[*name]);
        *place = value;
        body
    };
    let ends = |body: &Value| {
        let reference = started(&caller, body);
        status(&caller, &reference);
        status(&caller, &reference).status.code
    };
    let noise = data_encoding::BASE64.encode(&[7; 256]);
    assert_eq!(ends(&with(&["encryption", "encryptedSymmetricKey"], json!(noise))), 415);
    let tomorrow = caller.clock.now() + SignedDuration::from_hours(24);
    let later = json!({"dateType": "PermanentStorage", "from": caller.clock.now(),
        "to": tomorrow, "restrictToPermanentStorageHwmDate": true});
    let at_once = with(&["filters", "dateRange"], later);
    assert!([200, 420].contains(&ends(&at_once)));
    let future = json!({"dateType": "PermanentStorage", "from": tomorrow,
        "to": tomorrow + SignedDuration::from_hours(1), "restrictToPermanentStorageHwmDate": true});
    assert_eq!(ends(&with(&["filters", "dateRange"], future)), 420);
    let refused = |body: &Value| {
        let told = caller.refused("POST", "invoices/exports", body.to_string().as_bytes());
        told["errors"][0]["code"].as_u64().unwrap()
    };
    assert_eq!(refused(&with(&["encryption", "publicKeyId"], json!("?".repeat(44)))), 21_470);
    let long = json!({"dateType": "PermanentStorage", "from": "2026-01-01T00:00:00Z",
        "to": "2026-06-01T00:00:00Z"});
    assert_eq!(refused(&with(&["filters", "dateRange"], long)), 21_405);
    assert_eq!(refused(&json!({})), 21_405);
    // Ten that are not made yet, and no more.
    for _ in 0..10 {
        started(&caller, &body(&caller));
    }
    assert_eq!(refused(&body(&caller)), 21_182);
}
