//! Bodies that were compressed on the way: gzip is taken, within the same limits as the body that
//! it becomes; any other coding is refused before anything is read.

use std::io::Read;

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, TRANSFER_ENCODING};
use bytes::{Bytes, BytesMut};
use flate2::bufread::MultiGzDecoder;
use quoin_model::text::quoted;

use super::body::{BodyError, MEMORY};
use super::codes;
use super::problem::Problem;
use super::sentences;
use quoin_access_point::budget::bytes::WEIGHT;
use quoin_access_point::budget::{Holding, Pool, Purpose};

/// Bytes that are taken out in one step.
const STEP: usize = 64 * 1024;

/// The body of this request is gzip: an extension of the request, with the threads on which it is
/// opened.
#[derive(Debug, Clone)]
pub(super) struct Gzip(pub Pool);

/// What the headers say that was done to a body.
enum Coding {
    Plain,
    Gzip,
    Other(String),
}

fn coding(headers: &HeaderMap) -> Coding {
    let all = headers.get_all(CONTENT_ENCODING).iter().map(|value| value.to_str().unwrap_or("?"));
    let all: Vec<String> = all
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    match all.as_slice() {
        [] => Coding::Plain,
        [one] if one == "gzip" || one == "x-gzip" => Coding::Gzip,
        others => Coding::Other(others.join(", ")),
    }
}

/// A coding for the way that is not taken off here, and so would be taken for a part of the body
/// (RFC 9112 section 6.1).
fn transfer_coding(headers: &HeaderMap) -> Option<Problem> {
    let all = headers.get_all(TRANSFER_ENCODING).iter();
    let all = all.map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase());
    let all: Vec<String> = all.collect();
    let names = all.iter().flat_map(|value| value.split(',')).map(str::trim);
    let other = names.filter(|name| !name.is_empty()).find(|name| *name != "chunked")?;
    let detail = format!(
        "expected Transfer-Encoding chunked, or none, found {other}; a compressed body is \
         told by Content-Encoding gzip",
        other = quoted(other, 80)
    );
    Some(Problem::new(&codes::TRANSFER_CODING, detail))
}

/// Notes how the body of a request is to be opened; the refusal where it cannot be.
pub(super) fn note(request: &mut Request, pool: &Pool) -> Option<Problem> {
    if let Some(problem) = transfer_coding(request.headers()) {
        return Some(problem);
    }
    match coding(request.headers()) {
        Coding::Plain => None,
        // Forms of the token endpoint are small; nobody compresses them.
        Coding::Gzip if !request.uri().path().starts_with("/connect/") => {
            request.extensions_mut().insert(Gzip(pool.clone()));
            None
        }
        Coding::Gzip => Some(refused("gzip", "no Content-Encoding")),
        Coding::Other(found) => Some(refused(&found, "Content-Encoding gzip, or none")),
    }
}

fn refused(found: &str, expected: &str) -> Problem {
    let found = format!("Content-Encoding {found:.80}");
    let detail = sentences::MEDIA_TYPE.with([("expected", &expected), ("found", &found)]);
    Problem::new(&codes::MEDIA_TYPE, detail).header(ACCEPT_ENCODING, "gzip")
}

/// Opens a body, in which at most `limit` bytes may be. How many it has is counted before memory is
/// asked for them, so that a large one waits in line for all that it needs.
///
/// # Errors
/// [`BodyError`].
pub(super) async fn open(
    gzip: &Gzip,
    who: &str,
    bytes: Bytes,
    limit: u64,
    mut holding: Holding,
) -> Result<(Bytes, Holding), BodyError> {
    let (packed, pool) = (bytes.clone(), &gzip.0);
    let count = move || inflate(&packed, limit, |_| {});
    let size = pool.run(Purpose::ValidateNow, who, count).await??;
    // Whoever reads it holds more than its bytes.
    holding.ask(size.saturating_mul(WEIGHT), MEMORY).await.map_err(BodyError::NoRoom)?;
    let work = move || {
        let mut out = BytesMut::with_capacity(size);
        inflate(&bytes, limit, |part| out.extend_from_slice(part)).map(|_| out.freeze())
    };
    let out = pool.run(Purpose::ValidateNow, who, work).await??;
    Ok((out, holding))
}

/// Hands on what is packed, part by part; answers how many bytes it was.
fn inflate(packed: &[u8], limit: u64, mut each: impl FnMut(&[u8])) -> Result<usize, BodyError> {
    let mut decoder = MultiGzDecoder::new(packed);
    let (mut part, mut size) = (vec![0; STEP], 0_usize);
    loop {
        let broken = |error: std::io::Error| BodyError::Coding(error.to_string());
        let read = decoder.read(&mut part).map_err(broken)?;
        if read == 0 {
            return Ok(size);
        }
        size = size.saturating_add(read);
        if size as u64 > limit {
            return Err(BodyError::TooLarge(limit));
        }
        each(part.get(..read).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_chunks_are_taken_off_a_body_on_its_way() {
        let found = |values: &[&str]| {
            let headers = values.iter().map(|v| (TRANSFER_ENCODING, v.parse().unwrap()));
            transfer_coding(&headers.collect()).map(|problem| problem.status().as_u16())
        };
        assert_eq!((found(&[]), found(&["chunked"]), found(&["Chunked"])), (None, None, None));
        for values in [&["gzip, chunked"][..], &["gzip", "chunked"], &["deflate,chunked"]] {
            assert_eq!(found(values), Some(501), "{values:?}");
        }
    }
}
