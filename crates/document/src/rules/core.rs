//! What every invoice has to have: BR-01 to BR-16, and the schemes of electronic addresses.
//!
//! Source: EN 16931-1 section 6.4.1 (integrity constraints) in its UBL binding.

use quoin_xml::tree::Element;

use super::{Check, Emit, Rule};
use crate::report::{FixBy, Flag};
use crate::ubl::{self, Invoice};

const fn rule(
    id: &'static str,
    terms: &'static [&'static str],
    asks: &'static str,
    check: super::OwnCheck,
) -> Rule {
    let (flag, fix_by) = (Flag::Fatal, FixBy::SourceSystem);
    Rule { id, terms, flag, fix_by, asks, check: Check::Own(check) }
}

const fn party(
    id: &'static str,
    terms: &'static [&'static str],
    asks: &'static str,
    check: super::OwnCheck,
) -> Rule {
    Rule { fix_by: FixBy::MasterData, ..rule(id, terms, asks, check) }
}

pub(super) const RULES: &[Rule] = &[
    rule("BR-01", &["BT-24"], "An invoice names the specification it follows.", br_01),
    rule("BR-02", &["BT-1"], "An invoice has a number.", br_02),
    rule("BR-03", &["BT-2"], "An invoice has an issue date.", br_03),
    rule("BR-04", &["BT-3"], "An invoice has a type code.", br_04),
    rule("BR-05", &["BT-5"], "An invoice has a currency.", br_05),
    party("BR-06", &["BT-27"], "The seller has a name.", br_06),
    party("BR-07", &["BT-44"], "The buyer has a name.", br_07),
    party("BR-08", &["BG-5"], "The seller has a postal address.", br_08),
    party("BR-09", &["BG-5", "BT-40"], "The seller's address has a country code.", br_09),
    party("BR-10", &["BG-8"], "The buyer has a postal address.", br_10),
    party("BR-11", &["BG-8", "BT-55"], "The buyer's address has a country code.", br_11),
    rule("BR-12", &["BT-106"], "The totals have the sum of the line net amounts.", br_12),
    rule("BR-13", &["BT-109"], "The totals have the amount without VAT.", br_13),
    rule("BR-14", &["BT-112"], "The totals have the amount with VAT.", br_14),
    rule("BR-15", &["BT-115"], "The totals have the amount due for payment.", br_15),
    rule("BR-16", &["BG-25"], "An invoice has at least one line.", br_16),
    party("BR-62", &["BT-34"], "The seller's electronic address has a scheme.", br_62),
    party("BR-63", &["BT-49"], "The buyer's electronic address has a scheme.", br_63),
];

/// Fires unless the element has a basic component of this name with text.
fn text<'d>(at: Element<'d>, local: &str, emit: &mut Emit<'_, 'd>) {
    if ubl::value(at, local).is_none() {
        emit.missing(at, &format!("cbc:{local}"));
    }
}

fn br_01<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    text(invoice.root, "CustomizationID", emit);
}

fn br_02<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    text(invoice.root, "ID", emit);
}

fn br_03<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    text(invoice.root, "IssueDate", emit);
}

fn br_04<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    let either = ["InvoiceTypeCode", "CreditNoteTypeCode"];
    if either.iter().all(|local| ubl::value(invoice.root, local).is_none()) {
        let own = if invoice.is_credit_note() { either[1] } else { either[0] };
        emit.missing(invoice.root, &format!("cbc:{own}"));
    }
}

fn br_05<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    text(invoice.root, "DocumentCurrencyCode", emit);
}

fn br_06<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    name(&invoice.sellers, "cac:AccountingSupplierParty", invoice.root, emit);
}

fn br_07<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    name(&invoice.buyers, "cac:AccountingCustomerParty", invoice.root, emit);
}

fn name<'d>(parties: &[Element<'d>], role: &str, root: Element<'d>, emit: &mut Emit<'_, 'd>) {
    let named = parties
        .iter()
        .flat_map(|party| ubl::aggregates(*party, "PartyLegalEntity"))
        .any(|entity| ubl::value(entity, "RegistrationName").is_some());
    if !named {
        const PATH: &str = "cac:PartyLegalEntity/cbc:RegistrationName";
        match parties.first() {
            Some(party) => emit.missing(*party, PATH),
            None => emit.missing(root, &format!("{role}/cac:Party/{PATH}")),
        }
    }
}

fn br_08<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    address(&invoice.sellers, "cac:AccountingSupplierParty", invoice.root, emit);
}

fn br_09<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    country(&invoice.sellers, emit);
}

fn br_10<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    address(&invoice.buyers, "cac:AccountingCustomerParty", invoice.root, emit);
}

fn br_11<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    country(&invoice.buyers, emit);
}

fn address<'d>(parties: &[Element<'d>], role: &str, root: Element<'d>, emit: &mut Emit<'_, 'd>) {
    if parties.iter().all(|party| ubl::aggregate(*party, "PostalAddress").is_none()) {
        match parties.first() {
            Some(party) => emit.missing(*party, "cac:PostalAddress"),
            None => emit.missing(root, &format!("{role}/cac:Party/cac:PostalAddress")),
        }
    }
}

/// Fires at each address without a country code; a missing address is another rule's business.
fn country<'d>(parties: &[Element<'d>], emit: &mut Emit<'_, 'd>) {
    for address in parties.iter().flat_map(|party| ubl::aggregates(*party, "PostalAddress")) {
        let code = ubl::aggregate(address, "Country")
            .and_then(|country| ubl::value(country, "IdentificationCode"));
        if code.is_none() {
            emit.missing(address, "cac:Country/cbc:IdentificationCode");
        }
    }
}

/// Fires at each group of totals without an amount of this name; whether it is a number is judged
/// with the numbers. No totals at all is a matter of structure.
fn total<'d>(invoice: &Invoice<'d>, local: &str, emit: &mut Emit<'_, 'd>) {
    for total in &invoice.totals {
        if ubl::basic(*total, local).is_none() {
            emit.missing(*total, &format!("cbc:{local}"));
        }
    }
}

fn br_12<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    total(invoice, "LineExtensionAmount", emit);
}

fn br_13<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    total(invoice, "TaxExclusiveAmount", emit);
}

fn br_14<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    total(invoice, "TaxInclusiveAmount", emit);
}

fn br_15<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    total(invoice, "PayableAmount", emit);
}

fn br_16<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    if invoice.lines.is_empty() {
        let own = if invoice.is_credit_note() { "CreditNoteLine" } else { "InvoiceLine" };
        emit.missing(invoice.root, &format!("cac:{own}"));
    }
}

fn br_62<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    scheme(&invoice.sellers, emit);
}

fn br_63<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    scheme(&invoice.buyers, emit);
}

fn scheme<'d>(parties: &[Element<'d>], emit: &mut Emit<'_, 'd>) {
    for endpoint in ubl::endpoints(parties) {
        if endpoint.attribute("schemeID").is_none() {
            emit.missing(endpoint, "the attribute schemeID");
        }
    }
}
