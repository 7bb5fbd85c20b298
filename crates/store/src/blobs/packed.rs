//! Blobs as they are kept: deflated with a dictionary of what nearly all of them begin with, where
//! that is shorter. What is kept is shorter than the blob is long, or is the blob itself; so its
//! length tells which, and what was kept before stays readable.

use std::cell::RefCell;

use bytes::Bytes;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::error::Fault;

/// What messages, receipts, statuses and invoices have in common, the most frequent last (RFC 1950,
/// section 2.2). A blob names the dictionary that it was deflated with by its Adler-32. Never
/// changed: another one is added in front, and this one stays for what was written with it.
const DICTIONARIES: [&[u8]; 1] = [include_bytes!("dictionary.xml")];

/// Bytes below which nothing is gained.
const SHORTEST: usize = 200;
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
    let is_deflated = DEFLATED.iter().any(|start| bytes.starts_with(start));
    if bytes.len() < SHORTEST || is_deflated {
        return bytes.clone();
    }
    // One byte less, and nothing that is not shorter has room.
    let mut kept = Vec::with_capacity(bytes.len() - 1);
    let is_shorter = PACKER.with_borrow_mut(|packer| deflate(packer, bytes, &mut kept));
    if is_shorter { kept.into() } else { bytes.clone() }
}

/// Whether all of it found room.
fn deflate(packer: &mut Compress, bytes: &[u8], into: &mut Vec<u8>) -> bool {
    packer.reset();
    let [dictionary, ..] = DICTIONARIES;
    if packer.set_dictionary(dictionary).is_err() {
        return false;
    }
    let done = packer.compress_vec(bytes, into, FlushCompress::Finish);
    matches!(done, Ok(Status::StreamEnd))
}

/// The blob of what is kept, which is so many bytes long.
///
/// Errors: [`Fault::Record`] where it is not what was kept.
pub(crate) fn unpacked(kept: Bytes, size: u64) -> Result<Bytes, Fault> {
    let size = usize::try_from(size).map_err(|_| Fault::record(WHAT, size))?;
    if kept.len() == size {
        return Ok(kept);
    }
    let mut blob = Vec::with_capacity(size);
    match inflate(&kept, &mut blob) {
        true if blob.len() == size => Ok(blob.into()),
        _ => Err(Fault::record(WHAT, "bytes that were damaged since they were written")),
    }
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
                let known = error.needs_dictionary().is_some_and(|wanted| {
                    let own = DICTIONARIES.iter().find(|own| adler32(own) == wanted);
                    own.is_some_and(|own| opener.set_dictionary(own).is_ok())
                });
                if !known {
                    return false;
                }
            }
        }
    }
}

/// The name of a dictionary (RFC 1950, section 8.2).
fn adler32(bytes: &[u8]) -> u32 {
    const MODULO: u32 = 65_521;
    let (a, b) = bytes.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % MODULO;
        (a, (b + a) % MODULO)
    });
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dictionary as it was when blobs were first deflated with it.
    const NAME: u32 = 0xb3ce_ea88;

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
        for length in [0, 1, 199, 200, 201, 4_096, 65_536, 65_537] {
            again(&text.as_bytes()[..length]);
            assert_eq!(again(&random[..length]), length, "there is nothing to be gained");
        }
        assert!(again(text.as_bytes()) < text.len() / 50);
        // What only looks as if it were deflated.
        assert_eq!(again(&[b"\x1f\x8b", text.as_bytes()].concat()), text.len() + 2);
    }

    #[test]
    fn the_dictionary_is_known_by_its_name() {
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        let kept = packed(&Bytes::from_static(DICTIONARIES[0]));
        assert_eq!(kept[2..6], adler32(DICTIONARIES[0]).to_be_bytes());
        assert!(kept.len() < 500, "{} bytes", kept.len());
        assert_eq!(adler32(DICTIONARIES[0]), NAME, "blobs out there name the one that they had");
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
