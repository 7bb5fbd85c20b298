//! The sums of FA (`P_13_n`, `P_14_n`, `P_14_nW`): BG-23, BT-110, BT-111, and the totals that
//! readers compute of them.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, TaxCategory, VatBreakdown};

use super::super::codes::SUMS;
use super::super::read::other_sign;
use super::category::{self, EXEMPT, FaTaxed, MARGIN};
use super::number::{AMOUNT, decimal, number};
use super::plan::FaPlan;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, sum_of};

const ONE: &str = "the target has one sum for several rates";

/// BG-23 by the sums of FA.
pub(super) struct FaSums<'i, 'd> {
    groups: Vec<(FaTaxed, &'i VatBreakdown<'d>)>,
}

impl<'i, 'd> FaSums<'i, 'd> {
    pub(super) fn of_invoice(
        invoice: &'i Invoice<'d>,
        plan: &FaPlan,
    ) -> Result<FaSums<'i, 'd>, ConversionRefusal> {
        let mut groups = Vec::new();
        for one in invoice.breakdown_in_document_currency() {
            let Some(category) = one.category.first() else { continue };
            groups.push((plan.taxed(invoice, category)?, one));
        }
        if groups.is_empty() {
            return Err(ConversionRefusal::Required {
                what: "the VAT breakdown (BG-23)",
                path: invoice.element.path(),
                target: "P_13_1",
            });
        }
        Ok(FaSums { groups })
    }

    /// The groups of a sum.
    pub(super) fn of(&self, sum: usize) -> impl Iterator<Item = &'i VatBreakdown<'d>> {
        self.groups.iter().filter(move |(taxed, _)| taxed.sum == sum).map(|(_, one)| *one)
    }

    /// Whether any of some sums is there.
    pub(super) fn has(&self, sums: &[usize]) -> bool {
        self.groups.iter().any(|(taxed, _)| sums.contains(&taxed.sum))
    }

    /// The sums that have VAT which is not nought.
    fn with_vat(&self) -> Vec<usize> {
        let is_taxed = |sum: &usize| {
            self.of(*sum).any(|one| one.tax_amount.value().is_some_and(|value| !value.is_zero()))
        };
        (0..SUMS.len()).filter(is_taxed).collect()
    }
}

/// The VAT in zloty by sum.
struct InZloty<'d> {
    sums: Vec<usize>,
    whole: Option<Amount<'d>>,
    /// What it is of the VAT in the currency of the document.
    ratio: Option<Decimal>,
}

/// Writes every sum.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    sums: &FaSums<'_, 'd>,
) {
    let zloty = in_zloty(out, invoice, sums);
    for (at, names) in SUMS.iter().enumerate() {
        let groups: Vec<&VatBreakdown<'d>> = sums.of(at).collect();
        if groups.is_empty() {
            continue;
        }
        field(out, plan, names.net, &groups, |one| &one.taxable_amount, "BT-116");
        match names.vat {
            "" => untaxed(out, &groups),
            vat => field(out, plan, vat, &groups, |one| &one.tax_amount, "BT-117"),
        }
        if !names.vat_in_zloty.is_empty() {
            part_in_zloty(out, plan, names.vat_in_zloty, at, &groups, &zloty);
        }
        categories(out, plan, at, &groups);
    }
}

/// One field: the amount of a group, or the sum of several.
fn field<'d>(
    out: &mut InvoiceOutput<'d>,
    plan: &FaPlan,
    name: &'static str,
    groups: &[&VatBreakdown<'d>],
    of: impl for<'i> Fn(&'i VatBreakdown<'d>) -> &'i Field<Amount<'d>>,
    term: &'static str,
) {
    let amounts: Vec<Option<Amount<'d>>> = groups.iter().map(|one| of(one).filled()).collect();
    match amounts.as_slice() {
        [Some(only)] => {
            number(out, name, **only, AMOUNT, plan.signs);
            out.one_currency(*only);
        }
        several => {
            let sum = sum_of(several.iter().copied());
            let text = sum.and_then(|sum| decimal(sum, 2, 16));
            let Some(text) = text else {
                let Some(first) = groups.first() else { return };
                let what = "the amounts of a VAT category (BT-116, BT-117)";
                return out.refuse_without(first.element, what, name);
            };
            for own in several.iter().flatten() {
                out.told_otherwise(name, **own, LossKind::Merged, ONE);
                out.one_currency(*own);
            }
            if let Some(first) = groups.first() {
                out.implied(name, &text, first.element, Some(term), ONE);
            }
            let text = if plan.signs.written { other_sign(&text) } else { text };
            out.constant(name, &text, &[]);
        }
    }
}

/// BT-117 of what has no VAT is nought.
fn untaxed<'d>(out: &mut InvoiceOutput<'d>, groups: &[&VatBreakdown<'d>]) {
    const NOUGHT: &str = "the target has no VAT there, which is nought";
    for (at, one) in groups.iter().enumerate() {
        match one.tax_amount.filled() {
            Some(own) if own.value().is_some_and(|value| value.is_zero()) => {
                match groups.len() {
                    1 => out.ledger.derive(*own),
                    _ => out.told_otherwise("P_13", *own, LossKind::Merged, NOUGHT),
                }
                out.one_currency(own);
            }
            Some(own) => out.refuse_value(*own, "this VAT category has no VAT in the target"),
            None if at == 0 => {
                out.implied("P_13", "0.00", one.element, Some("BT-117"), NOUGHT);
            }
            None => {}
        }
    }
}

/// Category, rate and reasons of the groups of a sum.
fn categories<'d>(
    out: &mut InvoiceOutput<'d>,
    plan: &FaPlan,
    at: usize,
    groups: &[&VatBreakdown<'d>],
) {
    let Some(names) = SUMS.get(at) else { return };
    for one in groups {
        let Some(category) = one.category.first() else { continue };
        let taxed = FaTaxed { sum: at, rate: None };
        let usual = names.rates.first().and_then(|rate| Decimal::parse(rate).ok());
        let read = match plan.row_rates.get(&at) {
            Some(rate) => *rate,
            None => usual,
        };
        let is_kept = groups.len() == 1 && (names.category != "S" || read == category.rate.value());
        category::fates(out, category, taxed, names.net, "BT-119", is_kept);
        if groups.len() > 1 {
            merged_code(out, category, names.net);
        }
        reasons(out, category, at, names.reason);
    }
}

/// The categories of several groups are one.
fn merged_code<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>, path: &'static str) {
    if let Some(code) = category.code.filled() {
        out.told_otherwise(path, *code, LossKind::Merged, ONE);
    }
}

/// BT-120 and BT-121, but of what is exempt, which `Zwolnienie` and `PMarzy` say.
fn reasons<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    at: usize,
    meant: &'static str,
) {
    const BY_FIELD: &str = "which sum it is says why no VAT is due";
    let Some(names) = SUMS.get(at).filter(|_| ![EXEMPT, MARGIN].contains(&at)) else { return };
    match (category.exemption_reason_code.filled(), meant) {
        (Some(code), meant) if code.is(meant) => out.ledger.carry(*code),
        (Some(code), _) => out.told_otherwise(names.net, *code, LossKind::Changed, BY_FIELD),
        (None, "") => {}
        (None, meant) => {
            out.implied(names.net, meant, category.element, Some("BT-121"), BY_FIELD);
        }
    }
}

/// BT-120 of what is not exempt, as facts.
pub(super) fn reason_facts<'i, 'd>(
    sums: &'i FaSums<'_, 'd>,
) -> impl Iterator<Item = quoin_model::en16931::Text<'d>> + 'i {
    let others = (0..SUMS.len()).filter(|at| *at != EXEMPT);
    let groups = others.flat_map(|at| sums.of(at));
    groups.flat_map(|one| one.category.first()).filter_map(|one| one.exemption_reason.filled())
}

/// BT-111 by sum, which a document in another currency than zloty must say.
fn in_zloty<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    sums: &FaSums<'_, 'd>,
) -> InZloty<'d> {
    let taxed = sums.with_vat();
    let none = InZloty { sums: Vec::new(), whole: None, ratio: None };
    let of_other = taxed.contains(&category::OTHER_STATES);
    let taxed: Vec<usize> =
        taxed.into_iter().filter(|sum| *sum != category::OTHER_STATES).collect();
    out.vat_total_said_twice(invoice, "P_14");
    if invoice.currency.is("PLN") || taxed.is_empty() {
        return none;
    }
    let is_zloty = invoice.tax_currency.is("PLN");
    let whole = invoice.vat_total_in_tax_currency().next().filter(|_| is_zloty);
    if let Some(whole) = whole.filter(|_| of_other) {
        let why = "a part of it is VAT of another state, which the target has not in zloty";
        out.refuse_value(*whole, why);
        return none;
    }
    let Some(whole) = whole else {
        let what = "the total of VAT in zloty (BT-111, with BT-6 PLN), as the currency is another";
        out.refuse_without(invoice.element, what, "P_14_1W");
        return none;
    };
    let vat = invoice.vat_total().next().and_then(Amount::value);
    let ratio = whole.value().zip(vat).and_then(|(whole, vat)| whole.checked_div(vat));
    if let Some(code) = invoice.tax_currency.filled() {
        out.ledger.carry(*code);
    }
    if let Some(currency) = whole.currency() {
        out.ledger.carry(*currency);
    }
    InZloty { sums: taxed, whole: Some(whole), ratio }
}

fn part_in_zloty<'d>(
    out: &mut InvoiceOutput<'d>,
    plan: &FaPlan,
    name: &'static str,
    at: usize,
    groups: &[&VatBreakdown<'d>],
    zloty: &InZloty<'d>,
) {
    let Some(whole) = zloty.whole.filter(|_| zloty.sums.contains(&at)) else { return };
    if zloty.sums.len() == 1 {
        return number(out, name, *whole, AMOUNT, plan.signs);
    }
    const SHARE: &str = "the target has the VAT in zloty for each sum: its share";
    let share = |sum: Option<Decimal>| sum?.checked_mul(zloty.ratio?).map(Decimal::round_to_cents);
    let own = share(sum_of(groups.iter().map(|one| one.tax_amount.filled())));
    let Some(text) = own.and_then(|own| decimal(own, 2, 16)) else {
        return out.refuse_value(*whole, "an amount is a number");
    };
    if zloty.sums.first() == Some(&at) {
        out.told_otherwise(name, *whole, LossKind::Changed, SHARE);
    }
    out.implied(name, &text, whole.element(), Some("BT-111"), SHARE);
    out.constant(name, &if plan.signs.written { other_sign(&text) } else { text }, &[]);
}

/// The totals that readers compute: BT-106 to BT-110.
pub(super) fn totals<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    sums: &FaSums<'_, 'd>,
) {
    let Some(totals) = invoice.totals.first() else { return };
    let is_again = plan.signs.written == plan.signs.read;
    let nets = sum_of(sums.groups.iter().map(|(_, one)| one.taxable_amount.filled()));
    let taxed = sums.groups.iter().filter(|(taxed, _)| taxed.again() == "S");
    let vat = sum_of(taxed.map(|(_, one)| one.tax_amount.filled()));
    let lines = sum_of(invoice.lines.iter().map(|line| line.net_amount.filled()));
    let less = sum_of(invoice.allowances().map(|one| one.amount.filled()));
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()));
    let lines = lines.zip(less).and_then(|(lines, less)| lines.checked_sub(less));
    let lines = lines.zip(more).and_then(|(lines, more)| lines.checked_add(more));
    let place = invoice.element;
    let all: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    for (field, computed, term) in [
        (&totals.line_net, lines, "BT-106"),
        (&totals.allowances, None, "BT-107"),
        (&totals.charges, None, "BT-108"),
        (&totals.without_vat, nets, "BT-109"),
        (&all, vat, "BT-110"),
    ] {
        let computed = computed.filter(|_| is_again).map(Decimal::round_to_cents);
        out.computed_total(place, "FaWiersz", field, computed, term);
    }
}

/// The total is that of its sums, and each sum that of its rows, give or take one.
pub(super) fn check(
    invoice: &Invoice<'_>,
    plan: &FaPlan,
    sums: &FaSums<'_, '_>,
) -> Result<(), ConversionRefusal> {
    let total = invoice.totals.first().and_then(|totals| totals.with_vat.filled());
    let nets = sum_of(sums.groups.iter().map(|(_, one)| one.taxable_amount.filled()));
    let taxes = sums.groups.iter().filter(|(_, one)| one.tax_amount.is_filled());
    let taxes = sum_of(taxes.map(|(_, one)| one.tax_amount.filled()));
    let whole = nets.zip(taxes).and_then(|(nets, taxes)| nets.checked_add(taxes));
    differs(total, whole, "the total (P_15) is that of its sums (P_13, P_14)")?;
    let mut rows = vec![Some(Decimal::ZERO); SUMS.len()];
    let lines = invoice.lines.iter();
    let lines = lines.map(|line| (line.tax_category.first(), line.net_amount.filled(), false));
    let extra = invoice.allowance_charges.iter();
    let extra = extra.map(|one| (one.tax_category.first(), one.amount.filled(), !one.is_charge()));
    for (category, amount, is_less) in lines.chain(extra) {
        let Some(category) = category else { continue };
        let at = plan.taxed(invoice, category)?.sum;
        let Some(sum) = rows.get_mut(at) else { continue };
        let value = amount.and_then(Amount::value);
        let value = value.map(|value| if is_less { value.negated() } else { value });
        *sum = sum.zip(value).and_then(|(sum, value)| sum.checked_add(value));
    }
    let whole_rows = rows.iter().copied().collect::<Option<Vec<Decimal>>>().and_then(Decimal::sum);
    if plan.kind == "ZAL" && whole_rows != nets {
        let said = sums.groups.iter().find_map(|(_, one)| one.taxable_amount.filled());
        let rule = "an advance payment for an order comes to its rows";
        return said.map_or(Ok(()), |said| Err(refused(said, whole_rows, rule)));
    }
    for (at, computed) in rows.into_iter().enumerate() {
        let said = sums.of(at).find_map(|one| one.taxable_amount.filled());
        let whole = sum_of(sums.of(at).map(|one| one.taxable_amount.filled()));
        let Some((said, whole)) = said.zip(whole).filter(|_| !invoice.lines.is_empty()) else {
            continue;
        };
        if is_apart(whole, computed) {
            return Err(refused(said, computed, "a sum (P_13) is that of its rows (P_11)"));
        }
    }
    Ok(())
}

fn differs(
    said: Option<Amount<'_>>,
    computed: Option<Decimal>,
    rule: &'static str,
) -> Result<(), ConversionRefusal> {
    let Some(said) = said else { return Ok(()) };
    let Some(value) = said.value() else { return Ok(()) };
    match is_apart(value, computed) {
        true => Err(refused(said, computed, rule)),
        false => Ok(()),
    }
}

fn refused(said: Amount<'_>, computed: Option<Decimal>, rule: &'static str) -> ConversionRefusal {
    ConversionRefusal::SumsDiffer {
        path: said.path(),
        said: said.trimmed().into_owned(),
        computed: computed.map(|sum| format!("{sum:.2}")).unwrap_or_default(),
        rule,
    }
}

fn is_apart(one: Decimal, other: Option<Decimal>) -> bool {
    let apart = other.and_then(|other| one.checked_sub(other)).map(Decimal::abs);
    let beyond = apart.and_then(|apart| Decimal::new(1, 0).checked_sub(apart));
    apart.is_some() && beyond.is_none_or(Decimal::is_negative)
}
