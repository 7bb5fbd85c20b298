//! Every rule is explained, in every language.

use super::*;

#[test]
fn every_rule_is_explained() {
    // Each is looked for in all sets, which takes a while.
    let all: Vec<&str> = ids().into_iter().collect();
    let part = all.len().div_ceil(4);
    std::thread::scope(|scope| {
        for ids in all.chunks(part) {
            scope.spawn(move || are_explained(ids));
        }
    });
}

fn are_explained(ids: &[&'static str]) {
    for &id in ids {
        let told = explain(id, Language::En).unwrap_or_else(|| panic!("{id} is not explained"));
        assert_eq!(told.id, id);
        assert!(!told.meanings.is_empty(), "{id}");
        for meaning in &told.meanings {
            assert!(!meaning.asks.is_empty(), "{id}: {meaning:?}");
            assert!(!meaning.asks.contains(['{', '}']), "{id}: {}", meaning.asks);
        }
        assert!(told.terms.iter().all(|term| !term.name.is_empty()), "{id}");
    }
}

#[test]
fn every_set_is_explained_in_every_language() {
    for set in RULE_SETS.iter() {
        let known = of_set(set, Language::En);
        assert!(!known.is_empty(), "{}", set.id);
        for language in Language::ALL {
            let told = of_set(set, language);
            assert_eq!(told.len(), known.len(), "{}", set.id);
            for (id, meaning) in told {
                assert!(!meaning.asks.trim().is_empty(), "{}: {id} in {language:?}", set.id);
            }
        }
    }
}

#[test]
fn a_rule_has_its_terms_sets_and_sentence_without_values() {
    let told = explain("br-co-10", Language::Nl).unwrap();
    assert_eq!(told.id, "BR-CO-10");
    assert_eq!(
        told.meanings[0].asks,
        "Som van de regelbedragen (BT-106) moet de som van de regels zijn."
    );
    assert_eq!(told.terms[0].name, "som van de regelbedragen (BT-106)");
    let sets: Vec<_> = told.meanings[0].tested.iter().flat_map(|own| &own.sets).collect();
    let has = |set: &str| sets.iter().any(|release| release.set == set);
    assert!(has("en16931-ubl") && has("en16931-cii"), "{sets:?}");
    assert_eq!(told.meanings[0].flag, Flag::Fatal);
    let text = ExplanationText(&told).to_string();
    for part in ["BR-CO-10\n\n  fataal: Som", "\n  over ", "eu.cen.en16931:ubl:", "herstellen"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_row_of_a_table_is_explained_by_its_test() {
    let told = explain("UBL-CR-003", Language::En).unwrap();
    assert_eq!(told.meanings[0].asks, "cbc:ProfileExecutionID is not used.");
    assert_eq!(told.meanings[0].flag, Flag::Warning);
    assert!(!told.meanings[0].tested[0].places.is_empty());
    assert!(told.meanings[0].example.is_some());
    let json = serde_json::to_value(&told).unwrap();
    assert_eq!(json["language"], "en");
    assert_eq!(json["fixBy"], "sourceSystem");
    assert_eq!(json["meanings"][0]["tested"][0]["sets"][0]["set"], "en16931-ubl");
}

#[test]
fn our_own_findings_have_texts_in_every_language() {
    for row in crate::own::all() {
        for language in Language::ALL.into_iter().skip(1) {
            let text = own::sentence(row.id, language);
            assert!(text.is_some(), "explain/texts.txt: {} in {language:?}", row.id);
        }
    }
    let names = own::TEXTS.lines().filter_map(|line| line.strip_prefix("= "));
    for name in names.filter(|name| name.starts_with("cvc-")) {
        assert!(Language::ALL.iter().all(|language| own::sentence(name, *language).is_some()));
    }
    let told = explain("quoin-xml-dtd", Language::En).unwrap();
    assert!(told.meanings[0].asks.contains("DOCTYPE"));
    let told = explain("QUOIN-XML-DTD", Language::Fr).unwrap();
    assert!(told.meanings[0].asks.starts_with("Le document a une déclaration"));
}

#[test]
fn clauses_of_xml_schema_are_explained_by_their_beginning() {
    let told = explain("cvc-complex-type.2.4.a", Language::En).unwrap();
    assert_eq!(told.id, "cvc-complex-type.2.4.a");
    assert!(told.meanings[0].asks.contains("something is missing"));
    assert!(explain("cvc-identity-constraint.4.1", Language::Pl).is_some());
    assert!(explain("cv-", Language::En).is_none());
}

#[test]
fn what_is_not_there_is_near_to_what_is() {
    assert!(explain("BR-CO-99", Language::En).is_none());
    assert!(near("BR-CO-99").iter().all(|id| id.starts_with("BR-")), "{:?}", near("BR-CO-99"));
    assert_eq!(near("BR_CO_15")[0], "BR-CO-15");
    assert_eq!(near("BRCO15")[0], "BR-CO-15");
    assert!(near("xml-dtd").contains(&"QUOIN-XML-DTD"));
    assert!(near("invoice totals").is_empty());
    assert!(near("").is_empty());
    assert!(near(&"X".repeat(10_000)).is_empty());
}
