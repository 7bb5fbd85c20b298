//! Inflating within limits.

use flate2::{Decompress, FlushDecompress, Status};

use super::{FREE_RATIO_BYTES, UnopenedReason, UnwrapBudget};

/// Bytes by which the output grows.
const STEP: usize = 64 << 10;

/// Which frame the compressed bytes have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeflateFraming {
    /// Raw deflate (RFC 1951), as in zip.
    Raw,
    /// zlib (RFC 1950), as in PDF.
    Zlib,
}

/// Inflates, and stops at the end of the stream, or where the input ends or is wrong: the caller
/// judges what is missing.
///
/// # Errors
/// [`Reason::TooLarge`] and [`Reason::Ratio`] before the memory is taken;
/// [`Reason::Damaged`] where nothing at all could be inflated.
pub(super) fn inflate(
    input: &[u8],
    frame: DeflateFraming,
    budget: &mut UnwrapBudget,
) -> Result<Vec<u8>, UnopenedReason> {
    let mut out = Vec::new();
    let done = inflate_to(&mut out, input, frame, budget);
    // What was refused was inflated all the same: a thousand entries that are refused are work too.
    let spent = budget.spend(out.len());
    done.and(spent)?;
    Ok(out)
}

fn inflate_to(
    out: &mut Vec<u8>,
    input: &[u8],
    frame: DeflateFraming,
    budget: &UnwrapBudget,
) -> Result<(), UnopenedReason> {
    let mut state = Decompress::new(frame == DeflateFraming::Zlib);
    let by_ratio = input.len().saturating_mul(budget.limits.ratio).max(FREE_RATIO_BYTES);
    loop {
        if out.len() > budget.unpacked || budget.unpacked == 0 {
            return Err(UnopenedReason::TooLarge(budget.limits.unpacked));
        }
        if out.len() > by_ratio {
            return Err(UnopenedReason::Ratio(budget.limits.ratio));
        }
        out.reserve(STEP);
        let (read, written) = (state.total_in(), state.total_out());
        let rest = input.get(read as usize..).unwrap_or_default();
        let status = state.decompress_vec(rest, out, FlushDecompress::None);
        let stuck = state.total_in() == read && state.total_out() == written;
        match status {
            Ok(Status::StreamEnd) => return Ok(()),
            Ok(_) if !stuck => {}
            _ if out.is_empty() => {
                return Err(UnopenedReason::Damaged("compressed data is not readable"));
            }
            _ => return Ok(()),
        }
    }
}
