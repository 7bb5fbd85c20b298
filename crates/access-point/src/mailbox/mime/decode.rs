//! How bytes and words are written in a mail: Base64, quoted-printable, words of a header that are
//! not ASCII. Whatever stands there comes to something.

use bytes::Bytes;

/// The bytes of a part by its `Content-Transfer-Encoding` (RFC 2045, section 6).
pub(super) fn content(encoding: &str, body: &[u8]) -> Bytes {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "base64" => base64(body).into(),
        "quoted-printable" => quoted_printable(body, false).into(),
        _ => Bytes::copy_from_slice(body),
    }
}

/// Base64; anything that is not of its alphabet is passed over, as RFC 2045, section 6.8, has it.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                (bits, held) = (0, 0);
                continue;
            }
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.extend(u8::try_from(bits >> held & 0xff));
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

/// Quoted-printable (RFC 2045, section 6.7), or the form of it in headers, where `_` is a blank
/// (RFC 2047, section 4.2).
pub(super) fn quoted_printable(text: &[u8], is_header: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        match (first, behind) {
            (b'=', [b'\r', b'\n', after @ ..] | [b'\n', after @ ..]) => rest = after,
            (b'=', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high << 4 | low);
                    rest = after;
                }
                _ => bytes.push(b'='),
            },
            (b'_', _) if is_header => bytes.push(b' '),
            (other, _) => bytes.push(*other),
        }
    }
    bytes
}

/// Bytes that are written as `%` and two digits.
pub(super) fn percent(text: &str) -> Vec<u8> {
    percent_encoding::percent_decode_str(text).collect()
}

fn digit(letter: u8) -> Option<u8> {
    char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Bytes as text; of the sets besides Unicode those of Western Europe are known.
pub(super) fn text(charset: &str, bytes: &[u8]) -> String {
    match charset.to_ascii_lowercase().as_str() {
        "iso-8859-1" | "iso-8859-15" | "windows-1252" => {
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// A text in which words may be written as `=?charset?B?…?=` (RFC 2047).
pub(super) fn words(value: &str) -> String {
    let mut found = String::with_capacity(value.len());
    let mut rest = value;
    let mut after_word = false;
    while let Some(at) = rest.find("=?") {
        let (before, behind) = rest.split_at(at);
        // Blanks between two words are no blanks.
        if !(after_word && before.chars().all(char::is_whitespace)) {
            found.push_str(before);
        }
        match word(behind) {
            Some((decoded, after)) => {
                found.push_str(&decoded);
                (rest, after_word) = (after, true);
            }
            None => {
                found.push_str("=?");
                rest = behind.get(2..).unwrap_or_default();
                after_word = false;
            }
        }
    }
    found.push_str(rest);
    found
}

/// One word, and what stands behind it. A word has 75 characters (RFC 2047, section 2); some write
/// longer ones.
fn word(text: &str) -> Option<(String, &str)> {
    let near = text.char_indices().nth(600).map_or(text.len(), |(at, _)| at);
    let near = text.get(2..near)?;
    let (charset, rest) = near.split_once('?')?;
    let (kind, rest) = rest.split_once('?')?;
    let (encoded, _) = rest.split_once("?=")?;
    let bytes = match kind {
        "B" | "b" => base64(encoded.as_bytes()),
        "Q" | "q" => quoted_printable(encoded.as_bytes(), true),
        _ => return None,
    };
    let charset = charset.split('*').next().unwrap_or_default();
    let length = 2 + charset_length(near, kind, encoded);
    Some((self::text(charset, &bytes), text.get(length..)?))
}

fn charset_length(near: &str, kind: &str, encoded: &str) -> usize {
    let charset = near.find('?').unwrap_or_default();
    charset + 1 + kind.len() + 1 + encoded.len() + 2
}
