//! Which bytes and characters XML allows where.

/// Bytes that are looked at together; the compiler turns a block into a few vector instructions.
const BLOCK: usize = 16;

/// A byte of character data that ends the run or needs a closer look.
pub(super) const IN_TEXT: u8 = 1;
/// A byte of an attribute value that ends it or needs a closer look.
pub(super) const IN_VALUE: u8 = 2;
/// A byte that can be part of a qualified name; beyond ASCII that is not sure.
const IN_NAME: u8 = 4;

/// What each byte is.
#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

const fn class(byte: u8) -> u8 {
    let mut class = 0;
    // Markup, controls, and the byte that U+FFFE and U+FFFF (no characters of XML) begin with.
    let is_special = byte < 0x20 || matches!(byte, b'<' | b'&' | 0xEF);
    if is_special || byte == b']' {
        class |= IN_TEXT;
    }
    if is_special || byte == b'"' || byte == b'\'' {
        class |= IN_VALUE;
    }
    if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | 0x80..) {
        class |= IN_NAME;
    }
    class
}

fn is(byte: u8, wanted: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|class| class & wanted != 0)
}

/// How many bytes at the start are not special.
pub(super) fn plain(bytes: &[u8], special: u8) -> usize {
    let start = bytes.get(..BLOCK).unwrap_or(bytes);
    if let Some(found) = start.iter().position(|&byte| is(byte, special)) {
        return found;
    }
    let (one, other) = if special == IN_TEXT { (b']', b']') } else { (b'"', b'\'') };
    let stops = |byte: u8| {
        (byte < 0x20)
            | (byte == b'<')
            | (byte == b'&')
            | (byte == 0xEF)
            | (byte == one)
            | (byte == other)
    };
    let clean = |block: &&[u8]| !block.iter().fold(false, |any, &byte| any | stops(byte));
    let rest = bytes.get(start.len()..).unwrap_or_default();
    let blocks = rest.chunks_exact(BLOCK).take_while(clean).count() * BLOCK;
    let rest = rest.get(blocks..).unwrap_or_default();
    let last = rest.iter().position(|&byte| is(byte, special)).unwrap_or(rest.len());
    start.len() + blocks + last
}

/// How many bytes at the start are a line end without carriage return, and its indent.
pub(super) fn indent(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\n' | b' ' | b'\t')).count()
}

/// How many bytes at the start can be a qualified name.
pub(super) fn name_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| is(byte, IN_NAME)).count()
}

/// Whether a byte can be part of a qualified name.
pub(super) fn is_in_name(byte: u8) -> bool {
    is(byte, IN_NAME)
}

/// `Char` of XML 1.0 section 2.2.
pub(crate) fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}

/// `NameStartChar` of XML 1.0 section 2.3 without the colon.
pub(crate) fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// `NameChar` of XML 1.0 section 2.3 without the colon.
pub(crate) fn is_name(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}'
            | '\u{203F}'..='\u{2040}')
}

/// White space of XML 1.0 section 2.3.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
