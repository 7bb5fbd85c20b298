//! gzip with a limit on what it may grow to.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::error::{As4Refusal, EbmsCode};

/// Bytes that a payload may have after decompression.
pub(super) const EXPANDED_BYTES: usize = 256 << 20;
/// How many times larger than its compressed form a payload may be, above [`RATIO_FREE_BYTES`].
pub(super) const EXPANSION_RATIO: usize = 200;
/// Payloads up to this size are not held to the ratio: short repetitive text may exceed it.
pub(super) const RATIO_FREE_BYTES: usize = 1 << 20;
/// The compression level: fast, since the signature next to it costs far more per byte saved.
const LEVEL: u32 = 1;

/// Compresses with gzip.
///
/// # Errors
/// Never in memory; the signature is that of the writer underneath.
pub fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let buffer = Vec::with_capacity(bytes.len() / 4 + 256);
    let mut encoder = GzEncoder::new(buffer, Compression::new(LEVEL));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Decompresses gzip, refusing what grows beyond the limits before it is held in memory.
///
/// # Errors
/// EBMS:0303 when it is not gzip, is cut off, or grows too large.
pub fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, As4Refusal> {
    let refuse = |detail: String| As4Refusal::new(EbmsCode::DecompressionFailure, detail);
    let by_ratio = bytes.len().saturating_mul(EXPANSION_RATIO).max(RATIO_FREE_BYTES);
    let limit = by_ratio.min(EXPANDED_BYTES);
    let mut out = Vec::with_capacity((bytes.len() * 8).min(limit));
    let mut decoder = MultiGzDecoder::new(bytes).take(limit as u64 + 1);
    decoder
        .read_to_end(&mut out)
        .map_err(|_| refuse("the payload is not valid gzip".to_owned()))?;
    if out.len() > limit {
        return Err(refuse(format!(
            "the payload of {} compressed bytes grows beyond {limit} bytes",
            bytes.len()
        )));
    }
    Ok(out)
}
