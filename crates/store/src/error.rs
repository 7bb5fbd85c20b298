//! The two kinds of no a store can say. A refusal is the caller's: it asked for what is not there
//! or not its own any more. A fault is ours: disk, engine, or a record that cannot be read.

use jiff::Timestamp;

mod strange;

pub use strange::Strange;

/// Why a call did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller asked for something that cannot be.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// The store failed. Nothing was changed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// What the caller cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The task was done by another worker, or the lease ran out and it was handed out again.
    #[error(
        "task {task} is no longer held under this claim: its lease ran out and another worker has \
         it, or it is done; drop the result, the other worker's counts"
    )]
    StaleClaim {
        /// The task.
        task: i64,
    },
    /// The transaction changed since it was read.
    #[error("transaction {transaction} is at version {found}, the decision was made at {expected}")]
    VersionMoved {
        /// The transaction.
        transaction: String,
        /// The version the decision was made from.
        expected: u64,
        /// The version on record.
        found: u64,
    },
    /// There is no such thing.
    #[error("there is no {what} {key:?}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// Under which key.
        key: String,
    },
    /// The key belongs to someone else.
    #[error("{what} {key:?} is taken")]
    Taken {
        /// What was to be recorded.
        what: &'static str,
        /// Under which key.
        key: String,
    },
    /// A state that may not follow those that were given.
    #[error(transparent)]
    OutOfOrder(quoin_delivery::responses::OutOfOrder),
    /// An enrolled party needs a user of role ApUser that is linked to it.
    #[error("party {party:?} needs at least one linked user of role ApUser to be enrolled")]
    Unlinked {
        /// The party.
        party: String,
    },
    /// Nobody has verified that the party is whom it says it is.
    #[error("there is no end-user verification of party {party:?} on record")]
    Unverified {
        /// The party.
        party: String,
    },
    /// A verification names an identifier that its party does not have.
    #[error("verification.identifiers names {0}, expected identifiers that the party has")]
    Foreign(String),
    /// It stands for something else that has to be changed first.
    #[error("{what} {key:?} is held by the configuration of its party")]
    Held {
        /// What was to be removed.
        what: &'static str,
        /// Under which key.
        key: String,
    },
    /// A party keeps one identifier at least.
    #[error(
        "{identifier} is the last identifier of its party, which has to have one: give it another one \
         first, or withdraw the party"
    )]
    LastIdentifier {
        /// The identifier that was to be taken off.
        identifier: String,
    },
    /// The enterprise number of a Belgian party, whose VAT number is registered too.
    #[error(
        "{identifier} is the enterprise number under which a Belgian party has to be reachable, and \
         its VAT number {vat} is registered: take {vat} off first, or withdraw the party"
    )]
    EnterpriseNumber {
        /// The enterprise number that was to be taken off.
        identifier: String,
        /// The VAT number that the party would be left with.
        vat: String,
    },
    /// A participant that the SML does not hold for us cannot be let go there.
    #[error(
        "{participant} cannot be prepared for leaving: {what} in the SML is {state}, and it has to be \
         done first{advice}"
    )]
    Unregistered {
        /// The participant.
        participant: String,
        /// What is not done: its registration, or the preparation itself.
        what: &'static str,
        /// How far that is.
        state: &'static str,
        /// What to do, where that is more than to wait or to mend it.
        advice: String,
    },
    /// A command that a job cannot follow where it stands.
    #[error(transparent)]
    NotNow(quoin_delivery::jobs::NotNow),
    /// A secret is changed while the one before the last is still taken.
    #[error("the secret was changed before; both are taken until {until}")]
    Rotating {
        /// Until when.
        until: Timestamp,
    },
    /// The package of the organisation is full.
    #[error("the package is full: {used} documents of this month are delivered or under way")]
    PackageFull {
        /// How many there are.
        used: u64,
    },
    /// There are as many as there may be.
    #[error("there are already {most} {what} under way; wait until one has ended, or end one")]
    TooMany {
        /// What there would be too many of.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// The record is not the one that the caller saw.
    #[error("{what} changed since it was read: it is at version {found}")]
    Changed {
        /// What was to be changed.
        what: &'static str,
        /// The version on record; 0 where there is none.
        found: u64,
    },
    /// A cursor of the feed that is beyond its newest event.
    #[error("after is {after}, but the newest event is {newest}")]
    CursorAhead {
        /// The number that was asked for.
        after: u64,
        /// The newest one.
        newest: u64,
    },
    /// A continuation token that we did not give out.
    #[error("the continuation token {found:?} is not one of ours; start again without one")]
    Continuation {
        /// The token as it came, cut to 64 characters.
        found: String,
    },
}

/// How the store failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// The engine refused a statement or a commit.
    #[error("the database failed at {doing}: {message}")]
    Engine {
        /// What was being done.
        doing: &'static str,
        /// What the engine said.
        message: String,
    },
    /// What the engine read of the file is no database.
    #[error(
        "the database is damaged ({message}): keep a copy of its folder as it is, and put the \
         database back from a backup, as docs/operating/restore.md tells"
    )]
    Damaged {
        /// What was being done.
        doing: &'static str,
        /// What the engine said.
        message: String,
    },
    /// The engine got no memory.
    #[error("there was no memory for {doing}: nothing of it was recorded")]
    NoMemory {
        /// What was being done.
        doing: &'static str,
    },
    /// What was to be recorded is not compatible with a record that is there.
    #[error(
        "the database took no such record at {doing}: {message}; what is there already stands in \
         its way, and it fails alike each time"
    )]
    Constraint {
        /// What was being done.
        doing: &'static str,
        /// What the engine said: the columns, never what is in them.
        message: String,
    },
    /// Another process held the database for longer than is waited for.
    #[error("the database is busy at {doing}: another process holds it")]
    Busy {
        /// What was being done.
        doing: &'static str,
    },
    /// A file that the process has open is not the one that lies there any more.
    #[error(
        "{path} {found}: it was replaced or removed while the service runs. Nothing is written any \
         more, since it would be lost or in the way of another process; stop the service, put the \
         files right and start it again"
    )]
    Replaced {
        /// The file.
        path: String,
        /// What lies there now.
        found: &'static str,
    },
    /// A file or folder could not be read or written.
    #[error("{doing} {path}: {message}; check that the folder exists, is ours and has room")]
    Files {
        /// What was being done.
        doing: &'static str,
        /// Where.
        path: String,
        /// What the system said.
        message: String,
    },
    /// A file that the database names is not there, or is not what was written.
    #[error(
        "the file {path} of a document that is on record {found}: put it back from a backup, as \
         docs/operating/restore.md tells"
    )]
    Lost {
        /// The file.
        path: String,
        /// What is wrong with it.
        found: &'static str,
    },
    /// The disk took no more, for another reason than that it is full.
    #[error(
        "the disk took no more at {doing}: {message}; look whether it is in order, and whether the \
         size of files is limited (ulimit -f, LimitFSIZE); nothing of it was recorded"
    )]
    Unwritten {
        /// What was being done.
        doing: &'static str,
        /// What the engine said.
        message: String,
    },
    /// There is no room on the disk.
    #[error("there is no room on the disk to {doing}: make room; nothing of it was recorded")]
    Full {
        /// What was being done.
        doing: &'static str,
    },
    /// The store is not the one that was here before.
    #[error("{0}")]
    Strange(Strange),
    /// A record holds something this version cannot read.
    #[error("the record of {what} holds {found:?}, which this version cannot read")]
    Record {
        /// Which record and column.
        what: &'static str,
        /// What it holds, cut to 64 characters.
        found: String,
    },
    /// A secret does not open under the configured key.
    #[error("a stored secret does not open; is the store key the one it was written with?")]
    Secret,
    /// The key is not the one that the secrets of the store were sealed with.
    #[error(
        "its secrets were sealed with another key than the one that is given, and could not be \
         read: put the store.key back that belongs to this database, or set secrets.master_key to \
         the key that it was used with"
    )]
    WrongKey,
    /// The file is no database, or a broken one.
    #[error(
        "{path} is no database that can be read ({message}): put the file back from a backup, as \
         docs/operating/restore.md tells"
    )]
    NotDatabase {
        /// The file.
        path: String,
        /// What the engine said.
        message: String,
    },
    /// The database was written by a newer version of the program.
    #[error(
        "the database is at schema {found}, this program knows up to {known}: it was written by a \
         newer version; start that version, or restore a backup made before the upgrade"
    )]
    NewerDatabase {
        /// The schema on disk.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// The database was written by an earlier version of the program, and is not to be upgraded.
    #[error(
        "the database is at schema {found}, this program reads {known}: copy the database, start \
         the service once, which upgrades it and says so in its log, stop it, and repeat the \
         command; earlier versions refuse the database from then on"
    )]
    OlderDatabase {
        /// The schema on disk.
        found: i64,
        /// The schema of this program.
        known: i64,
    },
    /// Another process has the store open.
    #[error(
        "{path} is in use by another process; one process at a time may have a store open, since \
         each would take the other's work for its own: stop the other, or choose another folder"
    )]
    InUse {
        /// The store's folder.
        path: String,
    },
    /// An operation panicked; it was rolled back.
    #[error("an operation of the store panicked and was rolled back: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The store was closed, or its writer is gone.
    #[error("the store is closed")]
    Closed,
}

/// The first 64 characters, for messages.
pub(crate) fn cut(text: &str) -> String {
    cut_to(text, 64)
}

/// The first characters, up to a limit.
pub(crate) fn cut_to(text: &str, limit: usize) -> String {
    text.chars().take(limit).collect()
}

/// What is being done when a larger document does not get to the disk.
pub(crate) const WRITE_BLOB: &str = "write blob";
/// The same when its folder is tried.
pub(crate) const WRITE_FOLDER: &str = "write to blob folder";

impl Fault {
    /// Whether something could not be written, which may pass.
    pub fn is_unwritten(&self) -> bool {
        let is_file = matches!(self, Fault::Files { doing: WRITE_BLOB | WRITE_FOLDER, .. });
        is_file || matches!(self, Fault::Unwritten { .. })
    }

    pub(crate) fn record(what: &'static str, found: impl std::fmt::Display) -> Fault {
        Fault::Record { what, found: cut(&found.to_string()) }
    }
}
