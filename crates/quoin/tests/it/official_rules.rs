//! Official rule files in a running service: they judge uploads, they are options of validation,
//! and what is registered meanwhile is taken over.

use jiff::Timestamp;
use quoin_access_point::rules::{Overrides, PackageFiles, Registry};
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_rules::ValidationPolicy;
use quoin_rules::official::Applies;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::caller::Caller;
use crate::stage::{Folder, Stage, until};

const RULES: &str = r#"<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">
<title>House rules</title>
<ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>
<ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>
<pattern id="house"><rule context="ubl:Invoice/cbc:ID">
<assert id="HOUSE-1" flag="fatal" test="starts-with(., 'OK-')">The number <value-of select="."/>
does not begin with OK-.</assert></rule></pattern></schema>"#;

/// Registers the house rules of a release in a data folder.
pub fn register(data: &std::path::Path, release: &str) {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    let file = folder.path().join("house.sch");
    std::fs::write(&file, RULES).unwrap();
    let applies = Applies { roots: vec!["Invoice".to_owned()], ..Applies::default() };
    let overrides = Overrides {
        coordinate: Some(format!("org.example:house:{release}").parse().unwrap()),
        applies: Some(applies),
        ..Overrides::default()
    };
    let package = PackageFiles::read(&file).unwrap();
    Registry::at(data).add(&package, &overrides, Timestamp::UNIX_EPOCH).unwrap();
}

async fn validated(caller: &Caller, option: &str, document: &str) -> Value {
    let path = format!("/api/v1/generic/validate?optionId={option}");
    let headers = [("content-type", "application/xml")];
    let answer = caller.call(Method::POST, &path, &headers, Some(document.to_owned()));
    let answer = answer.await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
    answer.json
}

#[tokio::test(flavor = "multi_thread")]
async fn registered_rules_judge_uploads_and_are_options() {
    let stage = Stage::set().await;
    let mut config = stage.config_one();
    config.validation.policy = ValidationPolicy::Official;
    let data = config.data_dir.clone();
    register(&data, "1.0");
    let one = stage.start(config).await;
    let sender = Caller::of(&stage, &one, &stage.sender).await;

    let invoice = samples::invoice(SENDER, RECEIVER, "WRONG-1");
    let id = Uuid::new_v4().to_string();
    assert_eq!(sender.send(SENDER, &id, invoice.clone()).await.status, 200);
    let status = until("the invoice is judged", async || {
        let (_, status) = sender.timeline(SENDER, &id).await;
        (status != "Pending").then_some(status)
    });
    assert_eq!(status.await, "Rejected");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = sender.get(&path).await.json.to_string();
    assert!(lines.contains("HOUSE-1") && lines.contains("WRONG-1"), "{lines}");

    let name = "org.example:house:1.0";
    let found = validated(&sender, name, &invoice).await;
    assert_eq!((&found["isValid"], &found["ruleSets"]), (&json!(false), &json!([name])));
    let [assertion] = &found["assertions"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&assertion["rule"], &assertion["ruleSet"]), (&json!("HOUSE-1"), &json!(name)));
    assert_eq!(assertion["location"], "/Invoice[1]/cbc:ID[1]");
    assert_eq!(assertion["value"], "WRONG-1");
    let right = samples::invoice(SENDER, RECEIVER, "OK-1");
    assert_eq!(validated(&sender, name, &right).await["isValid"], true);
    assert_eq!(validated(&sender, "builtin", &invoice).await["isValid"], true);

    register(&data, "2.0");
    let taken_over = until("the new release is an option", async || {
        let options = sender.get("/api/v1/generic/validate/options").await.json;
        let all = options.as_array().unwrap().clone();
        all.iter().any(|option| option["id"] == "org.example:house:2.0").then_some(all)
    });
    let states: Vec<(Value, Value)> = taken_over
        .await
        .iter()
        .map(|option| (option["id"].clone(), option["state"].clone()))
        .filter(|(id, _)| id.as_str().unwrap().starts_with("org.example"))
        .collect();
    assert_eq!(
        states,
        [
            (json!("org.example:house:1.0"), json!("previous")),
            (json!("org.example:house:2.0"), json!("active"))
        ]
    );
    one.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_does_not_start_with_rules_that_do_not_load() {
    let stage = Stage::set().await;
    let config = stage.config_one();
    register(&config.data_dir, "1.0");
    let registry = Registry::at(&config.data_dir);
    let (package, _) = registry.find("org.example:house:1.0").unwrap();
    let folder = config.data_dir.join("rules").join(&package.digest);
    std::fs::write(folder.join("files/house.sch"), "<schema>").unwrap();
    let error = quoin_server::start::start(config, stage.clock.clone()).await.err().unwrap();
    let error = error.to_string();
    assert!(error.contains("org.example:house:1.0") && error.contains("house.sch"), "{error}");
}
