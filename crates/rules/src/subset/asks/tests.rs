//! Every row of every table says what it asks, in every language.

use super::phrases::PHRASES;
use super::*;
use crate::subset::{sets, table};

#[test]
fn every_row_of_every_table_says_what_it_asks() {
    for set in sets() {
        let table = table(set.id, set.release).unwrap();
        assert_eq!(table.asked().count(), table.rows().count());
        for asked in table.asked() {
            assert!(!asked.places().is_empty(), "{}: {}", set.id, asked.row.id);
            for language in [Language::En, Language::Pl] {
                let text = asked.text(language);
                assert_eq!(text.is_none(), asked.row.is_by_hand());
                let text = text.unwrap_or_default();
                assert!(!text.contains('{'), "{}: {}: {text}", set.id, asked.row.id);
            }
        }
    }
}

#[test]
fn a_row_is_told_with_place_sentence_and_example() {
    let table = table("en16931-ubl", "1.3.16").unwrap();
    let of = |id: &str| table.asked().find(|asked| asked.row.id == id).unwrap();
    let unused = of("UBL-CR-003");
    assert_eq!(unused.text(Language::En).unwrap(), "cbc:ProfileExecutionID is not used.");
    assert_eq!(unused.text(Language::De).unwrap(), "cbc:ProfileExecutionID wird nicht verwendet.");
    let example = unused.example().unwrap();
    let element = "<cbc:ProfileExecutionID>…</cbc:ProfileExecutionID>";
    assert_eq!(example, Example { holds: None, breaks: Some(element.to_owned()) });
    let version = of("UBL-CR-002");
    let text = version.text(Language::En).unwrap();
    assert_eq!(text, "Where cbc:UBLVersionID: cbc:UBLVersionID must be '2.1'.");
    let holds = version.example().unwrap().holds;
    assert_eq!(holds.unwrap(), "<cbc:UBLVersionID>2.1</cbc:UBLVersionID>");
    let code = of("BR-CL-01");
    assert!(code.text(Language::En).unwrap().contains(" must be a code of "));
}

#[test]
fn a_phrase_has_the_same_placeholders_in_every_language() {
    for (phrase, texts) in PHRASES {
        for part in ["{what}", "{allowed}"] {
            let count = texts.iter().filter(|text| text.contains(part)).count();
            assert!([0, 5].contains(&count), "{phrase:?}: {part}");
        }
    }
}
