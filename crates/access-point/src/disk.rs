//! Whether the disk of the store has room for what comes in: some is kept for what is under way, so
//! that it can still be finished when nothing new is taken.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, FutureExt};

use crate::health::HealthCheck;

/// How long a look is good for.
const GOOD: Duration = Duration::from_secs(1);

/// What was free, where that could be told, and when.
type FreeSpace = (Instant, Option<u64>);

/// The disk of a store. Cheap to clone; the default one always has room.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    folder: Option<PathBuf>,
    reserve: u64,
    seen: Arc<Mutex<Option<FreeSpace>>>,
}

impl Disk {
    /// The disk of a folder, of which so many bytes are kept free.
    pub fn new(folder: PathBuf, reserve: u64) -> Disk {
        Disk { folder: Some(folder), reserve, seen: Arc::default() }
    }

    /// Bytes that are free, where that can be told.
    fn free(&self) -> Option<u64> {
        let folder = self.folder.as_ref()?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, free)) = seen.filter(|(at, _)| at.elapsed() < GOOD) {
            return free;
        }
        let free = free_bytes(folder);
        *seen = Some((Instant::now(), free));
        free
    }

    /// Whether something new may be taken.
    pub fn has_room(&self) -> bool {
        self.free().is_none_or(|free| free >= self.reserve)
    }
}

#[cfg(unix)]
fn free_bytes(folder: &std::path::Path) -> Option<u64> {
    let about = nix::sys::statvfs::statvfs(folder).ok()?;
    #[allow(clippy::useless_conversion, reason = "their widths differ by system")]
    let (blocks, size) = (u64::from(about.blocks_available()), u64::from(about.fragment_size()));
    Some(blocks.saturating_mul(size))
}

#[cfg(not(unix))]
fn free_bytes(_folder: &std::path::Path) -> Option<u64> {
    None
}

impl HealthCheck for Disk {
    fn name(&self) -> &'static str {
        "disk"
    }

    fn look(&self) -> BoxFuture<'_, Result<(), String>> {
        let word = match self.free() {
            Some(free) if free < self.reserve => {
                Err(format!("the disk has {} MiB left, of which none is given", free >> 20))
            }
            _ => Ok(()),
        };
        std::future::ready(word).boxed()
    }
}
