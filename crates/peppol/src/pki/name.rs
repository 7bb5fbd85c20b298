//! Distinguished names, compared the way the network needs it: as sets of attributes, because the
//! order of the parts differs between generations of the PKI and between tools.

use std::fmt;

use x509_cert::der::Tagged;
use x509_cert::der::asn1::{
    Any, BmpString, Ia5StringRef, PrintableStringRef, TeletexStringRef, Utf8StringRef,
};
use x509_cert::name::Name;

/// Short names of attribute types by their object identifiers (RFC 4519 and usual extensions).
const TYPES: &[(&str, &str)] = &[
    ("2.5.4.3", "CN"),
    ("2.5.4.4", "SN"),
    ("2.5.4.5", "SERIALNUMBER"),
    ("2.5.4.6", "C"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.9", "STREET"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("2.5.4.97", "ORGANIZATIONIDENTIFIER"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("0.9.2342.19200300.100.1.1", "UID"),
    ("1.2.840.113549.1.9.1", "EMAILADDRESS"),
];

/// A distinguished name: attribute types in short form and their values, in the order found.
///
/// Two names are equal when they hold the same attributes, whatever their order; values are
/// compared without regard to case and to repeated blanks, as X.520 does.
#[derive(Debug, Clone)]
pub struct DistinguishedName {
    attributes: Vec<(String, String)>,
}

impl DistinguishedName {
    /// Reads the name of a certificate.
    pub(super) fn of(name: &Name) -> Self {
        let mut attributes = Vec::new();
        for part in name.0.iter().flat_map(|rdn| rdn.0.iter()) {
            attributes.push((short(&part.oid.to_string()), text(&part.value)));
        }
        Self { attributes }
    }

    /// Reads an RFC 2253 or RFC 4514 text, such as `CN=POP000001,O=Example\, Ltd,C=BE`.
    ///
    /// `None` for a text that is no distinguished name.
    pub fn parse(text: &str) -> Option<Self> {
        let mut attributes = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (kind, after) = rest.split_once('=')?;
            let (value, after) = value(after)?;
            attributes.push((short(kind.trim()), value));
            rest = after.trim_start();
        }
        (!attributes.is_empty()).then_some(Self { attributes })
    }

    /// The values of an attribute by its short name, such as `OU`.
    pub fn values<'n>(&'n self, kind: &'n str) -> impl Iterator<Item = &'n str> {
        self.attributes.iter().filter(move |(own, _)| own == kind).map(|(_, value)| value.as_str())
    }

    /// The common name.
    pub fn common_name(&self) -> Option<&str> {
        self.values("CN").next()
    }

    fn normal(&self) -> Vec<(String, String)> {
        let fold =
            |value: &str| value.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let mut all: Vec<_> = self.attributes.iter().map(|(k, v)| (k.clone(), fold(v))).collect();
        all.sort();
        all
    }
}

impl PartialEq for DistinguishedName {
    fn eq(&self, other: &Self) -> bool {
        self.normal() == other.normal()
    }
}

impl Eq for DistinguishedName {}

/// RFC 2253: the last attribute of the certificate comes first, special characters escaped.
impl fmt::Display for DistinguishedName {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (kind, value)) in self.attributes.iter().rev().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(to, "{comma}{kind}=")?;
            let last = value.chars().count().saturating_sub(1);
            for (place, character) in value.chars().enumerate() {
                let edge = character == ' ' && (place == 0 || place == last);
                let hash = character == '#' && place == 0;
                if edge || hash || matches!(character, ',' | '+' | '"' | '\\' | '<' | '>' | ';') {
                    write!(to, "\\")?;
                }
                write!(to, "{character}")?;
            }
        }
        Ok(())
    }
}

/// The short name of an attribute type given by object identifier or by name.
fn short(kind: &str) -> String {
    let kind = kind.strip_prefix("OID.").or_else(|| kind.strip_prefix("oid.")).unwrap_or(kind);
    match TYPES.iter().find(|(oid, _)| *oid == kind) {
        Some((_, name)) => (*name).to_owned(),
        None if kind.eq_ignore_ascii_case("E") => "EMAILADDRESS".to_owned(),
        None => kind.to_ascii_uppercase(),
    }
}

/// Reads one attribute value and gives what follows its separator.
fn value(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    if let Some(quoted) = text.strip_prefix('"') {
        let (value, rest) = unescape(quoted, |c| c == '"')?;
        let rest = rest.strip_prefix('"')?.trim_start();
        let rest = rest.strip_prefix([',', ';', '+']).or_else(|| rest.is_empty().then_some(""))?;
        return Some((value, rest));
    }
    let (value, rest) = unescape(text, |c| matches!(c, ',' | ';' | '+'))?;
    let rest = rest.strip_prefix([',', ';', '+']).unwrap_or(rest);
    Some((value.trim_end().to_owned(), rest))
}

/// Undoes backslash escapes up to the first character that `ends`; the rest starts with it.
fn unescape(text: &str, ends: impl Fn(char) -> bool) -> Option<(String, &str)> {
    let mut bytes = Vec::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if ends(character) {
            return Some((String::from_utf8(bytes).ok()?, text.get(at..)?));
        }
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let (at, escaped) = characters.next()?;
        match text.get(at..at + 2).map(|pair| u8::from_str_radix(pair, 16)) {
            Some(Ok(byte)) => {
                bytes.push(byte);
                characters.next();
            }
            _ => bytes.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some((String::from_utf8(bytes).ok()?, ""))
}

/// The text of an attribute value; other than text types in hexadecimal with `#`.
fn text(value: &Any) -> String {
    use x509_cert::der::Tag;
    let found = match value.tag() {
        Tag::Utf8String => value.decode_as::<Utf8StringRef<'_>>().map(|s| s.to_string()),
        Tag::PrintableString => value.decode_as::<PrintableStringRef<'_>>().map(|s| s.to_string()),
        Tag::Ia5String => value.decode_as::<Ia5StringRef<'_>>().map(|s| s.to_string()),
        Tag::TeletexString => value.decode_as::<TeletexStringRef<'_>>().map(|s| s.to_string()),
        Tag::BmpString => value.decode_as::<BmpString>().map(|s| s.to_string()),
        _ => Ok(hex(value.value())),
    };
    found.unwrap_or_else(|_| hex(value.value()))
}

fn hex(bytes: &[u8]) -> String {
    format!("#{}", data_encoding::HEXLOWER.encode(bytes))
}
