//! Tests of `card`: what is shown can be written back.

use quoin_access_point::enrolment::CardRequest;
use serde_json::{Value, json};

use super::*;

fn read(card: Value) -> CardRecord {
    serde_json::from_value::<CardRequest>(card).unwrap().read().unwrap()
}

#[test]
fn what_is_shown_can_be_written_back() {
    let card = read(json!({ "names": "Acme", "geoInfo": "Gent, BE" }));
    let shown = serde_json::to_value(view(&card, Some("help@acme.example"))).unwrap();
    assert_eq!(shown["emailAddress"]["state"], "inherited => on");
    let again = read(shown);
    assert_eq!(again.email.as_deref(), Some("help@acme.example"));
    assert_eq!(CardRecord { email: None, ..again }, card);
}
