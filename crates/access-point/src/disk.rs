//! Whether the disk of the store has room for what comes in: some is kept for what is under way, so
//! that it can still be finished when nothing new is taken.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt};

use crate::health::HealthCheck;

/// How long a look is good for.
const GOOD: Duration = Duration::from_secs(1);
/// Files that there is room for at least: documents under way that lie in files of their own.
const FILES: u64 = 1_000;

/// What is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FreeSpace {
    bytes: u64,
    /// More files that can be made, where the file system counts them.
    files: Option<u64>,
}

/// What was free, where that could be told, and when.
type SeenSpace = (Instant, Option<FreeSpace>);

/// The disk of a store. Cheap to clone; the default one always has room.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    folders: Vec<PathBuf>,
    reserve: u64,
    seen: Arc<Mutex<Option<SeenSpace>>>,
    /// Why a file could not be made where larger documents lie.
    unwritable: Arc<Mutex<Option<String>>>,
}

impl Disk {
    /// The disks of folders, of each of which so many bytes are kept free.
    pub fn new(folders: Vec<PathBuf>, reserve: u64) -> Disk {
        Disk { folders, reserve, seen: Arc::default(), unwritable: Arc::default() }
    }

    /// Notes what became of trying to make a file: why it could not be.
    pub fn tried(&self, problem: Option<String>) {
        *self.unwritable.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// What is free where there is least, where that can be told.
    fn free(&self) -> Option<FreeSpace> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, free)) = seen.filter(|(at, _)| at.elapsed() < GOOD) {
            return free;
        }
        let all = self.folders.iter().filter_map(|folder| free_space(folder));
        let free = all.reduce(|one, other| FreeSpace {
            bytes: one.bytes.min(other.bytes),
            files: [one.files, other.files].into_iter().flatten().min(),
        });
        *seen = Some((Instant::now(), free));
        free
    }

    /// Whether something new may be taken.
    pub fn has_room(&self) -> bool {
        self.problem().is_none()
    }

    /// Why nothing new is taken, and what to do.
    pub fn problem(&self) -> Option<String> {
        let unwritable = self.unwritable.lock().unwrap_or_else(PoisonError::into_inner).clone();
        unwritable.or_else(|| lacking(self.free()?, self.reserve))
    }
}

fn lacking(free: FreeSpace, reserve: u64) -> Option<String> {
    if free.bytes < reserve {
        return Some(format!(
            "the disk has {} MiB left for data_dir, and limits.disk_reserve_megabytes keeps {} for \
             what is under way: nothing new is taken until there is room",
            free.bytes >> 20,
            reserve >> 20
        ));
    }
    let files = free.files.filter(|files| reserve > 0 && *files < FILES)?;
    Some(format!(
        "the file system of data_dir has room for {files} more files (inodes), and {FILES} are \
         kept for what is under way (limits.disk_reserve_megabytes): nothing new is taken until \
         files are removed"
    ))
}

#[cfg(unix)]
fn free_space(folder: &std::path::Path) -> Option<FreeSpace> {
    let about = nix::sys::statvfs::statvfs(folder).ok()?;
    #[allow(clippy::useless_conversion, reason = "their widths differ by system")]
    let (blocks, size) = (u64::from(about.blocks_available()), u64::from(about.fragment_size()));
    #[allow(clippy::useless_conversion, reason = "their widths differ by system")]
    let (files, all) = (u64::from(about.files_available()), u64::from(about.files()));
    // A file system that has as many files as it likes says 0 of 0.
    Some(FreeSpace { bytes: blocks.saturating_mul(size), files: (all > 0).then_some(files) })
}

#[cfg(not(unix))]
fn free_space(_folder: &std::path::Path) -> Option<FreeSpace> {
    None
}

impl HealthCheck for Disk {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn look(&self) -> BoxFuture<'_, Result<(), String>> {
        let word = self.problem().map_or(Ok(()), Err);
        std::future::ready(word).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_lacks_room_or_files_and_says_which_setting_keeps_them() {
        let free = |megabytes: u64, files| FreeSpace { bytes: megabytes << 20, files };
        let reserve = 128 << 20;
        assert_eq!(lacking(free(128, Some(FILES)), reserve), None);
        assert_eq!(lacking(free(128, None), reserve), None, "files are not counted there");
        assert_eq!(lacking(free(0, Some(0)), 0), None, "nothing is kept");
        for (free, word) in [(free(127, None), "127 MiB"), (free(500, Some(3)), "inodes")] {
            let said = lacking(free, reserve).unwrap_or_default();
            assert!(said.contains(word), "{said}");
            assert!(said.contains("limits.disk_reserve_megabytes"), "{said}");
        }
    }
}
