//! Base64 as XML carries it: with or without line breaks.

use data_encoding::{BASE64, Encoding, Specification};
use std::sync::OnceLock;

/// The text is not base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not valid base64")]
pub struct NotBase64;

/// Encodes without line breaks.
pub fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Decodes, passing over white space.
///
/// # Errors
/// [`NotBase64`] for any other character, for wrong padding and for bits that should be zero.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, NotBase64> {
    if !text.iter().any(u8::is_ascii_whitespace) {
        return BASE64.decode(text).map_err(|_| NotBase64);
    }
    static LENIENT: OnceLock<Encoding> = OnceLock::new();
    let lenient = LENIENT.get_or_init(|| {
        let mut specification: Specification = BASE64.specification();
        specification.ignore.push_str(" \t\r\n");
        specification.encoding().unwrap_or(BASE64)
    });
    lenient.decode(text).map_err(|_| NotBase64)
}
