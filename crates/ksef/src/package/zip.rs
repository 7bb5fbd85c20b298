//! The archive: ZIP without encryption, deflated, the same bytes for the same invoices; and
//! reading
//! what somebody else packed, within limits.
//!
//! Source: PKWARE APPNOTE 6.3, sections 4.3 and 4.4.

use std::collections::HashSet;
use std::io::{Read, Write};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::{INVOICES, NAME_CHARACTERS, PackageError, PackageInvoice, check_size};

const VERSION: u16 = 20;
const UTF8: u16 = 1 << 11;
const DEFLATE: u16 = 8;
/// The first day that the format knows: the archive does not say when it was made.
const FIRST_DAY: u16 = (1 << 5) | 1;

/// Packs invoices.
pub(super) fn archive(invoices: &[PackageInvoice<'_>]) -> Result<Vec<u8>, PackageError> {
    match invoices.len() {
        0 => return Err(PackageError::Empty),
        found if found > INVOICES => return Err(PackageError::Invoices(found)),
        _ => {}
    }
    let mut names = HashSet::with_capacity(invoices.len());
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for invoice in invoices {
        let name = invoice.name;
        let is_plain = !name.is_empty() && !name.contains(['/', '\\', '\0']);
        if !is_plain || name.chars().count() > NAME_CHARACTERS || !names.insert(name) {
            return Err(PackageError::Name(name.to_owned()));
        }
        check_size(name, invoice.xml)?;
        entry(invoice, &mut out, &mut directory)?;
    }
    let count = u16::try_from(invoices.len()).map_err(|_| PackageError::Archive)?;
    let (offset, length) = (long(out.len())?, long(directory.len())?);
    out.append(&mut directory);
    out.extend(b"PK\x05\x06");
    for word in [0, 0, count, count] {
        out.extend(word.to_le_bytes());
    }
    out.extend(length.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    Ok(out)
}

fn entry(
    invoice: &PackageInvoice<'_>,
    out: &mut Vec<u8>,
    directory: &mut Vec<u8>,
) -> Result<(), PackageError> {
    let mut crc = Crc::new();
    crc.update(invoice.xml);
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let packed = encoder
        .write_all(invoice.xml)
        .and_then(|()| encoder.finish())
        .map_err(|_| PackageError::Archive)?;
    let offset = long(out.len())?;
    let mut head = Vec::with_capacity(26);
    for word in [VERSION, UTF8, DEFLATE, 0, FIRST_DAY] {
        head.extend(word.to_le_bytes());
    }
    for word in [crc.sum(), long(packed.len())?, long(invoice.xml.len())?] {
        head.extend(word.to_le_bytes());
    }
    let name = u16::try_from(invoice.name.len()).map_err(|_| PackageError::Archive)?;
    head.extend(name.to_le_bytes());
    head.extend(0u16.to_le_bytes());
    out.extend(b"PK\x03\x04");
    out.extend(&head);
    out.extend(invoice.name.as_bytes());
    out.extend(&packed);
    directory.extend(b"PK\x01\x02");
    directory.extend(VERSION.to_le_bytes());
    directory.extend(&head);
    directory.extend([0; 10]);
    directory.extend(offset.to_le_bytes());
    directory.extend(invoice.name.as_bytes());
    Ok(())
}

fn long(length: usize) -> Result<u32, PackageError> {
    u32::try_from(length).map_err(|_| PackageError::Archive)
}

/// Why an archive cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Not a ZIP archive, or a damaged one.
    #[error("the archive is no ZIP archive, or damaged")]
    Damaged,
    /// More files than a session has invoices.
    #[error("the archive has {0} files")]
    Files(usize),
    /// Together they are larger than was allowed.
    #[error("what is in the archive is larger than is allowed")]
    TooLarge,
}

/// The files of an archive in the order of its directory, at most `total` bytes of them.
///
/// # Errors
/// [`ArchiveError`].
pub fn read_archive(
    archive: &[u8],
    files: usize,
    total: usize,
) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
    let damaged = ArchiveError::Damaged;
    let tail = archive.len().saturating_sub(22 + usize::from(u16::MAX));
    let search = archive.get(tail..).ok_or(damaged)?;
    let end = search.windows(4).rposition(|four| four == b"PK\x05\x06").ok_or(damaged)? + tail;
    let count = usize::from(u16_at(archive, end + 10).ok_or(damaged)?);
    if count > files {
        return Err(ArchiveError::Files(count));
    }
    let mut at = u32_at(archive, end + 16).ok_or(damaged)?;
    let mut left = total;
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        if archive.get(at..at + 4) != Some(b"PK\x01\x02") {
            return Err(damaged);
        }
        let word = |offset| u16_at(archive, at + offset).map(usize::from).ok_or(damaged);
        let (method, name_length) = (word(10)?, word(28)?);
        let (extra, comment) = (word(30)?, word(32)?);
        let packed = u32_at(archive, at + 20).ok_or(damaged)?;
        let size = u32_at(archive, at + 24).ok_or(damaged)?;
        let sum = u32_at(archive, at + 16).ok_or(damaged)?;
        let offset = u32_at(archive, at + 42).ok_or(damaged)?;
        let name = archive.get(at + 46..at + 46 + name_length).ok_or(damaged)?;
        let name = String::from_utf8(name.to_vec()).map_err(|_| damaged)?;
        let content = content(archive, offset, packed, method, left)?;
        let mut crc = Crc::new();
        crc.update(&content);
        if content.len() != size || crc.sum() as usize != sum {
            return Err(damaged);
        }
        left = left.checked_sub(content.len()).ok_or(ArchiveError::TooLarge)?;
        if !name.ends_with('/') {
            out.push((name, content));
        }
        at += 46 + name_length + extra + comment;
    }
    Ok(out)
}

fn content(
    archive: &[u8],
    offset: usize,
    packed: usize,
    method: usize,
    left: usize,
) -> Result<Vec<u8>, ArchiveError> {
    let damaged = ArchiveError::Damaged;
    if archive.get(offset..offset + 4) != Some(b"PK\x03\x04") {
        return Err(damaged);
    }
    let name = u16_at(archive, offset + 26).map(usize::from).ok_or(damaged)?;
    let extra = u16_at(archive, offset + 28).map(usize::from).ok_or(damaged)?;
    let start = offset + 30 + name + extra;
    let bytes = archive.get(start..start + packed).ok_or(damaged)?;
    let mut out = Vec::new();
    let read = match method {
        0 => bytes.take(left as u64 + 1).read_to_end(&mut out),
        8 => DeflateDecoder::new(bytes).take(left as u64 + 1).read_to_end(&mut out),
        _ => return Err(damaged),
    };
    read.map_err(|_| damaged)?;
    if out.len() > left { Err(ArchiveError::TooLarge) } else { Ok(out) }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}
