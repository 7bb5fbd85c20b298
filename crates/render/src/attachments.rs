//! What is attached to a document: type, size and digest, never opened and never active.

use quoin_model::Language;
use sha2::{Digest, Sha256};

use crate::numbers::number;
use crate::page::{
    PageCell, PageColumn, PageField, PagePart, PageRow, PageSection, PageTable, PageText, TextStyle,
};
use crate::words::PageWord;

/// Attachments that a page lists at most.
pub(crate) const MAX_LISTED: usize = 1_000;

/// A file that is attached or can be fetched.
#[derive(Debug, Default)]
pub(crate) struct AttachedFile {
    /// Identifier and description.
    pub names: Vec<String>,
    /// The name of the file.
    pub name: Option<String>,
    /// Its media type as the document says it.
    pub media_type: Option<String>,
    /// Where it can be fetched; shown, and no link.
    pub link: Option<String>,
    /// What is embedded.
    pub content: Option<EmbeddedContent>,
    /// Numbers of the findings about it.
    pub marks: Vec<usize>,
}

/// What is known of embedded bytes.
#[derive(Debug)]
pub(crate) enum EmbeddedContent {
    /// They can be read: how many, and their SHA-256 in hexadecimal.
    Read(usize, String),
    /// They are no base64.
    Broken,
}

/// Size and digest of what is embedded in base64.
pub(crate) fn content(base64: &str) -> EmbeddedContent {
    match quoin_xml::base64::decode(base64.as_bytes()) {
        Err(_) => EmbeddedContent::Broken,
        Ok(bytes) => {
            let digest = Sha256::digest(&bytes);
            let hex = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            EmbeddedContent::Read(bytes.len(), hex)
        }
    }
}

/// The table of all of them; nothing where there is none.
pub(crate) fn section(language: Language, files: Vec<AttachedFile>, all: usize) -> PageSection {
    let mut section = PageSection::new(PageWord::Attachments.text(language));
    if files.is_empty() {
        return section;
    }
    let column = |word: PageWord, share, is_numeric| PageColumn {
        title: word.text(language).to_owned(),
        is_numeric,
        share,
    };
    let left = all.saturating_sub(files.len());
    let table = PageTable {
        caption: PageWord::Attachments.text(language).to_owned(),
        columns: vec![
            column(PageWord::SupportingDocument, 34, false),
            column(PageWord::FileName, 48, false),
            column(PageWord::Size, 18, true),
        ],
        rows: files.into_iter().map(|file| row(language, file)).collect(),
        remark: (left > 0).then(|| format!("{left} {}", PageWord::Omitted.text(language))),
    };
    section.parts.push(PagePart::Table(table));
    section
}

fn row(language: Language, file: AttachedFile) -> PageRow {
    let mut about = PageCell::default();
    about.texts.extend(file.names.into_iter().map(PageText::from));
    let mut what = PageCell::default();
    what.texts.extend(file.name.map(|name| PageText::styled(name, TextStyle::Strong)));
    let small = |text: String| PageText::styled(text, TextStyle::Small);
    what.texts.extend(file.media_type.map(small));
    let mut size = PageCell::default();
    if let Some(link) = file.link {
        what.fields.push(PageField::new(PageWord::Link.text(language), link));
    }
    match file.content {
        Some(EmbeddedContent::Read(bytes, digest)) => {
            let count = number(&bytes.to_string(), 0, language).unwrap_or_default();
            let unit = PageWord::Bytes.text(language);
            size.texts.push(PageText::from(format!("{count}\u{a0}{unit}")));
            what.fields.push(PageField::new(PageWord::Digest.text(language), digest));
        }
        Some(EmbeddedContent::Broken) => {
            what.texts.push(small(PageWord::NotBase64.text(language).to_owned()));
        }
        None => {}
    }
    PageRow { cells: vec![about, what, size], marks: file.marks, finding: None }
}
