//! Encodings with one byte a character. What one of them does not assign keeps its number (WHATWG
//! Encoding).

/// The character of a byte.
pub(super) type ByteTable = fn(u8) -> char;

/// Their names in lower case, and the character of each byte.
pub(super) const ONE_BYTE: &[(&[&str], ByteTable)] = &[
    (&["iso-8859-1", "iso_8859-1", "latin1", "l1"], char::from),
    (&["iso-8859-2", "iso_8859-2", "latin2", "l2"], latin_2),
    (&["iso-8859-15", "iso_8859-15", "latin-9"], latin_9),
    (&["windows-1250", "cp1250"], windows_1250),
    (&["windows-1252", "cp1252"], windows_1252),
];

/// `0xA0` to `0xFF` of ISO-8859-2.
#[rustfmt::skip]
const LATIN_2: [char; 96] = [
    '\u{A0}', 'Ą', '˘', 'Ł', '¤', 'Ľ', 'Ś', '§', '¨', 'Š', 'Ş', 'Ť', 'Ź', '\u{AD}', 'Ž', 'Ż',
    '°', 'ą', '˛', 'ł', '´', 'ľ', 'ś', 'ˇ', '¸', 'š', 'ş', 'ť', 'ź', '˝', 'ž', 'ż',
    'Ŕ', 'Á', 'Â', 'Ă', 'Ä', 'Ĺ', 'Ć', 'Ç', 'Č', 'É', 'Ę', 'Ë', 'Ě', 'Í', 'Î', 'Ď',
    'Đ', 'Ń', 'Ň', 'Ó', 'Ô', 'Ő', 'Ö', '×', 'Ř', 'Ů', 'Ú', 'Ű', 'Ü', 'Ý', 'Ţ', 'ß',
    'ŕ', 'á', 'â', 'ă', 'ä', 'ĺ', 'ć', 'ç', 'č', 'é', 'ę', 'ë', 'ě', 'í', 'î', 'ď',
    'đ', 'ń', 'ň', 'ó', 'ô', 'ő', 'ö', '÷', 'ř', 'ů', 'ú', 'ű', 'ü', 'ý', 'ţ', '˙',
];

/// `0x80` to `0xBF` of Windows-1250; what comes after is as in ISO-8859-2.
#[rustfmt::skip]
const WINDOWS_1250: [char; 64] = [
    '€', '\u{81}', '‚', '\u{83}', '„', '…', '†', '‡', '\u{88}', '‰', 'Š', '‹', 'Ś', 'Ť', 'Ž', 'Ź',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '\u{98}', '™', 'š', '›', 'ś', 'ť', 'ž', 'ź',
    '\u{A0}', 'ˇ', '˘', 'Ł', '¤', 'Ą', '¦', '§', '¨', '©', 'Ş', '«', '¬', '\u{AD}', '®', 'Ż',
    '°', '±', '˛', 'ł', '´', 'µ', '¶', '·', '¸', 'ą', 'ş', '»', 'Ľ', '˝', 'ľ', 'ż',
];

/// `0x80` to `0x9F` of Windows-1252; what comes after is as in ISO-8859-1.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The character of a byte in a table that begins with another one; what is not in it is as in
/// ISO-8859-1.
fn of(table: &[char], first: u8, byte: u8) -> char {
    let place = usize::from(byte).checked_sub(usize::from(first));
    place.and_then(|at| table.get(at)).copied().unwrap_or(char::from(byte))
}

fn latin_2(byte: u8) -> char {
    of(&LATIN_2, 0xA0, byte)
}

fn windows_1250(byte: u8) -> char {
    if byte < 0xC0 { of(&WINDOWS_1250, 0x80, byte) } else { latin_2(byte) }
}

fn windows_1252(byte: u8) -> char {
    of(&WINDOWS_1252, 0x80, byte)
}

fn latin_9(byte: u8) -> char {
    match byte {
        0xA4 => '€',
        0xA6 => 'Š',
        0xA8 => 'š',
        0xB4 => 'Ž',
        0xB8 => 'ž',
        0xBC => 'Œ',
        0xBD => 'œ',
        0xBE => 'Ÿ',
        _ => char::from(byte),
    }
}
