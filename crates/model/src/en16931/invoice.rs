//! The document level: BT-1 to BT-10, BT-19, notes (BG-1) and process control (BG-2).

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::group::group;
use super::{
    AllowanceCharge, Amount, Code, CurrencyCode, Date, DeliveryInformation, Extensions, Field,
    Identifier, InvoiceTypeCode, Line, NoteSubjectCode, Party, Payment, Period, References,
    TaxPointDateCode, TaxTotal, Text, Totals, VatBreakdown,
};
use crate::codes;

/// Which documents a document element is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Root {
    /// Invoices, as `Invoice` of UBL.
    Invoice,
    /// Credit notes, as `CreditNote` of UBL.
    CreditNote,
    /// Both alike, as in every other syntax.
    #[default]
    Either,
}

/// An invoice or a credit note.
#[derive(Debug, Clone)]
pub struct Invoice<'d> {
    /// What its document element is for.
    pub root: Root,
    /// The document element.
    pub element: Element<'d>,
    /// BT-1: the number.
    pub number: Field<Identifier<'d>>,
    /// BT-2: the day of issue.
    pub issue_date: Field<Date<'d>>,
    /// BT-3: the kind of document.
    pub type_code: Field<InvoiceTypeCode<'d>>,
    /// BT-5: the currency.
    pub currency: Field<CurrencyCode<'d>>,
    /// BT-6: the currency of VAT accounting.
    pub tax_currency: Field<CurrencyCode<'d>>,
    /// BT-7: the VAT point date. In CII every VAT breakdown may have it: all occurrences.
    pub tax_point_date: Field<Date<'d>>,
    /// BT-8: the VAT point date as a code. In CII every VAT breakdown may have it.
    pub tax_point_date_code: Field<TaxPointDateCode<'d>>,
    /// BT-9: the day payment is due (in a UBL credit note `PaymentMeans/PaymentDueDate`).
    pub due_date: Field<Date<'d>>,
    /// BT-10: the buyer's reference.
    pub buyer_reference: Field<Text<'d>>,
    /// BT-11 to BT-18, BG-3, BG-24: references and supporting documents.
    pub references: References<'d>,
    /// BT-19: the buyer's accounting reference.
    pub accounting_reference: Field<Text<'d>>,
    /// BG-1: notes.
    pub notes: Vec<Note<'d>>,
    /// BG-2: process control.
    pub process: ProcessControl<'d>,
    /// BG-4: the seller.
    pub seller: Field<Party<'d>>,
    /// BG-7: the buyer.
    pub buyer: Field<Party<'d>>,
    /// BG-10: the payee.
    pub payee: Field<Party<'d>>,
    /// BG-11: the seller's tax representative.
    pub tax_representative: Field<Party<'d>>,
    /// BG-13: delivery.
    pub delivery: Field<DeliveryInformation<'d>>,
    /// BG-14: the period.
    pub period: Field<Period<'d>>,
    /// BT-20, BT-83, BG-16 to BG-19: payment.
    pub payment: Payment<'d>,
    /// BG-20, BG-21: allowances and charges of the document, in document order.
    pub allowance_charges: Vec<AllowanceCharge<'d>>,
    /// BG-22: totals.
    pub totals: Field<Totals<'d>>,
    /// BT-110, BT-111: totals of tax; see [`Invoice::vat_total`].
    pub tax_totals: Vec<TaxTotal<'d>>,
    /// BG-23: VAT by category and rate, in document order.
    pub vat_breakdown: Vec<VatBreakdown<'d>>,
    /// BG-25: lines.
    pub lines: Vec<Line<'d>>,
    /// What only extensions have.
    pub extensions: Extensions<'d>,
}

/// BG-2: process control.
#[derive(Debug, Clone, Default)]
pub struct ProcessControl<'d> {
    /// BT-23: the business process (`ProfileID`).
    pub profile: Field<Identifier<'d>>,
    /// BT-24: the specification (`CustomizationID`).
    pub customization: Field<Identifier<'d>>,
}

impl<'d> Invoice<'d> {
    /// The document at this element with nothing read yet.
    pub fn new(element: Element<'d>) -> Invoice<'d> {
        Invoice {
            root: Root::default(),
            element,
            number: Field::default(),
            issue_date: Field::default(),
            type_code: Field::default(),
            currency: Field::default(),
            tax_currency: Field::default(),
            tax_point_date: Field::default(),
            tax_point_date_code: Field::default(),
            due_date: Field::default(),
            buyer_reference: Field::default(),
            references: References::default(),
            accounting_reference: Field::default(),
            notes: Vec::new(),
            process: ProcessControl::default(),
            seller: Field::default(),
            buyer: Field::default(),
            payee: Field::default(),
            tax_representative: Field::default(),
            delivery: Field::default(),
            period: Field::default(),
            payment: Payment::default(),
            allowance_charges: Vec::new(),
            totals: Field::default(),
            tax_totals: Vec::new(),
            vat_breakdown: Vec::new(),
            lines: Vec::new(),
            extensions: Extensions::default(),
        }
    }

    /// Whether it is a credit note: BT-3 says it, and the document element where BT-3 does not or
    /// is a type of both.
    pub fn is_credit_note(&self) -> bool {
        let Some(code) = self.type_code.text() else { return self.root == Root::CreditNote };
        let is_other = codes::is_type_of_both(&code) && self.root == Root::Invoice;
        codes::is_credit_note_type(&code) && !is_other
    }

    /// BG-20: the allowances.
    pub fn allowances(&self) -> impl Iterator<Item = &AllowanceCharge<'d>> {
        self.allowance_charges.iter().filter(|one| one.is_allowance())
    }

    /// BG-21: the charges.
    pub fn charges(&self) -> impl Iterator<Item = &AllowanceCharge<'d>> {
        self.allowance_charges.iter().filter(|one| one.is_charge())
    }

    /// BT-110: the totals of VAT that say the currency of the document. The standard has at most
    /// one.
    pub fn vat_total(&self) -> impl Iterator<Item = Amount<'d>> {
        self.tax_amounts_in(self.currency.text())
    }

    /// BT-111: the totals of VAT that say the currency of VAT accounting. The standard has at most
    /// one.
    pub fn vat_total_in_tax_currency(&self) -> impl Iterator<Item = Amount<'d>> {
        self.tax_amounts_in(self.tax_currency.text())
    }

    /// Totals of VAT that say no currency: to a reader BT-110, to the official rules nothing.
    pub fn vat_total_without_currency(&self) -> impl Iterator<Item = Amount<'d>> {
        self.tax_amounts().filter(|amount| amount.currency().is_none())
    }

    fn tax_amounts_in(&self, currency: Option<Cow<'d, str>>) -> impl Iterator<Item = Amount<'d>> {
        self.tax_amounts().filter(move |amount| {
            let own = amount.currency();
            own.is_some_and(|own| currency.as_deref().is_some_and(|wanted| own.is(wanted)))
        })
    }

    fn tax_amounts(&self) -> impl Iterator<Item = Amount<'d>> {
        self.tax_totals.iter().flat_map(|total| total.amount.iter().copied())
    }

    /// BG-23 in the currency of the document. In UBL the breakdown of a total of tax is in the
    /// currency of that total; one that says no currency is in that of the document.
    pub fn breakdown_in_document_currency(&self) -> impl Iterator<Item = &VatBreakdown<'d>> {
        let own = self.currency.text();
        let mut is_foreign = vec![false; self.vat_breakdown.len()];
        for total in &self.tax_totals {
            let currency = total.amount.get().and_then(Amount::currency);
            let differs =
                currency.is_some_and(|one| own.as_deref().is_some_and(|own| !one.is(own)));
            if let Some(part) = is_foreign.get_mut(total.breakdown.clone()).filter(|_| differs) {
                part.fill(true);
            }
        }
        self.vat_breakdown
            .iter()
            .zip(is_foreign)
            .filter(|(_, foreign)| !foreign)
            .map(|(one, _)| one)
    }

    /// BG-23 of one total of tax (UBL).
    pub fn breakdown_of(&self, total: &TaxTotal<'d>) -> &[VatBreakdown<'d>] {
        self.vat_breakdown.get(total.breakdown.clone()).unwrap_or_default()
    }
}

group! {
    /// BG-1: a note (`Note`, `IncludedNote`).
    Note {
        /// BT-22: the text. In UBL it may begin with the subject code (see [`Note::content`]).
        text: Field<Text<'d>>,
        /// BT-21 in CII (`SubjectCode`); see [`Note::subject`].
        subject_code: Field<NoteSubjectCode<'d>>,
        /// Extension (Factur-X): the content as a code (`ContentCode`).
        content_code: Field<Code<'d>>,
    }
}

impl<'d> Note<'d> {
    /// BT-21: the subject code. UBL has no element for it: the text begins with `#CODE#`.
    pub fn subject(&self) -> Option<Cow<'d, str>> {
        if let Some(code) = self.subject_code.text() {
            return Some(code);
        }
        let text = self.text.get().filter(|_| !self.has_subject_element())?.text();
        let (code, _) = split_subject(&text)?;
        Some(Cow::Owned(code.to_owned()))
    }

    /// Whether its syntax has an element for the subject code, so that the text is text.
    fn has_subject_element(&self) -> bool {
        matches!(self.element.local(), "IncludedNote" | "notes")
    }

    /// BT-21 and BT-22 of a text that begins with a subject code of UNTDID 4451.
    pub fn listed_subject(&self) -> Option<(String, String)> {
        let text = self.text.get()?.text();
        let (code, rest) = split_subject(&text)?;
        Note::is_subject(code).then(|| (code.to_owned(), rest.to_owned()))
    }

    /// Whether a code is one of UNTDID 4451, so that it is read again where it stands before a
    /// text.
    pub fn is_subject(code: &str) -> bool {
        crate::codes::by_key(NOTE_SUBJECTS).is_some_and(|list| list.contains(code))
    }

    /// BT-22: the text without the subject code.
    pub fn content(&self) -> Option<Cow<'d, str>> {
        let text = self.text.get()?.text();
        match split_subject(&text) {
            Some((_, rest)) if self.subject_code.is_absent() && !self.has_subject_element() => {
                Some(Cow::Owned(rest.to_owned()))
            }
            _ => Some(text),
        }
    }
}

/// UNTDID 4451, as BR-CL-08 of EN 16931 has it.
const NOTE_SUBJECTS: &str = "br-cl-08@en16931-cii-1.3.16";

/// `#AAI#text` into `AAI` and `text`: a code of UNTDID 4451 has three letters.
fn split_subject(text: &str) -> Option<(&str, &str)> {
    let (code, rest) = text.trim_start().strip_prefix('#')?.split_once('#')?;
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then_some((code, rest))
}
