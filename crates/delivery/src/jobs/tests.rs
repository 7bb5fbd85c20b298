//! Tests of `jobs`: words, and every command in every state.

use super::*;

#[test]
fn words_are_read_back() {
    for row in JOB_KINDS {
        assert_eq!(JobKind::named(row.word), Some(row.kind));
        assert!(std::ptr::eq(row.kind.row(), row));
        let bare = row.line == LineForm::Identifier;
        assert!(row.needs_list || bare, "what is recorded needs a line to stand in");
    }
    for state in JobState::ALL {
        assert_eq!(JobState::named(state.as_str()), Some(state));
    }
    for state in ItemState::ALL {
        assert_eq!(ItemState::named(state.as_str()), Some(state));
    }
    for command in JobCommand::ALL {
        assert_eq!(JobCommand::named(command.as_str()), Some(command));
    }
    assert_eq!(JobKind::named("invent"), None);
}

#[test]
fn where_a_name_leads_decides_what_a_job_can_do() {
    use SmpLocation::{Elsewhere, Here, Nowhere, Unknown};
    let other = || Elsewhere("https://smp.example".to_owned());
    let unknown = Unknown("SERVFAIL".to_owned());
    // For each kind: what is said where the name leads nowhere and elsewhere.
    let (no, note, well) = (Some(true), Some(false), None);
    for (kind, nowhere, elsewhere) in [
        (JobKind::Enrol, well, no),
        (JobKind::MigrateIn, no, well),
        (JobKind::MigrateOut, no, no),
        (JobKind::Withdraw, well, note),
        (JobKind::Capabilities, note, note),
        (JobKind::Endpoint, note, note),
        (JobKind::Certificate, note, note),
    ] {
        let said = |at: &SmpLocation| foresee(kind, at).map(|said| said.is_refused);
        assert_eq!((said(&Nowhere), said(&other())), (nowhere, elsewhere), "{kind:?}");
        assert_eq!((said(&Here), said(&unknown)), (None, Some(false)), "{kind:?}");
        let named = foresee(kind, &other()).is_none_or(|said| said.message.contains("smp.example"));
        assert!(named, "{kind:?}");
    }
    assert!(foresee(JobKind::Enrol, &unknown).unwrap().message.ends_with("SERVFAIL"));
}

#[test]
fn every_command_in_every_state() {
    use JobCommand::{Cancel, Pause, Resume, Start};
    use JobState::{Cancelled, Finished, Planned, Planning, Running};
    for (state, allowed) in [
        (Planning, vec![Start, Pause, Resume, Cancel]),
        (Planned, vec![Start, Cancel]),
        (Running, vec![Start, Pause, Resume, Cancel]),
        (Finished, vec![]),
        (Cancelled, vec![Cancel]),
    ] {
        for command in JobCommand::ALL {
            let standing = JobControl { state, paused: false, starts: false };
            let after = standing.after(command);
            assert_eq!(after.is_ok(), allowed.contains(&command), "{state:?} {command:?}");
            if let Ok(after) = after {
                assert_eq!(after.after(command), Ok(after), "twice is once");
                assert!(!after.paused || !after.is_active());
            }
        }
    }
}

#[test]
fn a_start_while_planning_is_remembered_and_a_pause_is_lifted() {
    let planning = JobControl { state: JobState::Planning, paused: false, starts: false };
    let paused = planning.after(JobCommand::Start).unwrap().after(JobCommand::Pause).unwrap();
    assert_eq!((paused.shown(), paused.is_active()), ("paused", false));
    let again = paused.after(JobCommand::Resume).unwrap();
    assert!(again.starts && again.is_active());
    let ended = paused.after(JobCommand::Cancel).unwrap();
    assert_eq!((ended.shown(), ended.is_active()), ("cancelled", false));
    let refused = ended.after(JobCommand::Start).unwrap_err();
    assert_eq!(refused.to_string(), "a job that is cancelled cannot start");
    // Who did not hear the answer says it again, though the job is done by then.
    let done = JobControl { state: JobState::Finished, paused: false, starts: true };
    assert_eq!(done.after(JobCommand::Start), Ok(done));
}
