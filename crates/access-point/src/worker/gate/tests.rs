//! The hooks of one organisation keep no hand from those of another.

use super::*;

/// Within this a call has its hand, where nobody else is in its way.
const SOON: Duration = Duration::from_secs(2);
const NEVER: Duration = Duration::from_millis(50);

/// Calls of hooks of an organisation, each of another hook; those that found a hand.
async fn fill(gate: &Arc<Gate>, organisation: &'static str, hosts: usize, is_failing: bool) {
    for number in 0..400 {
        let gate = gate.clone();
        tokio::spawn(async move {
            let (hook, host) = (format!("slow-{number}"), format!("host-{}", number % hosts));
            let _permit = gate.enter((organisation, &hook), &host, is_failing).await;
            std::future::pending::<()>().await;
        });
    }
    tokio::time::sleep(NEVER).await;
}

#[tokio::test]
async fn slow_hooks_of_one_organisation_delay_no_other_at_the_same_host() {
    for (is_failing, hosts) in [(false, 1), (false, 400), (true, 1), (true, 400)] {
        let gate = Arc::new(Gate::default());
        fill(&gate, "other", hosts, is_failing).await;
        for hook in 0..4 {
            let hook = format!("fast-{hook}");
            let call = gate.enter(("acme", &hook), "host-0", is_failing);
            let found = tokio::time::timeout(SOON, call).await;
            assert!(found.is_ok_and(|permit| permit.is_some()), "{is_failing} {hosts}");
        }
        let more = gate.enter(("other", "one-more"), "host-0", is_failing);
        let more = tokio::time::timeout(NEVER, more).await;
        assert!(!more.is_ok_and(|permit| permit.is_some()), "its own share is used up");
    }
}

#[tokio::test]
async fn a_slow_host_keeps_no_hand_from_another_host_of_the_same_organisation() {
    for is_failing in [false, true] {
        let gate = Arc::new(Gate::default());
        for number in 0..100 {
            let gate = gate.clone();
            tokio::spawn(async move {
                let hook = format!("slow-{number}");
                let _permit = gate.enter(("acme", &hook), "slow", is_failing).await;
                std::future::pending::<()>().await;
            });
        }
        tokio::time::sleep(NEVER).await;
        let call = gate.enter(("acme", "fast"), "fast", is_failing);
        let found = tokio::time::timeout(SOON, call).await;
        assert!(found.is_ok_and(|permit| permit.is_some()), "{is_failing}");
    }
}

#[tokio::test]
async fn what_an_organisation_has_in_hand_leaves_hands_of_the_worker_to_others() {
    let gate = Arc::new(Gate::default());
    fill(&gate, "other", 400, false).await;
    assert!(gate.in_hand.used() <= IN_HAND.share);
    assert!(gate.in_hand.used() < crate::worker::CALLS / 2);
}
