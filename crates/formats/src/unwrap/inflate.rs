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
    let (mut out, mut counted) = (Vec::new(), 0);
    let done = inflate_to(&mut out, &mut counted, (input, frame), budget);
    // What was refused was inflated all the same: a thousand entries that are refused are work too,
    // and so are blocks of which nothing comes.
    let spent = budget.spend(out.len().max(counted).max(input.len()));
    done.and(spent)?;
    Ok(out)
}

/// Of what becomes large all is counted first, which holds nothing: what is refused takes no
/// memory, and the rest takes its own and no more.
fn inflate_to(
    out: &mut Vec<u8>,
    counted: &mut usize,
    (input, frame): (&[u8], DeflateFraming),
    budget: &UnwrapBudget,
) -> Result<(), UnopenedReason> {
    let mut state = Decompress::new(frame == DeflateFraming::Zlib);
    let by_ratio = input.len().saturating_mul(budget.limits.ratio).max(FREE_RATIO_BYTES);
    loop {
        let length = out.len().max(*counted);
        if length > budget.unpacked || budget.unpacked == 0 {
            return Err(UnopenedReason::TooLarge(budget.limits.unpacked));
        }
        if length > by_ratio {
            return Err(UnopenedReason::Ratio(budget.limits.ratio));
        }
        if *counted == 0 && out.len() >= FREE_RATIO_BYTES {
            *counted = length_of(input, frame, by_ratio.min(budget.unpacked));
            out.reserve_exact(counted.saturating_sub(out.len()).saturating_add(STEP));
            continue;
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

/// How many bytes it becomes: so many at most, and a few more where it is more.
fn length_of(input: &[u8], frame: DeflateFraming, most: usize) -> usize {
    let mut state = Decompress::new(frame == DeflateFraming::Zlib);
    let mut scratch = vec![0; STEP];
    loop {
        let (read, written) = (state.total_in(), state.total_out());
        let rest = input.get(read as usize..).unwrap_or_default();
        let status = state.decompress(rest, &mut scratch, FlushDecompress::None);
        let stuck = state.total_in() == read && state.total_out() == written;
        let length = usize::try_from(state.total_out()).unwrap_or(usize::MAX);
        if length > most || stuck || !matches!(status, Ok(Status::Ok | Status::BufError)) {
            return length;
        }
    }
}
