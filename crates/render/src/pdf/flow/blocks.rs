//! Fields, boxes, sums, trees and codes on the sheets.

use pdf_writer::types::StructRole;

use super::{PageFlow, SIDE, TEXT, TypesetText, leading};
use crate::page::{PageCard, PageField, QrPicture, TreeLine};
use crate::pdf::canvas::{HEIGHT, Ink, TableHead};
use crate::pdf::lines::widest_piece;

/// Between boxes side by side.
const GUTTER: f32 = 18.0;

/// ObjectNumbers of findings as they stand behind a text: ` [1] [2]`.
pub(super) fn marked(text: &str, marks: &[usize]) -> String {
    let mut shown = text.to_owned();
    marks.iter().for_each(|number| shown.push_str(&format!(" [{number}]")));
    shown
}

/// The values of a field as one text.
pub(super) fn said(field: &PageField) -> String {
    let texts: Vec<&str> = field.values.iter().map(|value| value.text.as_str()).collect();
    marked(&texts.join("\n"), &field.marks)
}

/// How high boxes beside each other are, as far as they are kept on one sheet.
fn boxes_height(boxes: &[Vec<TypesetText>]) -> f32 {
    let heights = boxes.iter().map(|one| one.iter().map(TypesetText::height).sum::<f32>());
    (heights.fold(0.0, f32::max) + 6.0).min(500.0)
}

/// How high sums are, as far as they are kept on one sheet.
pub(super) fn sums_height(fields: &[PageField]) -> f32 {
    let rows: f32 = fields.iter().map(|field| field.values.len().max(1) as f32 * 15.0).sum();
    rows.min(400.0)
}

impl PageFlow {
    /// Labels above their values, three beside each other; long ones have the whole width.
    pub(super) fn facts(&mut self, owner: usize, fields: &[PageField]) {
        let width = (TEXT - 2.0 * GUTTER) / 3.0;
        let mut row: Vec<[TypesetText; 2]> = Vec::new();
        for field in fields {
            let text = said(field);
            let piece = widest_piece(&mut self.canvas.fonts, &text, 9.0);
            let is_long = text.chars().count() > 90 || text.contains('\n') || piece > width;
            let own = if is_long { TEXT } else { width };
            let pair = self.pair(field, &text, own);
            if is_long {
                self.facts_row(owner, &mut row, width);
                self.facts_row(owner, &mut vec![pair], own);
                continue;
            }
            row.push(pair);
            if row.len() == 3 {
                self.facts_row(owner, &mut row, width);
            }
        }
        self.facts_row(owner, &mut row, width);
    }

    fn pair(&mut self, field: &PageField, text: &str, width: f32) -> [TypesetText; 2] {
        let ink = if field.marks.is_empty() { Ink::Full } else { Ink::Alert };
        let label = self.set(&field.label, 7.5, Ink::Soft, false, width);
        [label, self.set(text, 9.0, ink, field.is_strong, width)]
    }

    fn facts_row(&mut self, owner: usize, row: &mut Vec<[TypesetText; 2]>, width: f32) {
        let heights = row.iter().map(|[label, value]| label.height() + value.height());
        let height = heights.fold(0.0, f32::max);
        if row.is_empty() {
            return;
        }
        self.need(height.min(200.0));
        let (top, page) = (self.y, self.page());
        let mut end = top;
        for (place, [label, value]) in row.drain(..).enumerate() {
            self.y = top;
            let x = SIDE + place as f32 * (width + GUTTER);
            self.put(owner, &label, x, width, false);
            self.put(owner, &value, x, width, false);
            end = if self.page() == page { end.max(self.y) } else { self.y };
        }
        self.y = end + 4.0;
    }

    /// Boxes, two beside each other.
    pub(super) fn cards(&mut self, owner: usize, cards: &[PageCard], level: StructRole) {
        let width = (TEXT - GUTTER) / 2.0;
        for pair in cards.chunks(2) {
            let boxes: Vec<Vec<TypesetText>> =
                pair.iter().map(|card| self.card(card, width, level)).collect();
            self.need(boxes_height(&boxes));
            let (top, page) = (self.y, self.page());
            let mut end = top;
            for (place, texts) in boxes.iter().enumerate() {
                if self.page() != page {
                    self.y = end;
                } else {
                    self.y = top;
                }
                let x = SIDE + place as f32 * (width + GUTTER);
                self.canvas.rule(x, self.y, width, 1.0, 0.1);
                self.y += 4.0;
                let group = self.canvas.node(owner, StructRole::Div);
                texts.iter().for_each(|text| self.put(group, text, x, width, false));
                end = end.max(self.y);
            }
            self.y = if self.page() == page { end } else { self.y } + 10.0;
        }
    }

    /// How much room the first two boxes take.
    pub(super) fn cards_opening(&mut self, cards: &[PageCard]) -> f32 {
        let width = (TEXT - GUTTER) / 2.0;
        let pair = cards.iter().take(2);
        let boxes: Vec<_> = pair.map(|card| self.card(card, width, StructRole::H3)).collect();
        boxes_height(&boxes)
    }

    fn card(&mut self, card: &PageCard, width: f32, level: StructRole) -> Vec<TypesetText> {
        let heading = marked(&card.heading, &card.marks);
        let mut heading = self.set(&heading, 8.0, Ink::Soft, true, width);
        heading.role = level;
        let mut texts = vec![heading];
        for line in &card.lines {
            texts.push(self.styled(&line.text, line.style, 9.0, width));
        }
        for (place, field) in card.fields.iter().enumerate() {
            let mut text = self.field(field, 8.0, width);
            text.gap = if place == 0 { 3.0 } else { 0.0 };
            texts.push(text);
        }
        texts
    }

    /// A field as one text: `label: value`.
    pub(super) fn field(&mut self, field: &PageField, size: f32, width: f32) -> TypesetText {
        let ink = if field.marks.is_empty() { Ink::Soft } else { Ink::Alert };
        let text = format!("{}: {}", field.label, said(field).replace('\n', "\n  "));
        self.set(&text, size, ink, false, width)
    }

    /// Amounts below each other at the right, as a table of two columns.
    pub(super) fn sums(&mut self, owner: usize, fields: &[PageField]) {
        let width = TEXT * 0.5;
        let (x, table) = (SIDE + TEXT - width, self.canvas.node(owner, StructRole::Table));
        self.y += 4.0;
        self.need(sums_height(fields));
        for field in fields {
            let size = if field.is_strong { 11.0 } else { 9.0 };
            let label = self.set(&field.label, size, Ink::Full, field.is_strong, width * 0.55);
            let text = said(field);
            let ink = if field.marks.is_empty() { Ink::Full } else { Ink::Alert };
            let value = self.set(&text, size, ink, field.is_strong, width * 0.45);
            self.need(label.height().max(value.height()) + 4.0);
            let row = self.canvas.node(table, StructRole::TR);
            let head = self.canvas.node(row, StructRole::TH);
            if let Some(node) = self.canvas.nodes.get_mut(head) {
                node.head = Some(TableHead::Row);
            }
            let cell = self.canvas.node(row, StructRole::TD);
            let top = self.y;
            self.put(head, &label, x, width * 0.55, false);
            let end = self.y;
            self.y = top;
            self.put(cell, &value, x + width * 0.55, width * 0.45, true);
            self.y = self.y.max(end) + 2.0;
            let (weight, shade) = if field.is_strong { (1.2, 0.1) } else { (0.5, 0.8) };
            self.canvas.rule(x, self.y, width, weight, shade);
        }
        self.y += 4.0;
    }

    /// A tree, a paragraph for each line.
    pub(super) fn tree(&mut self, owner: usize, lines: &[TreeLine]) {
        for line in lines {
            let indent = (line.depth as f32 * 10.0).min(TEXT * 0.6);
            let sign = if line.is_attribute { "@" } else { "" };
            let text = line.text.as_deref().unwrap_or_default();
            let text = marked(&format!("{sign}{}  {text}", line.name), &line.marks);
            let ink = match (line.marks.is_empty(), line.is_attribute) {
                (false, _) => Ink::Alert,
                (_, true) => Ink::Soft,
                _ => Ink::Full,
            };
            let text = self.set(text.trim_end(), 8.0, ink, false, TEXT - indent);
            self.put(owner, &text, SIDE + indent, TEXT - indent, false);
        }
    }

    /// A code to scan, with what it is for below it.
    pub(super) fn qr(&mut self, owner: usize, picture: &QrPicture) {
        // A large code is drawn so large that its modules can still be told apart.
        let side = if picture.size > 60 { picture.size as f32 * 2.4 } else { 84.0 };
        self.need(side + leading(8.0) + 8.0);
        self.y += 4.0;
        let (left, top) = (SIDE, self.y);
        let figure = self.canvas.node(owner, StructRole::Figure);
        if let Some(node) = self.canvas.nodes.get_mut(figure) {
            node.alt = Some(picture.caption.clone());
            let bounds = [left, HEIGHT - top - side, left + side, HEIGHT - top];
            node.bounds = Some(bounds);
        }
        let module = side / picture.size.max(1) as f32;
        self.canvas.marked(figure, |content, _| {
            content.set_fill_rgb(0.0, 0.0, 0.0);
            for (row, modules) in picture.dark.chunks(picture.size.max(1)).enumerate() {
                let y = HEIGHT - top - (row + 1) as f32 * module;
                for (column, _) in modules.iter().enumerate().filter(|(_, dark)| **dark) {
                    content.rect(left + column as f32 * module, y, module, module);
                }
            }
            content.fill_nonzero();
        });
        self.y += side;
        let caption = self.set(&picture.caption, 8.0, Ink::Soft, false, TEXT);
        self.put(owner, &caption, SIDE, TEXT, false);
    }
}
