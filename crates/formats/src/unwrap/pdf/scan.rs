//! Looking at the bytes of a PDF where its structure does not say enough: object numbers before
//! `obj`, and the ends of streams.

use super::object::{PdfLexer, is_space};

/// What stands behind a stream.
const END: &[u8] = b"endstream";
/// White space between the content of a stream and `endstream`, which is an end of a line
/// (section 7.3.8.1); where there is more, or a comment, the length is not believed.
const BEFORE_END: usize = 16;

/// `12` and where it begins, of `12 0` before this place.
pub(super) fn number_before(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let digits_before = |end: usize| {
        let before = bytes.get(end.saturating_sub(10)..end)?;
        let count = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then_some(end - count)
    };
    let generation = digits_before(at)?;
    let end = generation.checked_sub(1).filter(|end| bytes.get(*end) == Some(&b' '))?;
    let start = digits_before(end)?;
    let number = std::str::from_utf8(bytes.get(start..end)?).ok()?.parse().ok()?;
    Some((number, start))
}

/// Where the white space that begins at this place ends.
pub(super) fn after_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// The bytes between `stream` and `endstream`, by the length where it is right.
pub(super) fn raw_stream<'b>(
    bytes: &'b [u8],
    mut lexer: PdfLexer<'b>,
    length: Option<i64>,
) -> Option<&'b [u8]> {
    if !lexer.take(b"stream") {
        return None;
    }
    let rest = bytes.get(lexer.at..)?;
    let skip = match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    };
    let start = lexer.at + skip;
    let by_length = length.and_then(|length| {
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        let content = bytes.get(start..end)?;
        let after = bytes.get(end..(end + BEFORE_END + END.len()).min(bytes.len()))?;
        after.trim_ascii_start().starts_with(END).then_some(content)
    });
    by_length.or_else(|| {
        let rest = bytes.get(start..)?;
        rest.get(..memchr::memmem::find(rest, END)?)
    })
}
