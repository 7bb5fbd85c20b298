//! The rules of NLCIUS in CII.

use std::cell::RefCell;
use std::collections::HashMap;

use quoin_xml::tree::{Element, NodeId};

use super::place::stands_at;
use super::place::{AncestorPath, discouraged, each, empty, is_filled, is_registered, left_empty};
use crate::rules::values::{
    RAM, any_of, decimal_of, normalized, one, ram, rsm, some_double, string,
};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-NL-7", nl_7),
    // The rule before has the same context, so that this one is never met.
    Rule::new("BR-NL-9", |_| Ok(RuleVerdict::Holds)),
    Rule::new("BR-NL-1", nl_1).at(Fatal, |facts, add| dutch(facts, SELLER_ENTITY, add)),
    Rule::new("BR-NL-2", nl_2).at(Fatal, |facts, add| dutch(facts, AGREEMENT, add)),
    Rule::new("BR-NL-3", nl_3).at(Fatal, |facts, add| dutch(facts, ADDRESSES[0], add)),
    Rule::new("BR-NL-4", nl_4).at(Fatal, |facts, add| dutch(facts, ADDRESSES[1], add)),
    Rule::new("BR-NL-5", nl_4).at(Fatal, |facts, add| dutch(facts, ADDRESSES[2], add)),
    Rule::new("BR-NL-10", nl_10).at(Fatal, |facts, add| dutch(facts, BUYER, add)),
    Rule::new("BR-NL-11", nl_11).at(Fatal, |facts, add| dutch(facts, TOTALS, add)),
    // BR-NL-31 has the context of BR-NL-12 and is never met either.
    Rule::new("BR-NL-12", nl_12).at(Fatal, |facts, add| dutch(facts, MEANS, add)),
    Rule::new("BR-NL-19", discouraged).at(Warning, |facts, add| dutch(facts, TAX_CURRENCY, add)),
    Rule::new("BR-NL-20", discouraged).at(Warning, |facts, add| dutch(facts, TAX_POINT, add)),
    Rule::new("BR-NL-21", discouraged).at(Warning, |facts, add| dutch(facts, TAX_POINT_CODE, add)),
    Rule::new("BR-NL-22", discouraged).at(Warning, |facts, add| dutch(facts, SUBJECT, add)),
    Rule::new("BR-NL-23", discouraged).at(Warning, |facts, add| dutch(facts, PROCESS, add)),
    Rule::new("BR-NL-24", discouraged).at(Warning, |facts, add| dutch(facts, PRECEDING_DAY, add)),
    Rule::new("BR-NL-25", nl_25).at(Warning, |facts, add| dutch(facts, SELLER_TAX, add)),
    Rule::new("BR-NL-26", discouraged).at(Warning, |facts, add| dutch(facts, SELLER_FORM, add)),
    Rule::new("BR-NL-27-1", discouraged).at(Warning, |facts, add| dutch(facts, LINES[0], add)),
    Rule::new("BR-NL-27-2", discouraged).at(Warning, |facts, add| dutch(facts, LINES[1], add)),
    Rule::new("BR-NL-27-3", discouraged).at(Warning, |facts, add| dutch(facts, LINES[2], add)),
    Rule::new("BR-NL-27-4", discouraged).at(Warning, |facts, add| dutch(facts, LINES[3], add)),
    Rule::new("BR-NL-28-1", discouraged).at(Warning, |facts, add| dutch(facts, REGIONS[0], add)),
    Rule::new("BR-NL-28-2", discouraged).at(Warning, |facts, add| dutch(facts, REGIONS[1], add)),
    Rule::new("BR-NL-28-3", discouraged).at(Warning, |facts, add| dutch(facts, REGIONS[2], add)),
    Rule::new("BR-NL-28-4", discouraged).at(Warning, |facts, add| dutch(facts, REGIONS[3], add)),
    Rule::new("BR-NL-29", discouraged).at(Warning, |facts, add| dutch(facts, MEANS_TEXT, add)),
    Rule::new("BR-NL-30", discouraged).at(Warning, |facts, add| dutch(facts, ACCOUNT_NAME, add)),
    Rule::new("BR-NL-32-and-34", discouraged).at(Warning, |facts, add| dutch(facts, REASON, add)),
    Rule::new("BR-NL-33", nl_33).at(Warning, |facts, add| dutch(facts, TAX, add)),
    Rule::new("BR-NL-35", discouraged).at(Warning, |facts, add| dutch(facts, EXEMPTION, add)),
    Rule::new("empty-element-check", left_empty)
        .at(Warning, |facts, add| empty(facts, |own| is_taken(facts, own), add)),
];

const SELLER_ENTITY: AncestorPath = &["ram:SpecifiedLegalOrganization", "ram:SellerTradeParty"];
const AGREEMENT: AncestorPath = &["ram:ApplicableHeaderTradeAgreement"];
const ADDRESSES: [AncestorPath; 3] = [
    &["ram:PostalTradeAddress", "ram:SellerTradeParty"],
    &["ram:PostalTradeAddress", "ram:BuyerTradeParty"],
    &["ram:PostalTradeAddress", "ram:SellerTaxRepresentativeTradeParty"],
];
const ORDER_LINE: AncestorPath = &["ram:LineID", "ram:BuyerOrderReferencedDocument"];
const BUYER: AncestorPath = &["ram:BuyerTradeParty"];
const TOTALS: AncestorPath = &["ram:SpecifiedTradeSettlementHeaderMonetarySummation"];
const MEANS: AncestorPath = &["ram:SpecifiedTradeSettlementPaymentMeans"];
const TAX_CURRENCY: AncestorPath = &["ram:TaxCurrencyCode"];
const TAX_POINT: AncestorPath = &["udt:DateString", "ram:TaxPointDate"];
const TAX_POINT_CODE: AncestorPath = &["ram:DueDateTypeCode"];
const SUBJECT: AncestorPath = &["ram:SubjectCode"];
const PROCESS: AncestorPath = &["ram:ID", "ram:BusinessProcessSpecifiedDocumentContextParameter"];
const PRECEDING_DAY: AncestorPath =
    &["qdt:DateTimeString", "ram:FormattedIssueDateTime", "ram:InvoiceReferencedDocument"];
const SELLER_TAX: AncestorPath = &["ram:SpecifiedTaxRegistration", "ram:SellerTradeParty"];
const SELLER_FORM: AncestorPath = &["ram:Description", "ram:SellerTradeParty"];
const LINES: [AncestorPath; 4] = [
    &["ram:LineThree", "ram:PostalTradeAddress", "ram:SellerTradeParty"],
    &["ram:LineThree", "ram:PostalTradeAddress", "ram:BuyerTradeParty"],
    &["ram:LineThree", "ram:PostalTradeAddress", "ram:SellerTaxRepresentativeTradeParty"],
    &["ram:LineThree", "ram:PostalTradeAddress", "ram:ShipToTradeParty"],
];
const REGIONS: [AncestorPath; 4] = [
    &["ram:CountrySubDivisionName", "ram:PostalTradeAddress", "ram:SellerTradeParty"],
    &["ram:CountrySubDivisionName", "ram:PostalTradeAddress", "ram:BuyerTradeParty"],
    &[
        "ram:CountrySubDivisionName",
        "ram:PostalTradeAddress",
        "ram:SellerTaxRepresentativeTradeParty",
    ],
    &["ram:CountrySubDivisionName", "ram:PostalTradeAddress", "ram:ShipToTradeParty"],
];
const MEANS_TEXT: AncestorPath = &["ram:Information", "ram:SpecifiedTradeSettlementPaymentMeans"];
const ACCOUNT_NAME: AncestorPath = &["ram:AccountName", "ram:PayeePartyCreditorFinancialAccount"];
const REASON: AncestorPath = &["ram:ReasonCode", "ram:SpecifiedTradeAllowanceCharge"];
const TAX: AncestorPath =
    &["ram:TaxTotalAmount", "ram:SpecifiedTradeSettlementHeaderMonetarySummation"];
const EXEMPTION: AncestorPath = &["ram:ExemptionReasonCode", "ram:ApplicableTradeTax"];

/// The contexts for sellers in the Netherlands.
const DUTCH: &[AncestorPath] = &[
    SELLER_ENTITY,
    AGREEMENT,
    ADDRESSES[0],
    ADDRESSES[1],
    ADDRESSES[2],
    BUYER,
    TOTALS,
    MEANS,
    TAX_CURRENCY,
    TAX_POINT,
    TAX_POINT_CODE,
    SUBJECT,
    PROCESS,
    PRECEDING_DAY,
    SELLER_TAX,
    SELLER_FORM,
    LINES[0],
    LINES[1],
    LINES[2],
    LINES[3],
    REGIONS[0],
    REGIONS[1],
    REGIONS[2],
    REGIONS[3],
    MEANS_TEXT,
    ACCOUNT_NAME,
    REASON,
    TAX,
    EXEMPTION,
];

/// What a document is.
struct NlciusCiiKind {
    /// NLCIUS, with or without the extension.
    any: bool,
    /// So, and from a seller in the Netherlands.
    dutch: bool,
}

const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
const GACCOUNT: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
                        #conformant#urn:fdc:nen.nl:gaccount:v1.0";

impl NlciusCiiKind {
    /// What cannot be told, because something is stated twice, is not so.
    fn of(facts: &Facts<'_>) -> NlciusCiiKind {
        let guides = facts.named(RAM, "GuidelineSpecifiedDocumentContextParameter");
        let id = one(guides.flat_map(|own| ram(own, "ID"))).ok().flatten().map(normalized);
        let any = id.is_some_and(|id| [NLCIUS, GACCOUNT].contains(&&*id));
        let sellers = || facts.named(RAM, "SellerTradeParty");
        let is_agreed = |own: &Element<'_>| {
            own.parent().is_some_and(|up| up.is(RAM, "ApplicableHeaderTradeAgreement"))
        };
        let countries =
            |party| ram(party, "PostalTradeAddress").flat_map(|address| ram(address, "CountryID"));
        let is_stated = sellers().filter(is_agreed).flat_map(countries).next().is_some();
        let country = one(sellers().flat_map(countries)).ok().flatten().map(normalized);
        let is_dutch = is_stated && country.is_some_and(|code| code.to_uppercase() == "NL");
        NlciusCiiKind { any, dutch: any && is_dutch }
    }
}

fn dutch<'d>(facts: &Facts<'d>, path: AncestorPath, add: ElementVisitor<'_, 'd>) {
    each(facts, path, facts.memo(NlciusCiiKind::of).dutch, add);
}

/// Whether an element is the type code of the document.
fn is_type_code(facts: &Facts<'_>, element: Element<'_>) -> bool {
    let above = element.parent().filter(|_| stands_at(element, &["ram:TypeCode"]));
    let above = above.filter(|up| up.is(crate::rules::values::RSM, "ExchangedDocument"));
    above.and_then(Element::parent).is_some_and(|up| up.id() == facts.root().id())
}

/// Whether an element is the context of another rule.
fn is_taken(facts: &Facts<'_>, element: Element<'_>) -> bool {
    let kind = facts.memo(NlciusCiiKind::of);
    let any = || stands_at(element, ORDER_LINE) || is_type_code(facts, element);
    (kind.any && any()) || (kind.dutch && DUTCH.iter().any(|path| stands_at(element, path)))
}

/// Codes are compared as numbers.
fn is_one_of<'d>(mut elements: impl Iterator<Item = Element<'d>>, codes: &[u16]) -> Outcome<'d> {
    let first = elements.next();
    let all: Vec<Element<'d>> = first.into_iter().chain(elements).collect();
    let is = |code: &u16| some_double(all.iter().copied(), |own| own == f64::from(*code));
    let mut holds = false;
    for code in codes {
        holds = holds || is(code)?;
    }
    let expected: Vec<String> = codes.iter().map(u16::to_string).collect();
    let verdict = RuleVerdict::of(holds).found(first.map(string).unwrap_or_default());
    Ok(verdict.expected(expected.join(", ")).element(first))
}

fn nl_7<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    is_one_of(std::iter::once(case.at), &[380, 381, 384, 389])
}

/// A legal registration of the seller, in the trade register or as a public body.
fn nl_1<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = is_registered(ram(case.at, "ID")) && ram(case.at, "ID").any(is_filled);
    let id = ram(case.at, "ID").next();
    let found = id.and_then(|id| id.attribute("schemeID")).unwrap_or_default();
    Ok(RuleVerdict::of(holds).found(found).element(id))
}

/// A reference of the buyer, or an order.
fn nl_2<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mut orders = ram(case.at, "BuyerOrderReferencedDocument")
        .flat_map(|order| ram(order, "IssuerAssignedID"));
    let has_reference = ram(case.at, "BuyerReference").next().is_some();
    Ok(RuleVerdict::of(has_reference || orders.next().is_some()))
}

fn is_complete(address: Element<'_>) -> bool {
    ["LineOne", "CityName", "PostcodeCode"].iter().all(|local| ram(address, local).next().is_some())
}

fn nl_3<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(is_complete(case.at)))
}

/// The address is complete where it is in the Netherlands.
fn nl_4<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_abroad = ram(case.at, "CountryID").any(|code| string(code) != "NL");
    Ok(RuleVerdict::of(is_abroad || is_complete(case.at)))
}

/// A legal registration of the buyer, which has one of two schemes if he is in the Netherlands.
fn nl_10<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let ids = || ram(case.at, "SpecifiedLegalOrganization").flat_map(|own| ram(own, "ID"));
    let addresses = ram(case.at, "PostalTradeAddress");
    let mut countries = addresses.flat_map(|address| ram(address, "CountryID"));
    let is_dutch = countries.any(|code| string(code) == "NL");
    let found = ids().find_map(|id| id.attribute("schemeID")).unwrap_or_default();
    let holds = (!is_dutch || is_registered(ids())) && ids().any(is_filled);
    Ok(RuleVerdict::of(holds).found(found).element(ids().next()))
}

/// A means of payment, where there is something to pay and it is no credit note.
fn nl_11<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let nothing_due = || {
        let due = decimal_of(ram(case.at, "DuePayableAmount"))?;
        Ok(due.is_some_and(|due| due.is_zero() || due.is_negative()))
    };
    let is_credit_note = || {
        let documents = rsm(case.root(), "ExchangedDocument");
        some_double(documents.flat_map(|own| ram(own, "TypeCode")), |code| code == 381.0)
    };
    let has_means = || {
        let means = case.at.parent().into_iter();
        let means = means.flat_map(|up| ram(up, "SpecifiedTradeSettlementPaymentMeans"));
        Ok(means.flat_map(|own| ram(own, "TypeCode")).next().is_some())
    };
    let due = ram(case.at, "DuePayableAmount").next().map(string);
    let holds = any_of([&nothing_due, &is_credit_note, &has_means])?;
    Ok(RuleVerdict::of(holds).found(due.unwrap_or_default()))
}

fn nl_12<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    is_one_of(ram(case.at, "TypeCode"), &[30, 48, 49, 57, 58, 59])
}

/// A registration for another tax than VAT.
fn nl_25<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = ram(case.at, "ID").next();
    let is_vat = |own: Element<'d>| own.attribute("schemeID") == Some("VA");
    let holds = id.is_none() || ram(case.at, "ID").any(is_vat);
    Ok(RuleVerdict::of(holds).found(id.map(string).unwrap_or_default()).element(id))
}

/// The currencies of a document, by the settlement that they are in.
#[derive(Default)]
struct SettlementCurrencies(RefCell<HashMap<Option<NodeId>, Vec<String>>>);

/// A total of VAT in another currency than that of the document.
fn nl_33<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let own = case.at.attribute("currencyID");
    let known = case.memo(|_| SettlementCurrencies::default());
    let mut known = known.0.borrow_mut();
    let settlement = case.at.parent().and_then(Element::parent);
    let codes = known.entry(settlement.map(Element::id)).or_insert_with(|| {
        let codes = settlement.into_iter().flat_map(|up| ram(up, "InvoiceCurrencyCode"));
        codes.map(|code| string(code).into_owned()).collect()
    });
    let holds = own.is_some_and(|own| codes.iter().any(|code| code == own));
    Ok(RuleVerdict::of(holds).found(own.unwrap_or_default()))
}
