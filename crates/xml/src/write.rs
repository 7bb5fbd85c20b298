//! Escaping, in the form that canonical XML prescribes: what is written so can be signed as it is.
//!
//! Source: Canonical XML 1.0, section 2.3.

/// Appends character data: `&`, `<`, `>` and carriage return are escaped.
pub fn escape_text(text: &str, out: &mut String) {
    text_escaped(text, |part| out.push_str(part));
}

/// Appends an attribute value for double quotes: `&`, `<`, `"`, tab, line feed and carriage return
/// are escaped.
pub fn escape_attribute(text: &str, out: &mut String) {
    attribute_escaped(text, |part| out.push_str(part));
}

/// Character data, escaped, part by part.
pub(crate) fn text_escaped(text: &str, put: impl FnMut(&str)) {
    escape(text, put, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#xD;"),
        _ => None,
    });
}

/// An attribute value for double quotes, escaped, part by part.
pub(crate) fn attribute_escaped(text: &str, put: impl FnMut(&str)) {
    escape(text, put, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#x9;"),
        b'\n' => Some("&#xA;"),
        b'\r' => Some("&#xD;"),
        _ => None,
    });
}

fn escape(text: &str, mut put: impl FnMut(&str), entity: impl Fn(u8) -> Option<&'static str>) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        if let Some(replacement) = entity(byte) {
            put(text.get(copied..index).unwrap_or_default());
            put(replacement);
            copied = index + 1;
        }
    }
    put(text.get(copied..).unwrap_or_default());
}
