//! Which bytes and characters XML allows where.

/// Bytes that are looked at together; the compiler turns a block into a few vector instructions.
const BLOCK: usize = 16;

/// Whether a byte of character data ends the run or needs a closer look.
pub(super) fn special_in_text(byte: u8) -> bool {
    special(byte) | (byte == b']')
}

/// Whether a byte of an attribute value ends it or needs a closer look.
pub(super) fn special_in_value(byte: u8) -> bool {
    special(byte) | (byte == b'"') | (byte == b'\'')
}

/// Markup, controls, and the byte that U+FFFE and U+FFFF (no characters of XML) begin with.
fn special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'<') | (byte == b'&') | (byte == 0xEF)
}

/// How many bytes at the start are not special.
pub(super) fn plain(bytes: &[u8], special: impl Fn(u8) -> bool) -> usize {
    let clean = |block: &&[u8]| !block.iter().fold(false, |any, &byte| any | special(byte));
    let blocks = bytes.chunks_exact(BLOCK).take_while(clean).count() * BLOCK;
    let rest = bytes.get(blocks..).unwrap_or_default();
    blocks + rest.iter().position(|&byte| special(byte)).unwrap_or(rest.len())
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
