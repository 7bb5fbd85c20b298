//! The table of cases as a table.

use std::collections::BTreeSet;

use super::case::{self, CaseMethod};
use super::setup::TestbedSetup;
use super::submission;

#[test]
fn every_case_has_an_id_of_its_own_and_says_what_it_proves() {
    let mut ids = BTreeSet::new();
    for case in case::all() {
        assert!(ids.insert(case.id), "{} is there twice", case.id);
        assert!(case.proves.len() > 20 && case.proves.len() < 100, "{}: {}", case.id, case.proves);
        assert!(!case.source.is_empty(), "{} has no source", case.id);
    }
    for number in 1..=12 {
        let id = format!("H-{number:02}");
        assert!(ids.iter().any(|known| known.starts_with(&id)), "{id} is missing");
    }
}

#[test]
fn every_case_of_a_sender_has_a_participant_of_its_own() {
    let numbers: Vec<usize> = submission::numbered().map(|(number, _)| number).collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
    assert!(submission::numbered().all(|(_, case)| matches!(case.run, CaseMethod::Send(_))));
}

#[test]
fn cases_are_chosen_by_their_ids_and_what_these_begin_with() {
    let chosen = |only: &[&str]| {
        let only: Vec<String> = only.iter().map(|id| (*id).to_owned()).collect();
        case::all().filter(|case| case.is_wanted(&only)).map(|case| case.id).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&[]).len(), case::all().count());
    assert_eq!(chosen(&["h-03"]), ["H-03a", "H-03b"]);
    assert_eq!(chosen(&["H-01", "A-17"]), ["A-17", "H-01"]);
    assert!(chosen(&["N"]).iter().all(|id| id.starts_with("N-")) && chosen(&["N"]).len() > 10);
    assert!(chosen(&["Q"]).is_empty());
}

/// A word that names nothing is no green run.
#[test]
fn what_names_no_case_is_refused_with_ids_that_are_like_it() {
    let chosen =
        |only: &[&str]| case::chosen(&only.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
    assert_eq!(chosen(&[]).unwrap().len(), case::all().count());
    assert_eq!(chosen(&["h-03"]).unwrap().len(), 2);
    let said = chosen(&["A-17", "H-99"]).unwrap_err();
    assert!(said.contains("\"H-99\"") && said.contains("H-01"), "{said}");
    assert!(!said.contains("A-17"), "{said}");
    for typo in ["", "Q"] {
        let said = chosen(&[typo]).unwrap_err();
        assert!(said.contains("--list"), "{said}");
    }
}

#[test]
fn the_settings_of_the_guide_are_settings() {
    let guide = include_str!("../../../../docs/guides/testbed.md");
    let text = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    // The secret of the guide is in the environment, which a test does not touch.
    let text = text.replace("env:TESTBED_SECRET", "written");
    let setup: TestbedSetup = toml::from_str(&text).unwrap();
    assert!(setup.subject.as4.is_some() && setup.api.is_some());
    assert_eq!(setup.counterpart.participant(7), "9915:testbed-0007");
    let wrong =
        toml::from_str::<TestbedSetup>(&text.replace("receiver =", "reciever =")).unwrap_err();
    assert!(wrong.to_string().contains("reciever"), "{wrong}");
}
