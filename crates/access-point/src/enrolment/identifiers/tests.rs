//! Tests of `identifiers`: the Belgian rule, check digits, registers that are closed.

use super::*;

fn all(main: &str, more: &[&str]) -> Result<Vec<String>, String> {
    let more: Vec<String> = more.iter().map(|text| (*text).to_owned()).collect();
    let now: Timestamp = "2026-08-01T00:00:00Z".parse().unwrap();
    of_party(&main.parse().unwrap(), &more)
        .and_then(|all| check_new(&all, &[], now).map(|()| all))
        .map(|all| all.iter().map(ToString::to_string).collect())
        .map_err(|error| format!("{} {error}", error.code()))
}

#[test]
fn a_belgian_vat_number_brings_its_enterprise_number_in_front() {
    for main in ["9925:BE0123456749", "BE:VAT:BE0123456749"] {
        assert_eq!(all(main, &[]).unwrap(), ["0208:0123456749", "9925:BE0123456749"], "{main}");
    }
    let given = all("9925:BE0123456749", &["BE:EN:0123456749"]).unwrap();
    assert_eq!(given, ["0208:0123456749", "9925:BE0123456749"], "it is not given twice");
    assert_eq!(all("0208:0123456749", &[]).unwrap(), ["0208:0123456749"], "VAT is optional");
    assert_eq!(all("9925:BE1000000021", &[]).unwrap().len(), 2, "numbers that begin with 1");
}

#[test]
fn several_identifiers_are_one_party_in_numeric_form() {
    let all = all("NL:KVK:12345678", &["9944:NL123456782B01", "0106:12345678"]).unwrap();
    assert_eq!(all, ["0106:12345678", "9944:NL123456782B01"]);
}

#[test]
fn mistyped_numbers_and_closed_registers_are_refused() {
    for (main, word) in [
        ("9925:BE0000000000", "'9925:BE0000000000' is mistyped"),
        ("0208:0123456748", "check digits"),
        ("9925:BE0123456748", "check digits"),
        ("0106:1234567", "shape"),
        ("0190:123", "shape"),
        ("9944:NL12B01", "shape"),
        ("0088:7300010000002", "check digits"),
        ("0037:12345678", "removed"),
        ("0193:12345678", "no new registrations"),
        ("4321:12345678", "code list"),
    ] {
        let refused = all(main, &[]).unwrap_err();
        assert!(refused.starts_with("API400.PartyId"), "{main}: {refused}");
        assert!(refused.contains(word), "{main}: {refused}");
    }
}

#[test]
fn a_belgian_vat_number_without_its_country_loses_no_digits() {
    for main in ["9925:0123456749", "BE:VAT:0123456749"] {
        let of = of_party(&main.parse().unwrap(), &[]).unwrap();
        assert_eq!(of[0].as_str(), "0208:0123456749");
        let refused = all(main, &[]).unwrap_err();
        assert!(refused.contains("'9925:0123456749'") && refused.contains("'BE'"), "{refused}");
    }
    assert_eq!(all("9925:be0123456749", &[]).unwrap()[0], "0208:0123456749");
}
