//! Character classes and escapes: `[a-z-[aeiou]]`, `\i`, `\p{Lu}`, `\p{IsBasicLatin}`.

use super::PatternError;
use super::blocks::BLOCKS;
use super::translate::PatternReader;

/// Classes subtracted from one another at most.
const MAX_SUBTRACTIONS: usize = 16;

/// The general categories of appendix F.1.1; `Cs` is not one of them.
const CATEGORIES: &[&str] = &[
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc",
    "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Z", "Zs", "Zl", "Zp", "S", "Sm", "Sc", "Sk", "So", "C",
    "Cc", "Cf", "Co", "Cn",
];

/// `NameStartChar` of XML 1.0 (fifth edition), the colon included.
const NAME_START: &str = concat!(
    r":A-Z_a-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}",
    r"\x{200C}-\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}",
    r"\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}"
);
/// What `NameChar` adds to it.
const NAME_MORE: &str = r"\-.0-9\x{B7}\x{300}-\x{36F}\x{203F}-\x{2040}";

/// What a backslash stands for.
pub(super) enum Escape {
    Char(char),
    /// A class in brackets for the engine.
    Set(String),
}

pub(super) fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

/// Writes one character so that the engine takes it literally, inside a class and outside.
pub(super) fn push_literal(char: char, out: &mut String) {
    if char.is_ascii_alphanumeric() || !char.is_ascii() {
        out.push(char);
    } else {
        out.push_str(&format!(r"\x{{{:X}}}", char as u32));
    }
}

/// Reads what follows a backslash.
pub(super) fn escape(reader: &mut PatternReader) -> Result<Escape, PatternError> {
    let Some(char) = reader.next() else {
        return Err(reader.problem("expected an escape after '\\', found the end"));
    };
    let set = match char {
        'n' => return Ok(Escape::Char('\n')),
        'r' => return Ok(Escape::Char('\r')),
        't' => return Ok(Escape::Char('\t')),
        '\\' | '|' | '.' | '?' | '*' | '+' | '(' | ')' | '{' | '}' | '-' | '[' | ']' | '^' => {
            return Ok(Escape::Char(char));
        }
        '$' if reader.allows_dollar_escape() => return Ok(Escape::Char('$')),
        's' => r"[ \t\n\r]".to_owned(),
        'S' => r"[^ \t\n\r]".to_owned(),
        'i' => format!("[{NAME_START}]"),
        'I' => format!("[^{NAME_START}]"),
        'c' => format!("[{NAME_START}{NAME_MORE}]"),
        'C' => format!("[^{NAME_START}{NAME_MORE}]"),
        'd' => r"[\p{Nd}]".to_owned(),
        'D' => r"[^\p{Nd}]".to_owned(),
        'w' => r"[^\p{P}\p{Z}\p{C}]".to_owned(),
        'W' => r"[\p{P}\p{Z}\p{C}]".to_owned(),
        'p' => property(reader, false)?,
        'P' => property(reader, true)?,
        other => return Err(reader.problem(format!("there is no escape '\\{other}'"))),
    };
    Ok(Escape::Set(set))
}

fn property(reader: &mut PatternReader, is_negated: bool) -> Result<String, PatternError> {
    let mut name = String::new();
    if !reader.eat('{') {
        return Err(reader.problem("expected '{' after '\\p'"));
    }
    while let Some(char) = reader.next() {
        if char == '}' {
            let not = if is_negated { "^" } else { "" };
            return match name.strip_prefix("Is") {
                Some(block) => Ok(format!("[{not}{}]", self::block(block, reader)?)),
                None if CATEGORIES.contains(&name.as_str()) => Ok(format!(r"[{not}\p{{{name}}}]")),
                None => Err(reader.problem(format!("there is no category {name:?}"))),
            };
        }
        name.push(char);
    }
    Err(reader.problem("expected '}' after the name of a property, found the end"))
}

fn block(name: &str, reader: &PatternReader) -> Result<String, PatternError> {
    match BLOCKS.binary_search_by(|(known, ..)| (*known).cmp(name)) {
        Ok(at) => {
            let (_, first, last) = BLOCKS.get(at).copied().unwrap_or_default();
            if (0xD800..0xE000).contains(&first) {
                // No character is a surrogate.
                return Ok(r"a&&b".to_owned());
            }
            Ok(format!(r"\x{{{first:X}}}-\x{{{last:X}}}"))
        }
        Err(_) => Err(reader.problem(format!("there is no block {name:?}"))),
    }
}

/// Reads a class; its opening bracket was read.
pub(super) fn class(reader: &mut PatternReader, depth: usize) -> Result<String, PatternError> {
    if depth > MAX_SUBTRACTIONS {
        let limit = MAX_SUBTRACTIONS;
        return Err(PatternError::TooLarge { what: "the depth of classes", limit });
    }
    let mut items = String::new();
    if reader.eat('^') {
        items.push('^');
    }
    let empty = items.len();
    loop {
        match reader.peek() {
            None => return Err(reader.problem("expected ']', found the end")),
            Some(']') if items.len() > empty => {
                reader.next();
                return Ok(format!("[{items}]"));
            }
            Some('-') if reader.peek_second() == Some('[') && items.len() > empty => {
                reader.next();
                reader.next();
                let subtracted = class(reader, depth + 1)?;
                if !reader.eat(']') {
                    return Err(reader.problem("expected ']' after a subtracted class"));
                }
                return Ok(format!("[[{items}]--{subtracted}]"));
            }
            Some(char @ ('[' | ']')) => {
                return Err(reader.problem(format!("expected a character, found {char:?}")));
            }
            Some(_) => item(reader, &mut items)?,
        }
    }
}

/// One character, escape or range of a class.
fn item(reader: &mut PatternReader, items: &mut String) -> Result<(), PatternError> {
    let first = match reader.next() {
        Some('\\') => match escape(reader)? {
            Escape::Set(set) => {
                items.push_str(&set);
                return Ok(());
            }
            Escape::Char(char) => char,
        },
        Some(char) => char,
        None => return Ok(()),
    };
    let is_range =
        reader.peek() == Some('-') && !matches!(reader.peek_second(), Some(']' | '[') | None);
    if !is_range {
        push_literal(first, items);
        return Ok(());
    }
    reader.next();
    let last = match reader.next() {
        Some('\\') => match escape(reader)? {
            Escape::Char(char) => char,
            Escape::Set(_) => return Err(reader.problem("a range must end with one character")),
        },
        Some(char) => char,
        None => return Err(reader.problem("expected the end of a range, found the end")),
    };
    if last < first {
        return Err(reader.problem(format!("the range {first:?}-{last:?} is reversed")));
    }
    push_literal(first, items);
    items.push('-');
    push_literal(last, items);
    Ok(())
}
