//! Sheets of paper with what is drawn on them, and the structure that says what it is.
//!
//! Places are in points from the upper left corner; a PDF counts from the lower left one.

use pdf_writer::types::StructRole;
use pdf_writer::{Content, Name, Str};

use super::file::deflated;
use super::fonts::FontUse;
use super::lines::TextLine;

/// A4, in points.
pub(super) const WIDTH: f32 = 595.0;
/// A4, in points.
pub(super) const HEIGHT: f32 = 842.0;

/// An element of the structure: a heading, a paragraph, a row.
#[derive(Debug)]
pub(super) struct StructNode {
    pub role: StructRole,
    pub kids: Vec<StructKid>,
    /// What a figure shows.
    pub alt: Option<String>,
    /// Where a figure is on its sheet.
    pub bounds: Option<[f32; 4]>,
    /// The head of a column, or of a row.
    pub head: Option<TableHead>,
}

/// What a head of a table is the head of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableHead {
    Column,
    Row,
}

/// What an element of the structure holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum StructKid {
    Node(usize),
    /// Marked content: the page, and its number there.
    Mark(usize, i32),
}

/// One sheet.
pub(super) struct Sheet {
    /// What is drawn on it, until the next one begins.
    content: Content,
    /// The same made smaller: thousands of sheets wait for the last one, which says how many there
    /// are.
    body: Vec<u8>,
    /// What stands at its foot.
    foot: Content,
    /// The element of the structure of each marked content.
    pub marks: Vec<usize>,
}

impl Sheet {
    fn new() -> Self {
        let (content, foot) = (Content::new(), Content::with_capacity(0));
        Sheet { content, body: Vec::new(), foot, marks: Vec::new() }
    }

    /// Nothing more is drawn on it but its foot.
    fn end(&mut self) {
        self.body =
            deflated(&std::mem::replace(&mut self.content, Content::with_capacity(0)).finish());
    }

    /// Its streams, made smaller: the text, and the foot.
    pub(super) fn into_streams(mut self) -> [Vec<u8>; 2] {
        if self.body.is_empty() {
            self.end();
        }
        [self.body, deflated(&self.foot.finish())]
    }
}

/// All sheets, and the structure.
pub(super) struct Canvas {
    pub sheets: Vec<Sheet>,
    pub nodes: Vec<StructNode>,
    pub fonts: FontUse,
}

/// How dark a text is: ink, soft, or the colour of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Full,
    Soft,
    Alert,
}

impl Ink {
    fn colour(self) -> [f32; 3] {
        match self {
            Ink::Full => [0.08, 0.09, 0.11],
            Ink::Soft => [0.32, 0.35, 0.39],
            Ink::Alert => [0.64, 0.09, 0.11],
        }
    }
}

impl Canvas {
    /// One empty sheet; the first element of the structure is the document.
    pub(super) fn new() -> Self {
        let mut canvas =
            Canvas { sheets: Vec::new(), nodes: Vec::new(), fonts: FontUse::default() };
        canvas.nodes.push(node(StructRole::Document));
        canvas.sheet();
        canvas
    }

    /// Begins another sheet.
    pub(super) fn sheet(&mut self) {
        if let Some(last) = self.sheets.last_mut() {
            last.end();
        }
        self.sheets.push(Sheet::new());
    }

    /// Adds an element of the structure below another one.
    pub(super) fn node(&mut self, parent: usize, role: StructRole) -> usize {
        let id = self.nodes.len();
        self.nodes.push(node(role));
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.kids.push(StructKid::Node(id));
        }
        id
    }

    /// Draws on the last sheet as the content of an element.
    pub(super) fn marked(&mut self, owner: usize, draw: impl FnOnce(&mut Content, &mut FontUse)) {
        let page = self.sheets.len().saturating_sub(1);
        let Some(sheet) = self.sheets.last_mut() else { return };
        let id = i32::try_from(sheet.marks.len()).unwrap_or_default();
        sheet.marks.push(owner);
        let mut begun = sheet.content.begin_marked_content_with_properties(Name(b"P"));
        begun.properties().identify(id);
        drop(begun);
        draw(&mut sheet.content, &mut self.fonts);
        sheet.content.end_marked_content();
        if let Some(owner) = self.nodes.get_mut(owner) {
            owner.kids.push(StructKid::Mark(page, id));
        }
    }

    /// Draws on the last sheet what is no content: rules, heads of tables again.
    pub(super) fn artifact(&mut self, draw: impl FnOnce(&mut Content, &mut FontUse)) {
        let Some(sheet) = self.sheets.last_mut() else { return };
        sheet.content.begin_marked_content(Name(b"Artifact"));
        draw(&mut sheet.content, &mut self.fonts);
        sheet.content.end_marked_content();
    }

    /// Draws at the foot of a sheet, which is no content either.
    pub(super) fn foot(&mut self, page: usize, draw: impl FnOnce(&mut Content, &mut FontUse)) {
        let Some(sheet) = self.sheets.get_mut(page) else { return };
        sheet.foot.begin_marked_content(Name(b"Artifact"));
        draw(&mut sheet.foot, &mut self.fonts);
        sheet.foot.end_marked_content();
    }

    /// A rule across the last sheet.
    pub(super) fn rule(&mut self, x: f32, y: f32, width: f32, weight: f32, shade: f32) {
        self.artifact(|content, _| {
            content.set_fill_rgb(shade, shade, shade);
            content.rect(x, HEIGHT - y - weight, width, weight).fill_nonzero();
        });
    }
}

fn node(role: StructRole) -> StructNode {
    StructNode { role, kids: Vec::new(), alt: None, bounds: None, head: None }
}

/// Draws a line of text with its base line at a place.
pub(super) fn draw_line(
    content: &mut Content,
    fonts: &mut FontUse,
    line: &TextLine,
    size: f32,
    ink: Ink,
    place: (f32, f32),
) {
    let (mut x, y) = place;
    let [red, green, blue] = ink.colour();
    content.set_fill_rgb(red, green, blue);
    content.begin_text();
    for run in line.runs.iter().filter(|run| !run.glyphs.is_empty()) {
        content.set_font(Name(format!("F{}", run.font).as_bytes()), size);
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x, HEIGHT - y]);
        let mut shown = content.show_positioned();
        let mut items = shown.items();
        let mut codes: Vec<u8> = Vec::with_capacity(run.glyphs.len() * 2);
        // Flat glyphs are one string with corrections between; lifted ones are drawn apart.
        let is_flat = run.glyphs.iter().all(|glyph| glyph.dx == 0.0 && glyph.dy == 0.0);
        for glyph in run.glyphs.iter().filter(|_| is_flat) {
            let id = fonts.used(run.font, glyph);
            codes.extend(id.to_be_bytes());
            let own = fonts.width(run.font, id);
            if (own - glyph.advance).abs() > 0.5 {
                items.show(Str(&codes));
                codes.clear();
                items.adjust(own - glyph.advance);
            }
        }
        if !codes.is_empty() {
            items.show(Str(&codes));
        }
        drop(items);
        drop(shown);
        if !is_flat {
            lifted(content, fonts, run, size, (x, y));
        }
        x += run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() * size / 1000.0;
    }
    content.end_text();
}

/// Glyphs with a place of their own: marks above and below letters.
fn lifted(
    content: &mut Content,
    fonts: &mut FontUse,
    run: &super::fonts::GlyphRun,
    size: f32,
    place: (f32, f32),
) {
    let (mut x, y) = place;
    for glyph in run.glyphs.iter() {
        let id = fonts.used(run.font, glyph);
        let (dx, dy) = (glyph.dx * size / 1000.0, glyph.dy * size / 1000.0);
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, x + dx, HEIGHT - y + dy]);
        content.show(Str(&id.to_be_bytes()));
        x += glyph.advance * size / 1000.0;
    }
}
