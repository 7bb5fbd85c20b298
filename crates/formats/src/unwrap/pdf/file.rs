//! A PDF file: where its objects stand, and reading them one by one.
//!
//! Cross-reference tables and streams are followed from the end (ISO 32000-1 section 7.5). Where
//! they are broken, the objects are found by one walk over the file.

mod rebuild;
mod reference;

use std::collections::HashMap;
use std::rc::Rc;

use super::super::inflate::{DeflateFraming, inflate};
use super::super::{UnopenedReason, UnwrapBudget};
use super::object::{Dict, Object, PdfLexer};
use super::predictor::unpredicted;
use super::scan::raw_stream;

/// Sections of the cross-reference that are followed, one for each time the file was changed.
const MAX_SECTIONS: usize = 64;
/// Objects in one file.
const MAX_OBJECTS: usize = 1_000_000;
/// References that lead to references.
const MAX_HOPS: usize = 8;
/// How often the bytes of the file, and what was inflated of it, may be read over for objects.
const MAX_PASSES: usize = 4;
/// Objects that are made of one file, those inside others included.
const MAX_MADE: usize = 2_000_000;

/// Where an object stands.
#[derive(Debug, Clone, Copy)]
enum ObjectPlace {
    /// At this byte of the file.
    At(usize),
    /// In an object stream.
    Inside(u32),
    /// Nowhere: it was deleted, and older sections do not count.
    Free,
}

/// An open file.
pub(super) struct PdfFile<'b> {
    bytes: &'b [u8],
    places: HashMap<u32, ObjectPlace>,
    trailer: Dict,
    /// Object streams that were inflated: where each object begins, and the bytes.
    streams: HashMap<u32, (HashMap<u32, usize>, Vec<u8>)>,
    /// Objects that were read: the objects of a hostile file lead to one another again and again.
    objects: HashMap<u32, Rc<Object>>,
    rebuilt: bool,
    /// Whether an object was not where the cross-reference says.
    missed: bool,
    /// Bytes that were read for objects; those of a hostile file reach over one another.
    work: usize,
    /// Bytes that may be: those of the file and what was inflated of it, [`MAX_PASSES`] times.
    room: usize,
    made: usize,
}

impl<'b> PdfFile<'b> {
    /// Reads where the objects are.
    ///
    /// # Errors
    /// [`Reason::Damaged`] where no object is found at all.
    pub(super) fn open(
        bytes: &'b [u8],
        budget: &mut UnwrapBudget,
    ) -> Result<PdfFile<'b>, UnopenedReason> {
        let mut file = PdfFile {
            bytes,
            places: HashMap::new(),
            trailer: Dict::default(),
            streams: HashMap::new(),
            objects: HashMap::new(),
            rebuilt: false,
            missed: false,
            work: 0,
            room: bytes.len().saturating_mul(MAX_PASSES),
            made: 0,
        };
        let encrypted = |file: &PdfFile<'_>| file.trailer.get("Encrypt").is_some();
        if file.follow(budget).is_none() || (!encrypted(&file) && file.catalogue(budget).is_none())
        {
            file.rebuild(budget);
        }
        match file.places.is_empty() {
            true => Err(UnopenedReason::Damaged("the PDF has no objects")),
            false => Ok(file),
        }
    }

    /// Finds the objects anew where one of them was not in its place; whether that was done.
    pub(super) fn mend(&mut self, budget: &mut UnwrapBudget) -> bool {
        let can = self.missed && !self.rebuilt;
        if can {
            self.rebuild(budget);
        }
        can
    }

    pub(super) fn trailer(&self) -> &Dict {
        &self.trailer
    }

    /// The document catalogue.
    pub(super) fn catalogue(&mut self, budget: &mut UnwrapBudget) -> Option<Dict> {
        let root = self.trailer.get("Root").cloned();
        self.resolve(root.as_ref(), budget).dict().cloned()
    }

    /// What an object is when references are followed; [`Object::Null`] where it is absent.
    pub(super) fn resolve(
        &mut self,
        object: Option<&Object>,
        budget: &mut UnwrapBudget,
    ) -> Rc<Object> {
        self.followed(object, budget).1
    }

    /// The same, and the last of the references: which object of the file it is.
    pub(super) fn followed(
        &mut self,
        object: Option<&Object>,
        budget: &mut UnwrapBudget,
    ) -> (Option<u32>, Rc<Object>) {
        let Some(object) = object else { return (None, Rc::new(Object::Null)) };
        let Some(mut number) = object.reference() else { return (None, Rc::new(object.clone())) };
        for _ in 0..MAX_HOPS {
            let object = self.object(number, budget);
            match object.reference() {
                Some(next) => number = next,
                None => return (Some(number), object),
            }
        }
        (None, Rc::new(Object::Null))
    }

    /// An object by its number; of a stream, its dictionary. It is read once.
    pub(super) fn object(&mut self, number: u32, budget: &mut UnwrapBudget) -> Rc<Object> {
        if let Some(known) = self.objects.get(&number) {
            return known.clone();
        }
        let object = match self.places.get(&number) {
            Some(ObjectPlace::At(at)) => self.indirect(*at, number).map(|(object, _)| object),
            Some(ObjectPlace::Inside(stream)) => self.inside(*stream, number, budget),
            Some(ObjectPlace::Free) | None => return Rc::new(Object::Null),
        };
        self.missed |= object.is_none();
        let object = Rc::new(object.unwrap_or(Object::Null));
        self.objects.insert(number, object.clone());
        object
    }

    /// Takes work from what is left; `None` where that is nothing.
    fn spend(&mut self, bytes: usize, made: usize) -> Option<()> {
        self.work = self.work.saturating_add(bytes);
        self.made = self.made.saturating_add(made);
        (self.work <= self.room && self.made <= MAX_MADE).then_some(())
    }

    /// `12 0 obj ...`: the object, and where the lexer stands after it.
    fn indirect(&mut self, at: usize, number: u32) -> Option<(Object, PdfLexer<'b>)> {
        self.spend(0, 0)?;
        let mut lexer = PdfLexer::new(self.bytes, at);
        let is_it = lexer.unsigned() == Some(u64::from(number))
            && lexer.unsigned().is_some()
            && lexer.take(b"obj");
        let object = is_it.then(|| lexer.object()).flatten();
        // What was passed over on the way to an object that is not there was read, too.
        self.spend(lexer.at.saturating_sub(at), lexer.made)?;
        Some((object?, lexer))
    }

    fn inside(&mut self, stream: u32, number: u32, budget: &mut UnwrapBudget) -> Option<Object> {
        self.spend(0, 0)?;
        if !self.streams.contains_key(&stream) {
            let opened = self.open_stream(stream, budget).unwrap_or_default();
            self.room = self.room.saturating_add(opened.1.len().saturating_mul(MAX_PASSES));
            self.streams.insert(stream, opened);
        }
        let (offsets, bytes) = self.streams.get(&stream)?;
        let at = *offsets.get(&number)?;
        let mut lexer = PdfLexer::new(bytes, at);
        let object = lexer.object();
        let (read, made) = (lexer.at.saturating_sub(at), lexer.made);
        self.spend(read, made)?;
        object
    }

    /// An object stream (section 7.5.7): pairs of number and offset, then the objects.
    fn open_stream(
        &mut self,
        stream: u32,
        budget: &mut UnwrapBudget,
    ) -> Option<(HashMap<u32, usize>, Vec<u8>)> {
        // Object streams do not stand in object streams.
        let Some(ObjectPlace::At(at)) = self.places.get(&stream).copied() else { return None };
        let (object, _) = self.indirect(at, stream)?;
        let dict = object.dict()?;
        let count = usize::try_from(dict.number("N")?).ok()?.min(MAX_OBJECTS);
        let first = usize::try_from(dict.number("First")?).ok()?;
        let bytes = self.stream(stream, budget).ok()?;
        let mut lexer = PdfLexer::new(&bytes, 0);
        let mut offsets = HashMap::new();
        for _ in 0..count {
            let (Some(number), Some(offset)) = (lexer.unsigned(), lexer.unsigned()) else { break };
            if let (Ok(number), Ok(offset)) = (u32::try_from(number), usize::try_from(offset)) {
                offsets.insert(number, first.saturating_add(offset));
            }
        }
        Some((offsets, bytes))
    }

    /// The decoded content of a stream.
    ///
    /// # Errors
    /// [`Reason::Method`] for a filter that embedded files do not have, [`Reason::Damaged`], and
    /// the limits.
    pub(super) fn stream(
        &mut self,
        number: u32,
        budget: &mut UnwrapBudget,
    ) -> Result<Vec<u8>, UnopenedReason> {
        let damaged = || UnopenedReason::Damaged("a stream of the PDF is not readable");
        let Some(ObjectPlace::At(at)) = self.places.get(&number).copied() else {
            return Err(damaged());
        };
        let (object, lexer) = self.indirect(at, number).ok_or_else(damaged)?;
        let dict = object.dict().ok_or_else(damaged)?;
        let length = match dict.get("Length") {
            Some(Object::Number(length)) => Some(*length),
            Some(Object::Reference(reference)) => self.direct_number(*reference, budget),
            _ => None,
        };
        self.spend(0, 0).ok_or_else(damaged)?;
        let from = lexer.at;
        let raw = raw_stream(self.bytes, lexer, length);
        // Where its end is not found, all of the rest was read for it.
        let read = raw.map_or(self.bytes.len().saturating_sub(from), <[u8]>::len);
        self.spend(read, 0).ok_or_else(damaged)?;
        let raw = raw.ok_or_else(damaged)?;
        let filter = match &*self.resolve(dict.get("Filter"), budget) {
            Object::Array(filters) => filters.clone(),
            Object::Null => [].into(),
            one => [one.clone()].into(),
        };
        let parameters = self.resolve(dict.get("DecodeParms"), budget);
        let mut content = None;
        for (at, filter) in filter.iter().enumerate() {
            let name = filter.name().unwrap_or_default();
            if !matches!(name, "FlateDecode" | "Fl") || at > 0 {
                return Err(UnopenedReason::Method(format!("the PDF filter {name:.40}")));
            }
            let inflated = inflate(raw, DeflateFraming::Zlib, budget)?;
            let parameters = parameters.array().first().unwrap_or(&parameters);
            content = Some(unpredicted(inflated, parameters.dict()).ok_or_else(damaged)?);
        }
        match content {
            Some(content) => Ok(content),
            None => {
                budget.spend(raw.len())?;
                Ok(raw.to_vec())
            }
        }
    }

    /// A number that stands as an object of its own, without opening any stream for it.
    fn direct_number(&mut self, number: u32, budget: &mut UnwrapBudget) -> Option<i64> {
        let is_open = match self.places.get(&number)? {
            ObjectPlace::At(_) => true,
            ObjectPlace::Inside(stream) => self.streams.contains_key(stream),
            ObjectPlace::Free => false,
        };
        match is_open.then(|| self.object(number, budget)).as_deref() {
            Some(Object::Number(number)) => Some(*number),
            _ => None,
        }
    }
}
