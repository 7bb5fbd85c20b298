//! Where the objects stand, by the cross-reference: tables and streams, the newest first.
//!
//! Source: ISO 32000-1 section 7.5.

use std::collections::HashSet;

use super::super::super::UnwrapBudget;
use super::super::object::{Dict, Object, PdfLexer};
use super::{MAX_OBJECTS, MAX_SECTIONS, ObjectPlace, PdfFile};

/// Bytes at the end in which `startxref` is looked for.
const TAIL: usize = 4096;

/// What is to be taken into account next.
enum NextSection {
    /// A section at this byte.
    Section(usize),
    /// Numbers of objects that a section calls deleted.
    Free(Vec<u64>),
}

impl PdfFile<'_> {
    /// Follows the cross-reference from the end of the file.
    pub(super) fn follow(&mut self, budget: &mut UnwrapBudget) -> Option<()> {
        let from = self.bytes.len().saturating_sub(TAIL);
        let tail = self.bytes.get(from..)?;
        let at = from + memchr::memmem::rfind(tail, b"startxref")? + b"startxref".len();
        let start = PdfLexer::new(self.bytes, at).unsigned()?;
        let mut open = vec![NextSection::Section(usize::try_from(start).ok()?)];
        let mut seen = HashSet::new();
        while let Some(next) = open.pop() {
            let at = match next {
                NextSection::Section(at) => at,
                NextSection::Free(numbers) => {
                    numbers.into_iter().for_each(|number| self.place(number, ObjectPlace::Free));
                    continue;
                }
            };
            if seen.len() >= MAX_SECTIONS || !seen.insert(at) {
                continue;
            }
            let mut free = Vec::new();
            let trailer = match PdfLexer::new(self.bytes, at).take(b"xref") {
                true => self.table(at, &mut free)?,
                false => self.table_stream(at, budget)?,
            };
            let next =
                |key: &str| Some(NextSection::Section(usize::try_from(trailer.number(key)?).ok()?));
            // The last one is read first: what a hybrid file calls free for old readers stands in
            // the stream beside the table, and before older sections.
            open.extend(
                [next("Prev"), Some(NextSection::Free(free)), next("XRefStm")]
                    .into_iter()
                    .flatten(),
            );
            if self.trailer.get("Root").is_none() {
                self.trailer = trailer;
            }
        }
        Some(())
    }

    fn place(&mut self, number: u64, place: ObjectPlace) {
        if let Ok(number) = u32::try_from(number)
            && self.places.len() < MAX_OBJECTS
        {
            self.places.entry(number).or_insert(place);
        }
    }

    /// A cross-reference table (section 7.5.4) and its trailer; the numbers of objects that are
    /// deleted.
    fn table(&mut self, at: usize, free: &mut Vec<u64>) -> Option<Dict> {
        let mut lexer = PdfLexer::new(self.bytes, at);
        lexer.take(b"xref");
        let mut counted = at;
        while !lexer.take(b"trailer") {
            // Sections of a hostile file are one table, begun at different places.
            self.spend(lexer.at.saturating_sub(counted), 0)?;
            counted = lexer.at;
            let (first, count) = (lexer.unsigned()?, lexer.unsigned()?);
            for number in first..first.checked_add(count.min(MAX_OBJECTS as u64))? {
                let offset = lexer.unsigned()?;
                lexer.unsigned()?;
                if lexer.take(b"n") {
                    self.place(number, ObjectPlace::At(usize::try_from(offset).ok()?));
                } else if lexer.take(b"f") {
                    free.push(number);
                } else {
                    return None;
                }
            }
        }
        lexer.object()?.dict().cloned()
    }

    /// A cross-reference stream (section 7.5.8), which is its own trailer.
    fn table_stream(&mut self, at: usize, budget: &mut UnwrapBudget) -> Option<Dict> {
        let number = u32::try_from(PdfLexer::new(self.bytes, at).unsigned()?).ok()?;
        let (object, _) = self.indirect(at, number)?;
        let dict = object.dict()?.clone();
        let known = self.places.insert(number, ObjectPlace::At(at));
        let bytes = self.stream(number, budget).ok();
        if let Some(known) = known {
            self.places.insert(number, known);
        }
        let bytes = bytes?;
        let width = |at: usize| match dict.get("W")?.array().get(at)? {
            Object::Number(width @ 0..=8) => usize::try_from(*width).ok(),
            _ => None,
        };
        let widths = [width(0)?, width(1)?, width(2)?];
        let size = dict.number("Size").unwrap_or_default();
        let all = [Object::Number(0), Object::Number(size)];
        let index = dict.get("Index").map_or(&all[..], Object::array);
        let mut records = bytes.chunks_exact(widths.iter().sum::<usize>().max(1));
        for pair in index.chunks_exact(2) {
            let [Object::Number(first), Object::Number(count)] = pair else { return None };
            let first = u64::try_from(*first).ok()?;
            for number in first..first.checked_add(u64::try_from(*count).ok()?)? {
                let Some(record) = records.next() else { break };
                self.record(number, record, widths);
            }
        }
        Some(dict)
    }

    fn record(&mut self, number: u64, record: &[u8], widths: [usize; 3]) {
        let mut rest = record;
        let fields = widths.map(|width| {
            let (field, after) = rest.split_at_checked(width).unwrap_or_default();
            rest = after;
            field.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
        });
        let kind = if widths.first() == Some(&0) { 1 } else { fields[0] };
        match (kind, usize::try_from(fields[1]), u32::try_from(fields[1])) {
            (0, ..) => self.place(number, ObjectPlace::Free),
            (1, Ok(offset), _) => self.place(number, ObjectPlace::At(offset)),
            (2, _, Ok(stream)) => self.place(number, ObjectPlace::Inside(stream)),
            _ => {}
        }
    }
}
