//! A text that is hidden however its letters are written: as they are, as entities of XML and HTML,
//! percent-encoded, or escaped as in JSON.

/// What stands for what is hidden.
const HIDDEN: &str = "***";
/// Bytes of an entity.
const ENTITY: usize = 16;

/// A text without another one.
pub(super) fn hidden(text: &str, form: &str) -> String {
    // First as it is: what looks like an escape may be a part of it.
    let text = text.replace(form, HIDDEN);
    let mut out = String::with_capacity(text.len());
    let mut left = text.as_str();
    while let Some(letter) = left.chars().next() {
        match behind(left, form) {
            Some(rest) if rest.len() < left.len() => {
                out.push_str(HIDDEN);
                left = rest;
            }
            _ => {
                out.push(letter);
                left = left.strip_prefix(letter).unwrap_or_default();
            }
        }
    }
    out
}

/// What stands behind a form with which a text begins.
fn behind<'t>(text: &'t str, form: &str) -> Option<&'t str> {
    form.chars().try_fold(text, behind_letter)
}

fn behind_letter(text: &str, letter: char) -> Option<&str> {
    let escaped = match text.bytes().next()? {
        b'&' => entity(text, letter),
        b'%' => percent(text, letter),
        b'\\' => escape(text, letter),
        b'+' if letter == ' ' => text.strip_prefix('+'),
        _ => None,
    };
    escaped.or_else(|| text.strip_prefix(letter))
}

/// `&amp;`, `&#38;`, `&#x26;`.
fn entity(text: &str, letter: char) -> Option<&str> {
    let end = text.bytes().take(ENTITY).position(|byte| byte == b';')?;
    let (name, rest) = text.strip_prefix('&')?.split_at_checked(end.checked_sub(1)?)?;
    let rest = rest.strip_prefix(';')?;
    let found = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    };
    (found == letter).then_some(rest)
}

/// `%26`, of each byte in UTF-8.
fn percent(text: &str, letter: char) -> Option<&str> {
    letter.encode_utf8(&mut [0; 4]).bytes().try_fold(text, |text, byte| {
        let (code, rest) = text.strip_prefix('%')?.split_at_checked(2)?;
        (u8::from_str_radix(code, 16).ok()? == byte).then_some(rest)
    })
}

/// `\/`, `\u0026`, of each unit in UTF-16.
fn escape(text: &str, letter: char) -> Option<&str> {
    let plain = text.strip_prefix('\\').filter(|_| !letter.is_alphanumeric());
    let units = || {
        letter.encode_utf16(&mut [0; 2]).iter().try_fold(text, |text, unit| {
            let (code, rest) = text.strip_prefix("\\u")?.split_at_checked(4)?;
            (u16::from_str_radix(code, 16).ok()? == *unit).then_some(rest)
        })
    };
    plain.and_then(|text| text.strip_prefix(letter)).or_else(units)
}
