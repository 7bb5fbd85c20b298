//! Elements that repeat as the lines of a document, as a table.

use quoin_xml::tree::Element;

use super::{leaves, values};
use crate::draft::PageDraft;
use crate::names;
use crate::page::{
    PageCell, PageColumn, PagePart, PageRow, PageSection, PageTable, PageText, TextStyle,
};
use crate::words::PageWord;

/// Lines that a page shows; a sentence says how many there are beyond.
const MAX_LINES: usize = 10_000;

/// Fields of one line at most; the rest is in the appendix.
const MAX_FIELDS: usize = 200;

/// Whether an element is a line of a document.
pub(super) fn is_line(name: &str) -> bool {
    let is_line = name.ends_with("Line") && name != "Line";
    is_line || matches!(name, "Line" | "LineItem" | "LineResponse" | "Subtotal" | "Subset")
}

/// Where the quantity of a line stands, best first.
const QUANTITIES: [&str; 7] = [
    "DeliveredQuantity",
    "ReceivedQuantity",
    "Quantity",
    "RequestedQuantity",
    "OrderedQuantity",
    "ContentUnitQuantity",
    "MinimumOrderQuantity",
];

/// The table of the lines of one name.
pub(super) fn section<'d>(
    draft: &mut PageDraft<'d>,
    name: &str,
    lines: &[Element<'d>],
) -> PageSection {
    let has_item = lines.iter().any(|line| find(*line, "Item").is_some());
    let heading = match has_item {
        true => super::word_of_lines(draft),
        false => names::label(name, draft.language).0,
    };
    let shown = lines.iter().take(MAX_LINES).copied();
    let (columns, rows) = match has_item {
        true => (item_columns(draft), shown.map(|line| item_row(draft, line)).collect()),
        false => flat(draft, &lines.iter().take(MAX_LINES).copied().collect::<Vec<_>>()),
    };
    let left = lines.len().saturating_sub(MAX_LINES);
    let remark = (left > 0).then(|| format!("{left} {}", draft.word(PageWord::Omitted)));
    let table = PageTable { caption: heading.clone(), columns, rows, remark };
    PageSection { heading, parts: vec![PagePart::Table(table)] }
}

fn find<'d>(line: Element<'d>, name: &str) -> Option<Element<'d>> {
    line.descendants().find(|one| one.local() == name)
}

fn item_columns(draft: &PageDraft<'_>) -> Vec<PageColumn> {
    let column = |word: PageWord, share, is_numeric| PageColumn {
        title: word.text(draft.language).to_owned(),
        is_numeric,
        share,
    };
    vec![
        PageColumn { title: "#".to_owned(), is_numeric: false, share: 6 },
        column(PageWord::Item, 49, false),
        column(PageWord::Quantity, 14, true),
        column(PageWord::UnitPrice, 15, true),
        column(PageWord::NetAmount, 16, true),
    ]
}

/// A line about an item: the numbers in their columns, everything else below the item.
fn item_row<'d>(draft: &mut PageDraft<'d>, line: Element<'d>) -> PageRow {
    let inner = line.elements().find(|one| one.local() == "LineItem").unwrap_or(line);
    let mut cell = |found: Option<Element<'d>>| {
        let text = found.and_then(|one| values::value(draft, one));
        PageCell { texts: text.map(PageText::from).into_iter().collect(), fields: Vec::new() }
    };
    let own = |names: &[&str]| {
        names.iter().find_map(|name| inner.elements().find(|one| one.local() == *name))
    };
    let id = cell(own(&["ID", "LineID"]).or_else(|| find(inner, "LineID")));
    let quantity = cell(own(&QUANTITIES));
    let price = cell(find(inner, "PriceAmount"));
    let amount = cell(own(&["LineExtensionAmount", "TotalAmount"]));
    let mut about = PageCell::default();
    if let Some(item) = find(inner, "Item") {
        for (name, style) in [("Name", TextStyle::Strong), ("Description", TextStyle::Small)] {
            for found in item.elements().filter(|one| one.local() == name) {
                let text = values::value(draft, found);
                about.texts.extend(text.map(|text| PageText { text, style }));
            }
        }
    }
    let mut left = MAX_FIELDS;
    leaves(draft, &mut about.fields, line, &mut left);
    PageRow {
        cells: vec![id, about, quantity, price, amount],
        marks: draft.marks_in(line),
        finding: None,
    }
}

/// Columns that a table without items has at most; with more, each line is one cell of fields.
const MAX_COLUMNS: usize = 7;

/// Lines that have no item: a column for each name of a leaf, where there are few.
fn flat<'d>(draft: &mut PageDraft<'d>, lines: &[Element<'d>]) -> (Vec<PageColumn>, Vec<PageRow>) {
    let mut names: Vec<String> = Vec::new();
    let mut is_flat = true;
    for line in lines {
        let mut own: Vec<String> = Vec::new();
        for leaf in line.descendants().filter(|one| one.elements().next().is_none()) {
            let name = column_name(leaf);
            is_flat &= !own.contains(&name) && names.len() <= MAX_COLUMNS;
            if is_flat && !names.contains(&name) {
                names.push(name.clone());
            }
            if is_flat {
                own.push(name);
            }
        }
    }
    if !is_flat || names.len() > MAX_COLUMNS {
        let title = draft.word(PageWord::Contents);
        let columns = vec![PageColumn { title, is_numeric: false, share: 100 }];
        let rows = lines.iter().map(|line| {
            let mut cell = PageCell::default();
            let mut left = MAX_FIELDS;
            leaves(draft, &mut cell.fields, *line, &mut left);
            PageRow { cells: vec![cell], marks: draft.marks_in(*line), finding: None }
        });
        return (columns, rows.collect());
    }
    let rows: Vec<PageRow> = lines.iter().map(|line| flat_row(draft, *line, &names)).collect();
    let columns = names.iter().enumerate().map(|(place, name)| {
        let (label, _) = names::label(name.split(' ').next().unwrap_or_default(), draft.language);
        let title = match name.split_once(' ') {
            Some((_, scheme)) => format!("{label} {scheme}"),
            None => label,
        };
        let (is_numeric, share) = manner(&rows, place);
        PageColumn { title, is_numeric, share }
    });
    (columns.collect(), rows)
}

/// Whether a column has counts and nothing else, and its share of the width by its longest text.
fn manner(rows: &[PageRow], place: usize) -> (bool, u8) {
    let cells = rows.iter().filter_map(|row| row.cells.get(place));
    let texts = || cells.clone().flat_map(|cell| &cell.texts).map(|text| text.text.as_str());
    let is_count = |text: &str| {
        let is_part = |one: char| one.is_ascii_digit() || ".,-\u{a0}\u{202f}".contains(one);
        text.len() <= 16 && text.chars().all(is_part)
    };
    let longest = texts().map(|text| text.chars().count()).max().unwrap_or(0);
    (texts().all(is_count), u8::try_from(longest.clamp(10, 70)).unwrap_or(70))
}

/// The name of a leaf; with its scheme, which tells keys of reports apart.
fn column_name(leaf: Element<'_>) -> String {
    match leaf.attribute("metaSchemeID") {
        Some(scheme) => format!("{} {scheme}", leaf.local()),
        None => leaf.local().to_owned(),
    }
}

fn flat_row<'d>(draft: &mut PageDraft<'d>, line: Element<'d>, names: &[String]) -> PageRow {
    let mut cells = vec![PageCell::default(); names.len()];
    for leaf in line.descendants().filter(|one| one.elements().next().is_none()) {
        let place = names.iter().position(|name| *name == column_name(leaf));
        if let Some(cell) = place.and_then(|place| cells.get_mut(place)) {
            draft.note_attribute(leaf, "metaSchemeID");
            cell.texts.extend(values::value(draft, leaf).map(PageText::from));
        }
    }
    PageRow { cells, marks: draft.marks_in(line), finding: None }
}
