//! BG-25 to BG-32: the table of lines.

use quoin_model::en16931::{Invoice, ItemInformation, Line, Price, ValueType};

use super::{money, references};
use crate::codes::SpelledList;
use crate::draft::PageDraft;
use crate::page::{
    PageCell, PageColumn, PageField, PagePart, PageRow, PageSection, PageTable, PageText, TextStyle,
};
use crate::words::PageWord;

/// Lines that a page shows; a sentence says how many there are beyond.
const MAX_LINES: usize = 10_000;

/// The table of lines; nothing where there is no line.
pub(super) fn section<'d>(
    draft: &mut PageDraft<'d>,
    invoice: &Invoice<'d>,
    is_vat: bool,
) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::Lines));
    if invoice.lines.is_empty() {
        return section;
    }
    let column = |word: PageWord, share, is_numeric| PageColumn {
        title: word.text(draft.language).to_owned(),
        is_numeric,
        share,
    };
    let columns = vec![
        PageColumn { title: "#".to_owned(), is_numeric: false, share: 6 },
        column(PageWord::Item, 41, false),
        column(PageWord::Quantity, 13, true),
        column(PageWord::UnitPrice, 16, true),
        column(PageWord::Vat, 8, true),
        column(PageWord::NetAmount, 16, true),
    ];
    let mut rows = Vec::new();
    for line in &invoice.lines {
        add(draft, &mut rows, line, is_vat);
    }
    let left = invoice.lines.len().saturating_sub(MAX_LINES);
    let remark = (left > 0).then(|| format!("{left} {}", draft.word(PageWord::Omitted)));
    let caption = draft.word(PageWord::Lines);
    section.parts.push(PagePart::Table(PageTable { caption, columns, rows, remark }));
    section
}

/// A line and, below it, its sub-lines, which nest as deep as the parser allows.
fn add<'d>(draft: &mut PageDraft<'d>, rows: &mut Vec<PageRow>, line: &Line<'d>, is_vat: bool) {
    if rows.len() >= MAX_LINES {
        return;
    }
    let row = row(draft, line, is_vat);
    rows.push(row);
    for sub in line.sub_lines() {
        add(draft, rows, sub, is_vat);
    }
}

fn row<'d>(draft: &mut PageDraft<'d>, line: &Line<'d>, is_vat: bool) -> PageRow {
    let mut cells = Vec::with_capacity(6);
    let texts = draft.texts(&line.id, TextStyle::Plain);
    cells.push(PageCell { texts, fields: Vec::new() });
    cells.push(item_cell(draft, line));
    let quantities = line.quantity.iter().filter_map(|one| draft.quantity(*one));
    let texts = quantities.map(PageText::from).collect();
    cells.push(PageCell { texts, fields: Vec::new() });
    let mut price_cell = PageCell::default();
    for one in &line.price {
        price(draft, &mut price_cell, one);
    }
    cells.push(price_cell);
    cells.push(vat_cell(draft, line, is_vat));
    let amounts = line.net_amount.iter().filter_map(|one| draft.amount(*one));
    let texts = amounts.map(PageText::from).collect();
    cells.push(PageCell { texts, fields: Vec::new() });
    let own = line.sub_lines().is_empty();
    let marks = if own { draft.marks_in(line.element) } else { draft.marks_at(line.element) };
    PageRow { cells, marks, finding: None }
}

/// What was sold, and everything about it that is no number of the table.
fn item_cell<'d>(draft: &mut PageDraft<'d>, line: &Line<'d>) -> PageCell {
    let mut cell = PageCell::default();
    for one in &line.item {
        cell.texts.extend(draft.texts(&one.name, TextStyle::Strong));
        cell.texts.extend(draft.texts(&one.description, TextStyle::Small));
        item(draft, &mut cell.fields, one);
    }
    let into = &mut cell.fields;
    draft.plain(into, PageWord::Note, &line.note);
    draft.periods(into, PageWord::Period, &line.period);
    for order in &line.order_lines {
        draft.plain(into, PageWord::OrderLine, &order.line_id);
        for one in &order.order {
            references::reference(draft, into, PageWord::PurchaseOrder, one);
        }
    }
    draft.plain(into, PageWord::AccountingReference, &line.accounting_reference);
    for one in line.invoiced_objects() {
        references::reference(draft, into, PageWord::InvoicedObject, one);
    }
    for one in &line.allowance_charges {
        money::allowance_field(draft, into, one);
    }
    cell
}

/// BG-31, BG-32.
fn item<'d>(draft: &mut PageDraft<'d>, into: &mut Vec<PageField>, item: &ItemInformation<'d>) {
    draft.plain(into, PageWord::SellersItem, &item.seller_id);
    draft.plain(into, PageWord::BuyersItem, &item.buyer_id);
    draft.ids(into, PageWord::StandardItem, &item.standard_id);
    for one in &item.classifications {
        for code in &one.code {
            let mut said: Vec<String> = draft.said(code.source()).into_iter().collect();
            // A list that follows from the element is not said by the document.
            let lists = [code.list(), code.list_version()].into_iter().flatten();
            let said_itself = lists.filter(|one| one.derivation().is_none());
            let list: Vec<String> = said_itself.filter_map(|one| draft.said(one)).collect();
            if !list.is_empty() {
                said.push(format!("({})", list.join(" ")));
            }
            said.extend(draft.joined(&one.name));
            if !said.is_empty() {
                into.push(PageField::new(draft.word(PageWord::Classification), said.join(" ")));
            }
        }
    }
    draft.codes(into, PageWord::Origin, SpelledList::Country, &item.origin);
    for one in &item.attributes {
        let label = draft.joined(&one.name).unwrap_or_default();
        let mut values = draft.texts(&one.value, TextStyle::Plain);
        let quantities = one.quantity.iter().filter_map(|quantity| draft.quantity(*quantity));
        values.extend(quantities.map(PageText::from));
        if !label.is_empty() || !values.is_empty() {
            into.push(PageField { label, is_name: true, values, ..PageField::default() });
        }
    }
}

/// BG-29: the net price first, how it came about below.
fn price<'d>(draft: &mut PageDraft<'d>, cell: &mut PageCell, price: &Price<'d>) {
    for net in &price.net {
        cell.texts.extend(draft.amount(*net).map(PageText::from));
    }
    let per = draft.word(PageWord::Per);
    let mut seen = Vec::new();
    for base in &price.base_quantity {
        let Some(text) = draft.quantity(*base) else { continue };
        let text = format!("{per} {text}");
        if !seen.contains(&text) {
            cell.texts.push(PageText::styled(text.clone(), TextStyle::Small));
            seen.push(text);
        }
    }
    draft.amounts(&mut cell.fields, PageWord::GrossPrice, &price.gross);
    // Beside the gross price it is of that alone, where the net price is of another quantity.
    for base in &price.gross_base_quantity {
        let text = draft.quantity(*base).map(|text| format!("{per} {text}"));
        let Some(text) = text.filter(|text| !seen.contains(text)) else { continue };
        let text = PageText::styled(text, TextStyle::Small);
        match cell.fields.last_mut().filter(|_| price.gross.is_filled()) {
            Some(field) => field.values.push(text),
            None => cell.texts.push(text),
        }
    }
    let is_charge = price.discount_indicator.value() == Some(true);
    let word = if is_charge { PageWord::Charge } else { PageWord::PriceDiscount };
    draft.amounts(&mut cell.fields, word, &price.discount);
    if price.discount.is_filled() {
        price.discount_indicator.iter().for_each(|one| draft.note_source(one.source()));
    }
}

/// BG-30: the rate, and the letter of the category.
fn vat_cell<'d>(draft: &mut PageDraft<'d>, line: &Line<'d>, is_vat: bool) -> PageCell {
    let mut cell = PageCell::default();
    for one in &line.tax_category {
        let mut said = money::rate(draft, one);
        let codes = one.code.iter().filter_map(|code| draft.said(code.source()));
        said.extend(codes.map(|code| format!("({code})")));
        if !said.is_empty() {
            cell.texts.push(PageText::from(said.join(" ")));
        }
        money::note_vat(draft, one, is_vat);
        cell.texts.extend(draft.texts(&one.exemption_reason, TextStyle::Small));
        let codes = one.exemption_reason_code.iter().copied();
        let own = codes.filter(|code| code.derivation().is_none()).collect();
        cell.texts.extend(draft.texts(&own, TextStyle::Small));
    }
    cell
}
