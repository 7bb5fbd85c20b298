//! The hook: what it is given is checked, kept and never shown.

use quoin_lab::ksef::KsefLab;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_checked_and_never_shown() {
    let (play, lab) = play(quick(), 0).await;
    let shown = put_hook(&play, &lab).await;
    assert_eq!((&shown["hasSecret"], &shown["init"]), (&json!(true), &Value::Null));
    let sender = play.sender().await;
    let path = format!("/api/v1/{PARTY}/hook");
    let list = sender.get(&path).await.json.to_string();
    assert!(!list.contains("hasło-7") && !list.contains("MII"), "{list}");
    // Without an init the certificates stay.
    let (status, kept) = hook(&play, Value::Null).await;
    assert_eq!((status, &kept["hasSecret"]), (200, &json!(true)));
    for (change, word) in wrong(&lab) {
        let (status, answer) = hook(&play, change).await;
        assert_eq!((status, &answer["code"]), (400, &json!("API400.Hook")), "{answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(word), "{word:?} is not in {message:?}");
    }
    // Not for the environment.
    let headers = [("content-type", "application/json")];
    let body = json!({"action": "ksef", "topics": ["ClearInvoiceBatched"]}).to_string();
    let answer = sender.call(Method::POST, "/api/v1/hook", &headers, Some(body)).await.unwrap();
    assert_eq!(answer.status, 400, "{}", answer.json);
}

/// A hook that only fetches what others sold registers nothing; one with a filter registers what
/// the filter wants.
#[tokio::test(flavor = "multi_thread")]
async fn a_hook_registers_what_it_listens_to() {
    let (play, lab) = play(quick(), 0).await;
    let issue = |use_| lab.authority().issue(NIP, use_).unwrap();
    let (online, offline) = (issue(KsefUse::Authentication), issue(KsefUse::Offline));
    let init = json!({
        "onlineCertificate": online.inline(),
        "onlineCertificatePassword": online.password,
        "offlineCertificate": offline.inline(),
        "offlineCertificatePassword": offline.password,
    });
    let answer = hook_for(&play, init.clone(), &["ReceiveInvoice"]).await;
    assert_eq!(answer.0, 200, "{}", answer.1);
    let id = send(&play, "ONLY/1").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let (timeline, _) = play.sender().await.timeline(PARTY, &id).await;
    assert!(!timeline.iter().any(|name| name == "Clearing"), "{timeline:?}");
    assert_eq!(lab.registered().len(), 0);
    // Another one beside it registers one of two.
    let body = json!({
        "id": "another", "action": "ksef", "topics": ["ClearInvoiceBatched"], "init": init,
        "filter": "id == \"ONLY/3\"",
    });
    let headers = [("content-type", "application/json")];
    let (sender, path) = (play.sender().await, format!("/api/v1/{PARTY}/hook"));
    let saved = sender.call(Method::PUT, &path, &headers, Some(body.to_string())).await.unwrap();
    assert_eq!(saved.status, 200, "{}", saved.json);
    for number in ["ONLY/2", "ONLY/3"] {
        let id = send(&play, number).await;
        assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    }
    let registered = lab.registered();
    let numbers: Vec<&str> = registered.iter().map(|one| one.number()).collect();
    assert_eq!(numbers, ["ONLY/3"]);
}

/// What is not taken, and a word that tells why.
fn wrong(lab: &KsefLab) -> Vec<(Value, &'static str)> {
    let authority = lab.authority();
    let online = authority.issue(NIP, KsefUse::Authentication).unwrap();
    let offline = authority.issue(NIP, KsefUse::Offline).unwrap();
    let ended = authority.issue_for_days(NIP, KsefUse::Authentication, -1).unwrap();
    let init = |first: &str, password: &str, second: &str| {
        json!({
            "onlineCertificate": first,
            "onlineCertificatePassword": password,
            "offlineCertificate": second,
            "offlineCertificatePassword": offline.password,
        })
    };
    let (one, two) = (online.inline(), offline.inline());
    let mut odd = init(&one, &online.password, &two);
    odd["certificate"] = json!("x");
    let mut short = init(&one, &online.password, &two);
    short.as_object_mut().unwrap().remove("offlineCertificatePassword");
    vec![
        (json!({}), "onlineCertificate is missing"),
        (short, "offlineCertificatePassword is missing"),
        (odd, "\"certificate\""),
        (init("/etc/ksef/online.p12", &online.password, &two), "no base64"),
        (init("AAAA", &online.password, &two), "no PKCS#12 file"),
        (init(&one, "other", &two), "password does not open"),
        (init(&two, &offline.password, &one), "is not for authentication"),
        (init(&ended.inline(), &ended.password, &two), "ended at"),
    ]
}
