//! The tree of a document with a document type declaration, which every cXML document has.

use quoin_xml::tree::{Document, Limits, ParseError};

/// Bytes in which the declaration begins.
const HEAD: usize = 4 << 10;

/// The tree of a document whose declaration names a definition and declares nothing itself; it is
/// passed over and never followed. `None` for any other.
pub(crate) fn tree(bytes: &[u8], limits: &Limits) -> Option<Result<Document, ParseError>> {
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = bytes {
        return passed_over(narrow(bytes)?.as_bytes(), limits);
    }
    passed_over(bytes, limits)
}

/// UTF-16 as text whose XML declaration, which names the encoding, is blank.
fn narrow(bytes: &[u8]) -> Option<String> {
    let text = quoin_xml::tree::text(bytes).ok()?.into_owned();
    let declared = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    Some(match declared {
        Some((said, rest)) => format!("{}{rest}", " ".repeat("<?xml?>".len() + said.len())),
        None => text,
    })
}

fn passed_over(bytes: &[u8], limits: &Limits) -> Option<Result<Document, ParseError>> {
    let head = bytes.get(..bytes.len().min(HEAD))?;
    let from = memchr::memmem::find(head, b"<!DOCTYPE")?;
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
    if bytes.get(until) != Some(&b'>') {
        return None;
    }
    let mut bytes = bytes.to_vec();
    for byte in bytes.get_mut(from..=until)?.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
    Some(Document::parse(&bytes, limits))
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
        let wide = "<?xml version='1.0' encoding='UTF-16'?>\n<!DOCTYPE cXML SYSTEM \"x\">\n<cXML/>";
        for [mark, rest] in [["\u{feff}", wide], ["\u{feff}", "<!DOCTYPE a>\n\n<cXML/>"]] {
            let units: Vec<u16> = format!("{mark}{rest}").encode_utf16().collect();
            let (big, little): (Vec<_>, Vec<_>) =
                units.iter().map(|unit| (unit.to_be_bytes(), unit.to_le_bytes())).unzip();
            for bytes in [big.concat(), little.concat()] {
                let document = tree(&bytes, &Limits::default()).unwrap().unwrap();
                assert_eq!(document.root().position().line, 3);
            }
        }
        let document = tree(b"<!DOCTYPE\n a>\n<cXML/>", &Limits::default()).unwrap().unwrap();
        assert_eq!(document.root().position().line, 3);
    }
}
