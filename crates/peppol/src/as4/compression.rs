//! gzip with a limit on what it may grow to.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::error::{As4Refusal, EbmsCode};

/// Bytes that a payload may have after decompression.
pub(super) const EXPANDED_BYTES: usize = 256 << 20;
/// How many bytes one byte of deflate becomes at most: 258 for two bits (RFC 1951, section 3.2.5).
/// A document with the scan of an empty page comes close to that and is a document all the same, so
/// nothing below [`EXPANDED_BYTES`] is refused for how well it was compressed.
const DEFLATE_RATIO: usize = 1_032;
/// How a gzip begins (RFC 1952, section 2.3.1: ID1, ID2, and the one method).
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// What is said of what is no gzip.
const NO_GZIP: &str = "the payload is not valid gzip";
/// What is said of what begins like one.
const CUT_OFF: &str = "the payload is cut off, or is not valid gzip";
/// The compression level: fast, since the signature next to it costs far more per byte saved.
const LEVEL: u32 = 1;

/// Bytes from which on room for all of a payload is asked for at once: what is not written to costs
/// nothing, and a buffer that grows is there twice while it does.
const LARGE: usize = 1 << 20;

/// Compresses with gzip.
///
/// # Errors
/// Never in memory; the signature is that of the writer underneath.
pub fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let room = if bytes.len() > LARGE { bytes.len() } else { bytes.len() / 4 };
    let buffer = Vec::with_capacity(room + 256);
    let mut encoder = GzEncoder::new(buffer, Compression::new(LEVEL));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Decompresses gzip, refusing what grows beyond the limits before it is held in memory.
///
/// # Errors
/// EBMS:0303 when it is not gzip, is cut off, or grows too large.
pub fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, As4Refusal> {
    Ok(gunzip_within(bytes, &mut |_| true)?.unwrap_or_default())
}

/// As [`gunzip`], asking for room for so many bytes in all before they are held; `None` where there
/// is none. Nobody is believed about how many there are: of who said too few all is counted, which
/// holds nothing, and room for all of it is asked for then, in place of what was asked for before.
/// So nobody holds a part of the memory while he waits for the rest.
pub(super) fn gunzip_within(
    bytes: &[u8],
    room: &mut dyn FnMut(usize) -> bool,
) -> Result<Option<Vec<u8>>, As4Refusal> {
    if !bytes.starts_with(&MAGIC) {
        return Err(As4Refusal::new(EbmsCode::DecompressionFailure, NO_GZIP));
    }
    let (said, most) = (expected(bytes), bytes.len().saturating_mul(DEFLATE_RATIO));
    if said > EXPANDED_BYTES {
        return Err(says_too_much(bytes, said, most));
    }
    let said = said.min(most).max(1);
    if !room(said) {
        return Ok(None);
    }
    if let Some(out) = inflate(bytes, said)? {
        return Ok(Some(out));
    }
    let all = counted(bytes)?;
    if !room(all) {
        return Ok(None);
    }
    inflate(bytes, all)
}

/// What it becomes, unless that is more than so many bytes.
fn inflate(bytes: &[u8], most: usize) -> Result<Option<Vec<u8>>, As4Refusal> {
    let mut out = Vec::with_capacity(most + 1);
    let read = MultiGzDecoder::new(bytes).take(most as u64 + 1).read_to_end(&mut out);
    read.map_err(|error| no_gzip(&error))?;
    Ok(Some(out).filter(|out| out.len() <= most))
}

/// How many bytes it becomes.
fn counted(bytes: &[u8]) -> Result<usize, As4Refusal> {
    let mut decoder = MultiGzDecoder::new(bytes).take(EXPANDED_BYTES as u64 + 1);
    let all = std::io::copy(&mut decoder, &mut std::io::sink()).map_err(|error| no_gzip(&error))?;
    let all = usize::try_from(all).ok().filter(|all| *all <= EXPANDED_BYTES);
    all.ok_or_else(|| too_large(bytes))
}

/// The refusal of what breaks off or is wrong while it is decompressed.
fn no_gzip(error: &std::io::Error) -> As4Refusal {
    let ends = error.kind() == std::io::ErrorKind::UnexpectedEof;
    As4Refusal::new(EbmsCode::DecompressionFailure, if ends { CUT_OFF } else { NO_GZIP })
}

/// The refusal of what ends in the length `said`, which is more than is taken, where it can be
/// `most` bytes. Nothing of it is decompressed for that: what is cut off ends in bytes that are no
/// length.
fn says_too_much(bytes: &[u8], said: usize, most: usize) -> As4Refusal {
    let length = bytes.len();
    let detail = match said > most {
        true => CUT_OFF.to_owned(),
        false => format!(
            "the payload of {length} compressed bytes is cut off, or grows beyond \
             {EXPANDED_BYTES} bytes: by its end it becomes {said}"
        ),
    };
    As4Refusal::new(EbmsCode::DecompressionFailure, detail)
}

fn too_large(bytes: &[u8]) -> As4Refusal {
    let length = bytes.len();
    let detail =
        format!("the payload of {length} compressed bytes grows beyond {EXPANDED_BYTES} bytes");
    As4Refusal::new(EbmsCode::DecompressionFailure, detail)
}

/// How long the last member of a gzip says that it becomes (RFC 1952, section 2.3.1, ISIZE). It is
/// no longer than that, modulo 2^32, or it is no gzip.
fn expected(bytes: &[u8]) -> usize {
    let length = bytes.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    usize::try_from(length).unwrap_or(usize::MAX)
}
