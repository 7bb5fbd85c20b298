//! Names in certificates, as text.
//!
//! Source: RFC 2253, section 2; RFC 4514.

use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::Tagged;
use x509_cert::name::Name;

/// `serialNumber`.
pub(super) const SERIAL_NUMBER: &str = "2.5.4.5";
/// `organizationIdentifier`.
pub(super) const ORGANIZATION_IDENTIFIER: &str = "2.5.4.97";

/// Attribute types that have a short name (RFC 4514, section 3).
const SHORT: [(&str, &str); 9] = [
    ("2.5.4.3", "CN"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("2.5.4.6", "C"),
    ("2.5.4.9", "STREET"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("0.9.2342.19200300.100.1.1", "UID"),
];

/// The text of a string type; `None` for any other.
fn string(attribute: &AttributeTypeAndValue) -> Option<String> {
    use x509_cert::der::Tag;
    let bytes = attribute.value.value();
    match attribute.value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String | Tag::TeletexString => {
            String::from_utf8(bytes.to_vec()).ok()
        }
        Tag::BmpString => {
            let units = bytes.chunks_exact(2).map(|pair| match pair {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0,
            });
            char::decode_utf16(units).collect::<Result<String, _>>().ok()
        }
        _ => None,
    }
}

/// The values of an attribute type in a name.
pub(super) fn values(name: &Name, oid: &str) -> Vec<String> {
    let all = name.0.iter().flat_map(|part| part.0.iter());
    all.filter(|one| one.oid.to_string() == oid).filter_map(string).collect()
}

/// The whole name, last part first, with the dotted form of types that have no short name.
pub(super) fn text(name: &Name) -> String {
    let part = |one: &AttributeTypeAndValue| {
        let oid = one.oid.to_string();
        let short = SHORT.iter().find(|(dotted, _)| *dotted == oid);
        let value = string(one).map_or_else(
            || format!("#{}", data_encoding::HEXLOWER.encode(one.value.value())),
            |value| escaped(&value),
        );
        format!("{}={value}", short.map_or(oid.as_str(), |(_, short)| short))
    };
    let parts = name.0.iter().rev();
    let parts = parts.map(|rdn| rdn.0.iter().map(part).collect::<Vec<_>>().join("+"));
    parts.collect::<Vec<_>>().join(",")
}

fn escaped(value: &str) -> String {
    let last = value.chars().count().saturating_sub(1);
    let mut out = String::with_capacity(value.len());
    for (at, c) in value.chars().enumerate() {
        let at_border = (c == ' ' && (at == 0 || at == last)) || (c == '#' && at == 0);
        if at_border || matches!(c, ',' | '+' | '"' | '\\' | '<' | '>' | ';') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A number of any length, most significant byte first, in decimal digits.
pub(super) fn decimal(bytes: &[u8]) -> String {
    // The digits, least significant first. Serial numbers have at most 20 bytes.
    let mut digits: Vec<u8> = vec![0];
    for &byte in bytes {
        let mut carry = u32::from(byte);
        for digit in &mut digits {
            let value = u32::from(*digit) * 256 + carry;
            *digit = u8::try_from(value % 10).unwrap_or_default();
            carry = value / 10;
        }
        while carry > 0 {
            digits.push(u8::try_from(carry % 10).unwrap_or_default());
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}
