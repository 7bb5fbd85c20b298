//! The looks that are under way, and when the next ones are due: each place has its own time, so
//! that a server that is slow or silent delays the looks at nobody else's. A few of one
//! organisation go at a time, so that however many it has that are silent, others find room.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::time::{Duration, Instant};

use quoin_delivery::OrganisationId;
use quoin_store::Hook;
use tokio::task::{Id, JoinError, JoinSet};

use super::FolderMemory;

/// Looks at a time, in all and of one organisation.
const AT_ONCE: usize = 16;
const OF_ONE: usize = 2;

type LookKey = (OrganisationId, String);

fn key_of(hook: &Hook) -> LookKey {
    (hook.organisation.clone(), hook.key.to_string())
}

/// The looks that are under way, whose they are, and what the others found.
pub(super) struct FolderLooks {
    /// Between two looks at one place.
    pause: Duration,
    tasks: JoinSet<FolderMemory>,
    whose: HashMap<Id, LookKey>,
    /// Of those that are not under way: when the next one is due, and what the last one found.
    known: HashMap<LookKey, (Instant, FolderMemory)>,
}

impl FolderLooks {
    /// None yet, with such a pause between two at one place.
    pub(super) fn new(pause: Duration) -> FolderLooks {
        let (tasks, whose, known) = (JoinSet::new(), HashMap::new(), HashMap::new());
        FolderLooks { pause, tasks, whose, known }
    }

    /// Waits until one ends, for so long at most.
    pub(super) async fn ended_within(&mut self, longest: Duration) {
        tokio::select! {
            Some(ended) = self.tasks.join_next_with_id() => self.reap(ended),
            () = tokio::time::sleep(longest) => {}
        }
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.reap(ended);
        }
    }

    fn reap(&mut self, ended: Result<(Id, FolderMemory), JoinError>) {
        let (id, memory) = match ended {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(%error, "a folder could not be looked at");
                (error.id(), FolderMemory::default())
            }
        };
        if let Some(key) = self.whose.remove(&id) {
            self.known.insert(key, (Instant::now() + self.pause, memory));
        }
    }

    /// Forgets what is no longer looked at.
    pub(super) fn keep_only(&mut self, hooks: &[Hook]) {
        let there: HashSet<LookKey> = hooks.iter().map(key_of).collect();
        self.known.retain(|key, _| there.contains(key));
    }

    /// Those that are due and have room, the one that was due first before all others.
    pub(super) fn due<'h>(&self, hooks: &'h [Hook], now: Instant) -> Vec<&'h Hook> {
        let under_way: HashSet<&LookKey> = self.whose.values().collect();
        let mut of: HashMap<&OrganisationId, usize> = HashMap::new();
        for (organisation, _) in &under_way {
            *of.entry(organisation).or_default() += 1;
        }
        let mut due: Vec<(Option<Instant>, &Hook)> = Vec::new();
        for hook in hooks {
            let key = key_of(hook);
            let next = self.known.get(&key).map(|known| known.0);
            if !under_way.contains(&key) && next.is_none_or(|next| next <= now) {
                due.push((next, hook));
            }
        }
        due.sort_by_key(|(next, _)| *next);
        let mut room = AT_ONCE.saturating_sub(under_way.len());
        due.retain(|(_, hook)| {
            let own = of.entry(&hook.organisation).or_default();
            let begins = room > 0 && *own < OF_ONE;
            if begins {
                (*own, room) = (*own + 1, room - 1);
            }
            begins
        });
        due.into_iter().map(|(_, hook)| hook).collect()
    }

    /// Begins a look with what the last one found.
    pub(super) fn begin<F>(&mut self, hook: &Hook, look: impl FnOnce(FolderMemory) -> F)
    where
        F: Future<Output = FolderMemory> + Send + 'static,
    {
        let key = key_of(hook);
        let memory = self.known.remove(&key).map(|(_, memory)| memory).unwrap_or_default();
        let task = self.tasks.spawn(look(memory));
        self.whose.insert(task.id(), key);
    }

    /// Ends those that are under way.
    pub(super) async fn end(mut self) {
        self.tasks.shutdown().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hooks::bare_hook as hook;

    #[tokio::test]
    async fn silent_places_of_one_leave_room_for_those_of_others() {
        let mut hooks: Vec<Hook> = (0..8).map(|n| hook("silent", &format!("tarpit-{n}"))).collect();
        hooks.extend(["b", "c", "d", "e"].map(|name| hook(name, "folder")));
        let mut looks = FolderLooks::new(Duration::from_millis(50));
        let begun = Instant::now();
        let mut seen: HashMap<LookKey, usize> = HashMap::new();
        while begun.elapsed() < Duration::from_secs(1) {
            for hook in looks.due(&hooks, Instant::now()) {
                *seen.entry(key_of(hook)).or_default() += 1;
                let is_silent = hook.organisation.as_str() == "silent";
                looks.begin(hook, |memory| async move {
                    if is_silent {
                        std::future::pending::<()>().await;
                    }
                    memory
                });
            }
            looks.ended_within(Duration::from_millis(10)).await;
        }
        let silent = seen.keys().filter(|(whose, _)| whose.as_str() == "silent").count();
        assert_eq!(silent, OF_ONE, "{seen:?}");
        for whose in ["b", "c", "d", "e"] {
            let times = seen[&key_of(&hook(whose, "folder"))];
            assert!(times >= 5, "{whose} was looked at {times} times within twenty pauses");
        }
        looks.end().await;
    }

    #[tokio::test]
    async fn what_was_due_first_goes_first_and_no_more_than_there_are_places() {
        let hooks: Vec<Hook> = (0..20).map(|n| hook(&format!("of-{n}"), "folder")).collect();
        let mut looks = FolderLooks::new(Duration::ZERO);
        let first: Vec<Hook> = looks.due(&hooks, Instant::now()).into_iter().cloned().collect();
        assert_eq!(first.len(), AT_ONCE);
        for hook in &first {
            looks.begin(hook, |memory| async move { memory });
        }
        assert!(looks.due(&hooks, Instant::now()).is_empty(), "all places are taken");
        while !looks.whose.is_empty() {
            looks.ended_within(Duration::from_millis(10)).await;
        }
        let next = looks.due(&hooks, Instant::now());
        assert_eq!(next[..4], hooks[16..].iter().collect::<Vec<_>>()[..]);
        looks.keep_only(&hooks[..1]);
        assert_eq!(looks.known.len(), 1);
    }
}
