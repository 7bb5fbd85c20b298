//! BG-20 to BG-23: allowances and charges, VAT, totals. Nothing is calculated.

use quoin_model::en16931::{
    AllowanceCharge, Derivation, Invoice, TaxCategory, ValueType, VatBreakdown,
};

use crate::codes::SpelledList;
use crate::draft::PageDraft;
use crate::page::{
    PageCell, PageColumn, PageField, PagePart, PageRow, PageSection, PageTable, PageText,
};
use crate::words::PageWord;

/// Allowances and charges, and the totals with the breakdown of VAT.
pub(super) fn sections<'d>(
    draft: &mut PageDraft<'d>,
    invoice: &Invoice<'d>,
    is_vat: bool,
) -> Vec<PageSection> {
    let mut adjustments = PageSection::new(draft.word(PageWord::Allowances));
    let mut fields = Vec::new();
    for one in &invoice.allowance_charges {
        allowance_field(draft, &mut fields, one);
    }
    for one in &invoice.extensions.logistics_charges {
        allowance_field(draft, &mut fields, &one.as_charge());
    }
    if !fields.is_empty() {
        adjustments.parts.push(PagePart::Fields(fields));
    }
    let mut totals = PageSection::new(draft.word(PageWord::Totals));
    totals.parts.extend(breakdown(draft, invoice, is_vat));
    let sums = sums(draft, invoice);
    if !sums.is_empty() {
        totals.parts.push(PagePart::Sums(sums));
    }
    vec![adjustments, totals]
}

/// The rate in percent.
pub(super) fn rate<'d>(draft: &mut PageDraft<'d>, category: &TaxCategory<'d>) -> Vec<String> {
    let rates = category.rate.iter().filter_map(|rate| draft.number(*rate));
    rates.map(|rate| format!("{rate}\u{a0}%")).collect()
}

/// The labels say `VAT`: where a scheme says no more, it is on the page.
pub(super) fn note_vat<'d>(draft: &mut PageDraft<'d>, category: &TaxCategory<'d>, is_vat: bool) {
    let schemes = category.scheme.iter().filter(|one| is_vat && one.is("VAT"));
    schemes.for_each(|scheme| draft.note_source(scheme.source()));
}

/// An allowance or a charge as one field: the reason, the amount, and how it came about.
pub(super) fn allowance_field<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    one: &AllowanceCharge<'d>,
) {
    let (word, list) = match one.is_charge() {
        true => (PageWord::Charge, SpelledList::ChargeReason),
        false => (PageWord::Allowance, SpelledList::AllowanceReason),
    };
    let mut said: Vec<String> =
        one.amount.iter().filter_map(|amount| draft.amount(*amount)).collect();
    let mut made = Vec::new();
    for percent in &one.percentage {
        made.extend(draft.number(*percent).map(|text| format!("{text}\u{a0}%")));
    }
    for base in &one.base_amount {
        let text = draft.amount(*base);
        made.extend(text.map(|text| format!("{} {text}", draft.word(PageWord::On))));
    }
    if !made.is_empty() {
        said.push(format!("({})", made.join(" ")));
    }
    said.extend(draft.joined(&one.reason));
    // A code that its syntax has no place for is a word of the reader, and not of the document.
    for code in one.reason_code.iter().filter(|it| it.derivation() != Some(Derivation::Implied)) {
        said.extend(draft.code(list, code.source()));
    }
    for category in &one.tax_category {
        let mut vat = vec![draft.word(PageWord::Vat)];
        vat.extend(rate(draft, category));
        let codes = category.code.iter().filter_map(|code| draft.said(code.source()));
        vat.extend(codes.map(|code| format!("({code})")));
        if vat.len() > 1 {
            said.push(format!("· {}", vat.join(" ")));
        }
        note_vat(draft, category, true);
    }
    // The label says which of the two it is.
    let clear = one.indicator.one().filter(|one| one.value().is_some());
    if let Some(indicator) = clear.filter(|one| !said.is_empty() && one.derivation().is_none()) {
        draft.note_source(indicator.source());
    }
    if !said.is_empty() {
        let marks = draft.marks_in(one.element);
        into.push(PageField { marks, ..PageField::new(draft.word(word), said.join(" ")) });
    }
}

/// BG-23 as a table.
fn breakdown<'d>(
    draft: &mut PageDraft<'d>,
    invoice: &Invoice<'d>,
    is_vat: bool,
) -> Option<PagePart> {
    if invoice.vat_breakdown.is_empty() {
        return None;
    }
    let rows = invoice.vat_breakdown.iter().map(|one| vat_row(draft, one, is_vat)).collect();
    let column = |word: PageWord, share, is_numeric| PageColumn {
        title: word.text(draft.language).to_owned(),
        is_numeric,
        share,
    };
    let columns = vec![
        column(PageWord::VatBreakdown, 46, false),
        column(PageWord::Rate, 12, true),
        column(PageWord::TaxableAmount, 21, true),
        column(PageWord::VatAmount, 21, true),
    ];
    let caption = draft.word(PageWord::VatBreakdown);
    Some(PagePart::Table(PageTable { caption, columns, rows, remark: None }))
}

fn vat_row<'d>(draft: &mut PageDraft<'d>, one: &VatBreakdown<'d>, is_vat: bool) -> PageRow {
    let mut about = PageCell::default();
    let mut rates = PageCell::default();
    for category in &one.category {
        for code in &category.code {
            let word = draft.code(SpelledList::VatCategory, code.source());
            about.texts.extend(word.map(PageText::from));
        }
        rates.texts.extend(rate(draft, category).into_iter().map(PageText::from));
        draft.plain(&mut about.fields, PageWord::Exemption, &category.exemption_reason);
        // A code that was mapped is no code of the document: what it says is in the appendix.
        let codes = category.exemption_reason_code.iter().copied();
        let own = codes.filter(|code| code.derivation().is_none()).collect();
        draft.plain(&mut about.fields, PageWord::Exemption, &own);
        note_vat(draft, category, is_vat);
    }
    let mut amounts = |field: &quoin_model::en16931::Field<quoin_model::en16931::Amount<'d>>| {
        let all = field.iter().filter_map(|amount| draft.amount(*amount));
        PageCell { texts: all.map(PageText::from).collect(), fields: Vec::new() }
    };
    let (base, tax) = (amounts(&one.taxable_amount), amounts(&one.tax_amount));
    let marks = draft.marks_in(one.element);
    PageRow { cells: vec![about, rates, base, tax], marks, finding: None }
}

/// BG-22 with BT-110 and BT-111, in the order in which they follow from each other.
fn sums<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> Vec<PageField> {
    let mut all = Vec::new();
    let into = &mut all;
    for totals in &invoice.totals {
        draft.amounts(into, PageWord::LineTotal, &totals.line_net);
        draft.amounts(into, PageWord::AllowanceTotal, &totals.allowances);
        draft.amounts(into, PageWord::ChargeTotal, &totals.charges);
        draft.amounts(into, PageWord::TotalWithoutVat, &totals.without_vat);
    }
    for total in &invoice.tax_totals {
        draft.amounts(into, PageWord::VatTotal, &total.amount);
    }
    for totals in &invoice.totals {
        draft.amounts(into, PageWord::TotalWithVat, &totals.with_vat);
        draft.amounts(into, PageWord::Paid, &totals.paid);
        draft.amounts(into, PageWord::Rounding, &totals.rounding);
        let before = into.len();
        draft.amounts(into, PageWord::AmountDue, &totals.due);
        into.iter_mut().skip(before).for_each(|due| due.is_strong = true);
    }
    all
}
