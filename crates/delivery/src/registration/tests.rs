//! Tests of `registration`: each outcome, and that a silent register is never given up.

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn decided(attempt: u32, tried: &RegistrationTry) -> RegistrationOutcome {
    decide_registration(attempt, tried, &Schedule::of_hooks(), NOW, 0.5)
}

#[test]
fn each_outcome_has_its_progress() {
    let text = || "it is so".to_owned();
    for (tried, progress, again) in [
        (RegistrationTry::Done, RegistrationProgress::Done, false),
        (RegistrationTry::Never(text()), RegistrationProgress::Failed, false),
        (RegistrationTry::Later(text()), RegistrationProgress::Retrying, true),
        (RegistrationTry::Blocked(text()), RegistrationProgress::Blocked, true),
        (RegistrationTry::Unset(text()), RegistrationProgress::Unset, false),
    ] {
        let outcome = decided(1, &tried);
        assert_eq!((outcome.progress, outcome.next_on.is_some()), (progress, again), "{tried:?}");
        assert_eq!(outcome.message.is_empty(), tried == RegistrationTry::Done);
    }
}

#[test]
fn a_register_that_does_not_answer_is_asked_for_ever() {
    let later = RegistrationTry::Later("no answer".to_owned());
    let waits = Schedule::of_hooks().waits;
    for attempt in [1, 2, 9, 10, 11, 1000] {
        let next = decided(attempt, &later).next_on.unwrap();
        let index = usize::try_from(attempt).unwrap().min(waits.len()) - 1;
        assert_eq!(next.duration_since(NOW), waits[index], "{attempt}");
    }
    let empty = Schedule { waits: Vec::new() };
    assert!(decide_registration(1, &later, &empty, NOW, 0.5).next_on.is_some());
}

#[test]
fn who_may_leave_is_looked_after_until_it_left() {
    let stays = decide_leaving(false, NOW);
    assert_eq!((stays.progress, stays.left), (RegistrationProgress::Done, false));
    assert!(stays.next_on.unwrap() > NOW);
    let left = decide_leaving(true, NOW);
    assert_eq!((left.left, left.next_on), (true, None));
    assert!(!left.message.is_empty());
}

#[test]
fn somebody_can_fix_whatever_stands_still() {
    for progress in RegistrationProgress::ALL {
        let moves = matches!(progress, RegistrationProgress::Pending | RegistrationProgress::Done);
        assert_eq!(progress.mended_by().is_none(), moves, "{progress:?}");
    }
}

#[test]
fn words_are_read_back() {
    for progress in RegistrationProgress::ALL {
        assert_eq!(RegistrationProgress::named(progress.as_str()), Some(progress));
    }
    for wish in [DesiredState::Present, DesiredState::Absent, DesiredState::Leaving] {
        assert_eq!(DesiredState::named(wish.as_str()), Some(wish));
    }
    for register in Register::ALL {
        assert_eq!(Register::named(register.as_str()), Some(register));
    }
}

/// What is shown is never better than what is so.
#[test]
fn item_18_an_identifier_is_registered_only_where_the_sml_leads_here() {
    let progresses = RegistrationProgress::ALL.into_iter().map(Some).chain([None]);
    for progress in progresses {
        for in_sml in [true, false] {
            assert_eq!(Presence::of(false, in_sml, progress), Presence::Absent);
            let found = Presence::of(true, in_sml, progress);
            assert_eq!(found == Presence::Registered, progress == Some(RegistrationProgress::Done));
            let stuck =
                [Some(RegistrationProgress::Failed), Some(RegistrationProgress::Blocked), None];
            if in_sml && stuck.contains(&progress) {
                assert!(!found.is_there(), "{progress:?}");
            }
        }
    }
}

/// A preparation that the SML refuses, or does not answer, takes nothing away.
#[test]
fn who_is_prepared_to_leave_is_there_until_it_leaves() {
    for progress in RegistrationProgress::ALL {
        let stays = match progress {
            RegistrationProgress::Unset => RegistrationProgress::Unset,
            _ => RegistrationProgress::Done,
        };
        assert_eq!(progress.of_presence(DesiredState::Leaving, false), stays);
        let kept = if progress == RegistrationProgress::Failed { progress } else { stays };
        assert_eq!(progress.of_presence(DesiredState::Present, true), kept);
        assert_eq!(progress.of_presence(DesiredState::Present, false), progress);
    }
    let given: Vec<&str> = RegistrationProgress::ALL
        .into_iter()
        .filter(|p| p.lets_leave())
        .map(|p| p.as_str())
        .collect();
    assert_eq!(given, ["pending", "done", "unset"]);
}
