//! Files of an invoice (BG-24) that stand in a hybrid beside its data: those for which the profile
//! of the data has no place.
//!
//! Source: Factur-X 1.0 section 6.2 (further files of a hybrid are of the relationship
//! `Supplement`); EN 16931-1 BG-24 and its code list of media types.

use std::collections::HashSet;

use quoin_formats::convert::{FileBeside, embedded_files};
use quoin_formats::unwrap::is_document_name;
use quoin_xml::tree::Element;

/// Characters of a name.
const MAX_NAME: usize = 100;

/// How files of the media types of BT-125 end.
const ENDINGS: &[(&str, &str)] = &[
    ("application/pdf", "pdf"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("text/csv", "csv"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
];

/// A file beside the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Supplement {
    /// Its name, of which there is one in the PDF, and which is none of a standard.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// The files of an invoice that its data do not have.
pub(crate) fn of(root: Element<'_>, data: &[u8]) -> Vec<Supplement> {
    let files = embedded_files(root);
    if files.is_empty() {
        return Vec::new();
    }
    let data = quoin_formats::read(data);
    let kept: Vec<Vec<u8>> = data
        .root()
        .map(embedded_files)
        .unwrap_or_default()
        .into_iter()
        .map(|own| own.content)
        .collect();
    let mut taken = HashSet::new();
    let missing = files.into_iter().filter(|file| !kept.contains(&file.content));
    missing
        .map(|file| Supplement {
            name: name(&file, &mut taken),
            media_type: media_type(&file.media_type),
            content: file.content,
        })
        .collect()
}

/// The last part of the name as the invoice has it, without what means something to a file system;
/// numbered where it is taken, or is that of the data.
fn name(file: &FileBeside, taken: &mut HashSet<String>) -> String {
    let last = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |one: char| match one {
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => '_',
        one if crate::harmless::is_odd(one) || one.is_control() => '_',
        one => one,
    };
    let mut name: String = last.chars().map(plain).collect();
    name = name.trim().trim_matches('.').chars().take(MAX_NAME).collect();
    if name.is_empty() {
        name.push_str("file");
    }
    let ending = ENDINGS.iter().find(|(media, _)| file.media_type.eq_ignore_ascii_case(media));
    if let Some((_, ending)) = ending.filter(|_| !name.contains('.')) {
        name = format!("{name}.{ending}");
    }
    let mut numbered = name.clone();
    let mut number = 1;
    while is_document_name(&numbered) || !taken.insert(numbered.to_lowercase()) {
        number += 1;
        numbered = format!("{number}-{name}");
    }
    numbered
}

/// A media type that is one.
fn media_type(said: &str) -> String {
    let is_token = |text: &str| {
        let of_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
        !text.is_empty() && text.bytes().all(of_token)
    };
    let parts = said.split_once('/').filter(|(kind, sub)| is_token(kind) && is_token(sub));
    let fits = parts.is_some() && said.len() <= 127;
    if fits { said.to_ascii_lowercase() } else { "application/octet-stream".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[(&str, &str)]) -> Vec<String> {
        let mut taken = HashSet::new();
        let file = |(name, media_type): &(&str, &str)| FileBeside {
            content_id: String::new(),
            name: (*name).to_owned(),
            media_type: (*media_type).to_owned(),
            content: vec![1],
        };
        names.iter().map(|one| super::name(&file(one), &mut taken)).collect()
    }

    #[test]
    fn a_name_is_there_once_and_leads_nowhere() {
        let found = named(&[
            ("../../etc/Plan.pdf", ""),
            ("plan.pdf", ""),
            ("Factur-X.xml", ""),
            ("factur-x.xml", ""),
            ("A1", "application/pdf"),
            ("", "image/png"),
            ("..", ""),
            ("a\u{202e}b\n:c.csv", ""),
            ("Übersicht.ods", ""),
        ]);
        let wanted = [
            "Plan.pdf",
            "2-plan.pdf",
            "2-Factur-X.xml",
            "3-factur-x.xml",
            "A1.pdf",
            "file.png",
            "file",
            "a_b__c.csv",
            "Übersicht.ods",
        ];
        assert_eq!(found, wanted);
        assert_eq!(named(&[(&"x".repeat(300), "")])[0].len(), MAX_NAME);
    }

    #[test]
    fn a_media_type_is_one() {
        for (said, told) in [
            ("Application/PDF", "application/pdf"),
            ("text", "application/octet-stream"),
            ("a/b c", "application/octet-stream"),
        ] {
            assert_eq!(media_type(said), told);
        }
    }
}
