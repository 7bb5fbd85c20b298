//! Every event in every state, and the stories that they make.

use super::*;

const EVENTS: [TaxReportEvent; 11] = [
    TaxReportEvent::Transmitted,
    TaxReportEvent::NotTransmitted,
    TaxReportEvent::LacksTerms,
    TaxReportEvent::AnsweredAccepted,
    TaxReportEvent::AnsweredAcknowledged,
    TaxReportEvent::AnsweredRejected,
    TaxReportEvent::Silence { repeats: 0 },
    TaxReportEvent::Silence { repeats: REPEATS },
    TaxReportEvent::InvoiceRefused,
    TaxReportEvent::ResubmitAsked,
    TaxReportEvent::DisregardAsked,
];

fn every() -> impl Iterator<Item = (Regime, TaxReportState, TaxReportEvent)> {
    let states = |regime| TaxReportState::ALL.into_iter().map(move |state| (regime, state));
    let all = Regime::ALL.into_iter().flat_map(states);
    all.flat_map(|(regime, state)| EVENTS.into_iter().map(move |event| (regime, state, event)))
}

fn after(events: &[TaxReportEvent]) -> (TaxReportState, Vec<TaxReportStep>) {
    let mut state = TaxReportState::Unreported;
    let mut steps = Vec::new();
    for event in events {
        let decision = decide(Regime::Vida11, state, *event);
        state = decision.state;
        steps.extend(decision.steps);
    }
    (state, steps)
}

#[test]
fn names_are_read_as_they_are_written() {
    for state in TaxReportState::ALL {
        assert_eq!(TaxReportState::named(state.as_str()), Some(state));
        assert_eq!(lower_camel(state), state.as_str());
    }
}

/// The name that serde gives it.
fn lower_camel(state: TaxReportState) -> String {
    let text = format!("{state:?}");
    let mut letters = text.chars();
    let first = letters.next().unwrap().to_ascii_lowercase();
    std::iter::once(first).chain(letters).collect()
}

/// What is sent is what the state says is to be sent, and a refusal changes nothing.
#[test]
fn steps_and_states_agree() {
    for (regime, state, event) in every() {
        let decision = decide(regime, state, event);
        for step in &decision.steps {
            if let TaxReportStep::Send(kind) = step
                && *kind != TaxSubmission::FailedTransmission
            {
                assert_eq!(decision.state.to_send(), Some(*kind), "{state:?} {event:?}");
            }
        }
        if decision.refusal.is_some() {
            assert_eq!((decision.state, decision.steps.len()), (state, 0), "{state:?} {event:?}");
        }
    }
}

/// Of what the authority took nothing is sent by itself but that it does not hold.
#[test]
fn nothing_is_reported_twice() {
    for (regime, _, event) in every() {
        let decision = decide(regime, TaxReportState::Accepted, event);
        let sends = |kind| decision.steps.contains(&TaxReportStep::Send(kind));
        assert!(!sends(TaxSubmission::Submit) && !sends(TaxSubmission::Resubmit), "{event:?}");
        assert!(!decision.steps.contains(&TaxReportStep::Repeat), "{event:?}");
    }
}

/// The same event twice leads where it led once: messages are repeated.
#[test]
fn events_of_the_network_may_come_twice() {
    let network = [
        TaxReportEvent::Transmitted,
        TaxReportEvent::AnsweredAccepted,
        TaxReportEvent::AnsweredRejected,
        TaxReportEvent::InvoiceRefused,
        TaxReportEvent::LacksTerms,
    ];
    for (regime, state, event) in every().filter(|(_, _, event)| network.contains(event)) {
        let once = decide(regime, state, event).state;
        let twice = decide(regime, once, event);
        assert_eq!(twice.state, once, "{state:?} {event:?}");
        assert_eq!(twice.steps, [], "{state:?} {event:?}");
    }
}

#[test]
fn a_report_is_sent_and_accepted() {
    let (state, steps) = after(&[TaxReportEvent::Transmitted, TaxReportEvent::AnsweredAccepted]);
    assert_eq!(state, TaxReportState::Accepted);
    assert_eq!(steps, [TaxReportStep::TellSent, TaxReportStep::TellAccepted]);
    // The answer is there before the receipt.
    let (state, early) = after(&[TaxReportEvent::AnsweredAccepted, TaxReportEvent::Transmitted]);
    assert_eq!((state, early), (TaxReportState::Accepted, steps));
}

#[test]
fn a_rejected_report_is_sent_again() {
    let (state, steps) = after(&[
        TaxReportEvent::Transmitted,
        TaxReportEvent::AnsweredRejected,
        TaxReportEvent::ResubmitAsked,
        TaxReportEvent::Transmitted,
        TaxReportEvent::AnsweredAccepted,
    ]);
    assert_eq!(state, TaxReportState::Accepted);
    assert!(steps.contains(&TaxReportStep::Send(TaxSubmission::Resubmit)));
}

#[test]
fn what_does_not_hold_is_taken_back() {
    let (state, steps) = after(&[
        TaxReportEvent::Transmitted,
        TaxReportEvent::InvoiceRefused,
        TaxReportEvent::Transmitted,
        TaxReportEvent::AnsweredAccepted,
    ]);
    assert_eq!(state, TaxReportState::Disregarded);
    assert!(steps.contains(&TaxReportStep::Send(TaxSubmission::Disregard)));
    // Nothing was told yet.
    assert_eq!(after(&[TaxReportEvent::InvoiceRefused]), (TaxReportState::Disregarded, vec![]));
    let emirates =
        decide(Regime::Emirates, TaxReportState::Unreported, TaxReportEvent::InvoiceRefused);
    assert_eq!(emirates.steps, [TaxReportStep::Send(TaxSubmission::FailedTransmission)]);
}

#[test]
fn silence_is_not_waited_for_for_ever() {
    let silent = |repeats| {
        decide(Regime::Oman, TaxReportState::Sent, TaxReportEvent::Silence { repeats }).steps
    };
    assert_eq!(silent(0), [TaxReportStep::Repeat]);
    assert_eq!(silent(REPEATS), [TaxReportStep::Alarm]);
}
