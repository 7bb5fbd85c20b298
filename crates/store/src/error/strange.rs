//! What keeps a start from going on with a store that is not the one that was there before.

use jiff::Timestamp;

/// How a store differs from the one that is on record beside it. To start with such a store is to
/// lose what is not in it, so nobody does it unknowingly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Strange {
    /// There is no database, where there was one.
    #[error(
        "{folder} has no database, but {beside}: a database was here, and documents with it. Put \
         it back, or start with --new-store to begin with an empty one"
    )]
    Empty {
        /// The store's folder.
        folder: String,
        /// What says that there was one.
        beside: &'static str,
    },
    /// There is a database with nothing in it, where there was one with records.
    #[error(
        "{folder}/quoin.db has no records, but {beside}: they were in its log, quoin.db-wal, which \
         is gone, is empty or cannot be read. Put that file back; to begin with an empty database, \
         move this one away and start with --new-store"
    )]
    Hollow {
        /// The store's folder.
        folder: String,
        /// What says that there were records.
        beside: &'static str,
    },
    /// The database is older than the last commit that is on record beside it.
    #[error(
        "the database in {folder} was written last at {found}, but a commit at {expected} is on \
         record beside it: what came in between is not in it. Put the newer one back; if it is a \
         backup that you mean to go on with, start with --new-store"
    )]
    Older {
        /// The store's folder.
        folder: String,
        /// The last commit in the database, or since when it is there.
        found: Timestamp,
        /// The last commit on record.
        expected: Timestamp,
    },
    /// The log beside the database is another one's.
    #[error(
        "{folder}/quoin.db-wal holds commits of another quoin.db than the one beside it: {found}. \
         Nothing was changed. Put the quoin.db back that it belongs to; if you mean to go on with \
         the one that lies there, such as a backup, move quoin.db-wal and quoin.db-shm away and \
         start with --new-store"
    )]
    Log {
        /// The store's folder.
        folder: String,
        /// What tells.
        found: &'static str,
    },
    /// Nothing beside the database says how far it came.
    #[error(
        "{folder}/continuity.json {found}, so that nobody knows whether the database beside it is \
         the newest. Put that file back with its database; if it is a backup that you mean to go \
         on with, start with --new-store"
    )]
    Unnoted {
        /// The store's folder.
        folder: String,
        /// What is wrong with the note.
        found: String,
    },
    /// The database knows of larger documents, and none lies beside it.
    #[error(
        "{folder}/blobs is empty or missing, or holds something else: none of the newest documents \
         that the database names lies there, so that a part of a restore or a mount is missing. \
         Put the folder back; to go on without those documents, start with --new-store"
    )]
    NoFiles {
        /// The store's folder.
        folder: String,
    },
    /// It is another database than the one on record.
    #[error(
        "the database in {folder} is not the one that was here before. Put that one back, or \
         start with --new-store to go on with this one"
    )]
    Other {
        /// The store's folder.
        folder: String,
    },
}
