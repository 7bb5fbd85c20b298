//! Whose turn it is.

use quoin_store::HookScope;

use super::*;
use crate::hooks::bare_hook;

fn hook(id: &str) -> Hook {
    Hook { scope: HookScope::Party("9945:5265877635".to_owned()), ..bare_hook("of", id) }
}

/// One that cannot be used is not due before its time, unless it changed; and the one that waits
/// longest goes first, wherever it stands in the list.
#[test]
fn the_one_that_waits_longest_goes_first() {
    let now: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
    let at = |minutes: i64| now + SignedDuration::from_mins(minutes);
    let hooks: Vec<Hook> = (0..8).map(|n| hook(&format!("h-{n}"))).collect();
    let mut looks = Looks::default();
    // The first two cannot be used; the last one was due first.
    for (own, next) in hooks.iter().zip([59, 59, -1, -2, -3, -4, -5, -60]) {
        let memory = PurchaseMemory { next: at(next), ..PurchaseMemory::of(own) };
        looks.memories.insert(own.key.to_string(), memory);
    }
    let due = |hooks: &[Hook]| {
        let due = looks.due(hooks.to_vec(), now, UNUSABLE);
        due.iter().map(|own| own.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(due(&hooks), ["h-7", "h-6", "h-5", "h-4"]);
    assert_eq!(due(&hooks[..3]), ["h-2"]);
    let mut changed = hooks[..3].to_vec();
    changed[1].changed_on = now;
    assert_eq!(due(&changed), ["h-1", "h-2"]);
    assert!(looks.memories.len() == 8, "nothing is forgotten");
}
