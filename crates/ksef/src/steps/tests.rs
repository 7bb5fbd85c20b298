//! Tests of `steps`.

use super::*;
use crate::api::ProblemError;
use crate::explain::{explain, explained};
use quoin_model::Language;

fn now() -> Timestamp {
    "2026-11-26T10:00:00Z".parse().unwrap()
}

/// So many attempts that failed, without an answer.
fn tried(failed: u32) -> Tried {
    Tried { failed, unanswered: failed, ..Tried::default() }
}

fn refused(code: u32) -> Trouble {
    let error = ProblemError { code, description: String::new(), details: Vec::new() };
    Trouble::Refused(400, KsefProblem { errors: vec![error], ..KsefProblem::default() })
}

#[test]
fn the_steps_follow_each_other() {
    let mut step = Step::Upload;
    let mut walked = vec![step];
    while let Some(next) = step.next() {
        step = next;
        walked.push(step);
    }
    assert_eq!(walked, Step::ALL);
    for step in Step::ALL {
        assert_eq!(Step::named(step.word()), Some(step));
    }
    assert_eq!(Step::named("nothing"), None);
}

#[test]
fn every_status_of_a_session_has_a_verdict() {
    use SessionVerdict as V;
    let table = [
        (100, V::Wait),
        (150, V::Wait),
        (170, V::Wait),
        (199, V::Wait),
        (200, V::Read),
        (445, V::Read),
        (405, V::OurDefect),
        (430, V::OurDefect),
        (435, V::OurDefect),
        (415, V::AnewWithKey),
        (420, V::Split),
        (440, V::Anew),
        (500, V::Anew),
        (999, V::Anew),
    ];
    for (code, expected) in table {
        let status = StatusInfo { code, description: String::new(), details: None };
        assert_eq!(session_verdict(&status), expected, "{code}");
    }
}

#[test]
fn what_is_told_as_our_fault_is_ours_and_nothing_else() {
    for word in explained() {
        let (place, code) = word.split_once('.').unwrap();
        let all = [CodePlace::Auth, CodePlace::Session, CodePlace::Invoice, CodePlace::Export]
            .into_iter()
            .chain([CodePlace::Call, CodePlace::Http, CodePlace::Own]);
        let place = all.into_iter().find(|one| one.word() == place).unwrap();
        let Ok(number) = code.parse() else { continue };
        let text = explain(place, code, Language::En).unwrap();
        let is_told = text.contains("operator");
        assert_eq!(is_our_defect(place, number), is_told, "{word}: {text}");
    }
}

#[test]
fn every_status_of_an_invoice_has_a_verdict() {
    let status = |code, extensions| InvoiceStatus {
        code,
        description: String::new(),
        details: None,
        extensions,
    };
    for code in [100, 150] {
        assert_eq!(invoice_verdict(&status(code, None)), InvoiceVerdict::Wait);
    }
    assert_eq!(invoice_verdict(&status(200, None)), InvoiceVerdict::Registered);
    for code in [410, 415, 430, 435, 450, 499] {
        assert_eq!(invoice_verdict(&status(code, None)), InvoiceVerdict::Refused, "{code}");
    }
    for code in [405, 500, 550] {
        assert_eq!(invoice_verdict(&status(code, None)), InvoiceVerdict::Anew, "{code}");
    }
    let told = [("originalKsefNumber".to_owned(), Some("N".to_owned()))].into_iter().collect();
    let expected = InvoiceVerdict::Duplicate { session: None, ksef_number: Some("N".to_owned()) };
    assert_eq!(invoice_verdict(&status(440, Some(told))), expected);
}

#[test]
fn a_system_that_is_not_there_is_offline_only_before_the_upload() {
    for trouble in [Trouble::NoAnswer, Trouble::Server(503)] {
        let after = |step, failed| match after_trouble(step, &trouble, tried(failed), now()) {
            AfterTrouble::Again { outcome, .. } => outcome,
            other => panic!("{other:?}"),
        };
        assert_eq!(after(Step::Upload, 0), KsefOutcome::Unavailable);
        assert_eq!(after(Step::Upload, 1), KsefOutcome::Unavailable);
        assert_eq!(after(Step::Upload, 2), KsefOutcome::Offline);
        for step in [Step::Status, Step::RetrieveInvoices, Step::RetrieveUpo] {
            assert_eq!(after(step, 9), KsefOutcome::Unavailable);
        }
    }
}

#[test]
fn limits_are_kept() {
    let after = |seconds| after_trouble(Step::Status, &Trouble::Limited(seconds), tried(0), now());
    let expected = |seconds| AfterTrouble::Again {
        at: now() + SignedDuration::from_secs(seconds),
        outcome: KsefOutcome::Unavailable,
    };
    assert_eq!(after(Some(30)), expected(30));
    assert_eq!(after(Some(0)), expected(1));
    assert_eq!(after(Some(u64::MAX)), expected(24 * 3_600));
    assert_eq!(after(None), expected(5));
}

#[test]
fn waits_grow_and_stay() {
    let mut last = 0;
    for failed in 0..20 {
        let AfterTrouble::Again { at, .. } =
            after_trouble(Step::Status, &Trouble::NoAnswer, tried(failed), now())
        else {
            panic!("waits");
        };
        let wait = at.as_second() - now().as_second();
        assert!(wait >= last, "{failed}");
        last = wait;
    }
    assert_eq!(last, 7_200);
}

#[test]
fn what_was_done_before_is_not_done_twice() {
    let after = |trouble: &Trouble, sessions| {
        after_trouble(Step::Upload, trouble, Tried { sessions, ..tried(9) }, now())
    };
    assert_eq!(after(&refused(SESSION_CLOSED), 0), AfterTrouble::GoOn);
    for code in [NO_SESSION, NOT_UPLOADED, TOO_LATE] {
        let mut last = now();
        for sessions in 0..SESSIONS {
            let AfterTrouble::Anew(at) = after(&refused(code), sessions) else { panic!("anew") };
            assert!(at > last, "{code} {sessions}");
            last = at;
        }
        assert_eq!(after(&refused(code), SESSIONS), AfterTrouble::GiveUp);
    }
    // The system's own 410 is a refusal, not the outcome of that number.
    let gone = Trouble::Refused(410, KsefProblem::default());
    assert_eq!(after(&gone, 0), AfterTrouble::GiveUp);
}

/// Signing in and keys are counted apart from everything else that failed, and after the last one
/// it is waited for: no document is at fault.
#[test]
fn what_is_renewed_is_counted_by_itself() {
    for (trouble, expected) in [
        (Trouble::Unauthorized, AfterTrouble::SignIn),
        (refused(UNKNOWN_KEY), AfterTrouble::NewKey),
    ] {
        let after =
            |renewals| after_trouble(Step::Upload, &trouble, Tried { renewals, ..tried(9) }, now());
        assert_eq!((after(0), after(1)), (expected.clone(), expected));
        for renewals in [2, 3, 100] {
            let AfterTrouble::Again { at, outcome } = after(renewals) else { panic!("waits") };
            assert!(at > now() && outcome == KsefOutcome::Unavailable);
        }
    }
    let tried = Tried { renewals: 2, ..Tried::default() };
    let AfterTrouble::Again { at, .. } =
        after_trouble(Step::Status, &Trouble::Unauthorized, tried, now())
    else {
        panic!("waits")
    };
    assert_eq!(at.as_second() - now().as_second(), 600);
}

/// Limits and refusals in between are no system that is not there.
#[test]
fn only_silence_counts_as_not_there() {
    let tried = Tried { failed: 9, unanswered: 1, ..Tried::default() };
    let after = after_trouble(Step::Upload, &Trouble::NoAnswer, tried, now());
    assert!(matches!(after, AfterTrouble::Again { outcome: KsefOutcome::Unavailable, .. }));
}

/// What was handed over may be registered: no refusal ends it.
#[test]
fn behind_the_upload_nothing_is_given_up() {
    let plain = Trouble::Refused(403, KsefProblem::default());
    for step in Step::ALL.into_iter().filter(|step| *step > Step::Upload) {
        for trouble in [&plain, &refused(NO_UPO), &refused(SESSION_CLOSED), &refused(UNKNOWN_KEY)] {
            for failed in [0, 1, 2, 50] {
                let after = after_trouble(step, trouble, tried(failed), now());
                let waits = matches!(
                    after,
                    AfterTrouble::Again { at, outcome: KsefOutcome::Unavailable } if at > now()
                );
                assert!(waits, "{step:?} {trouble:?} {failed}: {after:?}");
            }
        }
    }
    for (step, anew) in
        [(Step::Status, true), (Step::RetrieveInvoices, true), (Step::RetrieveUpo, false)]
    {
        let after = after_trouble(step, &refused(NO_SESSION), tried(0), now());
        assert_eq!(matches!(after, AfterTrouble::Anew(_)), anew, "{step:?}");
    }
}

/// A gateway before the system decides nothing.
#[test]
fn what_a_gateway_says_is_waited_for() {
    for step in Step::ALL {
        for status in [403, 404, 408, 425] {
            let after = after_trouble(step, &Trouble::Gateway(status), tried(7), now());
            let waits = matches!(after, AfterTrouble::Again { .. });
            assert!(waits, "{step:?} {status}: {after:?}");
        }
    }
}

/// A receipt that is not there yet is waited for, for some hours; any other refusal is the end of
/// the receipt alone.
#[test]
fn a_receipt_may_come_later() {
    let problem = |code| match refused(code) {
        Trouble::Refused(_, problem) => problem,
        other => panic!("{other:?}"),
    };
    for failed in [0, 5, RECEIPT_ATTEMPTS - 1] {
        assert_eq!(receipt_refusal(&problem(NO_UPO), failed), ReceiptRefusal::NotYet, "{failed}");
    }
    assert_eq!(receipt_refusal(&problem(NO_UPO), RECEIPT_ATTEMPTS), ReceiptRefusal::None);
    assert_eq!(receipt_refusal(&problem(NO_SESSION), 0), ReceiptRefusal::None);
    assert_eq!(receipt_refusal(&KsefProblem::default(), 0), ReceiptRefusal::None);
}

/// What the system cannot process takes no more than five sessions in an hour.
#[test]
fn documents_go_again_with_waits_that_grow() {
    let (mut at, mut sessions) = (now(), 1);
    for times in 0.. {
        at = again_at(times, at);
        if at.as_second() - now().as_second() > 3_600 {
            break;
        }
        sessions += 1;
    }
    assert_eq!(sessions, 5);
    assert_eq!(again_at(100, now()).as_second() - now().as_second(), 7_200);
}
