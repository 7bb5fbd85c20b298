//! Opening a store: the folder, the key, the threads.

mod bytes;
mod continued;
mod recalled;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use tokio::sync::oneshot;

use crate::absorbed::AbsorbedParties;
use crate::ahead::ReadAhead;
use crate::blobs::Blobs;
use crate::continuity::{Before, Notes};
use crate::due::DueBoard;
use crate::engine::Connection;
use crate::engine::sqlite::Sqlite;
use crate::error::{Error, Fault};
use crate::handover::Offers;
use crate::in_hand::TasksInHand;
use crate::keeping::{self, KeepInForce};
use crate::key_proof;
use crate::lists::Lists;
use crate::ours::{self, OwnFiles};
use crate::pace::Pace;
use crate::readers::Readers;
use crate::recent::RecentBlobs;
use crate::remembered::KeptAnswers;
use crate::secrets::{SecretBox, StoreKey};
use crate::shares::TurnShares;
use crate::under_way;
use crate::work_count::StoreWork;
use crate::writer::{LogCopier, Tx, WriterHandle, WriterShared};
use crate::written::WriteCounts;

/// The database's file in the store's folder.
const DATABASE: &str = "quoin.db";
/// The folder of large blobs in the store's folder.
const BLOBS: &str = "blobs";
/// A write that matters to nobody. What stays as it is would not get to the disk.
const PROBE: &str = "UPDATE continuity SET noted_on = noted_on + 1";

/// Reading connections for lists, beside those of `OpenOptions`.
const LIST_READERS: usize = 2;

/// Where a store lies and how it is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The folder; made where there is none. One process at a time.
    pub folder: PathBuf,
    /// The key under which secrets are sealed.
    pub key: StoreKey,
    /// Reading connections, each with a thread: 1 to 16.
    pub readers: usize,
    /// Go on with whatever database is there, or with none: what was here before is given up.
    pub new_store: bool,
    /// For a command beside a service that is stopped: nothing is upgraded, and that the database
    /// is a copy is left for the next start of the service to find and to tell.
    pub as_it_is: bool,
}

impl OpenOptions {
    /// A folder and a key, and three readers.
    pub fn new(folder: impl Into<PathBuf>, key: StoreKey) -> OpenOptions {
        OpenOptions { folder: folder.into(), key, readers: 3, new_store: false, as_it_is: false }
    }
}

/// Looks for what would keep a store from being opened, and changes nothing: for a check before a
/// start, and for whoever would have to make something first. Of a store that a process has open,
/// and of one that is not there yet, it says nothing.
///
/// Errors: as [`Store::open`].
pub fn stands_in_the_way(options: &OpenOptions) -> Result<(), Fault> {
    let folder = &options.folder;
    if ours::is_taken(folder) {
        return Ok(());
    }
    let (database, blobs) = (folder.join(DATABASE), folder.join(BLOBS));
    let before = Before::look(folder, &database, &blobs);
    before.examine(&SecretBox::new(&options.key)?, (options.new_store, options.as_it_is))?;
    ours::may_open(folder, &database)?;
    match blobs.exists() {
        true => Blobs::open(&blobs).map(|_| ()),
        false => Ok(()),
    }
}

/// Whether a folder has a database. Nothing is changed.
///
/// Errors: [`Fault::Strange`] where it has none, but had one.
pub fn has_database(folder: &Path) -> Result<bool, Fault> {
    Before::look(folder, &folder.join(DATABASE), &folder.join(BLOBS)).has_database()
}

/// The store. Cheap to clone; the threads end with the last clone.
#[derive(Clone)]
pub struct Store {
    writer: WriterHandle,
    readers: Readers,
    lists: Lists,
    pub(crate) blobs: Arc<Blobs>,
    pub(crate) secrets: SecretBox,
    pub(crate) keep: KeepInForce,
    /// What is set up once and asked for with each document.
    pub(crate) kept: Arc<KeptAnswers>,
}

impl Store {
    /// Opens the store, makes what is missing, and brings the schema up to this version.
    ///
    /// Errors: [`Fault::Files`] where the folder cannot be used, [`Fault::InUse`] where another
    /// process has it open, [`Fault::NewerDatabase`] where a newer version of the program has
    /// written there, [`Fault::Strange`] where the database is not the one that was there before,
    /// [`Fault::WrongKey`] where its secrets were sealed with another key,
    /// [`Fault::OlderDatabase`] where it would have to be upgraded and is to stay as it is.
    pub async fn open(options: OpenOptions) -> Result<Store, Fault> {
        let (done, opened) = oneshot::channel();
        // Who asked may have gone away.
        let work = move || _ = done.send(Store::open_now(&options));
        let thread = std::thread::Builder::new().name("store-open".to_owned()).spawn(work);
        thread.map_err(|e| Fault::Engine { doing: "start a thread", message: e.to_string() })?;
        opened.await.map_err(|_| Fault::Panicked { message: "at opening".to_owned() })?
    }

    fn open_now(options: &OpenOptions) -> Result<Store, Fault> {
        let files = |doing, e: std::io::Error| Fault::Files {
            doing,
            path: options.folder.display().to_string(),
            message: e.to_string(),
        };
        std::fs::create_dir_all(&options.folder).map_err(|e| files("make folder", e))?;
        let database = options.folder.join(DATABASE);
        let lock = ours::lock(&options.folder)?;
        let blobs = options.folder.join(BLOBS);
        let before = Before::look(&options.folder, &database, &blobs);
        let secrets = SecretBox::new(&options.key)?;
        let found = before.examine(&secrets, (options.new_store, options.as_it_is))?;
        keep_private(&options.folder, &database)?;
        let shared = WriterShared::default();
        let mut writer = Sqlite::writer(&database)?.counted(&shared.work);
        let ours = OwnFiles::opened(&options.folder, &database, lock)?;
        // A note of a copy would make it the store that was here before.
        let is_noted = !(found.is_new && options.as_it_is);
        let noted_in = is_noted.then_some((options.folder.as_path(), database.as_path()));
        let mut notes = Notes::new(noted_in, found.copied);
        if !found.is_new {
            before.go_on(&mut notes);
        }
        match options.as_it_is {
            true => crate::migrations::compare(&mut writer)?,
            false => _ = crate::migrations::apply(&mut writer, Timestamp::now())?,
        }
        if !found.is_known {
            key_proof::begin(&mut writer, &secrets)?;
        }
        if found.is_new && !options.as_it_is {
            before.renew(&mut writer, &mut notes, Timestamp::now())?;
        }
        under_way::recount(&mut writer)?;
        let (periods, _) = keeping::in_force(&mut writer)?;
        *shared.keep.lock().unwrap_or_else(PoisonError::into_inner) = periods;
        let readers = |count: usize, name: &str, open: fn(&Path) -> Result<Sqlite, Fault>| {
            let mut all: Vec<Box<dyn Connection + Send>> = Vec::new();
            for _ in 0..count {
                all.push(Box::new(open(&database)?.counted(&shared.work)));
            }
            Readers::start(all, name)
        };
        let of_steps = options.readers.clamp(1, 16);
        Ok(Store {
            blobs: Arc::new(Blobs::open(&blobs)?),
            secrets,
            keep: shared.keep.clone(),
            kept: Arc::default(),
            readers: readers(of_steps, "store-reader", Sqlite::reader)?,
            lists: Lists::new(readers(LIST_READERS, "store-lists", Sqlite::list_reader)?),
            writer: WriterHandle::start(
                Box::new(writer),
                (Some(ours), LogCopier::start(Box::new(Sqlite::copier(&database)?))?),
                notes,
                shared,
            )?,
        })
    }

    /// Answers once everything that was asked before is on the disk and the writer is well: for
    /// readiness checks. Where the last write failed another one is tried.
    pub async fn check(&self) -> Result<(), Error> {
        match self.write_fault() {
            None => self.write(|tx| Ok(tx.query("SELECT 1", &[]).map(|_| ())?)).await,
            Some(_) => self.write(|tx| Ok(tx.execute(PROBE, &[]).map(|_| ())?)).await,
        }
    }

    /// Where larger documents lie, in files of their own.
    pub fn blob_folder(&self) -> PathBuf {
        self.blobs.folder()
    }

    /// Whether larger documents can be written, which lie in files of their own.
    ///
    /// Errors: [`Fault::Files`] or [`Fault::Full`] with the file.
    pub async fn check_files(&self) -> Result<(), Fault> {
        self.blobs.try_out().await
    }

    /// Why the last write failed, until one gets to the disk.
    pub fn write_fault(&self) -> Option<Fault> {
        self.writer.shared().trouble.last()
    }

    /// Closes the store: what is asked before is done, the log is copied into the database so that
    /// its file alone is whole, and whoever asks later is told that it is closed.
    pub async fn close(&self) {
        self.writer.close().await;
    }

    /// What was done so far, by all connections together.
    pub fn work_done(&self) -> StoreWork {
        self.writer.shared().work.read()
    }

    /// How often what is published of a participant has changed while this process runs: two equal
    /// numbers say that nothing changed between them, two others that something may have. What is
    /// made from a reading of the store is therefore good for as long as the number is the one that
    /// was seen before the reading.
    pub fn generation(&self, participant: &str) -> u64 {
        self.writer.shared().generations.of(participant)
    }

    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    {
        self.writer.write(work).await
    }

    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        self.readers.read(query).await
    }

    /// As [`Store::read`], of what may take longer: what is asked for documents on their way does
    /// not wait for it.
    pub(crate) async fn browse<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        self.lists.readers.read(query).await
    }

    /// As [`Store::browse`], in turn: an organisation has one such question answered at a time.
    pub(crate) async fn browse_for<T, F>(
        &self,
        organisation: &OrganisationId,
        query: F,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        let _turn = self.lists.turn(organisation.as_str()).await;
        self.lists.readers.read(query).await
    }

    /// Documents that were recorded a moment ago.
    pub(crate) fn recent(&self) -> &RecentBlobs {
        &self.writer.shared().recent
    }

    pub(crate) fn absorbed(&self) -> &AbsorbedParties {
        &self.writer.shared().absorbed
    }

    pub(crate) fn offers(&self) -> &Offers {
        &self.writer.shared().offers
    }

    /// What is read with claims that are handed over.
    pub(crate) fn ahead(&self) -> &ReadAhead {
        &self.writer.shared().ahead
    }

    /// How often tables of what is set up were written.
    pub(crate) fn counts(&self) -> &WriteCounts {
        &self.writer.shared().written
    }

    pub(crate) fn pace(&self) -> &Arc<Pace> {
        &self.writer.shared().pace
    }

    pub(crate) fn shares(&self) -> &TurnShares {
        &self.writer.shared().shares
    }

    pub(crate) fn tasks_in_hand(&self) -> &TasksInHand {
        &self.writer.shared().in_hand
    }

    pub(crate) fn board(&self) -> &DueBoard {
        &self.writer.shared().board
    }
}

/// Nobody but the service's own user reads what customers sent: the folder is entered by it alone,
/// and the database, with which SQLite makes its other files alike, is opened by it alone.
///
/// Errors: [`Fault::Files`] with the file that is not ours.
fn keep_private(folder: &Path, database: &Path) -> Result<(), Fault> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let mode = std::fs::Permissions::from_mode;
        let failed = |path: &Path, error: std::io::Error| Fault::Files {
            doing: "protect",
            path: path.display().to_string(),
            message: error.to_string(),
        };
        let closed = |path: &Path, own: u32| match std::fs::metadata(path) {
            // What is so already stays as it is: when it was changed last tells something.
            Ok(about) if about.permissions().mode() & 0o777 == own => Ok(()),
            _ => std::fs::set_permissions(path, mode(own)),
        };
        let mut options = std::fs::OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        options.open(database).map_err(|error| failed(database, error))?;
        closed(folder, 0o700).map_err(|error| failed(folder, error))?;
        for end in ["", "-wal", "-shm"] {
            let path = ours::beside(database, end);
            match closed(&path, 0o600) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(failed(&path, error));
                }
                _ => {}
            }
        }
    }
    let _ = (folder, database);
    Ok(())
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store(…)")
    }
}
