//! What follows a try to bring a register outside up to date: the SML, which leads to our SMP, or
//! the Directory, in which businesses are found. A register that does not answer is asked again
//! for as long as it takes; one that says no is not.

use jiff::{SignedDuration, Timestamp};

use crate::retry::Schedule;

/// How often a register that does not know us is asked again.
const BLOCKED_PAUSE: SignedDuration = SignedDuration::from_mins(15);
/// How often it is looked whether a participant that may leave has left.
const LEAVING_PAUSE: SignedDuration = SignedDuration::from_mins(15);

/// A register outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Register {
    /// The service metadata locator: which SMP a participant has.
    Sml,
    /// The Peppol Directory: business cards.
    Directory,
}

impl Register {
    /// Both.
    pub const ALL: [Register; 2] = [Register::Sml, Register::Directory];

    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Register::Sml => "sml",
            Register::Directory => "directory",
        }
    }

    /// The register of this word, if there is one.
    pub fn named(word: &str) -> Option<Register> {
        Register::ALL.into_iter().find(|register| register.as_str() == word)
    }
}

/// What a register is to hold about a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DesiredState {
    /// That it is here.
    Present,
    /// Nothing.
    Absent,
    /// That it is here, and may be moved away by whoever has the migration key (SML only).
    Leaving,
}

impl DesiredState {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            DesiredState::Present => "present",
            DesiredState::Absent => "absent",
            DesiredState::Leaving => "leaving",
        }
    }

    /// The wish of this word, if there is one.
    pub fn named(word: &str) -> Option<DesiredState> {
        [DesiredState::Present, DesiredState::Absent, DesiredState::Leaving]
            .into_iter()
            .find(|wish| wish.as_str() == word)
    }
}

/// How far a wish has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegistrationProgress {
    /// Not tried yet.
    Pending,
    /// The register holds it.
    Done,
    /// A try failed, another one is planned.
    Retrying,
    /// This installation lacks something; the message says what.
    Blocked,
    /// This installation has no such register: nothing is tried until it has one.
    Unset,
    /// The register said no; nothing more is tried until the wish is made anew.
    Failed,
}

impl RegistrationProgress {
    const ALL: [RegistrationProgress; 6] = [
        RegistrationProgress::Pending,
        RegistrationProgress::Done,
        RegistrationProgress::Retrying,
        RegistrationProgress::Blocked,
        RegistrationProgress::Unset,
        RegistrationProgress::Failed,
    ];

    /// The word in answers, which know one word for what this installation lacks.
    pub fn shown(self) -> &'static str {
        match self {
            RegistrationProgress::Unset => RegistrationProgress::Blocked.as_str(),
            other => other.as_str(),
        }
    }

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            RegistrationProgress::Pending => "pending",
            RegistrationProgress::Done => "done",
            RegistrationProgress::Retrying => "retrying",
            RegistrationProgress::Blocked => "blocked",
            RegistrationProgress::Unset => "unset",
            RegistrationProgress::Failed => "failed",
        }
    }

    /// Who can do something about it: nobody has to while it is `pending`, `done` or `retrying`
    /// (the register outside does not answer, and is asked again); the operator of this service
    /// where something is not set up; the customer, with its present provider, where the register
    /// says no.
    pub fn mended_by(self) -> Option<&'static str> {
        match self {
            RegistrationProgress::Pending | RegistrationProgress::Done => None,
            RegistrationProgress::Retrying => Some("register"),
            RegistrationProgress::Blocked | RegistrationProgress::Unset => Some("operator"),
            RegistrationProgress::Failed => Some("customer"),
        }
    }

    /// How far the SML is with leading here, for a wish that is this far. Who may leave is prepared
    /// for it, or stays after all, was led here before and is until it leaves: only what is to
    /// happen then is under way, or was refused.
    pub fn of_presence(self, wish: DesiredState, is_taken_back: bool) -> RegistrationProgress {
        match (wish, self) {
            (_, RegistrationProgress::Unset) => RegistrationProgress::Unset,
            (DesiredState::Leaving, _) => RegistrationProgress::Done,
            // What the SML then refuses to let stay is somebody else's.
            (DesiredState::Present, progress)
                if is_taken_back && progress != RegistrationProgress::Failed =>
            {
                RegistrationProgress::Done
            }
            (_, progress) => progress,
        }
    }

    /// Whether the key of a preparation to leave may be given out: not while the SML has refused
    /// it, or not answered.
    pub fn lets_leave(self) -> bool {
        matches!(
            self,
            RegistrationProgress::Pending
                | RegistrationProgress::Done
                | RegistrationProgress::Unset
        )
    }

    /// The progress of this word, if there is one.
    pub fn named(word: &str) -> Option<RegistrationProgress> {
        RegistrationProgress::ALL.into_iter().find(|progress| progress.as_str() == word)
    }
}

/// What of an identifier is so in the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Presence {
    /// The SML leads to our SMP, which publishes it.
    Registered,
    /// Our SMP publishes it, and its name in the SML is somebody else's work.
    Published,
    /// Our SMP publishes it; the SML follows.
    Pending,
    /// Our SMP publishes it, and nobody finds it: the SML does not lead here.
    Unreachable,
    /// It is not published.
    Absent,
}

impl Presence {
    /// What follows from what is published here, whether the SML is our work, and how far the wish
    /// for it is; `None` where there is no wish that it is here.
    pub fn of(published: bool, in_sml: bool, sml: Option<RegistrationProgress>) -> Presence {
        match (published, in_sml, sml) {
            (false, ..) => Presence::Absent,
            (true, _, Some(RegistrationProgress::Done)) => Presence::Registered,
            (true, false, _) | (true, true, Some(RegistrationProgress::Unset)) => {
                Presence::Published
            }
            (true, true, Some(RegistrationProgress::Pending)) => Presence::Pending,
            (true, true, _) => Presence::Unreachable,
        }
    }

    /// The stable word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Presence::Registered => "registered",
            Presence::Published => "published",
            Presence::Pending => "pending",
            Presence::Unreachable => "unreachable",
            Presence::Absent => "absent",
        }
    }

    /// Whether a sender finds it, as far as that is known.
    pub const fn is_there(self) -> bool {
        matches!(self, Presence::Registered | Presence::Published | Presence::Pending)
    }
}

/// How a try ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistrationTry {
    /// The register holds what was wished.
    Done,
    /// No answer, or one that may be another tomorrow.
    Later(String),
    /// This installation is set up for the register, but not known to it.
    Blocked(String),
    /// This installation has no such register.
    Unset(String),
    /// A final no.
    Never(String),
}

/// What follows a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationOutcome {
    /// How far it is now.
    pub progress: RegistrationProgress,
    /// One sentence for people.
    pub message: String,
    /// When it is tried next, if it is.
    pub next_on: Option<Timestamp>,
    /// The participant went to another SMP: what we publish of it ends.
    pub left: bool,
}

/// Decides how it goes on with a participant that may leave, and has left or not.
pub fn decide_leaving(left: bool, now: Timestamp) -> RegistrationOutcome {
    let again = now.saturating_add(LEAVING_PAUSE).unwrap_or(Timestamp::MAX);
    let message = if left { "it moved to another SMP" } else { "" };
    RegistrationOutcome {
        progress: RegistrationProgress::Done,
        message: message.to_owned(),
        next_on: (!left).then_some(again),
        left,
    }
}

/// Decides what follows try `attempt` (from 1). The last wait of the schedule is used for ever.
pub fn decide_registration(
    attempt: u32,
    tried: &RegistrationTry,
    schedule: &Schedule,
    now: Timestamp,
    jitter: f64,
) -> RegistrationOutcome {
    let (progress, message, next_on) = match tried {
        RegistrationTry::Done => (RegistrationProgress::Done, String::new(), None),
        RegistrationTry::Never(why) => (RegistrationProgress::Failed, why.clone(), None),
        RegistrationTry::Unset(what) => (RegistrationProgress::Unset, what.clone(), None),
        RegistrationTry::Blocked(what) => {
            let at = now.saturating_add(BLOCKED_PAUSE).unwrap_or(Timestamp::MAX);
            (RegistrationProgress::Blocked, what.clone(), Some(at))
        }
        RegistrationTry::Later(why) => {
            let last = u32::try_from(schedule.waits.len()).unwrap_or(u32::MAX);
            let at = schedule.next(attempt.min(last), now, jitter, None);
            let at = at.or_else(|| now.checked_add(BLOCKED_PAUSE).ok());
            (RegistrationProgress::Retrying, why.clone(), at)
        }
    };
    RegistrationOutcome { progress, message, next_on, left: false }
}

#[cfg(test)]
mod tests;
