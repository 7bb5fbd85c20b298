//! Text broken into lines of a width, each in the order in which it is seen.

use unicode_bidi::BidiInfo;

use super::fonts::{FontUse, GlyphRun, drawable, shaped};

/// A line of glyphs.
#[derive(Debug, Clone, Default)]
pub(super) struct TextLine {
    pub runs: Vec<GlyphRun>,
    /// In points.
    pub width: f32,
    /// Whether it begins at the right.
    pub from_right: bool,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextSetting {
    /// In points.
    pub size: f32,
    pub is_bold: bool,
}

/// Lines of one text at most.
const MAX_LINES: usize = 4_000;

/// A text in lines of at most `width` points.
pub(super) fn broken(
    fonts: &mut FontUse,
    text: &str,
    setting: TextSetting,
    width: f32,
) -> Vec<TextLine> {
    let mut lines = Vec::new();
    let most = width.max(setting.size * 2.0) * 1000.0 / setting.size;
    for paragraph in drawable(text).split('\n') {
        let from_right = is_from_right(paragraph);
        for line in words_of_lines(fonts, paragraph, setting.is_bold, most) {
            if lines.len() >= MAX_LINES {
                return lines;
            }
            let mut drawn = drawn(fonts, &line, setting, from_right);
            drawn.width *= setting.size / 1000.0;
            lines.push(drawn);
        }
    }
    lines
}

/// The width of a text on one line, in points.
pub(super) fn width(fonts: &mut FontUse, text: &str, setting: TextSetting) -> f32 {
    let text = drawable(text);
    let widest = text.split('\n').map(|line| {
        pieces(line).iter().map(|piece| fonts.word(piece, setting.is_bold).width).sum::<f32>()
    });
    widest.fold(0.0, f32::max) * setting.size / 1000.0
}

/// The width of the longest piece of a text that is not broken without need, in points.
pub(super) fn widest_piece(fonts: &mut FontUse, text: &str, size: f32) -> f32 {
    let text = drawable(text);
    let widths = text.split('\n').flat_map(pieces).map(|piece| fonts.word(&piece, false).width);
    widths.fold(0.0, f32::max) * size / 1000.0
}

/// Pieces of a paragraph between which a line may end; a piece has its spaces behind it.
fn pieces(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut piece = String::new();
    for one in text.chars() {
        let ends = piece.ends_with(' ') && one != ' ';
        if !piece.is_empty() && (ends || is_wide(one) || piece.chars().all(is_wide)) {
            all.push(std::mem::take(&mut piece));
        }
        piece.push(one);
    }
    if !piece.is_empty() {
        all.push(piece);
    }
    all
}

/// Characters of Japanese, before and behind which a line may end.
fn is_wide(one: char) -> bool {
    matches!(one, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The pieces of each line, greedily.
fn words_of_lines(fonts: &mut FontUse, text: &str, is_bold: bool, most: f32) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new()];
    let mut filled = 0.0;
    for piece in pieces(text) {
        let width = fonts.word(&piece, is_bold).width;
        let seen = fonts.word(piece.trim_end(), is_bold).width;
        if filled > 0.0 && filled + seen > most {
            lines.push(Vec::new());
            filled = 0.0;
        }
        if seen <= most {
            if let Some(line) = lines.last_mut() {
                line.push(piece);
            }
            filled += width;
            continue;
        }
        // A piece that no line has place for is broken where it has to be.
        for one in piece.chars() {
            let letter = one.to_string();
            let width = fonts.word(&letter, is_bold).width;
            if filled > 0.0 && filled + width > most {
                lines.push(Vec::new());
                filled = 0.0;
            }
            if let Some(line) = lines.last_mut() {
                match line.last_mut().filter(|_| filled > 0.0) {
                    Some(last) => last.push(one),
                    None => line.push(letter),
                }
            }
            filled += width;
        }
    }
    lines
}

fn is_from_right(text: &str) -> bool {
    let strong = text.chars().find(|one| one.is_alphabetic());
    strong.is_some_and(is_right_to_left)
}

fn is_right_to_left(one: char) -> bool {
    matches!(one, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// A line as it is seen, its width in thousandths of the size.
fn drawn(
    fonts: &mut FontUse,
    pieces: &[String],
    setting: TextSetting,
    from_right: bool,
) -> TextLine {
    let mut line = TextLine { from_right, ..TextLine::default() };
    let is_mixed = pieces.iter().any(|piece| piece.chars().any(is_right_to_left));
    if !is_mixed {
        for (place, piece) in pieces.iter().enumerate() {
            let is_last = place + 1 == pieces.len();
            let piece = if is_last { piece.trim_end() } else { piece };
            let word = fonts.word(piece, setting.is_bold);
            line.runs.extend(word.runs.iter().cloned());
            line.width += word.width;
        }
        return line;
    }
    let text = pieces.concat();
    let text = text.trim_end();
    let level = if from_right { unicode_bidi::Level::rtl() } else { unicode_bidi::Level::ltr() };
    let bidi = BidiInfo::new(text, Some(level));
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_right = levels.get(run.start).is_some_and(unicode_bidi::Level::is_rtl);
            let own = text.get(run).unwrap_or_default();
            let word = shaped(own, setting.is_bold, is_right);
            line.runs.extend(word.runs);
            line.width += word.width;
        }
    }
    line
}
