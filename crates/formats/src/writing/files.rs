//! Files that travel beside a document: messages of some networks have a place for them, where the
//! document only names them.

use quoin_model::en16931::{DocumentReference, Invoice};
use quoin_xml::base64;

/// A file that is embedded in an invoice (BG-24).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBeside {
    /// How the document names it: the `cid:` of its part, without that.
    pub content_id: String,
    /// Its name (BT-125-2), else its identifier (BT-122); empty where it has neither.
    pub name: String,
    /// Its media type (BT-125-1); `application/octet-stream` where none is said.
    pub media_type: String,
    /// The file.
    pub content: Vec<u8>,
}

/// The name of a part, by the place of its file among all.
pub(crate) fn content_id(at: usize) -> String {
    format!("file-{}", at + 1)
}

/// The references of an invoice that hold a file, in their order.
pub(crate) fn with_files<'i, 'd>(invoice: &'i Invoice<'d>) -> Vec<&'i DocumentReference<'d>> {
    let all = invoice.references.supporting_documents.iter();
    all.filter(|one| content(one).is_some()).collect()
}

fn content(one: &DocumentReference<'_>) -> Option<Vec<u8>> {
    let data = one.embedded.filled()?;
    base64::decode(data.text().as_bytes()).ok().filter(|content| !content.is_empty())
}

/// The files of an invoice as parts of a message.
pub(crate) fn files_of(invoice: &Invoice<'_>) -> Vec<FileBeside> {
    let file = |(at, one): (usize, &&DocumentReference<'_>)| {
        let data = one.embedded.filled()?;
        let said = |value: Option<quoin_model::en16931::ValueSource<'_>>| {
            let text = value.map(|value| value.trimmed().into_owned()).unwrap_or_default();
            Some(text).filter(|text| !text.is_empty())
        };
        let name = said(data.filename()).or_else(|| said(one.id.filled().map(|id| *id)));
        let media_type = said(data.mime_code());
        Some(FileBeside {
            content_id: content_id(at),
            name: name.unwrap_or_default(),
            media_type: media_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
            content: content(one)?,
        })
    };
    with_files(invoice).iter().enumerate().filter_map(file).collect()
}
