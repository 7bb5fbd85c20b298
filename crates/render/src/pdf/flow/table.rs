//! Tables on the sheets: a row is not torn apart where a sheet has place for it, and the head is
//! repeated on each sheet.

use pdf_writer::types::StructRole;

use super::blocks::marked;
use super::{BOTTOM, PageFlow, SIDE, TEXT, TOP, TypesetText, leading};
use crate::page::{PageCell, PageRow, PageTable};
use crate::pdf::canvas::{Ink, TableHead, draw_line};
use crate::pdf::lines::{TextSetting, widest_piece, width};

/// Free at both sides of a cell.
const PAD: f32 = 4.0;
/// The size of the text in tables.
const SIZE: f32 = 8.5;
/// Rows that are looked at for the width of a column of numbers.
const LOOKED_AT: usize = 300;

/// A title of a column of numbers that is wider goes on in another line.
const LONG_TITLE: f32 = 72.0;
/// A row of at most this height is not torn; a higher one begins where this much is left of it.
const WHOLE_ROW: f32 = 160.0;
/// What is left of a sheet where a high row may begin.
const TORN_ROW: f32 = 90.0;

/// A column: where it begins, how wide it is, and on which side its text stands.
#[derive(Debug, Clone, Copy)]
struct ColumnPlace {
    x: f32,
    width: f32,
    at_right: bool,
}

/// How high a row is.
fn row_height(cells: &[Vec<TypesetText>]) -> f32 {
    let heights = cells.iter().map(|cell| cell.iter().map(TypesetText::height).sum::<f32>());
    heights.fold(0.0, f32::max) + 5.0
}

impl PageFlow {
    /// A table with its head, its rows and its remark.
    pub(super) fn table(&mut self, owner: usize, table: &PageTable) {
        let columns = self.columns(table);
        let (heads, height) = self.heads(table, &columns);
        let first = self.first_row(table, &columns);
        self.need(height + first);
        let node = self.canvas.node(owner, StructRole::Table);
        let row = self.canvas.node(node, StructRole::TR);
        let top = self.y;
        for (text, place) in heads.iter().zip(&columns) {
            let cell = self.canvas.node(row, StructRole::TH);
            if let Some(node) = self.canvas.nodes.get_mut(cell) {
                node.head = Some(TableHead::Column);
            }
            self.y = top;
            self.put(cell, text, place.x + PAD, place.width - 2.0 * PAD, place.at_right);
        }
        self.y = top + height;
        self.canvas.rule(SIDE, self.y - 1.0, TEXT, 1.0, 0.1);
        for row in &table.rows {
            self.row(node, row, &columns, (&heads, height));
        }
        if let Some(remark) = &table.remark {
            let text = self.set(remark, 8.5, Ink::Full, false, TEXT);
            self.put(owner, &text, SIDE, TEXT, false);
        }
        self.y += 4.0;
    }

    /// How much room the head and the beginning of the first row take.
    pub(super) fn table_opening(&mut self, table: &PageTable) -> f32 {
        let columns = self.columns(table);
        let (_, height) = self.heads(table, &columns);
        height + self.first_row(table, &columns)
    }

    /// The heads of the columns, and how high the highest is.
    fn heads(&mut self, table: &PageTable, columns: &[ColumnPlace]) -> (Vec<TypesetText>, f32) {
        let both = table.columns.iter().zip(columns);
        let heads: Vec<TypesetText> = both
            .map(|(column, place)| {
                self.set(&column.title, 7.5, Ink::Soft, true, place.width - 2.0 * PAD)
            })
            .collect();
        let height = heads.iter().map(TypesetText::height).fold(0.0, f32::max) + 4.0;
        (heads, height)
    }

    /// What the first row needs below the head: all of it, or the beginning of a high one.
    fn first_row(&mut self, table: &PageTable, columns: &[ColumnPlace]) -> f32 {
        let Some(row) = table.rows.first() else { return 30.0 };
        match row_height(&self.cells(row, columns)) {
            height if height <= WHOLE_ROW => height,
            _ => TORN_ROW,
        }
    }

    /// The texts of a row, cell by cell.
    fn cells(&mut self, row: &PageRow, columns: &[ColumnPlace]) -> Vec<Vec<TypesetText>> {
        let mut cells = Vec::with_capacity(columns.len());
        for (place, (cell, column)) in row.cells.iter().zip(columns).enumerate() {
            let marks = if place == 0 { row.marks.as_slice() } else { &[] };
            cells.push(self.cell(cell, marks, column.width - 2.0 * PAD));
        }
        cells
    }

    /// Columns of numbers are as wide as their widest number; the others share what is left.
    fn columns(&mut self, table: &PageTable) -> Vec<ColumnPlace> {
        let mut widths: Vec<Option<f32>> = Vec::new();
        for (place, column) in table.columns.iter().enumerate() {
            let head = TextSetting { size: 7.5, is_bold: true };
            // A long title is broken between its words; a word of it is not.
            let word = widest_piece(&mut self.canvas.fonts, &column.title, 8.0);
            let title = width(&mut self.canvas.fonts, &column.title, head);
            let mut widest = title.min(LONG_TITLE.max(word));
            if !column.is_numeric && column.title != "#" {
                widths.push(None);
                continue;
            }
            let setting = TextSetting { size: SIZE, is_bold: false };
            for row in table.rows.iter().take(LOOKED_AT) {
                let texts = row.cells.get(place).map(|cell| cell.texts.as_slice());
                for text in texts.unwrap_or_default() {
                    widest = widest.max(width(&mut self.canvas.fonts, &text.text, setting));
                }
            }
            widths.push(Some((widest + 2.0 * PAD + 1.0).clamp(24.0, 130.0)));
        }
        let taken: f32 = widths.iter().flatten().sum();
        let open: f32 = table
            .columns
            .iter()
            .zip(&widths)
            .filter(|(_, own)| own.is_none())
            .map(|(column, _)| f32::from(column.share.max(1)))
            .sum();
        // Where numbers leave too little for words, all columns have their shares.
        let is_tight = open > 0.0 && TEXT - taken < TEXT * 0.22;
        let all: f32 = table.columns.iter().map(|column| f32::from(column.share.max(1))).sum();
        let mut x = SIDE;
        let places = table.columns.iter().zip(&widths).map(|(column, own)| {
            let share = f32::from(column.share.max(1));
            let width = match own {
                _ if is_tight || (open == 0.0) => TEXT * share / all.max(1.0),
                Some(own) => *own,
                None => (TEXT - taken) * share / open,
            };
            let place = ColumnPlace { x, width, at_right: column.is_numeric };
            x += width;
            place
        });
        places.collect()
    }

    fn cell(&mut self, cell: &PageCell, marks: &[usize], width: f32) -> Vec<TypesetText> {
        let mut texts = Vec::new();
        for text in &cell.texts {
            texts.push(self.styled(&text.text, text.style, SIZE, width));
        }
        for field in &cell.fields {
            texts.push(self.field(field, 7.5, width));
        }
        if !marks.is_empty() {
            texts.push(self.set(marked("", marks).trim(), 7.5, Ink::Alert, true, width));
        }
        texts
    }

    fn row(
        &mut self,
        table: usize,
        row: &PageRow,
        columns: &[ColumnPlace],
        heads: (&[TypesetText], f32),
    ) {
        let cells = self.cells(row, columns);
        let height = row_height(&cells);
        let fits = self.y + height <= BOTTOM;
        if !fits && (height <= WHOLE_ROW || self.y > BOTTOM - TORN_ROW) {
            self.next_sheet(columns, heads);
        }
        let node = self.canvas.node(table, StructRole::TR);
        let owners: Vec<usize> =
            cells.iter().map(|_| self.canvas.node(node, StructRole::TD)).collect();
        let mut left: Vec<std::collections::VecDeque<(usize, TypesetText)>> = cells
            .into_iter()
            .zip(&owners)
            .map(|(cell, owner)| {
                // One text is the content of its cell; several are a paragraph each.
                let is_one = cell.len() == 1;
                let own = cell.into_iter().map(|text| match is_one {
                    true => (*owner, text),
                    false => (self.canvas.node(*owner, StructRole::P), text),
                });
                own.collect()
            })
            .collect();
        loop {
            let top = self.y + 2.0;
            let mut end = top;
            for (texts, column) in left.iter_mut().zip(columns) {
                self.y = top;
                self.fill(texts, *column);
                end = end.max(self.y);
            }
            self.y = end;
            if left.iter().all(std::collections::VecDeque::is_empty) {
                break;
            }
            self.next_sheet(columns, heads);
        }
        self.y += 3.0;
        self.canvas.rule(SIDE, self.y - 0.5, TEXT, 0.5, 0.8);
    }

    /// Draws of a cell what this sheet has place for.
    fn fill(
        &mut self,
        texts: &mut std::collections::VecDeque<(usize, TypesetText)>,
        column: ColumnPlace,
    ) {
        while let Some((node, mut text)) = texts.pop_front() {
            let place = ((BOTTOM - self.y) / leading(text.size)).floor().max(0.0) as usize;
            let rest = match text.lines.len() > place {
                true => text.lines.split_off(place),
                false => Vec::new(),
            };
            let width = column.width - 2.0 * PAD;
            for line in &text.lines {
                self.y += leading(text.size);
                let at = (column.x + PAD, self.y);
                self.put_line(node, line, &text, at, (width, column.at_right));
            }
            if !rest.is_empty() {
                text.lines = rest;
                texts.push_front((node, text));
                return;
            }
        }
    }

    /// Another sheet with the head again, which is no content there.
    fn next_sheet(&mut self, columns: &[ColumnPlace], heads: (&[TypesetText], f32)) {
        let (heads, height) = heads;
        self.canvas.sheet();
        self.y = TOP;
        for (text, column) in heads.iter().zip(columns) {
            let mut y = self.y;
            for line in &text.lines {
                y += leading(text.size);
                let room = column.width - 2.0 * PAD;
                let shift = if column.at_right { (room - line.width).max(0.0) } else { 0.0 };
                let place = (column.x + PAD + shift, y - text.size * 0.3);
                self.canvas.artifact(|content, fonts| {
                    draw_line(content, fonts, line, text.size, text.ink, place);
                });
            }
        }
        self.y += height;
        self.canvas.rule(SIDE, self.y - 1.0, TEXT, 1.0, 0.1);
    }
}
