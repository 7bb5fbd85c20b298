//! The page of an invoice or a credit note, by the model of EN 16931, whatever its syntax.

mod delivery;
mod lines;
mod money;
mod parties;
mod payment;
mod references;

use quoin_formats::Syntax;
use quoin_formats::readers::Reading;
use quoin_model::en16931::Invoice;

use crate::codes::SpelledList;
use crate::draft::PageDraft;
use crate::page::{PageField, PagePart, PageSection, PageText};
use crate::words::PageWord;

/// What stands at the head of a page.
pub(crate) struct DocumentHead {
    pub title: String,
    pub number: String,
    pub issued: Option<jiff::civil::Date>,
}

/// Title, number and day of an invoice.
pub(crate) fn head(
    draft: &mut PageDraft<'_>,
    invoice: &Invoice<'_>,
    self_billed: bool,
) -> DocumentHead {
    let number = invoice.number.iter().map(|number| number.trimmed().into_owned());
    let number = number.collect::<Vec<_>>().join(", ");
    DocumentHead {
        title: draft.word(title(invoice, self_billed)),
        number: crate::harmless::harmless(&number, draft.language),
        issued: invoice.issue_date.one().and_then(|date| date.day()),
    }
}

/// What the document is called, by its type code (UNTDID 1001) and document element.
fn title(invoice: &Invoice<'_>, self_billed: bool) -> PageWord {
    let code = invoice.type_code.text().unwrap_or_default();
    let is_credit = invoice.root == quoin_model::en16931::Root::CreditNote;
    let is_credit = is_credit || invoice.is_credit_note();
    match (&*code, is_credit) {
        ("389" | "527", _) => PageWord::SelfBilledInvoice,
        ("261", _) => PageWord::SelfBilledCreditNote,
        (_, true) if self_billed => PageWord::SelfBilledCreditNote,
        (_, true) => PageWord::CreditNote,
        ("384", _) => PageWord::CorrectedInvoice,
        _ if self_billed => PageWord::SelfBilledInvoice,
        _ => PageWord::Invoice,
    }
}

/// The sections of an invoice, in the order in which an accountant reads.
pub(crate) fn sections<'d>(draft: &mut PageDraft<'d>, reading: &Reading<'d>) -> Vec<PageSection> {
    let invoice = &reading.invoice;
    draft.currency = currency(invoice);
    // The title of the page says the number.
    for number in &invoice.number {
        draft.said(**number);
    }
    let is_vat = says_vat(reading.syntax);
    let mut first = PageSection::default();
    first.parts.push(PagePart::Cards(parties::main(draft, invoice)));
    first.parts.push(PagePart::Fields(facts(draft, invoice)));
    let mut sections = vec![first];
    sections.push(lines::section(draft, invoice, is_vat));
    sections.extend(money::sections(draft, invoice, is_vat));
    sections.push(payment::section(draft, invoice));
    sections.push(notes(draft, invoice));
    sections.push(delivery::section(draft, invoice));
    sections.push(parties::others(draft, invoice));
    sections.push(references::section(draft, invoice));
    sections.push(references::attachments(draft, invoice));
    sections
}

/// The currency of amounts that say none: BT-5.
fn currency(invoice: &Invoice<'_>) -> String {
    let code = invoice.currency.text().unwrap_or_default();
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_code { code.into_owned() } else { String::new() }
}

/// BT-2 to BT-10, BT-19 and the orders: what is looked for first.
fn facts<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> Vec<PageField> {
    let mut all = Vec::new();
    let into = &mut all;
    draft.dates(into, PageWord::IssueDate, &invoice.issue_date);
    draft.dates(into, PageWord::DueDate, &invoice.due_date);
    draft.codes(into, PageWord::DocumentType, SpelledList::DocumentType, &invoice.type_code);
    draft.plain(into, PageWord::BuyerReference, &invoice.buyer_reference);
    for order in &invoice.references.purchase_order {
        references::reference(draft, into, PageWord::PurchaseOrder, order);
    }
    draft.periods(into, PageWord::Period, &invoice.period);
    draft.codes(into, PageWord::Currency, SpelledList::Currency, &invoice.currency);
    draft.codes(into, PageWord::TaxCurrency, SpelledList::Currency, &invoice.tax_currency);
    distinct(into, PageWord::TaxPointDate, draft, |draft, into| {
        draft.dates(into, PageWord::TaxPointDate, &invoice.tax_point_date);
    });
    let (word, list) = (PageWord::TaxPointCode, SpelledList::TaxPoint);
    distinct(into, word, draft, |draft, into| {
        draft.codes(into, word, list, &invoice.tax_point_date_code);
    });
    draft.plain(into, PageWord::AccountingReference, &invoice.accounting_reference);
    all
}

/// Adds a field of which each value is shown once: CII repeats some with every breakdown of VAT.
fn distinct<'d>(
    into: &mut Vec<PageField>,
    word: PageWord,
    draft: &mut PageDraft<'d>,
    add: impl Fn(&mut PageDraft<'d>, &mut Vec<PageField>),
) {
    let mut fields = Vec::new();
    add(draft, &mut fields);
    for field in &mut fields {
        debug_assert_eq!(field.label, word.text(draft.language));
        let mut seen = std::collections::HashSet::new();
        field.values.retain(|value| seen.insert(value.text.clone()));
    }
    into.extend(fields);
}

/// BG-1: notes, each with what it is about.
fn notes<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::Notes));
    let mut texts = Vec::new();
    for note in &invoice.notes {
        let mut subject = None;
        for code in &note.subject_code {
            subject = draft.code(SpelledList::NoteSubject, **code);
        }
        for text in &note.text {
            let Some(said) = draft.said(**text) else { continue };
            texts.push(PageText::from(match &subject {
                Some(subject) => format!("{subject}: {said}"),
                None => said,
            }));
        }
    }
    if !texts.is_empty() {
        section.parts.push(PagePart::Paragraphs(texts));
    }
    section
}

/// Whether its amounts are those of a syntax that says `VAT` on every line.
fn says_vat(syntax: Syntax) -> bool {
    syntax.is_ubl_invoice() || syntax == Syntax::Cii
}
