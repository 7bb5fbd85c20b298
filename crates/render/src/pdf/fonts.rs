//! The fonts of the PDF, and text shaped with them.
//!
//! Five subsets of Noto (`fonts/`, made by `interop/render/fonts.py`): Latin, Greek and Cyrillic
//! in two weights, Arabic, Hebrew, Japanese. A character takes the first font that has it; one
//! that no font has is written as its number, so that nothing is hidden.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer};
use subsetter::GlyphRemapper;

/// The files of the fonts, in the order in which a character looks for one.
pub(super) const FILES: [&[u8]; 5] = [
    include_bytes!("../../fonts/sans.ttf"),
    include_bytes!("../../fonts/sans-bold.ttf"),
    include_bytes!("../../fonts/arabic.ttf"),
    include_bytes!("../../fonts/hebrew.ttf"),
    include_bytes!("../../fonts/japanese.otf"),
];

/// Their names in a PDF.
pub(super) const NAMES: [&str; 5] = [
    "NotoSans-Regular",
    "NotoSans-Bold",
    "NotoSansArabic-Regular",
    "NotoSansHebrew-Regular",
    "NotoSansCJKjp-Regular",
];

/// Upright and bold Latin.
const LATIN: [usize; 2] = [0, 1];
/// The others, of which there is one weight.
const OTHERS: [usize; 3] = [2, 3, 4];

/// The fonts, read once.
pub(super) static FACES: LazyLock<Vec<Face<'static>>> =
    LazyLock::new(|| FILES.iter().filter_map(|file| Face::from_slice(file, 0)).collect());

/// Which characters each font has, asked once.
static COVERAGE: LazyLock<Vec<CharacterSet>> =
    LazyLock::new(|| FACES.iter().map(CharacterSet::of).collect());

/// How a font is used for a script, from right to left or not.
type PlanKey = (usize, Script, bool);

/// Plans for shaping: to make one costs far more than to shape a word with it.
static PLANS: LazyLock<RwLock<HashMap<PlanKey, Arc<ShapePlan>>>> = LazyLock::new(RwLock::default);

/// Plans that are remembered at most: there are not so many scripts in our fonts.
const MAX_PLANS: usize = 64;

/// Words of one page whose shape is remembered.
const MAX_WORDS: usize = 50_000;

/// Words by their text, upright and bold.
type ShapedWords = [HashMap<String, Arc<ShapedWord>>; 2];

/// Words of other pages: those of labels, units and names come again and again. It is forgotten
/// as a whole when it is full, and what comes again is soon there again.
static COMMON: LazyLock<RwLock<ShapedWords>> = LazyLock::new(RwLock::default);

/// Words that are remembered from page to page at most, of each weight: some 5 MB.
const MAX_COMMON: usize = 8_000;
/// Bytes of such a word at most: what is longer is a number or a link, and comes once.
const COMMON_BYTES: usize = 24;

/// A glyph with its place, in thousandths of the size.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShapedGlyph {
    pub id: u16,
    pub advance: f32,
    pub dx: f32,
    pub dy: f32,
    /// What it says; empty for the further glyphs of one text.
    pub text: String,
}

/// Glyphs of one font, in the order in which they stand.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct GlyphRun {
    pub font: usize,
    pub glyphs: Arc<[ShapedGlyph]>,
}

/// A word with its width, in thousandths of the size.
#[derive(Debug, Default)]
pub(super) struct ShapedWord {
    pub runs: Vec<GlyphRun>,
    pub width: f32,
}

/// What of the fonts a PDF uses, and the words that were shaped already.
#[derive(Default)]
pub(super) struct FontUse {
    /// The glyphs of each font that are used.
    pub glyphs: [GlyphRemapper; 5],
    /// What each used glyph says, by font and number in the subset.
    pub texts: [std::collections::BTreeMap<u16, (String, f32)>; 5],
    words: ShapedWords,
}

/// The characters of a font up to U+FFFF, a bit each.
struct CharacterSet(Vec<u64>);

impl CharacterSet {
    fn of(face: &Face<'static>) -> CharacterSet {
        let mut bits = vec![0_u64; 0x400];
        let mut add = |code: u32| {
            let Some(one) = char::from_u32(code) else { return };
            let word = usize::try_from(code / 64).ok().and_then(|word| bits.get_mut(word));
            if let Some(word) = word.filter(|_| face.glyph_index(one).is_some()) {
                *word |= 1 << (code % 64);
            }
        };
        let maps = face.tables().cmap.iter().flat_map(|cmap| cmap.subtables);
        for map in maps.filter(rustybuzz::ttf_parser::cmap::Subtable::is_unicode) {
            map.codepoints(&mut add);
        }
        CharacterSet(bits)
    }

    /// Whether it has a character; none for one that it does not know of.
    fn has(&self, one: char) -> Option<bool> {
        let code = u32::from(one);
        let word = self.0.get(usize::try_from(code / 64).ok()?)?;
        Some(word & (1 << (code % 64)) != 0)
    }
}

/// Whether a font has a character.
fn has(font: usize, one: char) -> bool {
    let known = COVERAGE.get(font).and_then(|set| set.has(one));
    known.unwrap_or_else(|| FACES.get(font).is_some_and(|face| face.glyph_index(one).is_some()))
}

/// The plan by which a font shapes a script.
fn plan(font: usize, face: &Face<'static>, script: Script, from_right: bool) -> Arc<ShapePlan> {
    let key = (font, script, from_right);
    if let Some(known) = PLANS.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Arc::clone(known);
    }
    let plan = Arc::new(ShapePlan::new(face, direction(from_right), Some(script), None, &[]));
    let mut plans = PLANS.write().unwrap_or_else(PoisonError::into_inner);
    if plans.len() < MAX_PLANS {
        plans.insert(key, Arc::clone(&plan));
    }
    plan
}

/// A word as it was shaped for another page, or shaped now.
fn common(text: &str, is_bold: bool) -> Arc<ShapedWord> {
    let at = usize::from(is_bold);
    let known = COMMON.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(word) = known.get(at).and_then(|words| words.get(text)) {
        return Arc::clone(word);
    }
    drop(known);
    let word = Arc::new(shaped(text, is_bold, false));
    if text.len() <= COMMON_BYTES {
        let mut known = COMMON.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = known.get_mut(at) {
            if words.len() >= MAX_COMMON {
                words.clear();
            }
            words.insert(text.to_owned(), Arc::clone(&word));
        }
    }
    word
}

fn direction(from_right: bool) -> Direction {
    if from_right { Direction::RightToLeft } else { Direction::LeftToRight }
}

/// The font of a character; `None` where no font has it.
pub(super) fn font_of(one: char, is_bold: bool) -> Option<usize> {
    let [plain, bold] = LATIN;
    let first = if is_bold { bold } else { plain };
    std::iter::once(first).chain(OTHERS).find(|font| has(*font, one))
}

/// A text of which every character has a glyph; the others are written as their number.
pub(crate) fn drawable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '\n' => shown.push('\n'),
            '\t' => shown.push(' '),
            // Spaces of the languages, which not every font has.
            '\u{202f}' | '\u{2007}' | '\u{2009}' => shown.push('\u{a0}'),
            '\u{200c}' | '\u{200d}' | '\u{ad}' => {}
            '\u{fb00}'..='\u{fb04}' => shown.push_str(letters(one)),
            one if font_of(one, false).is_some() => shown.push(one),
            one => shown.push_str(&format!("[U+{:04X}]", u32::from(one))),
        }
    }
    shown
}

/// The letters of a Latin ligature, which is one character for nobody who searches.
fn letters(one: char) -> &'static str {
    match one {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        _ => "ffl",
    }
}

impl FontUse {
    /// A word from left to right.
    pub(super) fn word(&mut self, text: &str, is_bold: bool) -> Arc<ShapedWord> {
        let [upright, bold] = &mut self.words;
        let own = if is_bold { bold } else { upright };
        if let Some(word) = own.get(text) {
            return Arc::clone(word);
        }
        let word = common(text, is_bold);
        if own.len() < MAX_WORDS {
            own.insert(text.to_owned(), Arc::clone(&word));
        }
        word
    }

    /// Notes that a glyph is drawn; its number in the subset.
    pub(super) fn used(&mut self, font: usize, glyph: &ShapedGlyph) -> u16 {
        let (Some(glyphs), Some(texts)) = (self.glyphs.get_mut(font), self.texts.get_mut(font))
        else {
            return 0;
        };
        let id = glyphs.remap(glyph.id);
        let known = texts.entry(id).or_insert_with(|| {
            let own = FACES.get(font).and_then(|face| {
                let width = face.glyph_hor_advance(rustybuzz::ttf_parser::GlyphId(glyph.id))?;
                Some(f32::from(width) * 1000.0 / face.units_per_em() as f32)
            });
            (String::new(), own.unwrap_or_default())
        });
        if known.0.is_empty() {
            known.0.clone_from(&glyph.text);
        }
        id
    }
}

impl FontUse {
    /// How wide a glyph of the subset is, in thousandths of the size.
    pub(super) fn width(&self, font: usize, id: u16) -> f32 {
        let known = self.texts.get(font).and_then(|texts| texts.get(&id));
        known.map_or(0.0, |(_, width)| *width)
    }
}

/// A text of one direction, font by font.
pub(super) fn shaped(text: &str, is_bold: bool, from_right: bool) -> ShapedWord {
    let mut parts: Vec<(usize, String)> = Vec::new();
    for one in text.chars() {
        let before = parts.last().map(|(font, _)| *font);
        // A mark stays with the letter that it is on; a space with the word before it.
        let stays = before.filter(|font| (is_mark(one) || one == ' ') && has(*font, one));
        let font = stays.or_else(|| font_of(one, is_bold)).unwrap_or_default();
        match parts.last_mut().filter(|(own, _)| *own == font) {
            Some((_, text)) => text.push(one),
            None => parts.push((font, one.to_string())),
        }
    }
    if from_right {
        parts.reverse();
    }
    let runs: Vec<GlyphRun> =
        parts.iter().map(|(font, text)| run(*font, text, from_right)).collect();
    let width = runs.iter().flat_map(|run| &*run.glyphs).map(|glyph| glyph.advance).sum();
    ShapedWord { runs, width }
}

fn is_mark(one: char) -> bool {
    matches!(one, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}')
}

fn run(font: usize, text: &str, from_right: bool) -> GlyphRun {
    let Some(face) = FACES.get(font) else { return GlyphRun::default() };
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(text);
    buffer.guess_segment_properties();
    // A mark says itself, and not the letter with it.
    buffer.set_cluster_level(rustybuzz::BufferClusterLevel::Characters);
    buffer.set_direction(direction(from_right));
    let plan = plan(font, face, buffer.script(), from_right);
    let shaped = rustybuzz::shape_with_plan(face, &plan, buffer);
    let scale = 1000.0 / face.units_per_em() as f32;
    let infos = shaped.glyph_infos();
    let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut said: std::collections::HashSet<usize> = std::collections::HashSet::new();
    let glyphs = infos.iter().zip(shaped.glyph_positions()).map(|(info, place)| {
        let start = info.cluster as usize;
        let behind = starts.partition_point(|one| *one <= start);
        let end = starts.get(behind).copied().unwrap_or(text.len());
        let own = text.get(start..end).filter(|_| said.insert(start)).unwrap_or_default();
        ShapedGlyph {
            id: u16::try_from(info.glyph_id).unwrap_or_default(),
            advance: place.x_advance as f32 * scale,
            dx: place.x_offset as f32 * scale,
            dy: place.y_offset as f32 * scale,
            text: own.to_owned(),
        }
    });
    GlyphRun { font, glyphs: glyphs.collect() }
}
