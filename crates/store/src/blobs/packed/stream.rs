//! The same of blobs in files, in parts: a blob is hashed and deflated while it is written, and
//! inflated while it is read, so that it is in memory once, or not at all.

use std::io::{Read, Seek, SeekFrom};

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use flate2::{Compress, Decompress, FlushCompress, FlushDecompress, Status};

use super::{LEVEL, damaged, dictionary_of, is_deflated, is_known, length};
use crate::blobs::BlobId;
use crate::blobs::files::{DurableFolder, UnfinishedFile};
use crate::error::Fault;

/// Bytes that are read or written at a time.
const PART: usize = 64 << 10;

/// A blob that is written while it comes. Every call waits for the disk.
pub(crate) struct BlobWriter {
    files: DurableFolder,
    owner: String,
    file: UnfinishedFile,
    digest: Context,
    size: u64,
    /// `None` for what is deflated already.
    packer: Option<Compress>,
    /// What is deflated and not written yet.
    part: Vec<u8>,
    /// Bytes that were written.
    kept: u64,
}

impl BlobWriter {
    /// Begins a blob of an owner; `start` is how it begins, which [`BlobWriter::write`] gets too.
    pub(crate) fn begin(
        files: &DurableFolder,
        owner: &str,
        start: &[u8],
    ) -> Result<BlobWriter, Fault> {
        let packer = (!is_deflated(start)).then(|| {
            let mut packer = Compress::new(LEVEL, true);
            // Without one it is deflated all the same.
            let _ = packer.set_dictionary(dictionary_of(start).words);
            packer
        });
        Ok(BlobWriter {
            file: files.begin(owner)?,
            files: files.clone(),
            owner: owner.to_owned(),
            digest: Context::new(&SHA256),
            size: 0,
            packer,
            part: Vec::with_capacity(PART),
            kept: 0,
        })
    }

    /// How long it is so far.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The next part of it.
    pub(crate) fn write(&mut self, part: &[u8]) -> Result<(), Fault> {
        self.digest.update(part);
        self.size += part.len() as u64;
        if self.packer.is_none() {
            self.kept += part.len() as u64;
            return self.file.write(part);
        }
        self.pack(part, FlushCompress::None)
    }

    fn pack(&mut self, mut rest: &[u8], flush: FlushCompress) -> Result<(), Fault> {
        let Some(packer) = &mut self.packer else { return Ok(()) };
        loop {
            let before = packer.total_in();
            let status = packer.compress_vec(rest, &mut self.part, flush);
            let status = status.map_err(|error| Fault::record("deflated blob", error))?;
            let read = usize::try_from(packer.total_in() - before).unwrap_or(usize::MAX);
            rest = rest.get(read..).unwrap_or_default();
            let is_whole = matches!(status, Status::StreamEnd);
            if self.part.len() == self.part.capacity() || is_whole {
                self.file.write(&self.part)?;
                self.kept += self.part.len() as u64;
                self.part.clear();
                if !is_whole {
                    continue;
                }
            }
            let goes_on = matches!(flush, FlushCompress::Finish) && !is_whole;
            if rest.is_empty() && !goes_on {
                return Ok(());
            }
        }
    }

    /// The blob as it is kept, on the disk under a name of its own: its id, its length, its file.
    pub(crate) fn finish(mut self) -> Result<(BlobId, u64, String), Fault> {
        self.pack(&[], FlushCompress::Finish)?;
        let mut id = BlobId([0; 32]);
        id.0.copy_from_slice(self.digest.finish().as_ref());
        let file = crate::blobs::file_of(&self.owner, &id);
        if self.packer.is_some() && self.kept >= self.size {
            // Nothing was gained: it is kept as it came, of which the length tells.
            let mut plain = self.files.begin(&self.owner)?;
            let mut failed = None;
            self.file.file.seek(SeekFrom::Start(0)).map_err(|e| self.file.unreadable(&e))?;
            let whole = inflate(&mut self.file.file, |part| {
                failed = plain.write(part).err();
                failed.is_none()
            });
            let whole = whole.map_err(|error| self.file.unreadable(&error))?;
            match failed {
                Some(fault) => return Err(fault),
                None if whole => plain.finish(&file)?,
                None => return Err(damaged()),
            }
        } else {
            self.file.finish(&file)?;
        }
        Ok((id, self.size, file))
    }
}

/// The blob in a file, which is so many bytes long. Waits for the disk.
///
/// Errors: [`Fault::Files`]; [`Fault::Lost`] where it is not what was kept.
pub(crate) fn read(
    files: &DurableFolder,
    name: &str,
    (id, size): (BlobId, u64),
) -> Result<Bytes, Fault> {
    let broken = |error: std::io::Error| files.unreadable(name, &error);
    let mut file = files.read(name)?;
    let mut blob = Vec::with_capacity(length(size)?);
    if file.metadata().map_err(broken)?.len() == size {
        file.read_to_end(&mut blob).map_err(broken)?;
        // What is kept as it is has no checksum of its own.
        let is_it = BlobId::of(&blob) == id;
        return if is_it { Ok(blob.into()) } else { Err(files.damaged(name)) };
    }
    let whole = inflate(&mut file, |part| {
        blob.extend_from_slice(part);
        blob.len() as u64 <= size
    });
    match whole.map_err(broken)? {
        true if blob.len() as u64 == size => Ok(blob.into()),
        _ => Err(files.damaged(name)),
    }
}

/// Hands over what is in what is kept, part by part, for as long as it is wanted; answers whether
/// it was whole, by its own checksum.
fn inflate(kept: &mut impl Read, mut take: impl FnMut(&[u8]) -> bool) -> std::io::Result<bool> {
    let mut opener = Decompress::new(true);
    let (mut input, mut output) = (vec![0; PART], Vec::with_capacity(PART));
    let (mut from, mut to) = (0, 0);
    loop {
        if from == to {
            (from, to) = (0, kept.read(&mut input)?);
        }
        let rest = input.get(from..to).unwrap_or_default();
        let before = opener.total_in();
        output.clear();
        let status = match opener.decompress_vec(rest, &mut output, FlushDecompress::None) {
            Ok(status) => status,
            Err(error) => {
                if !is_known(&error, &mut opener) {
                    return Ok(false);
                }
                Status::Ok
            }
        };
        let read = usize::try_from(opener.total_in() - before).unwrap_or(usize::MAX);
        from = from.saturating_add(read);
        if !output.is_empty() && !take(&output) {
            return Ok(false);
        }
        match status {
            Status::StreamEnd => return Ok(true),
            // Nothing more comes, and nothing went on.
            _ if to == 0 && output.is_empty() && read == 0 => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::INLINE_LIMIT;

    fn noise(length: usize) -> Vec<u8> {
        let mut noise = 7_u64;
        let next = || {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn a_blob_that_comes_in_parts_is_the_same_as_one_that_came_whole() {
        let folder = std::env::temp_dir().join(format!("quoin-parts-{}", std::process::id()));
        let files = DurableFolder::open(&folder).unwrap();
        let text = "<cbc:Note>always the same, or nearly</cbc:Note>".repeat(9_000).into_bytes();
        let zipped = [b"\x1f\x8b".as_slice(), &noise(200_000)].concat();
        // What is gained by nothing, by deflating, and what is deflated already.
        for blob in [noise(300_000), text, zipped, noise(1), Vec::new()] {
            for part in [1 + blob.len() / 7, PART, blob.len().max(1)] {
                let start = blob.get(..part).unwrap_or(&blob);
                let mut writer = BlobWriter::begin(&files, "acme", start).unwrap();
                blob.chunks(part).for_each(|part| writer.write(part).unwrap());
                assert_eq!(writer.size(), blob.len() as u64);
                let (id, size, file) = writer.finish().unwrap();
                assert_eq!((id, size), (BlobId::of(&blob), blob.len() as u64));
                let kept = files.read(&file).unwrap().metadata().unwrap().len();
                assert!(kept <= size, "{kept} bytes of {size}");
                assert_eq!(read(&files, &file, (id, size)).unwrap(), blob);
                assert!(read(&files, &file, (id, size + 1)).is_err(), "another length");
                if kept < size && blob.len() > INLINE_LIMIT {
                    assert!(kept < size / 20, "{kept} bytes of {size}");
                    let path = folder.join(&file);
                    let mut bytes = std::fs::read(&path).unwrap();
                    bytes[kept as usize / 2] ^= 0x10;
                    std::fs::write(&path, bytes).unwrap();
                    let read = read(&files, &file, (id, size));
                    assert!(matches!(read, Err(Fault::Lost { .. })), "{read:?}");
                }
            }
        }
        // One that breaks off leaves nothing.
        let mut writer = BlobWriter::begin(&files, "other", b"a").unwrap();
        writer.write(&noise(100_000)).unwrap();
        drop(writer);
        assert_eq!(std::fs::read_dir(folder.join("other")).unwrap().count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
