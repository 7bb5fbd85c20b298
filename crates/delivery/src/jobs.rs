//! Bulk jobs: one change for many parties, planned first, carried out in small steps, paused,
//! resumed and cancelled at any time.

use std::fmt;

mod foreseen;

pub use foreseen::{Foreseen, SmpLocation, foresee};

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    /// Enrols the parties of a list.
    Enrol,
    /// Takes the participants of a list over from another SMP, each with its key.
    MigrateIn,
    /// Lets participants go to another SMP, each with a key.
    MigrateOut,
    /// Sets capabilities of parties.
    Capabilities,
    /// Publishes another address for parties.
    Endpoint,
    /// Publishes another access point certificate for parties.
    Certificate,
    /// Ends the enrolment of the parties of a list.
    Withdraw,
}

/// A row of the table of kinds.
#[derive(Debug)]
pub struct JobKindRow {
    /// The kind.
    pub kind: JobKind,
    /// The word in the store and in the interface.
    pub word: &'static str,
    /// Whether it brings its list of parties; others may be for all parties that are published.
    pub needs_list: bool,
    /// What a line of the list says.
    pub line: LineForm,
}

/// What a line of the list of a job says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineForm {
    /// Which party.
    Identifier,
    /// That, and what is recorded of it.
    Party,
    /// That, and the migration key.
    PartyWithKey,
}

const fn row(kind: JobKind, word: &'static str, needs_list: bool, line: LineForm) -> JobKindRow {
    JobKindRow { kind, word, needs_list, line }
}

/// Every kind. One that ends something never is for all parties at a word.
pub static JOB_KINDS: &[JobKindRow] = &[
    row(JobKind::Enrol, "enrol", true, LineForm::Party),
    row(JobKind::MigrateIn, "migrateIn", true, LineForm::PartyWithKey),
    row(JobKind::MigrateOut, "migrateOut", false, LineForm::Identifier),
    row(JobKind::Capabilities, "capabilities", false, LineForm::Identifier),
    row(JobKind::Endpoint, "endpoint", false, LineForm::Identifier),
    row(JobKind::Certificate, "certificate", false, LineForm::Identifier),
    row(JobKind::Withdraw, "withdraw", true, LineForm::Identifier),
];

impl JobKind {
    /// Its row.
    pub fn row(self) -> &'static JobKindRow {
        #[expect(clippy::indexing_slicing, reason = "done by the compiler")]
        const FIRST: &JobKindRow = &JOB_KINDS[0];
        // Every kind has a row; a test walks them.
        JOB_KINDS.iter().find(|row| row.kind == self).unwrap_or(FIRST)
    }

    /// The word in the store and in the interface.
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// The kind of this word, if there is one.
    pub fn named(word: &str) -> Option<JobKind> {
        JOB_KINDS.iter().find(|row| row.word == word).map(|row| row.kind)
    }
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// Its parties are gathered, and for each it is tried what would happen, without doing it.
    Planning,
    /// The preview is ready; nothing was done yet.
    Planned,
    /// It is carried out.
    Running,
    /// Everything was tried.
    Finished,
    /// It was ended; what was done stays done.
    Cancelled,
}

impl JobState {
    const ALL: [JobState; 5] = [
        JobState::Planning,
        JobState::Planned,
        JobState::Running,
        JobState::Finished,
        JobState::Cancelled,
    ];

    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Planning => "planning",
            JobState::Planned => "planned",
            JobState::Running => "running",
            JobState::Finished => "finished",
            JobState::Cancelled => "cancelled",
        }
    }

    /// The state of this word, if there is one.
    pub fn named(word: &str) -> Option<JobState> {
        JobState::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether nothing follows.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Finished | JobState::Cancelled)
    }
}

/// How far one party of a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemState {
    /// It would succeed as far as can be told.
    Planned,
    /// It would not succeed, and is left out.
    Refused,
    /// It is recorded, and a register outside has still to follow.
    Waiting,
    /// It is done.
    Done,
    /// It was so already.
    Unchanged,
    /// It did not succeed.
    Failed,
}

impl ItemState {
    /// Every state.
    pub const ALL: [ItemState; 6] = [
        ItemState::Planned,
        ItemState::Refused,
        ItemState::Waiting,
        ItemState::Done,
        ItemState::Unchanged,
        ItemState::Failed,
    ];

    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            ItemState::Planned => "planned",
            ItemState::Refused => "refused",
            ItemState::Waiting => "waiting",
            ItemState::Done => "done",
            ItemState::Unchanged => "unchanged",
            ItemState::Failed => "failed",
        }
    }

    /// The state of this word, if there is one.
    pub fn named(word: &str) -> Option<ItemState> {
        ItemState::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// What its owner may ask of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobCommand {
    /// Carry it out, as soon as it is planned.
    Start,
    /// Take no further step for now.
    Pause,
    /// Go on.
    Resume,
    /// Take no further step for ever.
    Cancel,
}

impl JobCommand {
    /// Every command.
    pub const ALL: [JobCommand; 4] =
        [JobCommand::Start, JobCommand::Pause, JobCommand::Resume, JobCommand::Cancel];

    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            JobCommand::Start => "start",
            JobCommand::Pause => "pause",
            JobCommand::Resume => "resume",
            JobCommand::Cancel => "cancel",
        }
    }

    /// The command of this word, if there is one.
    pub fn named(word: &str) -> Option<JobCommand> {
        JobCommand::ALL.into_iter().find(|command| command.as_str() == word)
    }
}

/// Where a job stands, as far as commands are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobControl {
    /// How far it is.
    pub state: JobState,
    /// Whether no step is taken for now.
    pub paused: bool,
    /// Whether it is carried out without a further word once it is planned.
    pub starts: bool,
}

/// A command that a job cannot follow where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotNow {
    /// The command.
    pub command: JobCommand,
    /// How far the job is.
    pub state: JobState,
}

impl fmt::Display for NotNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (command, state) = (self.command.as_str(), self.state.as_str());
        write!(f, "a job that is {state} cannot {command}")
    }
}

impl std::error::Error for NotNow {}

impl JobControl {
    /// Where a command brings the job. The same command twice has the same result.
    ///
    /// # Errors
    /// [`NotNow`].
    pub fn after(self, command: JobCommand) -> Result<JobControl, NotNow> {
        let refused = Err(NotNow { command, state: self.state });
        match (command, self.state) {
            (JobCommand::Start, JobState::Planning) => Ok(JobControl { starts: true, ..self }),
            (JobCommand::Start, JobState::Planned) => {
                Ok(JobControl { state: JobState::Running, starts: true, ..self })
            }
            (JobCommand::Start, JobState::Running) => Ok(self),
            // Who did not hear the answer to its command says it again.
            (JobCommand::Start, JobState::Finished) if self.starts => Ok(self),
            (JobCommand::Pause | JobCommand::Resume, JobState::Planning | JobState::Running) => {
                Ok(JobControl { paused: command == JobCommand::Pause, ..self })
            }
            (JobCommand::Cancel, JobState::Finished) => refused,
            (JobCommand::Cancel, _) => {
                Ok(JobControl { state: JobState::Cancelled, paused: false, ..self })
            }
            _ => refused,
        }
    }

    /// Whether a step is to be taken.
    pub fn is_active(self) -> bool {
        !self.paused && matches!(self.state, JobState::Planning | JobState::Running)
    }

    /// What the interface shows.
    pub fn shown(self) -> &'static str {
        if self.paused { "paused" } else { self.state.as_str() }
    }
}

#[cfg(test)]
mod tests;
