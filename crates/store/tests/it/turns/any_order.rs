//! Steps in whatever order: nobody sleeps past what is due, and no lane stands still.

use quoin_delivery::TaskKind;
use quoin_delivery::calls::HookDecision;
use quoin_store::{CallEnd, Claim, Error, Handover, HookScope, Refusal, Work};
use quoin_testing::dice::Dice;

use super::upload_for;
use crate::hooks::{hook, tried};
use crate::world::{LEASE, World, at, completion, incoming, valid, world};

const KINDS: [TaskKind; 8] = [
    TaskKind::Prepare,
    TaskKind::Route,
    TaskKind::Deliver,
    TaskKind::Arrive,
    TaskKind::Notify,
    TaskKind::Stop,
    TaskKind::TakeOver,
    TaskKind::Tell,
];
/// Runs, each with other dice, unless `QUOIN_TURN_RUNS` says otherwise.
const RUNS: u64 = 6;
/// Things that happen in a run.
const HAPPENINGS: usize = 300;
/// Documents that are there at the beginning of every third run: more than may be under way of one
/// organisation.
const BACKLOG: u32 = 110;
/// Lanes in which nobody can be taken.
const STILL: &str = "SELECT group_concat(lane) FROM (SELECT lane FROM tasks WHERE lane IS NOT NULL
    GROUP BY lane HAVING max(available_on) IS NULL)";
/// Steps that are still there.
const LEFT: &str = "SELECT group_concat(kind || ' in ' || coalesce(lane, 'no lane')) FROM tasks
    WHERE kind IN ('prepare', 'route', 'deliver', 'arrive', 'notify', 'stop')";

/// A worker and what it has in hand.
struct Shift {
    world: World,
    db: rusqlite::Connection,
    lane: Handover,
    dice: Dice,
    now: i64,
    hand: Vec<Claim>,
    uploads: u32,
}

impl Shift {
    async fn begin(seed: u64) -> Shift {
        let world = world().await;
        let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
        world.store.read_ahead();
        let lane = world.store.take_over(&KINDS, LEASE);
        let dice = Dice::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut shift = Shift { world, db, lane, dice, now: 0, hand: Vec::new(), uploads: 0 };
        shift.listen(true).await;
        let backlog = if seed.is_multiple_of(3) { BACKLOG } else { 5 };
        for _ in 0..backlog {
            shift.upload("acme").await;
        }
        shift
    }

    /// In how many seconds something is to come.
    fn soon(&mut self) -> i64 {
        i64::try_from(self.dice.below(6)).unwrap()
    }

    async fn upload(&mut self, organisation: &str) {
        self.uploads += 1;
        upload_for(&self.world, organisation, self.uploads, self.now).await;
    }

    /// A document arrives for one of three parties.
    async fn arrives(&mut self) {
        self.uploads += 1;
        let mut new = incoming(self.uploads, "<Invoice/>");
        new.party = format!("0106:0000000{}", self.dice.below(3));
        self.world.store.receive(new).await.unwrap();
    }

    /// Somebody wants to hear of everything, or not any more.
    async fn listen(&self, is_active: bool) {
        let mut hook = hook("h", HookScope::Environment, &["*"]);
        (hook.is_active, hook.changed_on) = (is_active, at(self.now));
        self.world.store.put_hook(hook).await.unwrap();
    }

    /// Claims what is due, as a worker does that looks only where memory says that something is.
    async fn claim(&mut self, most: usize) {
        let mut kinds = KINDS;
        kinds.rotate_left(usize::try_from(self.dice.below(6)).unwrap());
        let due = self.world.store.sleeps_until(&kinds);
        if due.is_some_and(|due| due <= at(self.now)) {
            let claims = self.world.store.claim(&kinds, at(self.now), LEASE, most).await.unwrap();
            self.hand.extend(claims);
        }
    }

    async fn happens(&mut self) {
        self.hand.extend(std::iter::from_fn(|| self.lane.take()));
        match self.dice.below(20) {
            0 => self.upload("acme").await,
            1 => self.upload("other").await,
            2 | 3 => {
                let most = 1 + self.dice.below(12);
                self.claim(usize::try_from(most).unwrap()).await;
            }
            4 => self.lane.offer(usize::try_from(self.dice.below(3)).unwrap(), at(self.now)),
            5 => drop(self.lane.withdraw(2)),
            6 => {
                let soon = self.soon();
                self.now += soon;
            }
            7 if self.dice.below(8) == 0 => {
                // The process has ended, and with it whatever it had in hand.
                self.hand.clear();
                self.world.store.end_leases().await.unwrap();
            }
            8 if self.dice.below(6) == 0 => self.listen(false).await,
            9 => self.listen(true).await,
            10..=12 => self.arrives().await,
            _ if self.hand.is_empty() => self.claim(4).await,
            _ => {
                let one = self.dice.below(self.hand.len() as u64);
                let claim = self.hand.swap_remove(usize::try_from(one).unwrap());
                taken(self.step(claim).await);
            }
        }
    }

    /// What may become of a step.
    async fn step(&mut self, claim: Claim) -> Result<(), Error> {
        let later = at(self.now + self.soon());
        let store = &self.world.store;
        match claim.kind {
            TaskKind::Notify => return self.call(claim).await,
            TaskKind::Stop => return store.stop_calls(claim, at(self.now)).await,
            TaskKind::TakeOver => return store.take_over_calls(claim, at(self.now)).await,
            TaskKind::Tell => return store.tell_on(claim, at(self.now)).await,
            _ => {}
        }
        match self.dice.below(12) {
            0 => store.put_back(claim, later).await,
            1 => store.reschedule(claim, later).await,
            2 => store.failed(claim, later, "no disk".to_owned()).await,
            3..=5 => store.queue_up(claim, "host", later).await,
            6 => store.queue_up(claim, "other host", later).await,
            7 => {
                store.extend(&claim, at(self.now + 90)).await?;
                self.hand.push(Claim { lane: None, ..claim });
                Ok(())
            }
            8..=10 if matches!(claim.kind, TaskKind::Prepare | TaskKind::Arrive) => {
                let record = self.world.load(&claim).await;
                let done = completion(&claim, &record, &[valid()], self.now);
                store.commit(done).await.map(|_| ())
            }
            _ => store.drop_task(claim).await,
        }
    }

    /// What may become of a call.
    async fn call(&mut self, claim: Claim) -> Result<(), Error> {
        let (now, at) = (at(self.now), at(self.now + self.soon()));
        let store = &self.world.store;
        if matches!(store.load(&claim).await?, Work::Gone) {
            return store.stop_call(claim, now).await;
        }
        let decision = match self.dice.below(16) {
            0 => return store.put_back(claim, at).await,
            1 => return store.reschedule(claim, at).await,
            2 => return store.failed(claim, at, "no disk".to_owned()).await,
            3..=5 => HookDecision::Retry { at, aside: false },
            6..=8 => HookDecision::Retry { at, aside: true },
            9 => HookDecision::Stopped { reason: "no".to_owned(), disable_hook: false },
            10 if self.dice.below(4) == 0 => {
                HookDecision::Stopped { reason: "gone".to_owned(), disable_hook: true }
            }
            _ => HookDecision::Delivered,
        };
        let mut end = CallEnd::plain(tried(200), decision);
        end.recovered = end.decision == HookDecision::Delivered && self.dice.below(2) == 0;
        store.finish_call(claim, end, now).await
    }

    /// Whoever sleeps wakes in time, and each lane has somebody who goes first.
    async fn check(&self) {
        for kind in KINDS {
            let (sleeps, due) =
                (self.world.store.sleeps_until(&[kind]), self.world.store.next_due(&[kind]).await);
            if let Some(due) = due.unwrap() {
                assert!(
                    sleeps.is_some_and(|until| until <= due),
                    "{kind:?}: due at {due}, and whoever works on it sleeps until {sleeps:?}"
                );
            }
        }
        let still: Option<String> = self.db.query_row(STILL, [], |row| row.get(0)).unwrap();
        assert_eq!(still, None, "lanes that stand still");
    }

    /// Works on until nothing is left.
    async fn finish(mut self) {
        self.lane.withdraw(usize::MAX);
        self.hand.extend(std::iter::from_fn(|| self.lane.take()));
        while let Some(due) = self.world.store.sleeps_until(&KINDS) {
            self.now = self.now.max(due.duration_since(at(0)).as_secs() + 1);
            self.claim(50).await;
            for claim in std::mem::take(&mut self.hand) {
                let done = match claim.kind {
                    TaskKind::Stop => self.world.store.stop_calls(claim, at(self.now)).await,
                    TaskKind::TakeOver => {
                        self.world.store.take_over_calls(claim, at(self.now)).await
                    }
                    TaskKind::Tell => self.world.store.tell_on(claim, at(self.now)).await,
                    _ => self.world.store.drop_task(claim).await,
                };
                taken(done);
            }
        }
        let left: Option<String> = self.db.query_row(LEFT, [], |row| row.get(0)).unwrap();
        assert_eq!(left, None, "steps that nobody takes");
    }
}

/// A step is recorded, or its lease had ended and somebody else has it.
fn taken(recorded: Result<(), Error>) {
    match recorded {
        Ok(()) | Err(Error::Refusal(Refusal::StaleClaim { .. })) => {}
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn nobody_sleeps_past_what_is_due() {
    let runs = std::env::var("QUOIN_TURN_RUNS").ok().and_then(|runs| runs.parse().ok());
    for seed in 1..=runs.unwrap_or(RUNS) {
        println!("run {seed}");
        let mut shift = Shift::begin(seed).await;
        for _ in 0..HAPPENINGS {
            shift.happens().await;
            shift.check().await;
        }
        shift.finish().await;
    }
}
