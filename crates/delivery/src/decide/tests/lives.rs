//! Random lives: whatever happens in whatever order.

use proptest::prelude::*;

use super::returned::returned;
use super::*;

fn any_event() -> impl Strategy<Value = Event> {
    let outcome = prop_oneof![
        1 => Just(delivered()),
        6 => Just(later(500)),
        1 => Just(never()),
    ];
    prop_oneof![
        1 => Just(Event::Uploaded),
        1 => Just(Event::Received { access_point: "x".to_owned() }),
        4 => Just(Event::Validated { summary: String::new() }),
        1 => Just(Event::Rejected { summary: String::new(), findings: Vec::new() }),
        1 => Just(Event::Postponed {
            endpoint: "https://ap.example.test/as4".to_owned(),
            until: NOW,
            why: crate::Pause::Refused,
        }),
        1 => Just(Event::Unroutable {
            code: String::new(), message: String::new(), cause: String::new() }),
        1 => Just(Event::Rerouted { channel: "other".to_owned() }),
        4 => Just(route()),
        2 => any::<bool>().prop_map(returned),
        12 => (0..12u32, outcome).prop_map(|(attempt, outcome)| attempted(attempt, outcome)),
    ]
}

proptest! {
    #[test]
    fn no_life_leaves_a_final_status_or_tells_two_ends(
        events in prop::collection::vec(any_event(), 0..200),
        outgoing: bool,
    ) {
        let direction = if outgoing { Direction::Outgoing } else { Direction::Incoming };
        let mut tx = transaction(direction, Status::Pending, 0);
        let mut ends = 0;
        for event in events {
            let decision = after(&tx, event);
            if tx.status.is_final() {
                let told = decision.timeline.iter().any(|line| {
                    matches!(line.name.as_str(), "Bounced" | "Delayed")
                });
                prop_assert!(decision.ignored.is_some() || told);
                prop_assert_eq!(decision.status, tx.status);
            }
            if decision.ignored.is_some() {
                prop_assert_eq!((decision.status, decision.attempts), (tx.status, tx.attempts));
                prop_assert!(decision.timeline.is_empty() && decision.tasks.is_empty());
                prop_assert!(decision.notices.is_empty());
                prop_assert!(decision.channel.is_none());
            } else {
                // A life goes on by exactly one task, and ends with none.
                prop_assert_eq!(decision.tasks.len(), usize::from(!decision.status.is_final()));
                prop_assert!(decision.status >= tx.status);
            }
            if !tx.status.is_final() {
                let told = topics(&decision);
                ends += told.iter().filter(|t| **t != Topic::INVOICE_SENT_RETRY).count();
            }
            tx = tx.after(&decision);
            prop_assert!(tx.attempts <= 8);
        }
        prop_assert_eq!(ends, usize::from(tx.status.is_final()));
    }

    #[test]
    fn failing_attempts_always_come_to_an_end(status in 500..600u16) {
        let mut tx = sent(Status::Routed, 0);
        while !tx.status.is_final() {
            tx = tx.after(&after(&tx, attempted(tx.attempts + 1, later(status))));
        }
        prop_assert_eq!((tx.status, tx.attempts), (Status::Failed, 8));
    }
}
