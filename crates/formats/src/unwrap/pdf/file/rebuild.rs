//! The objects of a file whose table cannot be trusted.

use super::super::super::UnwrapBudget;
use super::super::object::{Object, PdfLexer};
use super::super::scan::number_before;
use super::{MAX_OBJECTS, MAX_PASSES, MAX_SECTIONS, ObjectPlace, PdfFile};

impl PdfFile<'_> {
    /// Finds the objects by walking over the whole file once; the last of a number counts.
    pub(super) fn rebuild(&mut self, budget: &mut UnwrapBudget) {
        if std::mem::replace(&mut self.rebuilt, true) {
            return;
        }
        self.places.clear();
        self.streams.clear();
        self.objects.clear();
        let mut object_streams = Vec::new();
        for at in memchr::memmem::find_iter(self.bytes, b" obj") {
            let Some((number, start)) = number_before(self.bytes, at) else { continue };
            if self.places.len() >= MAX_OBJECTS {
                break;
            }
            self.places.insert(number, ObjectPlace::At(start));
            let mut lexer = PdfLexer::new(self.bytes, at + b" obj".len());
            lexer.space();
            // Only streams of objects and catalogues are looked at now.
            let ahead = self.bytes.get(lexer.at..(lexer.at + 256).min(self.bytes.len()));
            let has = |word: &[u8]| memchr::memmem::find(ahead.unwrap_or_default(), word).is_some();
            if has(b"ObjStm") {
                object_streams.push(number);
            } else if has(b"/Catalog") {
                let root = format!("<</Root {number} 0 R>>");
                let root = PdfLexer::new(root.as_bytes(), 0).object();
                self.trailer = root.as_ref().and_then(Object::dict).cloned().unwrap_or_default();
            }
        }
        for at in memchr::memmem::find_iter(self.bytes, b"trailer").take(MAX_SECTIONS) {
            let mut lexer = PdfLexer::new(self.bytes, at + b"trailer".len());
            let object = lexer.object();
            if self.spend(lexer.at.saturating_sub(at), lexer.made).is_none() {
                break;
            }
            let trailer = object.as_ref().and_then(Object::dict);
            if let Some(trailer) = trailer.filter(|trailer| trailer.get("Root").is_some()) {
                self.trailer = trailer.clone();
            }
        }
        for stream in object_streams.into_iter().take(MAX_SECTIONS) {
            let Some(opened) = self.open_stream(stream, budget) else { continue };
            for number in opened.0.keys() {
                self.place(u64::from(*number), ObjectPlace::Inside(stream));
            }
            self.room = self.room.saturating_add(opened.1.len().saturating_mul(MAX_PASSES));
            self.streams.insert(stream, opened);
        }
    }
}
