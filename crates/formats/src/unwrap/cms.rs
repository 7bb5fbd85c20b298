//! The content of CMS signed data (`.p7m`), binary, base64 or PEM.
//!
//! Source: RFC 5652 section 5; X.690 for BER, whose indefinite lengths and constructed octet
//! strings occur in the field. The signature is not judged here: this only takes the document out.

use std::borrow::Cow;

use quoin_xml::base64;

use super::{CmsEncoding, ContainerItem, UnopenedReason, UnwrapBudget, Wrapper};

/// The object identifier of signed data, 1.2.840.113549.1.7.2, as an element.
const SIGNED_DATA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
/// Elements inside one another that are followed.
const MAX_DEPTH: usize = 16;
/// Characters of base64 that tell whether signed data begins.
const HEAD: usize = 64;

const SEQUENCE: u8 = 0x30;
const EXPLICIT: u8 = 0xA0;
const OCTETS: u8 = 0x04;
const CONSTRUCTED: u8 = 0x20;

/// Whether these are the first bytes of signed data, in binary or in base64 without a frame; what
/// has a frame is told by its first line.
pub(crate) fn looks_like(start: &[u8]) -> bool {
    if start.first() == Some(&SEQUENCE) {
        return is_signed_data(start);
    }
    let head: Vec<u8> =
        start.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(HEAD).collect();
    let whole = head.get(..head.len() / 4 * 4).unwrap_or_default();
    head.starts_with(b"M") && base64::decode(whole).is_ok_and(|bytes| is_signed_data(&bytes))
}

fn is_signed_data(bytes: &[u8]) -> bool {
    let length = match bytes.get(1) {
        Some(first @ 0x81..=0x84) => usize::from(first & 0x7F),
        Some(_) => 0,
        None => return false,
    };
    bytes.get(2 + length..).is_some_and(|rest| rest.starts_with(SIGNED_DATA))
}

/// The enclosed document.
///
/// # Errors
/// [`Reason::Detached`] where there is none, [`Reason::Damaged`] where the structure is broken.
pub(super) fn content<'c>(
    bytes: &'c [u8],
    budget: &mut UnwrapBudget,
) -> Result<ContainerItem<'c>, UnopenedReason> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    let child =
        |bytes, encoding| ContainerItem { name: None, bytes, wrapper: Wrapper::Cms { encoding } };
    if bytes.first() == Some(&SEQUENCE) {
        let content = enclosed(bytes)?;
        if let Cow::Owned(content) = &content {
            budget.spend(content.len())?;
        }
        return Ok(child(content, CmsEncoding::Binary));
    }
    let (text, encoding) = match start.starts_with(b"-----BEGIN ") {
        true => (between_lines(start), CmsEncoding::Pem),
        false => (start, CmsEncoding::Base64),
    };
    budget.spend(text.len())?;
    let binary =
        base64::decode(text).map_err(|_| UnopenedReason::Damaged("it is not valid base64"))?;
    Ok(child(Cow::Owned(enclosed(&binary)?.into_owned()), encoding))
}

/// What stands between the `BEGIN` and the `END` line (RFC 7468).
fn between_lines(text: &[u8]) -> &[u8] {
    let after = memchr::memchr(b'\n', text).and_then(|at| text.get(at + 1..)).unwrap_or_default();
    let end = memchr::memmem::find(after, b"-----END").unwrap_or(after.len());
    after.get(..end).unwrap_or_default()
}

/// ContentInfo { signedData, \[0\] SignedData { version, digests, { type, \[0\] content } } }.
fn enclosed(bytes: &[u8]) -> Result<Cow<'_, [u8]>, UnopenedReason> {
    let broken = || UnopenedReason::Damaged("its structure is not that of signed data");
    let mut info = BerReader::new(bytes).inside(SEQUENCE).ok_or_else(broken)?;
    info.skip().ok_or_else(broken)?;
    let mut signed = info
        .inside(EXPLICIT)
        .and_then(|mut explicit| explicit.inside(SEQUENCE))
        .ok_or_else(broken)?;
    signed.skip().and_then(|()| signed.skip()).ok_or_else(broken)?;
    let mut content = signed.inside(SEQUENCE).ok_or_else(broken)?;
    content.skip().ok_or_else(broken)?;
    if content.at_end() {
        return Err(UnopenedReason::Detached);
    }
    let mut explicit = content.inside(EXPLICIT).ok_or_else(broken)?;
    let mut pieces = Vec::new();
    explicit.octets(&mut pieces, MAX_DEPTH).ok_or_else(broken)?;
    match pieces[..] {
        [] => Err(UnopenedReason::Detached),
        [piece] => Ok(Cow::Borrowed(piece)),
        _ => Ok(Cow::Owned(pieces.concat())),
    }
}

/// Elements of BER one after the other, in a definite length or up to an end mark.
struct BerReader<'c> {
    rest: &'c [u8],
}

/// Tag and length of an element; `None` for an indefinite length.
struct BerHeader {
    tag: u8,
    length: Option<usize>,
}

impl<'c> BerReader<'c> {
    fn new(rest: &'c [u8]) -> BerReader<'c> {
        BerReader { rest }
    }

    fn at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with(b"\0\0")
    }

    fn head(&mut self) -> Option<BerHeader> {
        let (&tag, rest) = self.rest.split_first()?;
        // Tags above 30 do not occur in signed data.
        if tag & 0x1F == 0x1F {
            return None;
        }
        let (&first, rest) = rest.split_first()?;
        let (length, rest) = match first {
            0x80 => (None, rest),
            0..=0x7F => (Some(usize::from(first)), rest),
            _ => {
                let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
                let fold = |sum: usize, byte: &u8| {
                    sum.checked_mul(256).map(|sum| sum + usize::from(*byte))
                };
                (Some(digits.iter().try_fold(0, fold)?), rest)
            }
        };
        self.rest = rest;
        Some(BerHeader { tag, length })
    }

    /// Steps into an element of this tag, and past it. What an indefinite length contains is
    /// followed by the rest; the end mark is found by reading.
    fn inside(&mut self, tag: u8) -> Option<BerReader<'c>> {
        let head = self.head().filter(|head| head.tag == tag)?;
        let Some(length) = head.length else { return Some(BerReader::new(self.rest)) };
        // A file that was cut off still has its content.
        let length = length.min(self.rest.len());
        let (inside, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(BerReader::new(inside))
    }

    /// Passes over one element.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0;
        loop {
            if open > 0 && self.rest.starts_with(b"\0\0") {
                self.rest = self.rest.get(2..)?;
                open -= 1;
            } else {
                let head = self.head()?;
                match head.length {
                    Some(length) => self.rest = self.rest.get(length..)?,
                    None => open += 1,
                }
            }
            if open == 0 {
                return Some(());
            }
            if open > MAX_DEPTH {
                return None;
            }
        }
    }

    /// The pieces of one octet string, primitive or constructed.
    fn octets(&mut self, pieces: &mut Vec<&'c [u8]>, depth: usize) -> Option<()> {
        let head = self.head()?;
        match (head.tag, head.length) {
            (OCTETS, Some(length)) => {
                let (piece, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                pieces.push(piece);
            }
            (tag, length) if tag == OCTETS | CONSTRUCTED && depth > 0 => match length {
                Some(length) => {
                    let (inside, rest) = self.rest.split_at_checked(length)?;
                    self.rest = rest;
                    let mut inside = BerReader::new(inside);
                    while !inside.rest.is_empty() {
                        inside.octets(pieces, depth - 1)?;
                    }
                }
                None => {
                    while !self.at_end() {
                        self.octets(pieces, depth - 1)?;
                    }
                    self.rest = self.rest.get(2..).unwrap_or_default();
                }
            },
            _ => return None,
        }
        Some(())
    }
}
