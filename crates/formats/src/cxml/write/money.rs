//! Amounts, tax, allowances and charges: BG-20, BG-21, BG-23, BG-27, BG-28.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{AllowanceCharge, Amount, Field, TaxCategory, ValueSource};

use super::super::codes::TAXES;
use super::{made, spoken};
use crate::reading::{cents, lookup_back, negated, share};
use crate::writing::{InvoiceOutput, LossKind, NEGATED, OutputAttribute};

/// The number of a value, with the other sign where the document credits.
pub(super) fn signed<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &str,
    source: ValueSource<'d>,
    is_credit: bool,
) -> String {
    let text = source.trimmed();
    let other = negated(&text);
    if !is_credit || other == text {
        out.ledger.carry(source);
        return text.trim_start_matches('+').to_owned();
    }
    let path = Some(out.path_of(name));
    out.ledger.list(source, LossKind::Changed, path, NEGATED);
    other
}

/// A group of one amount. An amount in another currency than BT-5 says its own.
pub(in crate::cxml) fn amount<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Amount<'d>>,
    is_credit: bool,
) -> bool {
    let Some(value) = field.filled() else { return false };
    out.group(name, |out| money(out, value, is_credit, &[]));
    true
}

/// `Money`.
pub(in crate::cxml) fn money<'d>(
    out: &mut InvoiceOutput<'d>,
    value: Amount<'d>,
    is_credit: bool,
    more: &[(&str, &str)],
) {
    let text = signed(out, "Money", *value, is_credit);
    let own = value.currency().filter(|code| !code.is_blank());
    let usual = out.currency.clone().into_owned();
    let currency = own.map_or(usual, |code| code.trimmed().into_owned());
    if let Some(own) = own {
        out.ledger.carry(*own);
    }
    let attributes: Vec<_> =
        [("currency", currency.as_str())].into_iter().chain(more.iter().copied()).collect();
    out.constant("Money", &text, &attributes);
}

/// `Money` that was made of others.
pub(super) fn made_money(out: &mut InvoiceOutput<'_>, text: &str) {
    let currency = out.currency.clone().into_owned();
    out.constant("Money", text, &[("currency", &currency)]);
}

/// The tax of a line or of a change, of which the source says the rate only: what it comes to.
pub(super) fn computed_tax<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    of: Option<Decimal>,
    is_credit: bool,
    term: &'static str,
) {
    let rate = category.rate.value().or(Some(Decimal::ZERO));
    let sum = share(of, rate).unwrap_or(Decimal::ZERO);
    let text = if is_credit { negated(&cents(sum)) } else { cents(sum) };
    out.group("Tax", |out| {
        let path = out.path_of("Money");
        let reason = "the definition asks for the tax: the rate of the amount";
        out.ledger.invent(category.element, None, &text, path, reason);
        made_money(out, &text);
        made(out, "Description", &tax_name(category));
        detail(out, category, None, "", term, |out| {
            out.group("TaxAmount", |out| {
                made_money(out, &text);
            });
        });
    });
}

/// What a tax is called: VAT, where nobody says which one it is.
pub(in crate::cxml) fn tax_name(category: &TaxCategory<'_>) -> String {
    let scheme = category.scheme.filled().map(|scheme| scheme.trimmed().into_owned());
    let scheme = scheme.unwrap_or_else(|| "VAT".to_owned());
    let capitals = scheme.to_ascii_uppercase();
    if lookup_back(TAXES, &capitals).is_some() { capitals } else { scheme }
}

/// Category and rate: `TaxDetail`. Categories that the target has no word for are exempt.
pub(super) fn detail<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    reason: Option<quoin_model::en16931::Text<'d>>,
    point: &str,
    term: &'static str,
    inside: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    let code = category.code.filled();
    let is = |text: &str| code.is_some_and(|code| code.is(text));
    let is_zero = category.rate.value().is_some_and(|rate| rate.is_zero());
    let exempt = match () {
        () if is("Z") => "zeroRated",
        () if is("S") && !is_zero => "",
        () => "exempt",
    };
    if code.is_none() {
        let path = out.path_of("TaxDetail/@exemptDetail");
        let reason = "a tax without a category is one";
        let meant = if exempt == "exempt" { "E" } else { "S" };
        out.ledger.invent(category.element, Some(term), meant, path, reason);
    }
    if let Some(code) = code {
        match is("Z") || is("E") || is("S") && !is_zero {
            true => out.ledger.carry(*code),
            false => {
                let reason = "cXML tells zero rated and exempt only";
                super::changed(out, *code, "TaxDetail/@exemptDetail", reason);
            }
        }
    }
    if let Some(scheme) = category.scheme.filled() {
        out.ledger.carry(*scheme);
    }
    let rate = category.rate.filled();
    let rate = rate.map(|rate| signed(out, "TaxDetail/@percentageRate", *rate, false));
    let name = tax_name(category);
    let kind = lookup_back(TAXES, &name).unwrap_or(&name);
    let attributes = [
        ("category", Some(OutputAttribute::Constant(kind))),
        ("percentageRate", rate.as_deref().map(OutputAttribute::Constant)),
        ("taxPointDate", Some(OutputAttribute::Constant(point))),
        ("exemptDetail", Some(OutputAttribute::Constant(exempt))),
    ];
    out.tagged("TaxDetail", &attributes, |out| {
        inside(out);
        if reason.is_some() {
            spoken(out, "Description", reason);
        }
        if let Some(code) = category.exemption_reason_code.filled() {
            let attributes = [("exemptCode", Some(OutputAttribute::Carried(*code)))];
            out.tagged("TaxExemption", &attributes, |_| {});
        }
    });
}

/// `Modification`: an allowance or a charge. `terms` is the term of its reason.
pub(in crate::cxml) fn modification<'d>(
    out: &mut InvoiceOutput<'d>,
    one: &AllowanceCharge<'d>,
    terms: [&'static str; 2],
    is_credit: bool,
) {
    let Some(value) = one.amount.filled() else { return };
    out.group("Modification", |out| {
        amount(out, "OriginalPrice", &one.base_amount, is_credit);
        if one.is_charge() {
            out.group("AdditionalCost", |out| money(out, value, is_credit, &[]));
        } else {
            out.group("AdditionalDeduction", |out| {
                out.group("DeductionAmount", |out| money(out, value, is_credit, &[]));
            });
        }
        if let Some(indicator) = one.indicator.filled() {
            out.ledger.carry(*indicator);
        }
        if let Some(category) = one.tax_category.first() {
            let term = if one.is_charge() { "BT-102" } else { "BT-95" };
            computed_tax(out, category, value.value(), is_credit, term);
        }
        let (usual, term) = match (one.is_charge(), terms) {
            (true, [_, term]) => ("Charge", term),
            (false, [term, _]) => ("Allowance", term),
        };
        let name = one.reason.filled().map(|reason| OutputAttribute::Carried(*reason));
        if name.is_none() {
            let path = out.path_of("ModificationDetail/@name");
            let reason = "the definition asks for a name of the change";
            out.ledger.invent(one.element, Some(term), usual, path, reason);
        }
        let code = one.reason_code.filled().map(|code| OutputAttribute::Carried(*code));
        let attributes =
            [("name", Some(name.unwrap_or(OutputAttribute::Constant(usual)))), ("code", code)];
        out.tagged("ModificationDetail", &attributes, |_| {});
    });
}
