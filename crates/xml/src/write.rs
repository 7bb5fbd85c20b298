//! Escaping, in the form that canonical XML prescribes: what is written so can be signed as it is.
//!
//! Source: Canonical XML 1.0, section 2.3.

/// Appends character data: `&`, `<`, `>` and carriage return are escaped.
pub fn escape_text(text: &str, out: &mut String) {
    escape(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#xD;"),
        _ => None,
    });
}

/// Appends an attribute value for double quotes: `&`, `<`, `"`, tab, line feed and carriage return
/// are escaped.
pub fn escape_attribute(text: &str, out: &mut String) {
    escape(text, out, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#x9;"),
        b'\n' => Some("&#xA;"),
        b'\r' => Some("&#xD;"),
        _ => None,
    });
}

fn escape(text: &str, out: &mut String, entity: impl Fn(u8) -> Option<&'static str>) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        if let Some(replacement) = entity(byte) {
            out.push_str(text.get(copied..index).unwrap_or_default());
            out.push_str(replacement);
            copied = index + 1;
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
}
