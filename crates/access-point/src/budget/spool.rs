//! What is too large for memory while it arrives: a file without a name, written part by part.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytes::Bytes;
use uuid::Uuid;

use super::{Full, Holding};

/// A file without a name, which is gone when it is closed, or with the process.
#[derive(Debug)]
pub struct Spool {
    file: File,
    length: usize,
    room: Holding,
}

/// Why something is not on the disk.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// There is no room for it.
    #[error(transparent)]
    Full(#[from] Full),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] std::io::Error),
}

impl Spool {
    /// An empty one in a folder; `room` is of the budget of the disk, and grows with it.
    ///
    /// # Errors
    /// [`SpoolError`].
    pub async fn open(folder: &Path, room: Holding) -> Result<Spool, SpoolError> {
        let folder = folder.to_owned();
        let file = tokio::task::spawn_blocking(move || unnamed(&folder)).await;
        let file = file.map_err(std::io::Error::other)??;
        Ok(Spool { file, length: 0, room })
    }

    /// Tries whether one can be made in a folder.
    ///
    /// # Errors
    /// The disk failed; the error names the place.
    pub async fn try_out(folder: &Path) -> std::io::Result<()> {
        let folder = folder.to_owned();
        let tried = tokio::task::spawn_blocking(move || unnamed(&folder)?.write_all(b"x")).await;
        tried.map_err(std::io::Error::other)?
    }

    /// How much lies there.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The same with the next part.
    ///
    /// # Errors
    /// [`SpoolError`]; nothing of it stays then.
    pub async fn write(mut self, part: Bytes) -> Result<Spool, SpoolError> {
        self.room.grow(part.len())?;
        let written = tokio::task::spawn_blocking(move || {
            self.file.write_all(&part)?;
            self.length += part.len();
            Ok::<_, std::io::Error>(self)
        });
        Ok(written.await.map_err(std::io::Error::other)??)
    }

    /// What lies there from a place on, so many bytes at most. To be called on a thread that may
    /// wait for the disk.
    ///
    /// # Errors
    /// The disk failed.
    pub fn part(&self, from: usize, most: usize) -> std::io::Result<Bytes> {
        let mut part = vec![0; most.min(self.length.saturating_sub(from))];
        // At its own place: a call that is made again may read beside the one that broke off.
        self.file.read_exact_at(&mut part, from as u64)?;
        Ok(part.into())
    }

    /// All of it in memory, for which there has to be room. To be called on a thread that may wait
    /// for the disk.
    ///
    /// # Errors
    /// The disk failed.
    pub fn load(mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.length);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// A file that has no name once it is open: it is gone with the process, however that ends.
fn unnamed(folder: &Path) -> std::io::Result<File> {
    let path = folder.join(Uuid::new_v4().to_string());
    let make = || {
        std::fs::create_dir_all(folder)?;
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        Ok(file)
    };
    make().map_err(|error: std::io::Error| {
        std::io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
    })
}
