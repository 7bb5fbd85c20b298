//! The rules of NLCIUS in UBL.

use quoin_xml::tree::Element;

use super::place::stands_at;
use super::place::{AncestorPath, discouraged, each, empty, is_filled, is_registered, left_empty};
use crate::rules::values::{CAC, CBC, any_of, cac, cbc, decimal_of, normalized, one, string};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

/// What the extension does not have.
pub(super) const DOCUMENTS: &[Rule] =
    &[Rule::new("SI-INV-R000", |_| Ok(RuleVerdict::broken())).at(Fatal, other_documents)];

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-NL-1", nl_1).at(Fatal, |facts, add| dutch(facts, SELLER, add)),
    Rule::new("BR-NL-2", nl_2).at(Fatal, |facts, add| {
        if kind(facts).dutch {
            add(facts.root());
        }
    }),
    Rule::new("BR-NL-3", nl_3).at(Fatal, |facts, add| dutch(facts, SELLER_ADDRESS, add)),
    Rule::new("BR-NL-4", nl_4).at(Fatal, |facts, add| dutch(facts, BUYER_ADDRESS, add)),
    Rule::new("BR-NL-5", nl_4).at(Fatal, |facts, add| dutch(facts, AGENT_ADDRESS, add)),
    Rule::new("BR-NL-7", nl_7).at(Fatal, type_codes),
    Rule::new("BR-NL-8", |case| nl_8(case, "CreditNote")).at(Fatal, type_codes),
    Rule::new("BR-NL-8", |case| nl_8(case, "Invoice")).at(Fatal, type_codes),
    Rule::new("BR-NL-9", nl_9).at(Fatal, type_codes),
    Rule::new("BR-NL-10", nl_10).at(Fatal, |facts, add| dutch(facts, BUYER_ENTITY, add)),
    Rule::new("BR-NL-11", nl_11).at(Fatal, totals),
    Rule::new("BR-NL-12", nl_12).at(Fatal, |facts, add| dutch(facts, MEANS, add)),
    Rule::new("BR-NL-31", nl_31).at(Warning, |facts, add| dutch(facts, MEANS, add)),
    Rule::new("BR-NL-13", nl_13)
        .at(Fatal, |facts, add| each(facts, ORDER_LINE, kind(facts).any, add)),
    Rule::new("BR-NL-19", discouraged).at(Warning, |facts, add| dutch(facts, TAX_CURRENCY, add)),
    Rule::new("BR-NL-20", discouraged).at(Warning, |facts, add| dutch(facts, TAX_POINT, add)),
    Rule::new("BR-NL-21", discouraged).at(Warning, |facts, add| dutch(facts, TAX_POINT_CODE, add)),
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
    Rule::new("BR-NL-29", nl_29).at(Warning, |facts, add| dutch(facts, MEANS_CODE, add)),
    Rule::new("BR-NL-30", discouraged).at(Warning, |facts, add| dutch(facts, ACCOUNT_NAME, add)),
    // The same rule for lines has other identifiers, but this one is met first.
    Rule::new("BR-NL-32-1", discouraged).at(Warning, |facts, add| dutch(facts, REASON, add)),
    Rule::new("BR-NL-33", nl_33).at(Warning, |facts, add| dutch(facts, TAX, add)),
    Rule::new("BR-NL-35", discouraged).at(Warning, |facts, add| dutch(facts, EXEMPTION, add)),
    Rule::new("SI-UBL-2", left_empty)
        .at(Warning, |facts, add| empty(facts, |own| is_taken(facts, own), add)),
];

const SELLER: AncestorPath = &["cac:Party", "cac:AccountingSupplierParty"];
const SELLER_ADDRESS: AncestorPath =
    &["cac:PostalAddress", "cac:Party", "cac:AccountingSupplierParty"];
const BUYER_ADDRESS: AncestorPath =
    &["cac:PostalAddress", "cac:Party", "cac:AccountingCustomerParty"];
const AGENT_ADDRESS: AncestorPath = &["cac:PostalAddress", "cac:TaxRepresentativeParty"];
const INVOICE_CODE: AncestorPath = &["cbc:InvoiceTypeCode"];
const CREDIT_NOTE_CODE: AncestorPath = &["cbc:CreditNoteTypeCode"];
const BUYER_ENTITY: AncestorPath =
    &["cac:PartyLegalEntity", "cac:Party", "cac:AccountingCustomerParty"];
const MEANS: AncestorPath = &["cac:PaymentMeans"];
const ORDER_LINE: AncestorPath = &["cbc:LineID", "cac:OrderLineReference"];
const TAX_CURRENCY: AncestorPath = &["cbc:TaxCurrencyCode"];
const TAX_POINT: AncestorPath = &["cbc:TaxPointDate"];
const TAX_POINT_CODE: AncestorPath = &["cbc:DescriptionCode", "cac:InvoicePeriod"];
const PRECEDING_DAY: AncestorPath =
    &["cbc:IssueDate", "cac:InvoiceDocumentReference", "cac:BillingReference"];
const SELLER_TAX: AncestorPath =
    &["cac:PartyTaxScheme", "cac:Party", "cac:AccountingSupplierParty"];
const SELLER_FORM: AncestorPath =
    &["cbc:CompanyLegalForm", "cac:PartyLegalEntity", "cac:Party", "cac:AccountingSupplierParty"];
const LINES: [AncestorPath; 4] = [
    &[
        "cbc:Line",
        "cac:AddressLine",
        "cac:PostalAddress",
        "cac:Party",
        "cac:AccountingSupplierParty",
    ],
    &[
        "cbc:Line",
        "cac:AddressLine",
        "cac:PostalAddress",
        "cac:Party",
        "cac:AccountingCustomerParty",
    ],
    &["cbc:Line", "cac:AddressLine", "cac:PostalAddress", "cac:TaxRepresentativeParty"],
    &["cbc:Line", "cac:AddressLine", "cac:Address", "cac:DeliveryLocation", "cac:Delivery"],
];
const REGIONS: [AncestorPath; 4] = [
    &["cbc:CountrySubentity", "cac:PostalAddress", "cac:Party", "cac:AccountingSupplierParty"],
    &["cbc:CountrySubentity", "cac:PostalAddress", "cac:Party", "cac:AccountingCustomerParty"],
    &["cbc:CountrySubentity", "cac:PostalAddress", "cac:TaxRepresentativeParty"],
    &["cbc:CountrySubentity", "cac:Address", "cac:DeliveryLocation", "cac:Delivery"],
];
const MEANS_CODE: AncestorPath = &["cbc:PaymentMeansCode", "cac:PaymentMeans"];
const ACCOUNT_NAME: AncestorPath = &["cbc:Name", "cac:PayeeFinancialAccount", "cac:PaymentMeans"];
const REASON: AncestorPath = &["cbc:AllowanceChargeReasonCode", "cac:AllowanceCharge"];
const TAX: AncestorPath = &["cbc:TaxAmount", "cac:TaxTotal"];
const EXEMPTION: AncestorPath =
    &["cbc:TaxExemptionReasonCode", "cac:TaxCategory", "cac:TaxSubtotal", "cac:TaxTotal"];

/// The contexts for sellers in the Netherlands, but for the document and its totals.
const DUTCH: &[AncestorPath] = &[
    SELLER,
    SELLER_ADDRESS,
    BUYER_ADDRESS,
    AGENT_ADDRESS,
    INVOICE_CODE,
    CREDIT_NOTE_CODE,
    BUYER_ENTITY,
    MEANS,
    TAX_CURRENCY,
    TAX_POINT,
    TAX_POINT_CODE,
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
    MEANS_CODE,
    ACCOUNT_NAME,
    REASON,
    TAX,
    EXEMPTION,
];

/// What a document is.
struct NlciusUblKind {
    /// NLCIUS, with or without the extension.
    any: bool,
    /// So, and from a seller in the Netherlands.
    dutch: bool,
}

fn sellers(root: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    cac(root, "AccountingSupplierParty").flat_map(|role| cac(role, "Party"))
}

fn countries(address: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    cac(address, "Country").flat_map(|country| cbc(country, "IdentificationCode"))
}

impl NlciusUblKind {
    /// What cannot be told, because something is stated twice, is not so.
    fn of(facts: &Facts<'_>) -> NlciusUblKind {
        let root = facts.root();
        let id = one(cbc(root, "CustomizationID")).ok().flatten().map(normalized);
        let any = id.is_some_and(|id| {
            id.contains("#compliant#urn:fdc:nen.nl:nlcius:v1.0")
                || id.contains("#conformant#urn:fdc:nen.nl:gaccount:v1.0")
        });
        let addresses = sellers(root).flat_map(|party| cac(party, "PostalAddress"));
        let country = one(addresses.flat_map(countries)).ok().flatten().map(normalized);
        NlciusUblKind { any, dutch: any && country.is_some_and(|code| code.to_uppercase() == "NL") }
    }
}

fn kind(facts: &Facts<'_>) -> std::rc::Rc<NlciusUblKind> {
    facts.memo(NlciusUblKind::of)
}

fn dutch<'d>(facts: &Facts<'d>, path: AncestorPath, add: ElementVisitor<'_, 'd>) {
    each(facts, path, kind(facts).dutch, add);
}

fn type_codes<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    dutch(facts, INVOICE_CODE, add);
    dutch(facts, CREDIT_NOTE_CODE, add);
}

const INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";

fn is_document(root: Element<'_>, local: &str) -> bool {
    root.is(if local == "Invoice" { INVOICE } else { CREDIT_NOTE }, local)
}

fn other_documents<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    if !is_document(facts.root(), "Invoice") && !is_document(facts.root(), "CreditNote") {
        add(facts.root());
    }
}

/// The totals of an invoice; a credit note has none of the rule.
fn totals<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    if kind(facts).dutch && is_document(facts.root(), "Invoice") {
        cac(facts.root(), "LegalMonetaryTotal").for_each(add);
    }
}

/// Whether an element is the context of another rule.
fn is_taken(facts: &Facts<'_>, element: Element<'_>) -> bool {
    let kind = kind(facts);
    let at = |path: &[&str]| stands_at(element, path);
    let is_root = element.id() == facts.root().id();
    let is_total = || {
        let is_top = element.parent().is_some_and(|up| up.id() == facts.root().id());
        is_top && is_document(facts.root(), "Invoice") && at(&["cac:LegalMonetaryTotal"])
    };
    (kind.any && at(ORDER_LINE))
        || (kind.dutch && (is_root || is_total() || DUTCH.iter().any(|path| at(path))))
}

fn entity_ids(party: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    cac(party, "PartyLegalEntity").flat_map(|entity| cbc(entity, "CompanyID"))
}

/// A legal registration of the seller, in the trade register or as a public body.
fn nl_1<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = is_registered(entity_ids(case.at)) && entity_ids(case.at).any(is_filled);
    let id = entity_ids(case.at).next();
    let found = id.and_then(|id| id.attribute("schemeID")).unwrap_or_default();
    Ok(RuleVerdict::of(holds).found(found).element(id))
}

fn orders(root: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    cac(root, "OrderReference").flat_map(|order| cbc(order, "ID"))
}

/// A reference of the buyer, or an order.
fn nl_2<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_reference = cbc(case.at, "BuyerReference").next().is_some();
    Ok(RuleVerdict::of(has_reference || orders(case.at).next().is_some()))
}

fn is_complete(address: Element<'_>) -> bool {
    ["StreetName", "CityName", "PostalZone"]
        .iter()
        .all(|local| cbc(address, local).next().is_some())
}

fn nl_3<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(is_complete(case.at)))
}

/// The address is complete where it is in the Netherlands.
fn nl_4<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_abroad = countries(case.at).any(|code| string(code) != "NL");
    Ok(RuleVerdict::of(is_abroad || is_complete(case.at)))
}

fn nl_7<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = string(case.at);
    let known = ["380", "381", "384", "389"];
    Ok(RuleVerdict::of(known.contains(&&*code)).found(code).expected(known.join(", ")))
}

/// A credit note has the code 381, and nothing else has.
fn nl_8<'d>(case: &Case<'_, 'd>, document: &str) -> Outcome<'d> {
    let code = string(case.at);
    let is_other = (code == "381") != (document == "CreditNote");
    Ok(RuleVerdict::of(is_other || is_document(case.root(), document)).found(code))
}

/// A corrected invoice refers to the one before.
fn nl_9<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(string(case.at) != "384" || case.memo(ReferencePresence::of).preceding))
}

/// What is known of buyers: whether one is in the Netherlands, and registered there.
struct Buyers {
    dutch: bool,
    registered: bool,
}

impl Buyers {
    fn of(facts: &Facts<'_>) -> Buyers {
        let roles = || facts.named(CAC, "AccountingCustomerParty");
        let parties = || roles().flat_map(|role| cac(role, "Party"));
        let addresses = parties().flat_map(|party| cac(party, "PostalAddress"));
        let mut codes = addresses.flat_map(countries);
        Buyers {
            dutch: codes.any(|code| string(code) == "NL"),
            registered: is_registered(parties().flat_map(entity_ids)),
        }
    }
}

/// A legal registration of the buyer, where he is in the Netherlands.
fn nl_10<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let buyers = case.memo(Buyers::of);
    let ids = || cbc(case.at, "CompanyID");
    let is_stated = ids().next().is_none() || ids().any(is_filled);
    let found = ids().find_map(|id| id.attribute("schemeID")).unwrap_or_default();
    let holds = (!buyers.dutch || buyers.registered) && is_stated;
    Ok(RuleVerdict::of(holds).found(found).element(ids().next()))
}

/// A means of payment, where there is something to pay.
fn nl_11<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let nothing_due = || {
        let due = decimal_of(cbc(case.at, "PayableAmount"))?;
        Ok(due.is_some_and(|due| due.is_zero() || due.is_negative()))
    };
    let has_means = || Ok(case.named(CAC, "PaymentMeans").next().is_some());
    let due = cbc(case.at, "PayableAmount").next().map(string);
    Ok(RuleVerdict::of(any_of([&nothing_due, &has_means])?).found(due.unwrap_or_default()))
}

fn means_code<'d>(case: &Case<'_, 'd>) -> crate::rules::values::Read<'d, Option<Element<'d>>> {
    one(cbc(case.at, "PaymentMeansCode"))
}

fn nl_12<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = means_code(case)?;
    let known = ["30", "48", "49", "57", "58", "59"];
    let holds = code.is_some_and(|code| known.contains(&&*normalized(code)));
    let found = code.map(string).unwrap_or_default();
    Ok(RuleVerdict::of(holds).found(found).expected(known.join(", ")).element(code))
}

/// No identifier of a bank with a payment in SEPA.
fn nl_31<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_sepa = |code| ["58", "59"].contains(&&*normalized(code));
    let other = || Ok(!means_code(case)?.is_some_and(is_sepa));
    let banks = cac(case.at, "PayeeFinancialAccount");
    let banks = banks.flat_map(|account| cac(account, "FinancialInstitutionBranch"));
    let bank = banks.flat_map(|bank| cbc(bank, "ID")).next();
    let found = bank.map(string).unwrap_or_default();
    let holds = any_of([&other, &|| Ok(bank.is_none())])?;
    Ok(RuleVerdict::of(holds).found(found).element(bank))
}

/// What a document refers to.
struct ReferencePresence {
    order: bool,
    preceding: bool,
}

impl ReferencePresence {
    fn of(facts: &Facts<'_>) -> ReferencePresence {
        let preceding = cac(facts.root(), "BillingReference");
        let preceding = preceding.flat_map(|own| cac(own, "InvoiceDocumentReference"));
        ReferencePresence {
            order: orders(facts.root()).next().is_some(),
            preceding: preceding.flat_map(|own| cbc(own, "ID")).next().is_some(),
        }
    }
}

fn nl_13<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(case.memo(ReferencePresence::of).order))
}

/// A registration for another tax than VAT.
fn nl_25<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = cbc(case.at, "CompanyID").next();
    let mut schemes = cac(case.at, "TaxScheme").flat_map(|scheme| cbc(scheme, "ID"));
    let holds = id.is_none() || schemes.any(|scheme| string(scheme) == "VAT");
    Ok(RuleVerdict::of(holds).found(id.map(string).unwrap_or_default()).element(id))
}

fn nl_29<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let name = case.at.attribute("name");
    Ok(RuleVerdict::of(name.is_none()).found(name.unwrap_or_default()))
}

/// The currencies of the document.
struct NlciusUblCurrencies(Vec<String>);

/// A total of VAT in another currency than that of the document.
fn nl_33<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let known = case.memo(|facts| {
        let codes = facts.named(CBC, "DocumentCurrencyCode");
        NlciusUblCurrencies(codes.map(|code| string(code).into_owned()).collect())
    });
    let own = case.at.attribute("currencyID");
    let holds = own.is_some_and(|own| known.0.iter().any(|code| code == own));
    Ok(RuleVerdict::of(holds).found(own.unwrap_or_default()))
}
