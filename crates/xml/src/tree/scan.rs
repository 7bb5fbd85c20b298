//! Which bytes and characters XML allows where.

/// What a byte of character data asks the reader to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Nothing: it is plain text.
    Plain,
    /// It ends the run or needs a closer look.
    Special,
}

/// Classes of bytes in character data.
pub(super) static TEXT: [Class; 256] = table(*b"<&\r]");
/// Classes of bytes in an attribute value; the quote that ends it is looked for as well.
pub(super) static VALUE: [Class; 256] = table(*b"<&\"'");

const fn table(special: [u8; 4]) -> [Class; 256] {
    let mut classes = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Special;
        byte += 1;
    }
    let mut index = 0;
    while index < special.len() {
        classes[special[index] as usize] = Class::Special;
        index += 1;
    }
    // U+FFFE and U+FFFF, which are not characters of XML, begin with this byte.
    classes[0xEF] = Class::Special;
    classes
}

/// `Char` of XML 1.0 section 2.2.
pub(super) fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}

/// `NameStartChar` of XML 1.0 section 2.3 without the colon.
pub(super) fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

/// `NameChar` of XML 1.0 section 2.3 without the colon.
pub(super) fn is_name(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}'
            | '\u{203F}'..='\u{2040}')
}

/// White space of XML 1.0 section 2.3.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
