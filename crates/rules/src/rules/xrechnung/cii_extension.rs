//! The extension of XRechnung (BR-DEX) and its profile for clean vehicles (BR-DE-CVD) in CII.

use quoin_xml::tree::Element;

use super::cii::{below, in_transaction};
use super::kind::{self, ADDRESSES, ExtensionCodeList, SCHEMES, is_extension, is_for_vehicles};
use super::ubl::is_filled;
use crate::rules::values::{RAM, SPACE, one, ram};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-DEX-15", dex_15).at(Warning, |facts, add| {
        let lines = in_transaction(facts.root(), &[LINE, "AssociatedDocumentLineDocument"]);
        extended(facts, lines.into_iter(), add);
    }),
    Rule::new("BR-DEX-04", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        let ids = schemed(facts, "GlobalID");
        let is_other = |id: &Element<'_>| {
            !is_inside(*id, "SpecifiedTradeProduct") && !is_inside(*id, "ShipToTradeParty")
        };
        extended(facts, ids.filter(is_other), add);
    }),
    Rule::new("BR-DEX-05", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        let ids = schemed(facts, "ID");
        extended(facts, ids.filter(|id| !is_inside(*id, "SpecifiedTaxRegistration")), add);
    }),
    Rule::new("BR-DEX-06", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        let ids = schemed(facts, "GlobalID");
        extended(facts, ids.filter(|id| stands_in(*id, &["SpecifiedTradeProduct"])), add);
    }),
    Rule::new("BR-DEX-07", |case| scheme(case, &ADDRESSES)).at(Fatal, |facts, add| {
        let ids = schemed(facts, "URIID");
        extended(facts, ids.filter(|id| stands_in(*id, &["URIUniversalCommunication"])), add);
    }),
    Rule::new("BR-DEX-08", |case| scheme(case, &SCHEMES)).at(Fatal, |facts, add| {
        let path = ["ShipToTradeParty", "ApplicableHeaderTradeDelivery"];
        let ids = schemed(facts, "GlobalID");
        extended(facts, ids.filter(|id| stands_in(*id, &path)), add);
    }),
    Rule::new("BR-DEX-01", |case| kind::media(case.at)).at(Fatal, |facts, add| {
        extended(facts, facts.named(RAM, "AttachmentBinaryObject"), add);
    }),
    Rule::new("BR-DE-CVD-03", cvd_03).at(Fatal, |facts, add| {
        clean_vehicles(facts, in_transaction(facts.root(), &[]).into_iter(), add);
    }),
    Rule::new("BR-DE-CVD-06-b", cvd_06_b).at(Fatal, products),
    Rule::new("BR-DE-CVD-06-a", cvd_06_a).at(Fatal, products),
    Rule::new("BR-TMP-CVD-01", |case| kind::class_scheme(case.at)).at(Fatal, classes),
    Rule::new("BR-DE-CVD-04", |case| kind::vehicle_category(case.at)).at(Fatal, classes),
    Rule::new("BR-DE-CVD-05", |case| Ok(kind::vehicle_kind(one(ram(case.at, "Value"))?)))
        .at(Fatal, |facts, add| products(facts, &mut |own| vehicle_kinds(own).for_each(&mut *add))),
    Rule::new("BR-DE-CVD-01", |case| {
        let ids = below(case.at, &["ContractReferencedDocument", "IssuerAssignedID"]);
        Ok(RuleVerdict::of(ids.into_iter().any(is_filled)))
    })
    .at(Fatal, agreements),
    Rule::new("BR-DE-CVD-02", cvd_02).at(Fatal, agreements),
];

const LINE: &str = "IncludedSupplyChainTradeLineItem";

/// Elements of a document with the extension.
fn extended<'d>(
    facts: &Facts<'d>,
    elements: impl Iterator<Item = Element<'d>>,
    add: ElementVisitor<'_, 'd>,
) {
    if is_extension(facts) {
        elements.for_each(add);
    }
}

/// `ram:…[@schemeID]`.
fn schemed<'d>(facts: &Facts<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    facts.named(RAM, local).filter(|own| own.attribute("schemeID").is_some())
}

/// Whether an element is inside another, however deep.
fn is_inside(element: Element<'_>, local: &str) -> bool {
    let mut above = std::iter::successors(element.parent(), |own| own.parent());
    above.any(|own| own.is(RAM, local))
}

/// Whether the elements around an element are these, from the inside.
fn stands_in(element: Element<'_>, path: &[&str]) -> bool {
    let above = std::iter::successors(element.parent(), |own| own.parent());
    let names = above.take(path.len()).zip(path);
    names.filter(|(own, local)| own.is(RAM, local)).count() == path.len()
}

fn scheme<'d>(case: &Case<'_, 'd>, codes: &ExtensionCodeList) -> Outcome<'d> {
    Ok(codes.test(case.at, "schemeID"))
}

/// Lines below lines are not supported in this syntax.
fn dex_15<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let parent = case.named(RAM, "ParentLineID").next();
    Ok(RuleVerdict::of(parent.is_none()).element(parent))
}

/// Elements of a document for clean vehicles.
fn clean_vehicles<'d>(
    facts: &Facts<'d>,
    elements: impl Iterator<Item = Element<'d>>,
    add: ElementVisitor<'_, 'd>,
) {
    if is_for_vehicles(facts) {
        elements.for_each(add);
    }
}

fn agreements<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    let agreements = in_transaction(facts.root(), &["ApplicableHeaderTradeAgreement"]);
    clean_vehicles(facts, agreements.into_iter(), add);
}

fn products<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    let products = in_transaction(facts.root(), &[LINE, "SpecifiedTradeProduct"]);
    clean_vehicles(facts, products.into_iter(), add);
}

fn product_classes<'d>(product: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let groups = ram(product, "DesignatedProductClassification");
    groups.flat_map(|own| ram(own, "ClassCode"))
}

fn classes<'d>(facts: &Facts<'d>, add: ElementVisitor<'_, 'd>) {
    products(facts, &mut |product| product_classes(product).for_each(&mut *add));
}

/// Classifications as a clean vehicle.
fn clean<'d>(product: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    product_classes(product).filter(|own| own.attribute("listID") == Some("CVD"))
}

/// Characteristics that say what kind of clean vehicle it is.
fn vehicle_kinds<'d>(product: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    let is = |own: &Element<'d>| ram(*own, "Description").any(|name| name.string_value() == "cva");
    ram(product, "ApplicableProductCharacteristic").filter(is)
}

fn cvd_03<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let products = below(case.at, &[LINE, "SpecifiedTradeProduct"]);
    let is_both = |own| clean(own).next().is_some() && vehicle_kinds(own).next().is_some();
    Ok(RuleVerdict::of(products.into_iter().any(is_both)))
}

fn cvd_06_a<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let count = vehicle_kinds(case.at).count();
    let holds = clean(case.at).next().is_none() || count == 1;
    Ok(RuleVerdict::of(holds).found(count.to_string()))
}

fn cvd_06_b<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let count = clean(case.at).count();
    let holds = vehicle_kinds(case.at).next().is_none() || count == 1;
    Ok(RuleVerdict::of(holds).found(count.to_string()))
}

/// A reference to a tender or lot.
fn cvd_02<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    for reference in ram(case.at, "AdditionalReferencedDocument") {
        let code = one(ram(reference, "TypeCode"))?.map(|code| code.string_value());
        if code.is_some_and(|code| code.trim_matches(SPACE) == "50")
            && one(ram(reference, "IssuerAssignedID"))?.is_some_and(is_filled)
        {
            return Ok(RuleVerdict::Holds);
        }
    }
    Ok(RuleVerdict::broken())
}
