//! What a page says, before it is drawn: sections of fields, cards, tables and trees.
//!
//! HTML and PDF draw the same tree, so that they say the same. Every text in it is as a reader is
//! to see it: numbers and dates in the language of the page, control characters made harmless.

use quoin_model::Language;

/// A page of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTree {
    /// The language of its words.
    pub language: Language,
    /// The kind of document in words: `Invoice`.
    pub title: String,
    /// Its number; empty where it has none.
    pub number: String,
    /// The day of issue as the document says it; `None` where it has none, or several.
    pub issued: Option<jiff::civil::Date>,
    /// What follows, in order.
    pub sections: Vec<PageSection>,
}

/// A part of a page under a heading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageSection {
    /// The heading; empty where the first section needs none.
    pub heading: String,
    /// What it holds.
    pub parts: Vec<PagePart>,
}

/// What a section holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PagePart {
    /// Labels with their values, in as many columns as there is place for.
    Fields(Vec<PageField>),
    /// Boxes side by side: parties.
    Cards(Vec<PageCard>),
    /// A table with a head.
    Table(PageTable),
    /// Amounts under each other, at the right edge.
    Sums(Vec<PageField>),
    /// Running text, one paragraph each.
    Paragraphs(Vec<PageText>),
    /// A tree of elements as it is.
    Tree(Vec<TreeLine>),
    /// A QR code.
    Qr(QrPicture),
}

/// A label with what the document says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageField {
    /// The label.
    pub label: String,
    /// Whether the label is a name of the document's syntax and no word of the page.
    pub is_name: bool,
    /// What the document says, an entry each time that it says it.
    pub values: Vec<PageText>,
    /// Numbers of the findings about it, from 1.
    pub marks: Vec<usize>,
    /// Whether it is what the page is about: the amount due.
    pub is_strong: bool,
}

/// A text, and how it is set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageText {
    /// The text. Line ends stay.
    pub text: String,
    /// How it is set.
    pub style: TextStyle,
}

/// How a text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextStyle {
    /// As the text around it.
    #[default]
    Plain,
    /// Bold.
    Strong,
    /// Smaller and lighter.
    Small,
}

/// A box with a heading: a party.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageCard {
    /// The heading: the role.
    pub heading: String,
    /// Name and address, a line each.
    pub lines: Vec<PageText>,
    /// What else is known.
    pub fields: Vec<PageField>,
    /// Numbers of the findings about it.
    pub marks: Vec<usize>,
}

/// A table with a head, which is repeated on each page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageTable {
    /// What it is, for those who do not see it.
    pub caption: String,
    /// The columns.
    pub columns: Vec<PageColumn>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<PageRow>,
    /// What the table does not show, in a sentence.
    pub remark: Option<String>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageColumn {
    /// Its head.
    pub title: String,
    /// Numbers stand at its right edge.
    pub is_numeric: bool,
    /// Its share of the width.
    pub share: u8,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageRow {
    /// Its cells.
    pub cells: Vec<PageCell>,
    /// Numbers of the findings about it.
    pub marks: Vec<usize>,
    /// Which finding it is, if it is a row of their list.
    pub finding: Option<usize>,
}

/// A cell: texts under each other, and fields below them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageCell {
    /// The texts.
    pub texts: Vec<PageText>,
    /// What belongs to it.
    pub fields: Vec<PageField>,
}

/// A line of a tree: an element or an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TreeLine {
    /// How deep it stands, from 0.
    pub depth: usize,
    /// The name as the document has it.
    pub name: String,
    /// Whether it is an attribute.
    pub is_attribute: bool,
    /// Its text, or its attribute's value.
    pub text: Option<String>,
    /// Numbers of the findings about it.
    pub marks: Vec<usize>,
}

/// A QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrPicture {
    /// What it is for.
    pub caption: String,
    /// Modules on a side.
    pub size: usize,
    /// Which modules are dark, row by row.
    pub dark: Vec<bool>,
}

impl PageTable {
    /// Leaves out columns of numbers of which no row says anything: a delivery has no prices.
    pub(crate) fn leave_out_empty_columns(&mut self) {
        let rows = &self.rows;
        let is_said = |place: usize| {
            let mut cells = rows.iter().filter_map(|row| row.cells.get(place));
            cells.any(|cell| !cell.texts.is_empty() || !cell.fields.is_empty())
        };
        let columns = self.columns.iter().enumerate();
        let kept: Vec<bool> =
            columns.map(|(place, column)| !column.is_numeric || is_said(place)).collect();
        if self.rows.is_empty() || kept.iter().all(|kept| *kept) {
            return;
        }
        let is_kept = |place: usize| kept.get(place).copied().unwrap_or(true);
        let mut place = 0..;
        self.columns.retain(|_| place.next().is_none_or(is_kept));
        for row in &mut self.rows {
            let mut place = 0..;
            row.cells.retain(|_| place.next().is_none_or(is_kept));
        }
    }
}

impl From<String> for PageText {
    fn from(text: String) -> Self {
        PageText { text, style: TextStyle::Plain }
    }
}

impl PageText {
    /// A text in a style.
    pub fn styled(text: impl Into<String>, style: TextStyle) -> Self {
        PageText { text: text.into(), style }
    }
}

impl PageField {
    /// A label with one value.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        let values = vec![PageText::from(value.into())];
        PageField { label: label.into(), values, ..PageField::default() }
    }
}

impl PageSection {
    /// A section with nothing in it yet.
    pub fn new(heading: impl Into<String>) -> Self {
        PageSection { heading: heading.into(), parts: Vec::new() }
    }
}
