//! The tree of a document with a document type declaration, which every cXML document has.

use quoin_xml::tree::{Document, Limits, ParseError};

/// Bytes in which the declaration begins.
const HEAD: usize = 4 << 10;

/// The tree of a document whose declaration names a definition and declares nothing itself; it is
/// passed over and never followed. `None` for any other.
pub(crate) fn tree(bytes: &[u8], limits: &Limits) -> Option<Result<Document, ParseError>> {
    let width = width(bytes);
    let head: Vec<u8> = bytes.chunks_exact(width).take(HEAD).map(letter).collect();
    let from = memchr::memmem::find(&head, b"<!DOCTYPE")?;
    // A comment before it could contain another.
    if memchr::memmem::find(head.get(..from)?, b"<!--").is_some() {
        return None;
    }
    let mut quote = None;
    let is_end = |byte: &u8| {
        match (quote, *byte) {
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'>' | b'[') => return true,
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
        false
    };
    let length = head.get(from..)?.iter().position(is_end)?;
    let until = from + length;
    if head.get(until) != Some(&b'>') {
        return None;
    }
    let mut bytes = bytes.to_vec();
    for unit in bytes.chunks_exact_mut(width).take(until + 1).skip(from) {
        if letter(unit) != b'\n' {
            blank(unit);
        }
    }
    Some(Document::parse(&bytes, limits))
}

/// How many bytes a letter has: two in UTF-16, with a byte order mark or without.
fn width(bytes: &[u8]) -> usize {
    match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [b'<', 0, ..] | [0, b'<', ..] => 2,
        _ => 1,
    }
}

/// A letter of ASCII, and something else for any other.
fn letter(unit: &[u8]) -> u8 {
    match unit {
        [own] | [own, 0] | [0, own] => *own,
        _ => 0xFF,
    }
}

/// Writes a space over a letter, in the order of its bytes; one that is none of ASCII may have any.
fn blank(unit: &mut [u8]) {
    let is_big = matches!(unit, [0, own] if *own != 0);
    match unit {
        [own] => *own = b' ',
        [high, low] if is_big => (*high, *low) = (0, b' '),
        [low, high] => (*low, *high) = (b' ', 0),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_passed_over_where_it_declares_nothing() {
        let is_read =
            |text: &str| tree(text.as_bytes(), &Limits::default()).is_some_and(|t| t.is_ok());
        assert!(is_read(
            "<?xml version='1.0'?>\n<!DOCTYPE cXML SYSTEM \"http://a>b/x.dtd\">\n<cXML/>"
        ));
        assert!(!is_read("<!DOCTYPE cXML [<!ENTITY a 'b'>]><cXML>&a;</cXML>"));
        assert!(!is_read("<!-- <!DOCTYPE a> --><!DOCTYPE cXML [<!ENTITY a 'b'>]><cXML/>"));
        assert!(!is_read("<!DOCTYPE cXML SYSTEM \"x\"><cXML>&nbsp;</cXML>"));
        assert!(!is_read("<!DOCTYPE cXML"));
        assert!(!is_read("<cXML/>"));
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            for mark in ["\u{feff}", ""] {
                let text = format!(
                    "{mark}<?xml version='1.0' encoding='UTF-16'?><!DOCTYPE cXML SYSTEM 'x'><cXML/>"
                );
                let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
                assert!(tree(&bytes, &Limits::default()).is_some_and(|t| t.is_ok()), "{bytes:?}");
            }
        }
        let document = tree(b"<!DOCTYPE\n a>\n<cXML/>", &Limits::default()).unwrap().unwrap();
        assert_eq!(document.root().position().line, 3);
    }
}
