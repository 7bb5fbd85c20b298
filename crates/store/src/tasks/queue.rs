//! All tasks together: how many there are, and what is put right of them.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{TaskKind, clock};

use crate::engine::SqlRow;
use crate::error::Error;
use crate::open::Store;

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskState {
    /// Somebody may take it now.
    Due,
    /// Not before a later time, such as the next attempt.
    Later,
    /// Somebody has it in hand.
    Claimed,
    /// Behind another one of its lane.
    Waiting,
    /// It failed on our own side, and is tried no more before the next start.
    Held,
}

impl TaskState {
    /// Every state.
    pub const ALL: &[TaskState] = &[
        TaskState::Due,
        TaskState::Later,
        TaskState::Claimed,
        TaskState::Waiting,
        TaskState::Held,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            TaskState::Due => "due",
            TaskState::Later => "later",
            TaskState::Claimed => "claimed",
            TaskState::Waiting => "waiting",
            TaskState::Held => "held",
        }
    }

    fn named(word: &str) -> Option<TaskState> {
        TaskState::ALL.iter().copied().find(|state| state.as_str() == word)
    }
}

/// How many tasks of one kind are in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queued {
    /// What they ask for.
    pub kind: TaskKind,
    /// Where they stand.
    pub state: TaskState,
    /// How many there are.
    pub count: u64,
    /// Since when, or from when, the first of them is free to be taken; `None` of those that wait.
    pub oldest: Option<Timestamp>,
}

const QUEUE: &str = "SELECT kind, CASE
        WHEN held_on IS NOT NULL THEN 'held'
        WHEN available_on IS NULL THEN 'waiting'
        WHEN available_on <= ?1 THEN 'due'
        WHEN claim_token IS NOT NULL THEN 'claimed'
        ELSE 'later' END AS state, count(*), min(available_on)
    FROM tasks GROUP BY 1, 2 ORDER BY 1, 2";
/// What nobody has in hand, what waits in a lane, and what somebody has in hand.
const TOO_FAR: &str = "UPDATE tasks SET run_at = ?3, available_on = ?3
    WHERE kind = ?1 AND available_on > ?2 AND claim_token IS NULL";
const WAITS_TOO_FAR: &str = "UPDATE tasks SET run_at = ?3
    WHERE kind = ?1 AND available_on IS NULL AND run_at > ?2 AND held_on IS NULL";
const IN_HAND_TOO_FAR: &str = "UPDATE tasks SET available_on = ?3
    WHERE kind = ?1 AND available_on > ?2 AND claim_token IS NOT NULL";
/// The same of what a clock planned that was ahead, earlier by as much as it was.
const PLANNED_AHEAD: &str = "UPDATE tasks SET run_at = min(run_at, available_on - ?3),
    available_on = available_on - ?3
    WHERE kind = ?1 AND available_on > ?2 AND claim_token IS NULL";
const WAITS_AHEAD: &str = "UPDATE tasks SET run_at = run_at - ?3
    WHERE kind = ?1 AND available_on IS NULL AND run_at > ?2 AND held_on IS NULL";

impl Store {
    /// How many tasks there are of each kind and state, kinds and states without any left out.
    pub async fn queue(&self, now: Timestamp) -> Result<Vec<Queued>, Error> {
        self.browse(move |db| {
            let read = |mut row: SqlRow| {
                let kind = TaskKind::named(&row.text("tasks.kind")?);
                let state = TaskState::named(&row.text("tasks.state")?);
                let (count, oldest) =
                    (row.count("tasks.count")?, row.time_or_none("tasks.available_on")?);
                let queued = |(kind, state)| Queued { kind, state, count, oldest };
                Ok(kind.zip(state).map(queued))
            };
            db.query(QUEUE, &[now.into()])?
                .into_iter()
                .filter_map(|row| read(row).transpose())
                .collect()
        })
        .await
    }

    /// Makes due what lies further ahead than the longest wait of its kind: a clock that was ahead
    /// has planned it. What is in hand is nobody else's for `lease` yet. Answers how many there
    /// were.
    pub async fn plan_anew(
        &self,
        longest: Vec<(TaskKind, SignedDuration)>,
        lease: SignedDuration,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let until = now.saturating_add(lease).unwrap_or(Timestamp::MAX);
        self.tasks_in_hand().end_by(until);
        self.write(move |tx| {
            let mut found = 0;
            for (kind, longest) in longest {
                let longest = longest.saturating_add(clock::TOLERANCE);
                let far = now.saturating_add(longest).unwrap_or(Timestamp::MAX);
                for (sql, to) in [(TOO_FAR, now), (WAITS_TOO_FAR, now), (IN_HAND_TOO_FAR, until)] {
                    found += tx.execute(sql, &[kind.as_str().into(), far.into(), to.into()])?;
                }
            }
            if found > 0 {
                tx.due_any();
            }
            Ok(found)
        })
        .await
    }

    /// What is planned for later than `from` is planned for `by` earlier: the clock was ahead by
    /// that since it showed `from`. What was planned before and lies behind `from` comes too early,
    /// which costs little. What is in hand is nobody else's for `lease` yet. Answers how many there
    /// were.
    pub async fn plan_back(
        &self,
        (from, by): (Timestamp, SignedDuration),
        lease: SignedDuration,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let until = now.saturating_add(lease).unwrap_or(Timestamp::MAX);
        let by = i64::try_from(by.as_micros()).unwrap_or(0).max(0);
        self.tasks_in_hand().end_by(until);
        self.write(move |tx| {
            let mut found = 0;
            for kind in TaskKind::ALL {
                for sql in [PLANNED_AHEAD, WAITS_AHEAD] {
                    found += tx.execute(sql, &[kind.as_str().into(), from.into(), by.into()])?;
                }
                let far = [kind.as_str().into(), until.into(), until.into()];
                found += tx.execute(IN_HAND_TOO_FAR, &far)?;
            }
            if found > 0 {
                tx.due_any();
            }
            Ok(found)
        })
        .await
    }
}
