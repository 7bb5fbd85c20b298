//! What is embedded: the fonts as subsets, and the XML of a hybrid.
//!
//! Sources: ISO 32000-1 sections 9.7 (composite fonts), 9.10.3 (ToUnicode), 7.11.4 (embedded
//! files); ISO 19005-3 section 6.8 (associated files).

use pdf_writer::types::{AssociationKind, CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::file::{ObjectNumbers, date, deflated};
use super::fonts::{FACES, FILES, FontUse, NAMES};
use super::{EmbeddedInvoice, file};
use crate::facturx::FacturXLevel;
use crate::page::PageTree;

/// The one character collection of fonts that are addressed by glyph.
const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Embeds every font that is used; each with its number.
pub(super) fn fonts(
    pdf: &mut Pdf,
    numbers: &mut ObjectNumbers,
    used: &FontUse,
) -> Vec<(usize, Ref)> {
    let mut all = Vec::new();
    for (font, texts) in used.texts.iter().enumerate().filter(|(_, texts)| !texts.is_empty()) {
        let (Some(data), Some(glyphs), Some(name)) =
            (FILES.get(font), used.glyphs.get(font), NAMES.get(font))
        else {
            continue;
        };
        // Our own fonts are whole: a test subsets each of them.
        let subset = subsetter::subset(data, 0, glyphs).unwrap_or_default();
        let name = format!("QUOIN{}+{name}", char::from(b'A' + u8::try_from(font).unwrap_or(0)));
        let outlines = table(&subset, b"CFF ");
        all.push((font, numbers.next()));
        let reference = all.last().map_or(Ref::new(1), |(_, reference)| *reference);
        let (cid, descriptor, stream, unicode) =
            (numbers.next(), numbers.next(), numbers.next(), numbers.next());
        pdf.type0_font(reference)
            .base_font(Name(name.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(unicode);
        let mut own = pdf.cid_font(cid);
        own.subtype(if outlines.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
        own.base_font(Name(name.as_bytes())).system_info(IDENTITY).font_descriptor(descriptor);
        own.default_width(0.0);
        if outlines.is_none() {
            own.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        let mut widths = own.widths();
        for (id, (_, width)) in texts {
            widths.consecutive(*id, [*width]);
        }
        widths.finish();
        own.finish();
        describe(pdf, (descriptor, stream), font, &name, outlines.is_some());
        let bytes = deflated(outlines.unwrap_or(&subset));
        let mut written = pdf.stream(stream, &bytes);
        written.filter(Filter::FlateDecode);
        match outlines {
            Some(_) => written.pair(Name(b"Subtype"), Name(b"CIDFontType0C")),
            None => written.pair(Name(b"Length1"), i32::try_from(subset.len()).unwrap_or(0)),
        };
        written.finish();
        let mut map: UnicodeCmap = UnicodeCmap::new(Name(b"Quoin-Identity"), IDENTITY);
        for (id, (text, _)) in texts {
            let text = if text.is_empty() { "\u{200b}" } else { text };
            map.pair_with_multiple(*id, text.chars());
        }
        let map = map.finish();
        pdf.cmap(unicode, &deflated(&map)).filter(Filter::FlateDecode);
    }
    all
}

fn describe(pdf: &mut Pdf, refs: (Ref, Ref), font: usize, name: &str, is_cff: bool) {
    let Some(face) = FACES.get(font) else { return };
    let scale = |value: f32| value * 1000.0 / face.units_per_em() as f32;
    let bounds = face.global_bounding_box();
    let bounds = Rect::new(
        scale(f32::from(bounds.x_min)),
        scale(f32::from(bounds.y_min)),
        scale(f32::from(bounds.x_max)),
        scale(f32::from(bounds.y_max)),
    );
    let (descriptor, stream) = refs;
    let mut own = pdf.font_descriptor(descriptor);
    own.name(Name(name.as_bytes())).flags(FontFlags::SYMBOLIC).bbox(bounds).italic_angle(0.0);
    own.ascent(scale(f32::from(face.ascender()))).descent(scale(f32::from(face.descender())));
    own.cap_height(scale(f32::from(face.capital_height().unwrap_or(face.ascender()))));
    own.stem_v(if font == 1 { 140.0 } else { 90.0 });
    if is_cff {
        own.font_file3(stream)
    } else {
        own.font_file2(stream)
    };
}

/// A table of a font file by its tag.
fn table<'f>(font: &'f [u8], tag: &[u8; 4]) -> Option<&'f [u8]> {
    let records = font.get(12..)?.chunks(16).take(usize::from(*font.get(5)?));
    let record = records.into_iter().find(|record| record.starts_with(tag))?;
    let number = |from: usize| {
        let bytes: [u8; 4] = record.get(from..from + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let (start, length) = (number(8)?, number(12)?);
    font.get(start..start.checked_add(length)?)
}

/// A file that is embedded: its key in the name tree, and its object.
pub(super) type AssociatedFile = (Vec<u8>, Ref);

/// What is embedded as a file.
struct FileToEmbed<'a> {
    name: &'a str,
    media_type: &'a str,
    about: &'a str,
    kind: AssociationKind,
    content: &'a [u8],
}

/// Embeds the XML of a hybrid, and the files beside it, as associated files.
pub(super) fn files(
    pdf: &mut Pdf,
    numbers: &mut ObjectNumbers,
    page: &PageTree,
    invoice: &EmbeddedInvoice<'_>,
) -> Vec<AssociatedFile> {
    let data = FileToEmbed {
        name: invoice.level.file_name(),
        media_type: "text/xml",
        about: "The invoice as data: Cross Industry Invoice",
        // MINIMUM and BASIC WL are no whole invoice (Factur-X 1.0, section 6.3).
        kind: match invoice.level {
            FacturXLevel::Minimum | FacturXLevel::BasicWl => AssociationKind::Data,
            _ => AssociationKind::Alternative,
        },
        content: invoice.xml,
    };
    let beside = invoice.files.iter().map(|one| FileToEmbed {
        name: &one.name,
        media_type: &one.media_type,
        about: "A file that belongs to the invoice",
        kind: AssociationKind::Supplement,
        content: &one.content,
    });
    std::iter::once(data).chain(beside).map(|one| file(pdf, numbers, page, &one)).collect()
}

fn file(
    pdf: &mut Pdf,
    numbers: &mut ObjectNumbers,
    page: &PageTree,
    one: &FileToEmbed<'_>,
) -> AssociatedFile {
    let (stream, file) = (numbers.next(), numbers.next());
    let bytes = file::deflated(one.content);
    let mut embedded = pdf.embedded_file(stream, &bytes);
    embedded.filter(Filter::FlateDecode);
    embedded.subtype(Name(one.media_type.as_bytes()));
    let mut params = embedded.params();
    params.size(i32::try_from(one.content.len()).unwrap_or(i32::MAX));
    if let Some(date) = date(page) {
        params.modification_date(date);
    }
    params.finish();
    embedded.finish();
    let mut own = pdf.file_spec(file);
    let ascii: String =
        one.name.chars().map(|one| if one.is_ascii() { one } else { '_' }).collect();
    own.path(Str(ascii.as_bytes())).unic_file(TextStr(one.name));
    own.description(TextStr(one.about));
    own.association_kind(one.kind);
    own.embedded_file_with_unicode(stream);
    own.finish();
    (key(one.name), file)
}

/// A name as a text string (ISO 32000-1, 7.9.2.2).
fn key(name: &str) -> Vec<u8> {
    if name.is_ascii() {
        return name.as_bytes().to_vec();
    }
    let units = name.encode_utf16().flat_map(u16::to_be_bytes);
    [0xFE, 0xFF].into_iter().chain(units).collect()
}
