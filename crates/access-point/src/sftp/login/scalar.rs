//! The private number of an ECDSA key in the form of OpenSSH. Its file holds the number without
//! leading zeros (RFC 4251 section 5, `mpint`), so that every five hundredth key of P-256 has one
//! of less than 32 bytes, which the library that reads keys takes for none. Such a key is written
//! with its zeros before it is read.

use data_encoding::BASE64;

/// How a key in this form begins and ends.
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
/// How its bytes begin.
const MAGIC: &[u8] = b"openssh-key-v1\0";
/// The kind of a key whose number may be too short, and the bytes of a whole one.
const KIND: &[u8] = b"ecdsa-sha2-nistp256";
const SIZE: usize = 32;
/// What the private part is filled up to a multiple of where it is not encrypted.
const BLOCK: usize = 8;
/// Characters of a line, as `ssh-keygen` writes them.
const LINE: usize = 70;

/// The same key with a whole number; none where nothing is missing, or where it is another key.
pub(super) fn filled_up(text: &str) -> Option<String> {
    let body = text.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let body: String = body.split_ascii_whitespace().collect();
    let bytes = BASE64.decode(body.as_bytes()).ok()?;
    let mut outer = KeyFields(bytes.strip_prefix(MAGIC)?);
    let (cipher, derivation, options) = (outer.string()?, outer.string()?, outer.string()?);
    let (count, public, private) = (outer.number()?, outer.string()?, outer.string()?);
    if (cipher, count) != (b"none".as_slice(), 1) {
        return None;
    }
    let mut inner = KeyFields(private);
    let checks = [inner.number()?, inner.number()?];
    let (kind, curve, point) = (inner.string()?, inner.string()?, inner.string()?);
    let (number, comment) = (inner.string()?, inner.string()?);
    let missing = SIZE.checked_sub(number.len()).filter(|missing| *missing > 0)?;
    if kind != KIND {
        return None;
    }
    let number = [vec![0; missing], number.to_vec()].concat();
    let mut private: Vec<u8> = checks.iter().flat_map(|check| check.to_be_bytes()).collect();
    private.extend([kind, curve, point, &number, comment].into_iter().flat_map(string));
    let padding = private.len().next_multiple_of(BLOCK) - private.len();
    private.extend((1..=u8::MAX).take(padding));
    let mut whole = MAGIC.to_vec();
    whole.extend([cipher, derivation, options].into_iter().flat_map(string));
    whole.extend(count.to_be_bytes());
    whole.extend([public, &private].into_iter().flat_map(string));
    Some(written(&whole))
}

fn written(bytes: &[u8]) -> String {
    let mut text = BEGIN.to_owned();
    for (place, letter) in BASE64.encode(bytes).chars().enumerate() {
        if place % LINE == 0 {
            text.push('\n');
        }
        text.push(letter);
    }
    text + "\n" + END + "\n"
}

/// A string: its length and its bytes.
fn string(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), bytes].concat()
}

/// The rest of a key.
struct KeyFields<'k>(&'k [u8]);

impl<'k> KeyFields<'k> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn string(&mut self) -> Option<&'k [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }
}
