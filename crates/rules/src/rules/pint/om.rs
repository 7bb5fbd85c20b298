//! Oman: VAT at five per cent, and kinds of transaction as twenty bits.

mod document;
mod kinds;
mod lines;
mod parties;
mod subtotals;
mod sums;

use std::rc::Rc;

use quoin_xml::tree::{Element, NodeId};

use super::paths::{groups, text};
use crate::rules::values::{CBC, LazyCondition, Read, cac, cbc, normalize, normalized, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// All of them; self-billing has the same.
pub(super) const RULES: &[&[Rule]] =
    &[document::RULES, kinds::RULES, parties::RULES, subtotals::RULES, lines::RULES];

/// Kinds of transaction, by their place among the bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OmanTransaction {
    Full = 0,
    Simplified = 1,
    SelfBilled = 2,
    ThirdParty = 3,
    Summary = 4,
    Continuous = 5,
    Export = 6,
    Deemed = 7,
    ImportReverse = 8,
    Margin = 9,
    MarginSelf = 10,
    Commerce = 11,
    ImportGoods = 12,
    SpecialZone = 13,
    Prepayment = 14,
}

/// How many bits there are.
const BITS: usize = 20;

/// The rate of VAT.
const RATE: i64 = 5;

/// What the rules ask of the head of a document.
struct OmanHeader {
    /// The bits as they are written, without the white space around them.
    name: String,
    is_valid: bool,
    /// The type of the document.
    code: String,
    currency: Result<String, NodeId>,
    tax_currency: Result<String, NodeId>,
    /// The exchange rate, where it is one number.
    rate: Option<Decimal>,
    lines: i64,
}

impl OmanHeader {
    fn of(facts: &Facts<'_>) -> OmanHeader {
        let root = facts.root();
        let is_code =
            |own: &Element<'_>| matches!(own.local(), "InvoiceTypeCode" | "CreditNoteTypeCode");
        let codes = || root.elements().filter(|own| is_code(own) && own.is(CBC, own.local()));
        let name = codes().find_map(|own| own.attribute("name")).unwrap_or_default();
        let name = normalize(name.into()).into_owned();
        let code = |local| match text(root, local) {
            Ok(code) => Ok(code.into_owned()),
            Err(wrong) => Err(wrong.id()),
        };
        OmanHeader {
            is_valid: name.len() == BITS && name.bytes().all(|bit| matches!(bit, b'0' | b'1')),
            name,
            code: codes().next().map(normalized).unwrap_or_default().into_owned(),
            currency: code("DocumentCurrencyCode"),
            tax_currency: code("TaxCurrencyCode"),
            rate: castable(&super::paths::leaves(root, "TaxExchangeRate/CalculationRate")),
            lines: lines(root).count() as i64,
        }
    }

    fn is(&self, kind: OmanTransaction) -> bool {
        self.is_valid && self.name.as_bytes().get(kind as usize) == Some(&b'1')
    }

    fn is_any(&self, kinds: &[OmanTransaction]) -> bool {
        kinds.iter().any(|kind| self.is(*kind))
    }

    fn currency<'d>(&self, case: &Case<'_, 'd>) -> Read<'d, &str> {
        self.currency.as_deref().map_err(|id| Unreadable::at(case, *id))
    }

    fn tax_currency<'d>(&self, case: &Case<'_, 'd>) -> Read<'d, &str> {
        self.tax_currency.as_deref().map_err(|id| Unreadable::at(case, *id))
    }
}

/// The head of the document, read once.
fn header(case: &Case<'_, '_>) -> Rc<OmanHeader> {
    case.memo(OmanHeader::of)
}

/// What is asked where some conditions are met, as `not(a) or not(b) or …` does: one that cannot be
/// read counts only where nothing else is true.
fn unless<'d, const N: usize>(
    conditions: [LazyCondition<'_, 'd>; N],
    then: impl FnOnce() -> Outcome<'d>,
) -> Outcome<'d> {
    let mut failure = None;
    for condition in conditions {
        match condition() {
            Ok(true) => {}
            Ok(false) => return Ok(RuleVerdict::Holds),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match (then(), failure) {
        (Ok(RuleVerdict::Holds), _) => Ok(RuleVerdict::Holds),
        (_, Some(error)) => Err(error),
        (outcome, None) => outcome,
    }
}

/// Whether the document is of one of some kinds.
fn is_any(case: &Case<'_, '_>, kinds: &[OmanTransaction]) -> bool {
    header(case).is_any(kinds)
}

/// The lines of a document.
fn lines<'d>(root: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    cac(root, "InvoiceLine").chain(cac(root, "CreditNoteLine"))
}

/// The charges or allowances of an element, by the indicator as it is written.
fn adjustments<'d>(at: Element<'d>, indicator: &'static str) -> impl Iterator<Item = Element<'d>> {
    let is =
        move |own: &Element<'d>| cbc(*own, "ChargeIndicator").any(|is| string(is) == indicator);
    cac(at, "AllowanceCharge").filter(is)
}

/// What is castable to a decimal: one element, whose text is a number.
fn castable(found: &[Element<'_>]) -> Option<Decimal> {
    let [only] = found else { return None };
    Decimal::parse(&string(*only)).ok()
}

/// The same of the text without space, which is the same for numbers.
fn number_at(at: Element<'_>, path: &str) -> Option<Decimal> {
    castable(&super::paths::leaves(at, path))
}

/// Whether some category of an element has a code, as it is written.
fn has_code(at: Element<'_>, path: &str, code: &str) -> bool {
    groups(at, path).into_iter().any(|own| cbc(own, "ID").any(|id| string(id) == code))
}

/// The categories of lines.
const OF_LINES: &str = "Item/ClassifiedTaxCategory";
/// The categories of allowances, charges and subtotals.
const OF_OTHERS: &str = "TaxCategory";
