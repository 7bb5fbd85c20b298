//! The objects of a file whose table cannot be trusted.

use super::super::super::UnwrapBudget;
use super::super::object::{Object, PdfLexer};
use super::super::scan::{after_space, number_before};
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
        let (mut object_streams, mut trailers) = (Vec::new(), Vec::new());
        for at in memchr::memmem::find_iter(self.bytes, b" obj") {
            let Some((number, start)) = number_before(self.bytes, at) else { continue };
            if self.places.len() >= MAX_OBJECTS {
                break;
            }
            self.places.insert(number, ObjectPlace::At(start));
            // Comments are not passed over: one that never ends would be, behind each word of it.
            let begin = after_space(self.bytes, at + b" obj".len());
            // Only streams of objects, cross-references and catalogues are looked at now.
            let ahead = self.bytes.get(begin..(begin + 256).min(self.bytes.len()));
            let has = |word: &[u8]| memchr::memmem::find(ahead.unwrap_or_default(), word).is_some();
            if has(b"ObjStm") {
                object_streams.push((number, start));
            } else if has(b"/XRef") {
                trailers.push(begin);
            } else if has(b"/Catalog") {
                let root = format!("<</Root {number} 0 R>>");
                let root = PdfLexer::new(root.as_bytes(), 0).object();
                self.trailer = root.as_ref().and_then(Object::dict).cloned().unwrap_or_default();
            }
        }
        self.last_trailer(trailers);
        let first = object_streams.len().saturating_sub(MAX_SECTIONS);
        for (stream, start) in object_streams.into_iter().skip(first) {
            self.add_stream(stream, start, budget);
        }
    }

    /// The last dictionary of the file that names a catalogue: behind `trailer`, or that of a
    /// stream of the cross-reference.
    fn last_trailer(&mut self, mut places: Vec<usize>) {
        let words = memchr::memmem::rfind_iter(self.bytes, b"trailer").take(MAX_SECTIONS);
        places.extend(words.map(|at| at + b"trailer".len()));
        places.sort_unstable();
        for at in places.into_iter().rev().take(MAX_SECTIONS) {
            let mut lexer = PdfLexer::new(self.bytes, at);
            let object = lexer.object();
            if self.spend(lexer.at.saturating_sub(at), lexer.made).is_none() {
                return;
            }
            let trailer = object.as_ref().and_then(Object::dict);
            if let Some(trailer) = trailer.filter(|trailer| trailer.get("Root").is_some()) {
                self.trailer = trailer.clone();
                return;
            }
        }
    }

    /// The objects in a stream, but those that stand in the file behind it: the last one counts.
    fn add_stream(&mut self, stream: u32, start: usize, budget: &mut UnwrapBudget) {
        let is_it = matches!(self.places.get(&stream), Some(ObjectPlace::At(at)) if *at == start);
        let Some(opened) = is_it.then(|| self.open_stream(stream, budget)).flatten() else {
            return;
        };
        for number in opened.0.keys() {
            let is_full = self.places.len() >= MAX_OBJECTS;
            match self.places.get(number) {
                Some(ObjectPlace::At(at)) if *at > start => {}
                None if is_full => {}
                _ => {
                    self.places.insert(*number, ObjectPlace::Inside(stream));
                }
            }
        }
        self.room = self.room.saturating_add(opened.1.len().saturating_mul(MAX_PASSES));
        self.streams.insert(stream, opened);
    }
}
