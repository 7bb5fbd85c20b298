//! Names that no configuration has are told, whatever stands beside them.

use serde_json::json;

use super::*;

fn of(body: Value) -> Result<ConfigRequest, EnrolmentError> {
    ConfigRequest::of(body.as_object().unwrap().clone())
}

#[test]
fn a_misspelt_member_is_refused_with_null_too() {
    for name in ["businesscard", "foo", "Name", "capabilitees", "invoiceRespone"] {
        for value in [json!(null), json!({ "state": null })] {
            let refused = of(json!({ name: value })).unwrap_err();
            assert_eq!(refused.code(), "API400.Config");
            assert!(refused.to_string().contains(name), "{refused}");
        }
    }
    let all = [MEMBERS, SHOWN].concat();
    let nothing: Map<String, Value> =
        all.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let read = ConfigRequest::of(nothing).unwrap();
    assert!(matches!(read.business_card, Some(None)));
    assert!(of(json!({ "selfBilling": null, "INVOICES": { "state": null } })).is_ok());
}

/// Within `capabilities` there are capabilities alone.
#[test]
fn an_unknown_name_is_told_what_belongs_in_its_place() {
    let inside = of(json!({ "capabilities": { "foo": "on" } })).unwrap_err().to_string();
    assert!(inside.contains("invoices") && !inside.contains("businessCard"), "{inside}");
    let beside = of(json!({ "foo": "on" })).unwrap_err().to_string();
    assert!(beside.contains("invoices") && beside.contains("businessCard"), "{beside}");
}

#[test]
fn what_stands_beside_a_state_or_a_key_is_known() {
    for body in [
        json!({ "invoices": { "state": "on", "descripton": "x" } }),
        json!({ "capabilities": { "invoices": { "state": null, "foo": 1 } } }),
        json!({ "invoices": {} }),
        json!({ "invoices": 5 }),
        json!({ "migration": { "key": "Xb7#Lm2$Tk9%Wr4*", "kee": "x" } }),
        json!({ "migration": { "kee": "Xb7#Lm2$Tk9%Wr4*" } }),
    ] {
        assert_eq!(of(body.clone()).unwrap_err().code(), "API400.Config", "{body}");
    }
    let shown = json!({ "invoices": { "state": "inherited => on", "description": "BIS" } });
    let read = of(shown).unwrap();
    assert_eq!(read.capabilities["invoices"], CapabilitySetting::Inherited);
}

#[test]
fn an_organisation_has_a_mail_address_and_no_card() {
    let organisation = |card: Value| of(json!({ "businessCard": card })).unwrap().of_organisation();
    for (name, value) in [
        ("names", json!("A")),
        ("address", json!({ "value": "S, NL", "state": "on" })),
        ("geoInfo", json!("S, NL")),
        ("state", json!("off")),
    ] {
        let refused = organisation(json!({ name: value, "email": "a@b.example" })).unwrap_err();
        let words = format!("businessCard.{name} belongs to a party");
        assert!(refused.to_string().starts_with(&words), "{refused}");
    }
    assert!(organisation(json!({ "emailAddress": "a@b.example", "names": null })).is_ok());
    assert!(organisation(json!(null)).is_ok());
}
