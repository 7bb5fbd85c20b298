//! From the parts of a page to sheets: what stands where, and where a sheet ends.

mod blocks;
mod table;

use blocks::sums_height;

use pdf_writer::types::StructRole;

use super::canvas::{Canvas, HEIGHT, Ink, WIDTH, draw_line};
use super::lines::{TextLine, TextSetting, broken};
use crate::page::{PagePart, PageSection, PageTree, TextStyle};

/// What is free at the left and at the right, in points.
pub(super) const SIDE: f32 = 48.0;
/// What is free at the top.
const TOP: f32 = 44.0;
/// Where the text of a sheet ends.
const BOTTOM: f32 = HEIGHT - 56.0;
/// How wide the text is.
pub(super) const TEXT: f32 = WIDTH - 2.0 * SIDE;

/// A heading among the bookmarks: its text, sheet and height on it.
#[derive(Debug, Clone)]
pub(super) struct Bookmark {
    pub title: String,
    pub page: usize,
    pub y: f32,
}

/// A text with its lines: what a box is made of.
#[derive(Debug, Clone)]
struct TypesetText {
    lines: Vec<TextLine>,
    size: f32,
    ink: Ink,
    role: StructRole,
    /// Above it.
    gap: f32,
}

impl TypesetText {
    fn height(&self) -> f32 {
        self.gap + self.lines.len() as f32 * leading(self.size)
    }
}

/// From one base line to the next.
fn leading(size: f32) -> f32 {
    (size * 1.36).round_to()
}

/// Rounding to a tenth of a point, so that places are the same on every machine.
trait RoundTo {
    fn round_to(self) -> Self;
}

impl RoundTo for f32 {
    fn round_to(self) -> f32 {
        (self * 10.0).round() / 10.0
    }
}

/// The pen: where the next thing stands.
pub(super) struct PageFlow {
    pub canvas: Canvas,
    pub bookmarks: Vec<Bookmark>,
    y: f32,
}

impl PageFlow {
    /// Draws a page.
    pub(super) fn drawn(page: &PageTree) -> PageFlow {
        let mut flow = PageFlow { canvas: Canvas::new(), bookmarks: Vec::new(), y: TOP };
        flow.title(page);
        for section in &page.sections {
            flow.section(section);
        }
        flow.footers(page);
        flow
    }

    fn page(&self) -> usize {
        self.canvas.sheets.len().saturating_sub(1)
    }

    /// A new sheet, unless there is place for so much.
    fn need(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > TOP {
            self.canvas.sheet();
            self.y = TOP;
        }
    }

    fn set(&mut self, text: &str, size: f32, ink: Ink, is_bold: bool, width: f32) -> TypesetText {
        let setting = TextSetting { size, is_bold };
        let lines = broken(&mut self.canvas.fonts, text, setting, width);
        TypesetText { lines, size, ink, role: StructRole::P, gap: 0.0 }
    }

    fn styled(&mut self, text: &str, style: TextStyle, size: f32, width: f32) -> TypesetText {
        match style {
            TextStyle::Plain => self.set(text, size, Ink::Full, false, width),
            TextStyle::Strong => self.set(text, size, Ink::Full, true, width),
            TextStyle::Small => self.set(text, size - 1.0, Ink::Soft, false, width),
        }
    }

    /// Draws a text that is one element, line by line, on as many sheets as it takes.
    fn put(&mut self, owner: usize, text: &TypesetText, x: f32, width: f32, at_right: bool) {
        let node = self.canvas.node(owner, text.role);
        self.y += text.gap;
        for line in &text.lines {
            self.need(leading(text.size));
            self.y += leading(text.size);
            self.put_line(node, line, text, (x, self.y), (width, at_right));
        }
    }

    fn put_line(
        &mut self,
        node: usize,
        line: &TextLine,
        text: &TypesetText,
        place: (f32, f32),
        column: (f32, bool),
    ) {
        let (width, at_right) = column;
        let (x, y) = place;
        // A paragraph from right to left begins at the right edge; in boxes all lines begin alike.
        let begins_right = line.from_right && width >= TEXT;
        let shift = if at_right || begins_right { (width - line.width).max(0.0) } else { 0.0 };
        let base = y - text.size * 0.3;
        self.canvas.marked(node, |content, fonts| {
            draw_line(content, fonts, line, text.size, text.ink, (x + shift, base));
        });
    }

    fn title(&mut self, page: &PageTree) {
        let title = format!("{} {}", page.title, page.number);
        let mut text = self.set(title.trim(), 17.0, Ink::Full, true, TEXT);
        text.role = StructRole::H1;
        self.bookmark(title.trim());
        self.put(0, &text, SIDE, TEXT, false);
        self.y += 8.0;
    }

    fn bookmark(&mut self, title: &str) {
        let title = title.chars().take(200).collect();
        self.bookmarks.push(Bookmark { title, page: self.page(), y: self.y });
    }

    fn section(&mut self, section: &PageSection) {
        let owner = self.canvas.node(0, StructRole::Sect);
        if !section.heading.is_empty() {
            self.y += 10.0;
            // A heading is never alone at the foot of a sheet: what begins below it is with it.
            let opening = section.parts.first().map_or(0.0, |part| self.opening(part));
            self.need((opening + 22.0).max(64.0));
            let mut heading = self.set(&section.heading, 11.0, Ink::Full, true, TEXT);
            heading.role = StructRole::H2;
            self.bookmark(&section.heading);
            self.put(owner, &heading, SIDE, TEXT, false);
            self.y += 3.0;
        }
        let level = if section.heading.is_empty() { StructRole::H2 } else { StructRole::H3 };
        for part in &section.parts {
            match part {
                PagePart::Fields(fields) => self.facts(owner, fields),
                PagePart::Sums(fields) => self.sums(owner, fields),
                PagePart::Cards(cards) => self.cards(owner, cards, level),
                PagePart::Table(table) => self.table(owner, table),
                PagePart::Paragraphs(texts) => {
                    for one in texts {
                        let text = self.styled(&one.text, one.style, 9.0, TEXT);
                        self.put(owner, &text, SIDE, TEXT, false);
                        self.y += 2.0;
                    }
                }
                PagePart::Tree(lines) => self.tree(owner, lines),
                PagePart::Qr(picture) => self.qr(owner, picture),
            }
        }
    }

    /// How much room the beginning of a part takes that is not parted from its heading.
    fn opening(&mut self, part: &PagePart) -> f32 {
        match part {
            PagePart::Cards(cards) => self.cards_opening(cards),
            PagePart::Table(table) => self.table_opening(table),
            PagePart::Sums(fields) => sums_height(fields),
            PagePart::Qr(_) => 110.0,
            PagePart::Fields(_) | PagePart::Paragraphs(_) | PagePart::Tree(_) => 0.0,
        }
    }

    /// Title and number of the page at the foot of each sheet.
    fn footers(&mut self, page: &PageTree) {
        use crate::words::PageWord;
        let count = self.canvas.sheets.len();
        let name: String = format!("{} {}", page.title, page.number).chars().take(70).collect();
        for place in 0..count {
            let (word, of) = (PageWord::Page, PageWord::PageOf);
            let number = format!(
                "{} {} {} {count}",
                word.text(page.language),
                place + 1,
                of.text(page.language)
            );
            let left = self.set(name.trim(), 7.5, Ink::Soft, false, TEXT * 0.7);
            let right = self.set(&number, 7.5, Ink::Soft, false, TEXT * 0.3);
            let y = HEIGHT - 32.0;
            for (text, at_right) in [(left, false), (right, true)] {
                let Some(line) = text.lines.first() else { continue };
                let x = if at_right { SIDE + TEXT - line.width } else { SIDE };
                self.canvas.foot(place, |content, fonts| {
                    draw_line(content, fonts, line, text.size, text.ink, (x, y));
                });
            }
        }
    }
}
