//! Tests of `tax`: every state with every event, and what is told.

use super::*;
use crate::details;
use crate::filter::Filter;

const EVENTS: [TaxEvent; 10] = [
    TaxEvent::Gathered,
    TaxEvent::Written,
    TaxEvent::NothingOwed,
    TaxEvent::Unwritable,
    TaxEvent::Left,
    TaxEvent::GivenUp,
    TaxEvent::Answered(MlsCode::Accepted),
    TaxEvent::Answered(MlsCode::HandedOver),
    TaxEvent::Answered(MlsCode::Rejected),
    TaxEvent::Overtaken,
];

fn subject() -> TaxSubject {
    TaxSubject {
        id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".to_owned(),
        invoice: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7".parse().unwrap(),
        role: TaxRole::Sender,
        act: TaxAct::Submit,
        country: Some("BE".to_owned()),
        regime: Some("vida-1.1".to_owned()),
        authority: Some("0242:000123".to_owned()),
        data_uuid: None,
        due_on: Some(Timestamp::UNIX_EPOCH),
        channel: None,
    }
}

#[test]
fn words_lead_back_to_what_they_stand_for() {
    for state in TaxState::ALL {
        assert_eq!(TaxState::named(state.as_str()), Some(state));
    }
    for act in TaxAct::ALL {
        assert_eq!(TaxAct::named(act.as_str()), Some(act));
    }
    for role in TaxRole::ALL {
        assert_eq!(TaxRole::named(role.as_str()), Some(role));
    }
}

#[test]
fn nothing_happens_twice_and_nothing_leaves_an_end() {
    for state in TaxState::ALL {
        for event in EVENTS {
            let Some(next) = state.after(event) else { continue };
            assert_ne!(next, state, "{state:?} {event:?}");
            // The same again, as after a crash, changes nothing more.
            assert!(next.after(event).is_none(), "{state:?} {event:?} {next:?}");
        }
    }
    for event in EVENTS {
        assert_eq!(TaxState::NotOwed.after(event), None);
        assert_eq!(TaxState::Replaced.after(event), None);
    }
    let answered = TaxEvent::Answered(MlsCode::Accepted);
    assert_eq!(TaxState::Sending.after(answered), Some(TaxState::Accepted));
    let refused = TaxEvent::Answered(MlsCode::Rejected);
    assert_eq!(TaxState::Accepted.after(refused), None, "the first answer counts");
}

#[test]
fn each_end_is_told_by_an_event_whose_details_are_known() {
    let reason = TaxReason {
        code: Some(REJECTED.to_owned()),
        message: "BT-1 is missing.".to_owned(),
        findings: vec!["BV /a BT-1".to_owned()],
    };
    for (state, topic) in [
        (TaxState::Due, None),
        (TaxState::Sending, None),
        (TaxState::Sent, Some(Topic::TAX_REPORT_SENT)),
        (TaxState::Accepted, Some(Topic::TAX_REPORT_ACCEPTED)),
        (TaxState::Rejected, Some(Topic::TAX_REPORT_REJECTED)),
        (TaxState::Failed, Some(Topic::TAX_REPORT_REJECTED)),
        (TaxState::NotOwed, None),
        (TaxState::Replaced, None),
    ] {
        let told = news(&subject(), state, &reason, Timestamp::UNIX_EPOCH);
        assert_eq!(told.line.name, TIMELINE);
        assert!(told.line.description.ends_with("BT-1 is missing."));
        assert_eq!(told.notice.as_ref().map(|notice| notice.topic), topic, "{state:?}");
        for name in told.notice.iter().flat_map(|notice| notice.details.keys()) {
            assert!(details::named(name).is_some(), "{name}");
        }
    }
}

/// Whatever word an event may carry, a filter may ask for.
#[test]
fn filters_know_every_word_of_events() {
    let words = |name: &'static str, words: Vec<&'static str>| (name, words);
    let told = [
        words("taxState", TaxState::ALL.map(TaxState::as_str).to_vec()),
        words("taxRole", TaxRole::ALL.map(TaxRole::as_str).to_vec()),
        words("taxAct", TaxAct::ALL.map(TaxAct::as_str).to_vec()),
        words("statusCode", MlsCode::ALL.map(MlsCode::as_str).to_vec()),
    ];
    for (name, words) in told {
        for word in words {
            let filter: Filter = format!("{name} == \"{word}\"").parse().unwrap();
            assert!(filter.check().is_ok(), "{name} {word}");
        }
    }
}
