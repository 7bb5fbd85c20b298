//! General data (2.1): the document, withholding, stamp duty, pension funds, references.

use quoin_model::en16931::{
    AllowanceCharge, DocumentReference, Invoice, Note, SocialFund, StampDuty, Totals,
    WithholdingTax,
};
use quoin_xml::tree::Element;

use super::super::codes::DOCUMENT_TYPES;
use super::body::BodyState;
use super::vat::CategoryParts;
use super::{adjustment, day, italy, name, references, transport};
use crate::reading::{Pass, implied, view};

/// Reads `DatiGenerali`.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DatiGeneraliDocumento" => document(pass, invoice, state, child),
            "DatiTrasporto" => transport::read(pass, invoice, child),
            "FatturaPrincipale" => {
                let reference = main_invoice(pass, child);
                italy(invoice).main_invoice.push(reference);
            }
            "DatiSAL" => {
                pass.open(child);
                for phase in child.elements() {
                    match name(phase) {
                        "RiferimentoFase" => {
                            pass.take(&mut italy(invoice).progress_phases, phase);
                        }
                        _ => pass.unread(phase),
                    }
                }
            }
            _ => references::read(pass, invoice, state, child),
        }
    }
}

/// Reads `DatiGeneraliDocumento` (2.1.1); of the simplified invoice, too.
pub(super) fn document<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    let mut totals = Totals::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TipoDocumento" => invoice.type_code.push(pass.mapped(child, DOCUMENT_TYPES)),
            "Divisa" => pass.take(&mut invoice.currency, child),
            "Data" => day(pass, &mut invoice.issue_date, child),
            "Numero" => pass.take(&mut invoice.number, child),
            "DatiRitenuta" => invoice.extensions.withholding.push(withholding(pass, child)),
            "DatiBollo" => {
                let duty = stamp_duty(pass, child);
                italy(invoice).stamp_duty.push(duty);
            }
            "BolloVirtuale" => {
                let mut duty = StampDuty::new(child);
                pass.take(&mut duty.paid_virtually, child);
                italy(invoice).stamp_duty.push(duty);
            }
            "DatiCassaPrevidenziale" => social_fund(pass, invoice, child),
            "ScontoMaggiorazione" => {
                let own = adjustment::read(pass, child);
                italy(invoice).document_discounts.push(own);
            }
            "ImportoTotaleDocumento" => pass.take(&mut totals.with_vat, child),
            "Arrotondamento" => pass.take(&mut totals.rounding, child),
            "Causale" => {
                let mut note = Note::new(child);
                pass.take(&mut note.text, child);
                invoice.notes.push(note);
            }
            "Art73" => pass.take(&mut italy(invoice).article_73, child),
            _ => pass.unread(child),
        }
    }
    if totals.with_vat.is_present() || totals.rounding.is_present() {
        match &mut state.totals {
            None => state.totals = Some(totals),
            Some(known) => {
                known.with_vat.append(&mut totals.with_vat);
                known.rounding.append(&mut totals.rounding);
            }
        }
    }
}

/// Reads `DatiRitenuta` (2.1.1.5).
fn withholding<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> WithholdingTax<'d> {
    let mut withholding = WithholdingTax::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TipoRitenuta" => pass.take(&mut withholding.kind, child),
            "ImportoRitenuta" => pass.take(&mut withholding.amount, child),
            "AliquotaRitenuta" => pass.take(&mut withholding.rate, child),
            "CausalePagamento" => pass.take(&mut withholding.reason, child),
            _ => pass.unread(child),
        }
    }
    withholding
}

/// Reads `DatiBollo` (2.1.1.6). It is no charge: the duty is charged by a line, if it is.
fn stamp_duty<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> StampDuty<'d> {
    let mut duty = StampDuty::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "BolloVirtuale" => pass.take(&mut duty.paid_virtually, child),
            "ImportoBollo" => pass.take(&mut duty.amount, child),
            _ => pass.unread(child),
        }
    }
    duty
}

/// Reads `DatiCassaPrevidenziale` (2.1.1.7), which is a charge (BG-21) and taxed as one.
fn social_fund<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let (mut charge, mut fund) = (AllowanceCharge::new(element), SocialFund::new(element));
    let mut category = CategoryParts::default();
    charge.indicator.push(implied(element, "true"));
    charge.reason_code.push(implied(element, "ZZZ"));
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TipoCassa" => {
                pass.take(&mut fund.kind, child);
                charge.reason.push(view(child));
            }
            "AlCassa" => pass.take(&mut charge.percentage, child),
            "ImportoContributoCassa" => pass.take(&mut charge.amount, child),
            "ImponibileCassa" => pass.take(&mut charge.base_amount, child),
            "AliquotaIVA" => category.rate(pass, child),
            "Natura" => category.nature(pass, child),
            "Ritenuta" => pass.take(&mut fund.withheld, child),
            "RiferimentoAmministrazione" => pass.take(&mut fund.accounting_reference, child),
            _ => pass.unread(child),
        }
    }
    charge.tax_category.extend(category.category(element, false));
    invoice.allowance_charges.push(charge);
    italy(invoice).social_funds.push(fund);
}

/// Reads `FatturaPrincipale` (2.1.10).
fn main_invoice<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> DocumentReference<'d> {
    let mut reference = DocumentReference::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NumeroFatturaPrincipale" => pass.take(&mut reference.id, child),
            "DataFatturaPrincipale" => day(pass, &mut reference.issue_date, child),
            _ => pass.unread(child),
        }
    }
    reference
}
