//! A skeleton is made from the newest release of its kind, and nothing else is.

use super::*;

const TABLE: &str = "mod mls_1_0_1;\nmod r2025_11;\nmod r2026_05;\n\npub(super) const PUBLISHER: \
                     RulePublisher = RulePublisher {\n    publications: &[r2025_11::RELEASE, \
                     r2026_05::RELEASE, mls_1_0_1::RELEASE],\n};\n";

fn text_of(module: &str) -> Result<String, String> {
    Ok(match module {
        "mls_1_0_1" => "//! MLS.\n\nuse crate::releases::{ALWAYS, Part};\n\n    name: \"mls-1.0.1\",\n    \
             published: ALWAYS,\n    coordinate: \"eu.peppol:mls:1.0.1\",\n"
            .to_owned(),
        "r2025_11" => "    name: \"2025-11\",\n".to_owned(),
        _ => "//! May.\n\nuse jiff::civil::date;\n\nuse crate::releases::{Part};\n\n\
              const TABLES: &str = \"2026-05\";\n    name: \"2026-05\",\n    \
              published: date(2026, 5, 18),\n    mandatory: date(2026, 8, 17),\n    \
              version: \"2026.5\",\n    sets: &[\"eu.cen:ubl:1.3.16\", \"eu.peppol:core:2026.5\"],\n    \
              coordinate: \"eu.peppol:core:2026.5\",\n    coordinate: \"eu.peppol:other:7.1\",\n"
            .to_owned(),
    })
}

fn made(version: &str, days: Option<&Days>) -> Result<Made, String> {
    make("peppol", TABLE, version, days, &text_of)
}

#[test]
fn a_release_is_made_from_the_newest_of_its_kind() {
    let made = made("2026-11", None).unwrap();
    assert_eq!(
        made.text,
        "//! peppol 2026-11: what is other than in 2026-05 is told here.\n\n\
         use crate::releases::{NOT_KNOWN, Part};\n\n\
         const TABLES: &str = \"2026-05\";\nname: \"2026-11\",\npublished: NOT_KNOWN,\n\
         mandatory: NOT_KNOWN,\n    version: \"2026.11\",\n    \
         sets: &[\"eu.cen:ubl:1.3.16\", \"eu.peppol:core:2026.11\"],\n    \
         coordinate: \"eu.peppol:core:2026.11\",\n    coordinate: \"eu.peppol:other:7.1\",\n"
    );
    assert_eq!(rows(&made.table), ["r2025_11", "r2026_05", "r2026_11", "mls_1_0_1"]);
    assert!(made.table.contains("mod r2026_05;\nmod r2026_11;\n"), "{}", made.table);
    assert_eq!(made.same, ["eu.peppol:other:7.1"]);
}

#[test]
fn days_that_are_known_are_written() {
    let days = days("2026-11-16", "2027-02-15").unwrap();
    let text = made("2026-11", Some(&days)).unwrap().text;
    assert!(text.contains("use jiff::civil::date;\n\nuse crate::releases::{Part};"), "{text}");
    assert!(text.contains("published: date(2026, 11, 16),\nmandatory: date(2027, 2, 15),"));
    let text = made("mls-1.1.0", Some(&days)).unwrap().text;
    assert!(text.contains("name: \"mls-1.1.0\"") && text.contains("\"eu.peppol:mls:1.1.0\""));
    assert!(text.contains("published: date(2026, 11, 16)") && !text.contains("ALWAYS"), "{text}");
}

#[test]
fn what_cannot_be_made_is_refused_in_a_sentence() {
    let refused = |version: &str| made(version, None).err().unwrap_or_default();
    assert!(refused("2026-05").contains("is there already; there are 2025-11, 2026-05, mls-1.0.1"));
    assert!(refused("2026-04").contains("is older than 2026-05"));
    assert!(refused("mlr-1.0").contains("has no release like mlr-1.0; it has"));
    assert!(refused("2.0").contains("has no release like 2.0"));
    for wrong in ["", "2026-13", "2026-1", "2026.", "7", "1..2", "May", "my-", "../1.2", "1.2-x"] {
        assert!(refused(wrong).contains("is no version: a month such as"), "{wrong}");
    }
    assert!(day("2026-02-31").is_err() && day("2025-02-29").is_err() && day("1999-12-31").is_err());
    assert_eq!(day("2028-02-29").unwrap(), "date(2028, 2, 29)");
    assert!(day("2026-11-32").is_err() && day("16.11.2026").is_err() && day("2026-1-16").is_err());
    assert!(days("2027-02-15", "2026-11-16").is_err());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
    assert_eq!(
        table(&folder, "nobody"),
        Err("there is no publisher nobody; there are cen, facturx, ksef, nlcius, peppol, pint, \
             tax_data, xrechnung"
            .to_owned())
    );
}

/// Every release of the house can be followed by another one.
#[test]
fn every_release_of_the_house_is_named_as_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
    for publisher in ["cen", "facturx", "nlcius", "peppol", "pint", "xrechnung"] {
        let table = table(&folder, publisher).unwrap();
        assert!(!rows(&table).is_empty(), "{publisher}");
        for module in rows(&table) {
            let text = read(&folder.join(publisher).join(format!("{module}.rs"))).unwrap();
            let name = text.split("name: \"").nth(1).and_then(|rest| rest.split('"').next());
            let version = Version::parse(name.unwrap()).unwrap();
            assert_eq!(version.module(), module, "{publisher}");
        }
    }
}
