//! The document that is checked in is the one that is served.

use super::*;

#[test]
fn the_document_in_the_repository_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/openapi.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
        std::fs::write(path, json()).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == json(), "docs/reference/openapi.json is stale: run this test with UPDATE=1");
}

#[test]
fn it_is_openapi_3_1_and_every_operation_is_described() {
    let document: serde_json::Value = serde_json::from_str(&json()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 15);
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
            let named = path.matches('{').count();
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let in_path = parameters.iter().filter(|p| p["in"] == "path").count();
            assert_eq!(in_path, named, "{method} {path}");
        }
    }
}
