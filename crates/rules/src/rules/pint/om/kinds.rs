//! Kinds of transaction: which go together, and what a document of a kind must have.

use quoin_xml::tree::Element;

use super::OmanTransaction::{
    self, Commerce, Continuous, Deemed, Export, Full, ImportGoods, ImportReverse, Margin,
    MarginSelf, Prepayment, SelfBilled, Simplified, Summary, ThirdParty,
};
use super::{header, is_any};
use crate::rules::pint::paths::{at, has, has_all, here, leaves, some_text};
use crate::rules::values::{CBC, normalize, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};

pub(super) const RULES: &[Rule] = &[
    Rule::new("ALIGNED-IBRP-000-OM", |case| {
        let header = header(case);
        Ok(type_code(case, header.is_valid && header.name.contains('1')))
    }),
    Rule::new("IBR-001-OM", |case| Ok(type_code(case, header(case).is_valid))),
    Rule::new("IBR-043-OM", |case| {
        Ok(type_code(case, header(case).name.as_bytes().iter().take(2).any(|bit| *bit == b'1')))
    }),
    Rule::new("CL-03-OM-1", |case| Ok(here(case, first_two(case) != (true, true)))),
    Rule::new("CL-03-OM-2", |case| Ok(here(case, first_two(case) != (false, false)))),
    Rule::new("IBR-138-OM", |case| {
        alone(
            case,
            SelfBilled,
            &[ThirdParty, Export, ImportReverse, Margin, MarginSelf, ImportGoods],
        )
    }),
    Rule::new("IBR-139-OM", |case| alone(case, ThirdParty, &[SelfBilled])),
    Rule::new("IBR-140-OM", |case| {
        alone(case, Summary, &[Continuous, Export, Margin, MarginSelf, ImportGoods])
    }),
    Rule::new("IBR-141-OM", |case| {
        alone(case, Continuous, &[Summary, Deemed, Margin, MarginSelf, ImportGoods])
    }),
    Rule::new("IBR-142-OM", |case| {
        let others = [SelfBilled, Summary, Deemed, ImportReverse, Margin, MarginSelf, ImportGoods];
        alone(case, Export, &others)
    }),
    Rule::new("IBR-143-OM", |case| alone(case, Deemed, &[Continuous, Export, Margin, MarginSelf])),
    Rule::new("IBR-144-OM", |case| {
        alone(case, ImportReverse, &[Export, Margin, MarginSelf, ImportGoods, SelfBilled])
    }),
    Rule::new("IBR-145-OM", |case| {
        let others = [Summary, Continuous, Export, Deemed, ImportReverse, ImportGoods, SelfBilled];
        alone(case, Margin, &others)
    }),
    Rule::new("IBR-146-OM", |case| {
        let others =
            [Summary, Continuous, Export, Deemed, ImportReverse, Margin, ImportGoods, SelfBilled];
        alone(case, MarginSelf, &others)
    }),
    Rule::new("IBR-147-OM", |case| {
        let others =
            [Summary, Continuous, Export, ImportReverse, Margin, MarginSelf, Commerce, SelfBilled];
        alone(case, ImportGoods, &others)
    }),
    Rule::new("IBR-148-OM", |case| alone(case, Commerce, &[MarginSelf])),
    Rule::new("IBR-149-OM", |case| {
        let others = [SelfBilled, Summary, Export, ImportReverse, Margin, MarginSelf, ImportGoods];
        alone(case, Simplified, &others)
    }),
    Rule::new("IBR-176-OM", |case| alone(case, Prepayment, &[Summary, Deemed, MarginSelf])),
    Rule::new("IBR-177-OM", self_billed_type),
    Rule::new("IBR-014-OM", |case| of(case, &[Export], |root| has(root, COUNTRY))),
    Rule::new("IBR-012-OM", ibr_012),
    Rule::new("IBR-013-OM", ibr_013),
    Rule::new("IBR-155-OM", ibr_155),
    Rule::new("IBR-037-OM", |case| of(case, &[Summary, Continuous], has_period)),
    Rule::new("IBR-036-OM", same_month),
    Rule::new("IBR-057-OM", same_month),
    Rule::new("IBR-072-OM", |case| {
        let header = header(case);
        let is_asked = header.is(Full) && header.is(Summary);
        Ok(RuleVerdict::of(!is_asked || has_period(case.at)))
    }),
    Rule::new("IBR-040-OM", |case| of(case, &[Commerce], is_delivered)),
    Rule::new("IBR-085-OM", |case| {
        of(case, &[ImportGoods], |root| {
            let asked = ["Delivery/Shipment/Delivery/ActualDeliveryDate", "Delivery/Shipment/ID"];
            has_all(root, &asked) && has(root, "Delivery/DeliveryTerms/ID")
        })
    }),
    Rule::new("IBR-175-OM", |case| of(case, &[Margin], refers_to_purchase)),
    Rule::new("CL-11-OM", margin_code),
];

const ADDRESS: &str = "Delivery/DeliveryLocation/Address";
const COUNTRY: &str = "Delivery/DeliveryLocation/Address/Country/IdentificationCode";

/// With the attribute that has the bits as what is found.
fn type_code<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    RuleVerdict::of(holds).found(header(case).name.clone())
}

/// The first two bits of the type code that is tested.
fn first_two(case: &Case<'_, '_>) -> (bool, bool) {
    let name = normalize(case.at.attribute("name").unwrap_or_default().into());
    let is = |at: usize| name.chars().nth(at) == Some('1');
    (is(0), is(1))
}

/// A kind goes with none of some others.
fn alone<'d>(
    case: &Case<'_, 'd>,
    kind: OmanTransaction,
    others: &[OmanTransaction],
) -> Outcome<'d> {
    let header = header(case);
    Ok(type_code(case, !(header.is(kind) && header.is_any(others))))
}

/// What documents of some kinds must have.
pub(super) fn of<'d>(
    case: &Case<'_, 'd>,
    kinds: &[OmanTransaction],
    has: impl Fn(Element<'d>) -> bool,
) -> Outcome<'d> {
    Ok(RuleVerdict::of(!is_any(case, kinds) || has(case.at)))
}

fn self_billed_type<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_asked = matches!(header(case).code.as_str(), "261" | "389");
    let kinds = [SelfBilled, ImportReverse, MarginSelf, ImportGoods];
    Ok(type_code(case, !is_asked || is_any(case, &kinds)))
}

/// Whether some exemption code, wherever it stands in the lines, is one.
fn is_exempt_by(case: &Case<'_, '_>, code: &str) -> bool {
    super::lines(case.root()).any(|line| {
        let mut inner = line.descendants().filter(|own| own.is(CBC, REASON));
        inner.any(|own| string(own) == code)
    })
}

const REASON: &str = "TaxExemptionReasonCode";

/// Goods exported by the seller go to another country.
fn ibr_012<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_asked = is_any(case, &[Export]) && is_exempt_by(case, "VATZR-OM-09");
    Ok(at(case, COUNTRY, !is_asked || some_text(case.at, COUNTRY, |code| code != "OM")))
}

/// An indirect export refers to a document with its UUID.
fn ibr_013<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_asked = is_any(case, &[Export]) && is_exempt_by(case, "VATZR-OM-12");
    let mut references = super::groups(case.root(), "AdditionalDocumentReference").into_iter();
    let fits = |own: Element<'_>| {
        !some_text(own, "DocumentTypeCode", |code| code == "130") && has_all(own, &["ID", "UUID"])
    };
    Ok(RuleVerdict::of(!is_asked || references.any(fits)))
}

/// Goods exported by the seller say what kind of item they are.
fn ibr_155<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let path = format!("{}/{REASON}", super::OF_LINES);
    let mut exported = super::lines(case.root())
        .filter(|line| some_text(*line, &path, |code| code == "VATZR-OM-09"));
    let is_asked = is_any(case, &[Export]) && exported.next().is_some();
    let is_kind = |line: Element<'_>| {
        let kinds = leaves(line, "Item/ItemSpecificationDocumentReference/ID");
        kinds.iter().any(|own| own.attribute("schemeName") == Some("MP"))
    };
    Ok(RuleVerdict::of(!is_asked || super::lines(case.root()).any(is_kind)))
}

fn has_period(at: Element<'_>) -> bool {
    has_all(at, &["InvoicePeriod/StartDate", "InvoicePeriod/EndDate"])
}

/// The period of a summary, of the document or of a line, lies in one month.
fn same_month<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_any(case, &[Summary]) {
        return Ok(RuleVerdict::Holds);
    }
    let start = super::super::paths::raw(case.at, "InvoicePeriod/StartDate")?;
    let end = super::super::paths::raw(case.at, "InvoicePeriod/EndDate")?;
    let same = start.chars().take(7).eq(end.chars().take(7));
    Ok(at(case, "InvoicePeriod/EndDate", same))
}

fn is_delivered(root: Element<'_>) -> bool {
    let parts =
        ["StreetName", "AdditionalStreetName", "CityName", "PostalZone", "AddressLine/Line"];
    has(root, COUNTRY) && parts.iter().all(|part| has(root, &format!("{ADDRESS}/{part}")))
}

/// The margin refers to the document of the purchase, by number and UUID.
fn refers_to_purchase(root: Element<'_>) -> bool {
    let is_text = |own: Element<'_>, local: &str| {
        super::super::paths::text(own, local).is_ok_and(|text| !text.is_empty())
    };
    let mut references =
        super::groups(root, "BillingReference/InvoiceDocumentReference").into_iter();
    references.any(|own| is_text(own, "ID") && is_text(own, "UUID"))
}

/// The codes of what a margin is for.
const MARGINS: &str = "profitmargin@pint-om-1.0.1";

fn margin_code<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_any(case, &[Margin, MarginSelf]) {
        return Ok(RuleVerdict::Holds);
    }
    let code = crate::rules::values::normalized(case.at);
    let known = quoin_model::codes::by_key(MARGINS).is_some_and(|list| list.contains(&code));
    Ok(here(case, known))
}
