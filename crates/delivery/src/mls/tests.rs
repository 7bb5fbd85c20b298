//! Every outcome with what is owed for it.

use super::*;

const MINUTE: SignedDuration = SignedDuration::from_mins(1);

fn at(minutes: i64) -> Timestamp {
    let start: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    start + SignedDuration::from_mins(minutes)
}

fn issue(reason: StatusReason) -> Issue {
    Issue::of_rule(reason, "BR-01", Some("/Invoice"), "is wrong")
}

fn question(wants_positive: bool, reasons: &[StatusReason], hand_over: HandOver) -> StatusQuestion {
    let issues = reasons.iter().copied().map(issue).collect();
    let (sent_on, is_judged, patience) = (at(0), true, 5 * MINUTE);
    let arrived_on = sent_on;
    StatusQuestion { wants_positive, sent_on, arrived_on, issues, is_judged, hand_over, patience }
}

/// The code that is given, or what happens instead.
fn outcome(step: StatusDecision) -> String {
    match step {
        StatusDecision::Give(given) => {
            let reasons: Vec<&str> = given.issues.iter().map(|i| i.reason.as_str()).collect();
            format!("{} {}", given.code.as_str(), reasons.join(",")).trim().to_owned()
        }
        StatusDecision::Wait(Some(until)) => {
            format!("wait {}", until.duration_since(at(0)).as_mins())
        }
        StatusDecision::Wait(None) => "wait".to_owned(),
        StatusDecision::Settled => "settled".to_owned(),
    }
}

#[test]
fn each_outcome_has_its_status() {
    use HandOver::{Left, Ready, Taken};
    use StatusReason::{Rule, Syntax, Warning};
    let failed = || HandOver::Failed("nobody answers".to_owned());
    // Failures are told whatever was asked; the rest only where it was asked for.
    let table: &[(&[StatusReason], HandOver, i64, &str, &str)] = &[
        (&[Syntax], Ready, 0, "RE SV", "RE SV"),
        (&[Warning, Rule], Taken, 0, "RE BV,BW", "RE BV,BW"),
        (&[], failed(), 0, "RE FD", "RE FD"),
        (&[Warning], failed(), 60, "RE FD,BW", "RE FD,BW"),
        (&[], Taken, 0, "AP", "settled"),
        (&[Warning], Taken, 0, "AP BW", "settled"),
        (&[], Left, 0, "AB", "settled"),
        (&[], Ready, 0, "wait 5", "wait"),
        (&[Warning], Ready, 4, "wait 5", "wait"),
        (&[Warning], Ready, 5, "AB BW", "wait"),
        (&[], Ready, 600, "AB", "wait"),
    ];
    for (reasons, hand_over, minute, always, failures) in table {
        for (wants_positive, expected) in [(true, always), (false, failures)] {
            let question = question(wants_positive, reasons, hand_over.clone());
            let found = outcome(decide(&question, at(*minute)));
            assert_eq!(found, *expected, "{reasons:?} {hand_over:?} at {minute}, {wants_positive}");
        }
    }
}

/// A sender whose clock is ahead, or that writes local time as UTC, is answered as any other; a
/// clock of ours that was ahead when a message came keeps nobody waiting.
#[test]
fn a_time_that_lies_ahead_counts_as_the_time_of_arrival() {
    let asked = |sent: i64, arrived: i64, now: i64| {
        let ready = question(true, &[], HandOver::Ready);
        outcome(decide(
            &StatusQuestion { sent_on: at(sent), arrived_on: at(arrived), ..ready },
            at(now),
        ))
    };
    for ahead in [0, 1, 4, 5, 6, 60, 120, 1_433, 100_000] {
        assert_eq!(asked(ahead, 0, 0), "wait 5", "{ahead} minutes ahead");
        assert_eq!(asked(ahead, 0, 4), "wait 5", "{ahead} minutes ahead");
        assert_eq!(asked(ahead, 0, 5), "AB", "{ahead} minutes ahead");
    }
    assert_eq!(asked(-2, 0, 0), "wait 3");
    assert_eq!(asked(-6, 0, 0), "AB");
    assert_eq!(asked(600, 600, 0), "AB");
    assert_eq!(asked(0, 600, 0), "wait 5");
}

/// A document that nobody judged is handed over, and never accepted.
#[test]
fn what_nobody_judged_is_never_accepted() {
    for (is_judged, code) in [(true, MlsCode::Accepted), (false, MlsCode::HandedOver)] {
        let asked = StatusQuestion {
            is_judged,
            ..question(true, &[StatusReason::Warning], HandOver::Taken)
        };
        let StatusDecision::Give(given) = decide(&asked, at(0)) else { panic!("one is wanted") };
        assert_eq!(given.code, code);
        let wrong =
            StatusQuestion { is_judged, ..question(true, &[StatusReason::Rule], HandOver::Taken) };
        let StatusDecision::Give(given) = decide(&wrong, at(0)) else { panic!("it is rejected") };
        assert_eq!(given.code, MlsCode::Rejected);
    }
}

#[test]
fn a_status_is_never_answered_with_a_status() {
    let ubl = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd";
    let response = format!("{ubl}:ApplicationResponse-2::ApplicationResponse##");
    let answered = |text: &str| is_answered(&text.parse().unwrap());
    assert!(!answered(&format!("{response}urn:peppol:edec:mls:1.0::2.1")));
    assert!(!answered(&format!("{response}urn:fdc:peppol.eu:poacc:trns:mlr:3::2.1")));
    let legacy = "urn:www.cenbii.eu:transaction:biitrns071:ver2.0:extended:\
                  urn:www.peppol.eu:bis:peppol36a:ver1.0";
    assert!(!answered(&format!("{response}{legacy}::2.1")));
    for row in quoin_peppol::codelists::DOCUMENT_TYPES {
        let id = row.id().unwrap();
        let names = ["Message Level", "Statistics Report", "End User Report"];
        let expected = names.iter().any(|name| row.name.contains(name));
        assert_eq!(is_answered(&id), !expected, "{}", row.name);
    }
    assert!(answered(&format!("{response}urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1")));
    assert!(answered(&format!("{ubl}:Invoice-2::Invoice##urn:cen.eu:en16931:2017::2.1")));
}

#[test]
fn what_is_told_has_bounds() {
    let mut asked = question(false, &[StatusReason::Warning; 3], HandOver::Ready);
    asked.issues.extend((0..250).map(|_| issue(StatusReason::Rule)));
    let StatusDecision::Give(given) = decide(&asked, at(0)) else { panic!("it is rejected") };
    assert_eq!(given.issues.len(), ISSUES);
    assert!(given.issues.iter().all(|issue| issue.reason == StatusReason::Rule));
    assert!(given.issues[ISSUES - 1].text.ends_with("(and 153 more)"));
    let long = Issue::of_rule(StatusReason::Rule, "R", Some(""), &"x".repeat(5_000));
    assert_eq!((long.text.chars().count(), long.place), (TEXT, None));
}

#[test]
fn codes_are_read_as_they_are_written() {
    for code in MlsCode::ALL {
        assert_eq!(MlsCode::named(code.as_str()), Some(code));
    }
    for reason in StatusReason::ALL {
        assert_eq!(StatusReason::named(reason.as_str()), Some(reason));
    }
    assert_eq!((MlsCode::named("ap"), StatusReason::named("")), (None, None));
}
