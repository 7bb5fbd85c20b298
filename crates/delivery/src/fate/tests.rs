//! Tests of `fate`: the table of answers, and what must hold of each.

use proptest::prelude::*;

use super::*;

const SIGNALS: [Signal; 6] = [
    Signal::Receipt,
    Signal::HadBefore,
    Signal::NotServiced,
    Signal::Passing,
    Signal::Refused,
    Signal::None,
];

fn heard(status: u16, signal: Signal) -> Heard {
    Heard { status, signal }
}

#[test]
fn answers_follow_the_table() {
    let cases = [
        (200, Signal::Receipt, false, Fate::Delivered),
        (500, Signal::Receipt, false, Fate::Delivered),
        // PE-4, D4: the word that it was there before counts after an attempt without an answer.
        (200, Signal::HadBefore, false, Fate::Refused),
        (200, Signal::HadBefore, true, Fate::HeldWithoutReceipt),
        (500, Signal::HadBefore, true, Fate::HeldWithoutReceipt),
        (500, Signal::HadBefore, false, Fate::Again),
        // PE-6: a 5xx around an error that is not NOT_SERVICED.
        (500, Signal::Refused, false, Fate::Again),
        (500, Signal::NotServiced, false, Fate::Refused),
        (200, Signal::Refused, false, Fate::Refused),
        (400, Signal::Refused, false, Fate::Refused),
        (400, Signal::Passing, false, Fate::Again),
        // BO-9: a gateway that is busy.
        (408, Signal::None, false, Fate::Again),
        (425, Signal::None, false, Fate::Again),
        (429, Signal::None, false, Fate::Again),
        (404, Signal::None, false, Fate::Refused),
        (401, Signal::None, false, Fate::Refused),
        (503, Signal::None, false, Fate::Again),
        (302, Signal::None, false, Fate::Again),
        (200, Signal::None, false, Fate::Again),
    ];
    for (status, signal, unanswered, expected) in cases {
        let found = fate(heard(status, signal), unanswered);
        assert_eq!(found, expected, "{status} {signal:?} {unanswered}");
    }
}

proptest! {
    /// Only a verified receipt is a delivery, and only an attempt without an answer lets the word
    /// of the receiver count.
    #[test]
    fn a_delivery_is_proven(
        status in 100u16..600,
        signal in prop::sample::select(SIGNALS.to_vec()),
        unanswered in any::<bool>(),
    ) {
        let found = fate(heard(status, signal), unanswered);
        prop_assert_eq!(found == Fate::Delivered, signal == Signal::Receipt);
        if found == Fate::HeldWithoutReceipt {
            prop_assert!(unanswered && signal == Signal::HadBefore);
        }
        if (500..600).contains(&status) && signal != Signal::NotServiced {
            prop_assert!(found != Fate::Refused, "a fault of the other side passes");
        }
        if signal == Signal::NotServiced {
            prop_assert_eq!(found, Fate::Refused);
        }
        prop_assert!(!is_final(found, true), "after a kept look-up the SMP is asked first");
        prop_assert_eq!(is_final(found, false), found == Fate::Refused);
    }
}

#[test]
fn codes_of_unanswered_attempts_have_their_cause() {
    for code in UNANSWERED {
        assert!(crate::CauseRow::of(code).is_some_and(|row| row.is_outage), "{code}");
        assert!(may_have_arrived(code));
    }
    assert!(!may_have_arrived("AP-UNREACHABLE") && !may_have_arrived("AP-ERROR"));
}
