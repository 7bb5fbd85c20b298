//! Reading the archive of a dossier: every entry by its name, within limits. Names are labels and
//! never paths.
//!
//! Source: PKWARE APPNOTE 6.3, sections 4.3 and 4.4.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

/// Entries at most.
pub(super) const ENTRIES: usize = 200;
/// Bytes of all entries together, unpacked.
pub(super) const UNPACKED: usize = 400 << 20;

const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

/// Why an archive cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnzipError {
    /// Not an archive, or a damaged one.
    #[error("this is no ZIP archive, or it is damaged: {0}")]
    Damaged(&'static str),
    /// An entry that cannot be unpacked.
    #[error("{name}: {why}")]
    Entry {
        /// The entry.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// Beyond the limits.
    #[error("it holds more than {ENTRIES} entries, or more than {UNPACKED} bytes")]
    TooLarge,
}

/// The entries of an archive.
///
/// # Errors
/// [`UnzipError`].
pub fn unzip(bytes: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, UnzipError> {
    let damaged = UnzipError::Damaged;
    let end = bytes.windows(END.len()).rposition(|window| window == END);
    let end = bytes.get(end.ok_or(damaged("it has no end record"))?..).unwrap_or_default();
    let count = usize::from(word(end, 10).ok_or(damaged("its end is cut off"))?);
    let start = long(end, 16).ok_or(damaged("its end is cut off"))?;
    word(end, 20).ok_or(damaged("its end is cut off"))?;
    if count > ENTRIES {
        return Err(UnzipError::TooLarge);
    }
    let mut rest = bytes.get(start..).ok_or(damaged("its directory is not in it"))?;
    let mut found = BTreeMap::new();
    let mut left = UNPACKED;
    for _ in 0..count {
        let (name, content, length) = entry(bytes, rest, left)?;
        left -= content.len();
        if found.insert(name.clone(), content).is_some() {
            return Err(UnzipError::Entry { name, why: "it is there twice" });
        }
        rest = rest.get(length..).ok_or(damaged("its directory is cut off"))?;
    }
    Ok(found)
}

/// The entry that a line of the directory tells of: name, content, length of the line.
fn entry(
    archive: &[u8],
    line: &[u8],
    limit: usize,
) -> Result<(String, Vec<u8>, usize), UnzipError> {
    let cut = UnzipError::Damaged("a line of its directory is cut off");
    if !line.starts_with(ENTRY) {
        return Err(cut);
    }
    let lengths = [word(line, 28), word(line, 30), word(line, 32)];
    let [Some(name_length), Some(extra), Some(comment)] = lengths else { return Err(cut) };
    let name = line.get(46..46 + usize::from(name_length)).ok_or(cut.clone())?;
    let name = String::from_utf8_lossy(name).into_owned();
    let wrong = |why| UnzipError::Entry { name: name.clone(), why };
    let (Some(method), Some(packed), Some(size), Some(offset)) =
        (word(line, 10), long(line, 20), long(line, 24), long(line, 42))
    else {
        return Err(cut);
    };
    let checksum = line.get(16..20).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let local = archive.get(offset..).filter(|local| local.starts_with(LOCAL));
    let local = local.ok_or(wrong("it is not where the directory says"))?;
    let (Some(own_name), Some(own_extra)) = (word(local, 26), word(local, 28)) else {
        return Err(cut);
    };
    let start = 30 + usize::from(own_name) + usize::from(own_extra);
    let data = local.get(start..start + packed).ok_or(wrong("it is cut off"))?;
    if size > limit {
        return Err(UnzipError::TooLarge);
    }
    let mut content = Vec::with_capacity(size.min(1 << 20));
    match method {
        0 => content.extend_from_slice(data),
        8 => {
            let mut inflated = DeflateDecoder::new(data).take(size as u64 + 1);
            inflated.read_to_end(&mut content).map_err(|_| wrong("it cannot be inflated"))?;
        }
        _ => return Err(wrong("it is packed in a way that is not read")),
    }
    let mut crc = Crc::new();
    crc.update(&content);
    if content.len() != size || Some(crc.sum()) != checksum {
        return Err(wrong("its checksum does not fit"));
    }
    let length = 46 + usize::from(name_length) + usize::from(extra) + usize::from(comment);
    Ok((name, content, length))
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let value = u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
    usize::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    //! What is zipped is read again; every cut and every change is noticed or harmless.

    use super::*;
    use crate::zip::Zip;

    fn sample() -> Vec<u8> {
        let mut zip = Zip::default();
        zip.add("a/one.txt", &b"one ".repeat(500), jiff::Timestamp::UNIX_EPOCH).unwrap();
        zip.add("two", b"", jiff::Timestamp::UNIX_EPOCH).unwrap();
        zip.finish().unwrap()
    }

    #[test]
    fn what_is_zipped_is_read_again() {
        let found = unzip(&sample()).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a/one.txt", "two"]);
        assert_eq!(found["a/one.txt"], b"one ".repeat(500));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let sample = sample();
        for end in 0..sample.len() {
            assert!(unzip(&sample[..end]).is_err(), "cut at {end}");
        }
        for index in 0..sample.len() {
            let mut changed = sample.clone();
            changed[index] ^= 0xFF;
            if let Ok(found) = unzip(&changed) {
                let names_differ = !found.contains_key("a/one.txt") || !found.contains_key("two");
                assert!(names_differ || found["a/one.txt"] == b"one ".repeat(500), "{index}");
            }
        }
    }
}
