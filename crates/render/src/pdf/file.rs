//! The objects of the file: catalog, sheets, fonts, bookmarks, structure, metadata.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::OutputIntentSubtype;
use pdf_writer::{Date, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write as _;

use super::canvas::{HEIGHT, WIDTH};
use super::flow::{Bookmark, PageFlow};
use super::{EmbeddedInvoice, colour, embedded, metadata, structure};
use crate::page::PageTree;

/// The next free number of an object.
pub(super) struct ObjectNumbers(i32);

impl ObjectNumbers {
    pub(super) fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// Bytes made smaller, the same each time.
pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    // Writing into memory cannot fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

/// The day of the document as the date of the file; there is no clock to ask.
pub(super) fn date(page: &PageTree) -> Option<Date> {
    let day = page.issued?;
    let year = u16::try_from(day.year()).ok()?;
    let part = |number: i8| u8::try_from(number).unwrap_or(1);
    Some(
        Date::new(year)
            .month(part(day.month()))
            .day(part(day.day()))
            .hour(0)
            .minute(0)
            .second(0)
            .utc_offset_hour(0)
            .utc_offset_minute(0),
    )
}

/// Writes the file.
pub(super) fn write(
    page: &PageTree,
    flow: PageFlow,
    invoice: Option<&EmbeddedInvoice<'_>>,
) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.set_version(1, 7);
    let mut numbers = ObjectNumbers(0);
    let (catalog, tree) = (numbers.next(), numbers.next());
    let sheets: Vec<Ref> = flow.canvas.sheets.iter().map(|_| numbers.next()).collect();
    let fonts = super::embedded::fonts(&mut pdf, &mut numbers, &flow.canvas.fonts);
    let structure = structure::write(&mut pdf, &mut numbers, &flow.canvas, &sheets);
    let outline = bookmarks(&mut pdf, &mut numbers, &flow.bookmarks, &sheets);
    let count = i32::try_from(sheets.len()).unwrap_or_default();
    pdf.pages(tree).kids(sheets.iter().copied()).count(count);
    for (place, (sheet, id)) in flow.canvas.sheets.into_iter().zip(&sheets).enumerate() {
        let streams = sheet.into_streams().map(|bytes| {
            let stream = numbers.next();
            pdf.stream(stream, &bytes).filter(Filter::FlateDecode);
            stream
        });
        let mut own = pdf.page(*id);
        own.parent(tree).media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).contents_array(streams);
        own.struct_parents(i32::try_from(place).unwrap_or_default());
        own.tab_order(pdf_writer::types::TabOrder::StructureOrder);
        let mut resources = own.resources();
        let mut dictionary = resources.fonts();
        for (font, reference) in &fonts {
            dictionary.pair(Name(format!("F{font}").as_bytes()), *reference);
        }
    }
    let profile = numbers.next();
    let bytes = deflated(&colour::profile());
    pdf.icc_profile(profile, &bytes).n(3).filter(Filter::FlateDecode);
    let packet = numbers.next();
    let about = metadata::packet(page, invoice);
    pdf.metadata(packet, about.as_bytes());
    info(&mut pdf, &mut numbers, page);
    let files = invoice.map(|one| embedded::files(&mut pdf, &mut numbers, page, one));
    let mut root = pdf.catalog(catalog);
    root.pages(tree).metadata(packet).lang(TextStr(page.language.code()));
    root.outlines(outline).page_mode(pdf_writer::types::PageMode::UseNone);
    root.viewer_preferences().display_doc_title(true);
    root.mark_info().marked(true);
    root.pair(Name(b"StructTreeRoot"), structure);
    let mut intents = root.output_intents();
    let mut intent = intents.push();
    intent.subtype(OutputIntentSubtype::PDFA).output_condition_identifier(TextStr("sRGB"));
    intent.info(TextStr("sRGB")).dest_output_profile(profile);
    intent.finish();
    intents.finish();
    if let Some(mut files) = files {
        root.insert(Name(b"AF")).array().items(files.iter().map(|(_, file)| *file));
        // A name tree is in the order of its keys (ISO 32000-1, 7.9.6).
        files.sort_unstable();
        let mut names = root.names();
        let mut tree = names.embedded_files();
        let mut pairs = tree.names();
        for (key, file) in &files {
            pairs.insert(pdf_writer::Str(key), *file);
        }
    }
    root.finish();
    let digest = identifier(page, invoice);
    pdf.set_file_id((digest.clone(), digest));
    pdf.finish()
}

/// A digest of what is in the file: the same for the same page.
fn identifier(page: &PageTree, invoice: Option<&EmbeddedInvoice<'_>>) -> Vec<u8> {
    let mut digest = PageDigest(Sha256::new());
    // A digest takes every text.
    let _ = write!(digest, "{page:?}");
    if let Some(invoice) = invoice {
        digest.0.update(invoice.xml);
        invoice.files.iter().for_each(|one| digest.0.update(&one.content));
    }
    digest.0.finalize().iter().take(16).copied().collect()
}

/// A digest of a text as it is written, so that it is nowhere as a whole.
struct PageDigest(Sha256);

impl std::fmt::Write for PageDigest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text);
        Ok(())
    }
}

fn info(pdf: &mut Pdf, numbers: &mut ObjectNumbers, page: &PageTree) {
    let mut info = pdf.document_info(numbers.next());
    info.title(TextStr(&super::title(page)));
    info.creator(TextStr(metadata::PRODUCER)).producer(TextStr(metadata::PRODUCER));
    if let Some(date) = date(page) {
        info.creation_date(date).modified_date(date);
    }
}

/// The headings as bookmarks.
fn bookmarks(
    pdf: &mut Pdf,
    numbers: &mut ObjectNumbers,
    bookmarks: &[Bookmark],
    sheets: &[Ref],
) -> Ref {
    let root = numbers.next();
    let ids: Vec<Ref> = bookmarks.iter().map(|_| numbers.next()).collect();
    let mut outline = pdf.outline(root);
    if let (Some(first), Some(last)) = (ids.first(), ids.last()) {
        outline.first(*first).last(*last);
        outline.count(i32::try_from(ids.len()).unwrap_or_default());
    }
    outline.finish();
    for (place, (bookmark, id)) in bookmarks.iter().zip(&ids).enumerate() {
        let mut item = pdf.outline_item(*id);
        item.parent(root).title(TextStr(&bookmark.title));
        if let Some(before) = place.checked_sub(1).and_then(|before| ids.get(before)) {
            item.prev(*before);
        }
        if let Some(next) = ids.get(place + 1) {
            item.next(*next);
        }
        if let Some(sheet) = sheets.get(bookmark.page) {
            item.dest().page(*sheet).xyz(0.0, HEIGHT - bookmark.y, None);
        }
    }
    root
}
