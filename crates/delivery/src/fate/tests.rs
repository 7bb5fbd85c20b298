//! Tests of `fate`: the table of answers, and what must hold of each.

use proptest::prelude::*;

use super::*;

const SIGNALS: [SignalMeaning; 6] = [
    SignalMeaning::Receipt,
    SignalMeaning::HadBefore,
    SignalMeaning::NotServiced,
    SignalMeaning::Passing,
    SignalMeaning::Refused,
    SignalMeaning::None,
];

fn heard(status: u16, signal: SignalMeaning) -> Heard {
    Heard { status, signal }
}

#[test]
fn answers_follow_the_table() {
    let cases = [
        (200, SignalMeaning::Receipt, false, Fate::Delivered),
        (500, SignalMeaning::Receipt, false, Fate::Delivered),
        // PE-4, D4: the word that it was there before counts after an attempt without an answer.
        (200, SignalMeaning::HadBefore, false, Fate::Refused),
        (200, SignalMeaning::HadBefore, true, Fate::HeldWithoutReceipt),
        (500, SignalMeaning::HadBefore, true, Fate::HeldWithoutReceipt),
        (500, SignalMeaning::HadBefore, false, Fate::Again),
        // PE-6: a 5xx around an error that is not NOT_SERVICED.
        (500, SignalMeaning::Refused, false, Fate::Again),
        (500, SignalMeaning::NotServiced, false, Fate::Refused),
        (200, SignalMeaning::Refused, false, Fate::Refused),
        (400, SignalMeaning::Refused, false, Fate::Refused),
        (400, SignalMeaning::Passing, false, Fate::Again),
        // BO-9: a gateway that is busy.
        (408, SignalMeaning::None, false, Fate::Again),
        (425, SignalMeaning::None, false, Fate::Again),
        (429, SignalMeaning::None, false, Fate::Again),
        (404, SignalMeaning::None, false, Fate::Refused),
        (401, SignalMeaning::None, false, Fate::Refused),
        (503, SignalMeaning::None, false, Fate::Again),
        // Only faults of the other side pass: it says where else to go, which the SMP has to say.
        (301, SignalMeaning::None, false, Fate::Refused),
        (302, SignalMeaning::None, false, Fate::Refused),
        (307, SignalMeaning::None, true, Fate::Refused),
        (200, SignalMeaning::None, false, Fate::Again),
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
        prop_assert_eq!(found == Fate::Delivered, signal == SignalMeaning::Receipt);
        if found == Fate::HeldWithoutReceipt {
            prop_assert!(unanswered && signal == SignalMeaning::HadBefore);
        }
        if (500..600).contains(&status) && signal != SignalMeaning::NotServiced {
            prop_assert!(found != Fate::Refused, "a fault of the other side passes");
        }
        if signal == SignalMeaning::NotServiced {
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
        assert!(may_have_arrived(code, None));
    }
    for code in ["AP-UNREACHABLE", "AP-ERROR", "AP-REFUSED", "NOT-SERVICED"] {
        assert!(!may_have_arrived(code, None) && !may_have_arrived(code, Some(200)), "{code}");
    }
}

/// A status by which nothing was taken leaves nothing open; one of a gateway does.
#[test]
fn a_status_that_says_that_nothing_was_taken_is_an_answer() {
    for status in [408, 425, 429] {
        assert!(!may_have_arrived("AP-STATUS", Some(status)), "{status}");
        assert!(!may_have_arrived("NO-ANSWER", Some(status)), "{status}, of which the end is lost");
    }
    for status in [500, 502, 503, 504, 599, 100, 600] {
        assert!(may_have_arrived("AP-STATUS", Some(status)), "{status}");
    }
    assert!(may_have_arrived("NO-RECEIPT", Some(200)));
}
