//! A zip archive, written into memory: deflated entries, names in UTF-8, no extensions. Batches are
//! bounded far below the sizes for which the format needs them (APPNOTE 6.3, sections 4.3 and 4.4).

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Version 2.0 is needed to extract: deflate.
const VERSION: u16 = 20;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// The method deflate.
const DEFLATE: u16 = 8;

/// An archive in the making.
#[derive(Debug, Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// The archive would be larger than the format can say.
#[derive(Debug, thiserror::Error)]
pub enum ZipError {
    /// Too many entries, or too many bytes.
    #[error("a zip archive holds at most 65,535 entries and 4 GiB")]
    TooLarge,
    /// The memory for it could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl Zip {
    /// Adds a file.
    ///
    /// # Errors
    /// [`ZipError`].
    pub fn add(&mut self, name: &str, content: &[u8], time: Timestamp) -> Result<(), ZipError> {
        let mut crc = Crc::new();
        crc.update(content);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        let offset = length(self.bytes.len())?;
        let mut common = Vec::with_capacity(26);
        let (clock, date) = dos(time);
        for word in [VERSION, UTF8, DEFLATE, clock, date] {
            common.extend(word.to_le_bytes());
        }
        for word in [crc.sum(), length(packed.len())?, length(content.len())?] {
            common.extend(word.to_le_bytes());
        }
        let name_length = u16::try_from(name.len()).map_err(|_| ZipError::TooLarge)?;
        common.extend(name_length.to_le_bytes());
        common.extend(0u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(packed);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&common);
        // Comment, disk and internal attributes, then external attributes: none.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries = self.entries.checked_add(1).ok_or(ZipError::TooLarge)?;
        Ok(())
    }

    /// The whole archive.
    ///
    /// # Errors
    /// [`ZipError::TooLarge`].
    pub fn finish(mut self) -> Result<Vec<u8>, ZipError> {
        let (offset, size) = (length(self.bytes.len())?, length(self.directory.len())?);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06");
        self.bytes.extend([0; 4]);
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(offset.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}

fn length(bytes: usize) -> Result<u32, ZipError> {
    u32::try_from(bytes).map_err(|_| ZipError::TooLarge)
}

/// Time and date in the form of MS-DOS, in UTC; what it cannot say is its first moment.
fn dos(time: Timestamp) -> (u16, u16) {
    let at = time.to_zoned(TimeZone::UTC);
    let field = |value: i64, shift: u32| u16::try_from(value.max(0)).unwrap_or(0) << shift;
    let year = i64::from(at.year()) - 1980;
    if !(0..=127).contains(&year) {
        return (0, 0x21);
    }
    let clock = field(at.hour().into(), 11)
        | field(at.minute().into(), 5)
        | field(i64::from(at.second()) / 2, 0);
    let date = field(year, 9) | field(at.month().into(), 5) | field(at.day().into(), 0);
    (clock, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_by_our_own_reader_of_containers() {
        let mut zip = Zip::default();
        let time: Timestamp = "2026-11-22T01:42:59Z".parse().unwrap();
        let invoice = quoin_formats::samples::INVOICE;
        zip.add("a.xml", invoice.as_bytes(), time).unwrap();
        zip.add("ü.xml", quoin_formats::samples::CREDIT_NOTE.as_bytes(), time).unwrap();
        let bytes = zip.finish().unwrap();
        assert!(bytes.len() < invoice.len());
        let limits = quoin_formats::unwrap::UnwrapLimits::default();
        let found = quoin_formats::unwrap(&bytes, &limits);
        assert_eq!(found.documents.len(), 2);
        assert_eq!(found.documents[0].bytes.as_ref(), invoice.as_bytes());
        assert_eq!(found.documents[1].name.as_deref(), Some("ü.xml"));
    }

    #[test]
    fn times_are_those_of_ms_dos() {
        let at = |text: &str| dos(text.parse().unwrap());
        assert_eq!(at("1980-01-01T00:00:00Z"), (0, 0x21));
        assert_eq!(at("2026-11-22T01:42:59Z"), (0x0d5d, 0x5d76));
        assert_eq!(at("1970-01-01T00:00:00Z"), (0, 0x21));
    }
}
