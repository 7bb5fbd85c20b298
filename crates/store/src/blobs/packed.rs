//! Blobs as they are kept: deflated with a dictionary of what nearly all of them begin with, where
//! that is shorter. What is kept is shorter than the blob is long, or is the blob itself; so its
//! length tells which, and what was kept before stays readable.

mod stream;

use std::cell::RefCell;

use bytes::Bytes;
use flate2::{
    Compress, Compression, Decompress, DecompressError, FlushCompress, FlushDecompress, Status,
};

use crate::error::Fault;

pub(crate) use stream::{BlobWriter, read};

/// What many blobs have in common, the most frequent last (RFC 1950, section 2.2), under its name,
/// the Adler-32, by which a blob says what it was deflated with. Never changed: what was written
/// with it stays. Another one gets a row.
struct Dictionary {
    name: u32,
    words: &'static [u8],
}

/// Of envelopes and receipts of AS4.
static MESSAGES: Dictionary =
    Dictionary { name: 0x2f48_b8e8, words: include_bytes!("messages.xml") };
/// Of invoices in UBL.
static DOCUMENTS: Dictionary =
    Dictionary { name: 0xc5e0_3995, words: include_bytes!("documents.xml") };
static DICTIONARIES: [&Dictionary; 2] = [&MESSAGES, &DOCUMENTS];

/// Bytes below which it is not worth the time: a status has 1,100.
const SHORTEST: usize = 1_500;
/// Bytes in which an envelope names itself.
const START: usize = 100;
/// How files begin that are deflated already: gzip, and ZIP.
const DEFLATED: [&[u8]; 2] = [&[0x1f, 0x8b], b"PK\x03\x04"];

const WHAT: &str = "blobs.bytes";

/// Messages and invoices get 3 % shorter by the next level, in a time half as long again; by the
/// one below a third longer.
const LEVEL: Compression = Compression::new(2);

thread_local! {
    /// The memory of deflating, 256 kB, asked for once a thread.
    static PACKER: RefCell<Compress> = RefCell::new(Compress::new(LEVEL, true));
}

/// A blob as it is kept.
pub(crate) fn packed(bytes: &Bytes) -> Bytes {
    if bytes.len() < SHORTEST || is_deflated(bytes) {
        return bytes.clone();
    }
    // What is not shorter finds no room.
    let mut kept = Vec::with_capacity(bytes.len() - 1);
    let dictionary = dictionary_of(bytes);
    let with = |packer: &mut Compress| deflate(packer, dictionary, bytes, &mut kept);
    let is_shorter = PACKER.with_borrow_mut(with);
    // A vector may have more room than it was asked for.
    if is_shorter && kept.len() < bytes.len() { kept.into() } else { bytes.clone() }
}

/// Whether what begins like this is deflated already.
fn is_deflated(start: &[u8]) -> bool {
    DEFLATED.iter().any(|deflated| start.starts_with(deflated))
}

/// The dictionary of what begins like this.
fn dictionary_of(bytes: &[u8]) -> &'static Dictionary {
    let mut start = bytes.get(..START).unwrap_or(bytes).windows(8);
    let is_message = start.any(|word| word == b"Envelope");
    if is_message { &MESSAGES } else { &DOCUMENTS }
}

/// Whether all of it found room.
fn deflate(packer: &mut Compress, with: &Dictionary, bytes: &[u8], into: &mut Vec<u8>) -> bool {
    packer.reset();
    if packer.set_dictionary(with.words).is_err() {
        return false;
    }
    let done = packer.compress_vec(bytes, into, FlushCompress::Finish);
    matches!(done, Ok(Status::StreamEnd))
}

/// The blob of what is kept, which is so many bytes long.
///
/// Errors: [`Fault::Record`] where it is not what was kept.
pub(crate) fn unpacked(kept: Bytes, size: u64) -> Result<Bytes, Fault> {
    let size = length(size)?;
    if kept.len() == size {
        return Ok(kept);
    }
    let mut blob = Vec::with_capacity(size);
    match inflate(&kept, &mut blob) {
        true if blob.len() == size => Ok(blob.into()),
        _ => Err(damaged()),
    }
}

fn length(size: u64) -> Result<usize, Fault> {
    usize::try_from(size).map_err(|_| Fault::record(WHAT, size))
}

fn damaged() -> Fault {
    Fault::record(WHAT, "bytes that were damaged since they were written")
}

/// Whether what is kept is whole, by its own checksum.
fn inflate(kept: &[u8], into: &mut Vec<u8>) -> bool {
    let mut opener = Decompress::new(true);
    loop {
        let read = usize::try_from(opener.total_in()).unwrap_or(usize::MAX);
        let rest = kept.get(read..).unwrap_or_default();
        match opener.decompress_vec(rest, into, FlushDecompress::Finish) {
            Ok(status) => return matches!(status, Status::StreamEnd),
            Err(error) => {
                if !is_known(&error, &mut opener) {
                    return false;
                }
            }
        }
    }
}

/// Whether it is one of our dictionaries that is missing, which is there then.
fn is_known(error: &DecompressError, opener: &mut Decompress) -> bool {
    error.needs_dictionary().is_some_and(|wanted| {
        let own = DICTIONARIES.iter().find(|own| own.name == wanted);
        own.is_some_and(|own| opener.set_dictionary(own.words).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(blob: &[u8]) -> usize {
        let blob = Bytes::copy_from_slice(blob);
        let kept = packed(&blob);
        assert!(kept.len() <= blob.len());
        assert_eq!(unpacked(kept.clone(), blob.len() as u64).unwrap(), blob);
        kept.len()
    }

    #[test]
    fn every_blob_comes_back_and_none_gets_longer() {
        let text = "<cbc:Note>always the same, or nearly</cbc:Note>".repeat(3_000);
        let mut noise = 7_u64;
        let random: Vec<u8> = std::iter::repeat_with(|| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        })
        .take(70_000)
        .collect();
        for length in [0, 1, 1_499, 1_500, 1_501, 4_096, 65_536, 65_537] {
            again(&text.as_bytes()[..length]);
            assert_eq!(again(&random[..length]), length, "there is nothing to be gained");
        }
        assert!(again(text.as_bytes()) < text.len() / 50);
        // What only looks as if it were deflated.
        assert_eq!(again(&[b"\x1f\x8b", text.as_bytes()].concat()), text.len() + 2);
    }

    /// RFC 1950, section 8.2.
    fn adler32(bytes: &[u8]) -> u32 {
        let (a, b) = bytes.iter().fold((1, 0), |(a, b), byte| {
            let a = (a + u32::from(*byte)) % 65_521;
            (a, (b + a) % 65_521)
        });
        b << 16 | a
    }

    #[test]
    fn a_dictionary_is_known_by_its_name() {
        for own in DICTIONARIES {
            assert_eq!(adler32(own.words), own.name, "blobs out there have the one that was");
        }
        let envelope = Bytes::from_static(MESSAGES.words);
        let envelope = [b"<S12:Envelope/>", envelope.as_ref()].concat();
        for (text, own) in [(envelope.as_slice(), &MESSAGES), (DOCUMENTS.words, &DOCUMENTS)] {
            let kept = packed(&Bytes::copy_from_slice(text));
            assert_eq!(kept[2..6], own.name.to_be_bytes());
            assert!(kept.len() < 500, "{} bytes", kept.len());
        }
    }

    #[test]
    fn what_was_damaged_is_told() {
        let blob = Bytes::from("<cbc:ID>damaged</cbc:ID>".repeat(100));
        let kept = packed(&blob);
        for place in 0..kept.len() {
            let mut bad = kept.to_vec();
            bad[place] ^= 0x10;
            // Bits that fill the last byte say nothing.
            let found = unpacked(bad.into(), blob.len() as u64);
            assert!(found.is_err() || found.is_ok_and(|found| found == blob), "byte {place}");
        }
        assert!(unpacked(kept.slice(1..), blob.len() as u64).is_err());
        assert!(unpacked(kept, blob.len() as u64 + 1).is_err());
    }
}
