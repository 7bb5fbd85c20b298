//! Entries of a zip archive, by its central directory.
//!
//! Source: PKWARE APPNOTE 6.3. Stored and deflated entries are read; names are labels and never
//! paths. Archives of 4 GB and more (zip64) are over every limit here, so they are refused.

use std::borrow::Cow;

use super::inflate::{DeflateFraming, inflate};
use super::{ContainerItem, UnopenedReason, UnwrapBudget, Wrapper};

const END_SIGNATURE: &[u8] = b"PK\x05\x06";
const ENTRY_SIGNATURE: &[u8] = b"PK\x01\x02";
const LOCAL_SIGNATURE: &[u8] = b"PK\x03\x04";
/// The end record and the longest comment after it.
const MAX_END: usize = 22 + 65_535;
/// Characters of a name that are kept.
const MAX_NAME: usize = 255;

/// Entries that say something about the archive and are no documents: ASiC, macOS.
const OWN: &[&str] = &["META-INF/", "__MACOSX/", "mimetype"];

struct ZipEntry<'c> {
    name: String,
    flags: u16,
    method: u16,
    crc: u32,
    packed: usize,
    offset: usize,
    archive: &'c [u8],
}

/// The documents of an archive; each entry can fail on its own.
///
/// # Errors
/// [`Reason`] where the directory itself is not readable, or has more entries than allowed.
pub(super) fn entries<'c>(
    bytes: &'c [u8],
    budget: &mut UnwrapBudget,
) -> Result<Vec<Result<ContainerItem<'c>, UnopenedReason>>, UnopenedReason> {
    let directory = directory(bytes, budget.limits.documents)?;
    // An office document is one document of its own.
    if directory.iter().any(|entry| entry.name == "[Content_Types].xml") {
        return Ok(Vec::new());
    }
    let is_document = |entry: &&ZipEntry<'_>| {
        !entry.name.ends_with('/') && !OWN.iter().any(|own| entry.name.starts_with(own))
    };
    let mut children = Vec::new();
    // Entries stand one after the other: all of them are no more than the archive.
    let mut left = bytes.len();
    for entry in directory.iter().filter(is_document) {
        let after = left.checked_sub(entry.packed);
        left = after.unwrap_or_default();
        let over = UnopenedReason::Damaged("the entries of the archive lie over one another");
        let content = after.ok_or(over).and_then(|_| entry.content(budget));
        children.push(content.map(|bytes| ContainerItem {
            name: Some(entry.name.clone()),
            bytes,
            wrapper: Wrapper::Zip { entry: entry.name.clone() },
        }));
    }
    Ok(children)
}

fn directory(bytes: &[u8], limit: usize) -> Result<Vec<ZipEntry<'_>>, UnopenedReason> {
    let tail = bytes.get(bytes.len().saturating_sub(MAX_END)..).unwrap_or_default();
    let at = memchr::memmem::rfind(tail, END_SIGNATURE)
        .ok_or(UnopenedReason::Damaged("the archive has no directory"))?;
    let end = tail.get(at..).unwrap_or_default();
    let short = UnopenedReason::Damaged("the directory of the archive ends early");
    let count = u16_at(end, 10).ok_or(short.clone())?;
    let offset = u32_at(end, 16).ok_or(short.clone())?;
    if count == u16::MAX || offset == u32::MAX {
        return Err(UnopenedReason::Method("zip64".to_owned()));
    }
    if usize::from(count) > limit {
        return Err(UnopenedReason::TooMany(limit));
    }
    let mut rest = bytes.get(offset as usize..).ok_or(short.clone())?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if !rest.starts_with(ENTRY_SIGNATURE) {
            return Err(short);
        }
        let entry = entry(bytes, rest).ok_or(short.clone())?;
        let lengths = [28, 30, 32].map(|at| usize::from(u16_at(rest, at).unwrap_or_default()));
        rest = rest.get(46 + lengths.iter().sum::<usize>()..).ok_or(short.clone())?;
        entries.push(entry);
    }
    Ok(entries)
}

fn entry<'c>(archive: &'c [u8], record: &[u8]) -> Option<ZipEntry<'c>> {
    let length = usize::from(u16_at(record, 28)?);
    let name = String::from_utf8_lossy(record.get(46..46 + length)?);
    Some(ZipEntry {
        name: name.chars().take(MAX_NAME).collect(),
        flags: u16_at(record, 8)?,
        method: u16_at(record, 10)?,
        crc: u32_at(record, 16)?,
        packed: u32_at(record, 20)? as usize,
        offset: u32_at(record, 42)? as usize,
        archive,
    })
}

impl<'c> ZipEntry<'c> {
    fn content(&self, budget: &mut UnwrapBudget) -> Result<Cow<'c, [u8]>, UnopenedReason> {
        const ENCRYPTED: u16 = 1;
        if self.flags & ENCRYPTED != 0 {
            return Err(UnopenedReason::Encrypted);
        }
        let packed =
            self.packed().ok_or(UnopenedReason::Damaged("an entry lies outside the archive"))?;
        let content = match self.method {
            0 => {
                budget.spend(packed.len())?;
                Cow::Borrowed(packed)
            }
            8 => Cow::Owned(inflate(packed, DeflateFraming::Raw, budget)?),
            other => return Err(UnopenedReason::Method(format!("zip compression method {other}"))),
        };
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        if crc.sum() != self.crc {
            return Err(UnopenedReason::Damaged("the checksum of an entry is wrong"));
        }
        Ok(content)
    }

    fn packed(&self) -> Option<&'c [u8]> {
        let local = self.archive.get(self.offset..)?;
        let lengths = usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
        let start = 30 + lengths;
        local
            .get(start..start.checked_add(self.packed)?)
            .filter(|_| local.starts_with(LOCAL_SIGNATURE))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
