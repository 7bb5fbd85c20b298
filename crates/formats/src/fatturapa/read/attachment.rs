//! Attachments (2.5): BG-24.

use quoin_model::en16931::{
    AttributeName, Binary, Derivation, DocumentReference, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::MEDIA_TYPES;
use super::name;
use crate::reading::{Pass, lookup, view};

/// Reads `Allegati`. The name of the file is the reference (BT-122), too.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    let (mut files, mut attributes) = (Vec::new(), Vec::new());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NomeAttachment" => {
                let file_name: Text<'d> = pass.value(child);
                reference.id.push(view(child));
                attributes.push((AttributeName::Filename, *file_name));
            }
            "FormatoAttachment" => {
                let format: Text<'d> = pass.value(child);
                attributes.push((AttributeName::MimeCode, media_type(*format)));
            }
            "AlgoritmoCompressione" => pass.take(&mut reference.compression, child),
            "DescrizioneAttachment" => pass.take(&mut reference.description, child),
            "Attachment" => files.push(pass.value::<Binary<'d>>(child)),
            _ => pass.unread(child),
        }
    }
    reference.embedded.extend(files.iter().map(|file| Binary::from(file.with(&attributes))));
    reference
}

/// BT-125-1, of a short name such as `PDF`.
fn media_type(format: ValueSource<'_>) -> ValueSource<'_> {
    match lookup(MEDIA_TYPES, &format.trimmed().to_lowercase()) {
        Some(known) => format.saying(Derivation::Mapped, known),
        None => format,
    }
}
