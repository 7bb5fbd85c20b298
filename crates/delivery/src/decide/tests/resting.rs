//! Documents that wait for a destination that is left alone.

use super::*;

#[test]
fn a_document_that_waits_for_an_access_point_uses_no_attempt() {
    let until = NOW + SignedDuration::from_secs(90);
    let (endpoint, why) = ("https://ap.example.test/as4".to_owned(), crate::Pause::Resting);
    let resting = Event::Postponed { endpoint, until, why };
    let decision = after(&sent(Status::Routed, 3), resting.clone());
    assert_eq!((decision.status, decision.attempts), (Status::Routed, 3));
    assert_eq!(decision.tasks, [NewTask { kind: TaskKind::Route, run_at: until, lane: None }]);
    assert!(decision.notices.is_empty(), "nothing happened to the document");
    let line = &decision.timeline[0];
    assert_eq!((line.name.as_str(), line.code.as_deref()), ("Postponed", Some("AP-RESTING")));
    assert!(after(&sent(Status::Validated, 0), resting.clone()).ignored.is_some());
    let mut posted = sent(Status::Routed, 3);
    posted.way.kind = Some(crate::hook::ActionKind::Web);
    let line = &after(&posted, resting).timeline[0];
    assert_eq!(line.code.as_deref(), Some("https-resting"));
    assert!(line.description.starts_with("The destination https://"), "{}", line.description);
}
#[test]
fn a_channel_that_changes_without_an_attempt_is_told() {
    let mut waits = sent(Status::Routed, 2);
    (waits.way.channel, waits.way.attempts_before) = (Some("other-key".to_owned()), 2);
    let decision = after(&waits, Event::Rerouted { channel: "other".to_owned() });
    let line = &decision.timeline[0];
    assert_eq!((line.name.as_str(), decision.status), ("Fallback", Status::Routed));
    assert!(line.description.contains("it takes the channel other instead"), "{line:?}");
    assert_eq!(decision.channel.as_deref(), Some("other-key"));
    assert_eq!((decision.attempts, decision.attempts_before), (2, 2));
    assert!(decision.notices.is_empty(), "nothing happened to the document");
}
