//! Values that say in other words what the document says: codes by a table, texts in parts, sums.
//!
//! None of these functions counts a leaf that another one counts: [`Pass::mapped`] reads its leaf;
//! [`view`], [`implied`], [`joined`] and [`summed`] look at leaves that are read besides.

use std::borrow::Cow;

use quoin_model::amount::{Decimal, decimals_as_written};
use quoin_model::en16931::{
    Agreement, AttributeName, CurrencyCode, Derivation, Field, Invoice, TaxCategory, Text,
    ValueSource, ValueType,
};
use quoin_model::text::{date, zoned_date};
use quoin_xml::tree::Element;

use super::Pass;

/// A table of codes: what the document says, and what the model says.
pub(crate) type CodeTable = &'static [(&'static str, &'static str)];

/// What a code of the document is in the list of the model.
pub(crate) fn lookup(table: CodeTable, code: &str) -> Option<&'static str> {
    table.iter().find(|(own, _)| *own == code).map(|(_, ours)| *ours)
}

/// What a code of the model is in the document: the first that the table has for it.
pub(crate) fn lookup_back(table: CodeTable, code: &str) -> Option<&'static str> {
    table.iter().find(|(_, ours)| *ours == code).map(|(own, _)| *own)
}

/// A value at an element that another value reads.
pub(crate) fn view<'d, T: ValueType<'d>>(element: Element<'d>) -> T {
    T::from(ValueSource::of(element))
}

/// A value at an element whose code is another one in the model. A code that the table does not
/// know is what the document says.
pub(crate) fn mapped<'d, T: ValueType<'d>>(source: ValueSource<'d>, table: CodeTable) -> T {
    match lookup(table, &source.trimmed()) {
        Some(code) => T::from(source.saying(Derivation::Mapped, code)),
        None => T::from(source),
    }
}

/// What the syntax means by an element, where it has no words for it.
pub(crate) fn implied<'d, T: ValueType<'d>>(element: Element<'d>, text: &'static str) -> T {
    T::from(ValueSource::of(element).saying(Derivation::Implied, text))
}

/// A text of several, one after the other, behind words that say what they are.
pub(crate) fn joined<'d, T: ValueType<'d>>(
    element: Element<'d>,
    words: &[&str],
    parts: &[Text<'d>],
    between: &str,
) -> T {
    let words = words.iter().map(|word| Cow::Borrowed(*word));
    let texts: Vec<_> = words.chain(parts.iter().map(|part| part.trimmed())).collect();
    let parts: Vec<_> = parts.iter().map(|part| **part).collect();
    T::from(ValueSource::of(element).made_of(&parts, texts.join(between)))
}

/// The day of a day and time or of a day with a time zone: `2026-05-04` of `2026-05-04T10:00:00`.
/// Anything else is what the document says.
pub(crate) fn day_of<'d, T: ValueType<'d>>(source: ValueSource<'d>) -> T {
    let text = source.trimmed();
    let is_more = |more: &str| more.starts_with('T') || zoned_date(&text).is_some();
    let parts = text.split_at_checked(10);
    let day = parts.filter(|(_, more)| !more.is_empty() && is_more(more));
    match day.and_then(|(day, _)| date(day)) {
        Some(day) => T::from(source.saying(Derivation::Part, day.to_string())),
        None => T::from(source),
    }
}

/// A number with at least two decimals, as amounts are written.
pub(crate) fn cents(amount: Decimal) -> String {
    match amount.decimals() {
        0 => format!("{amount}.00"),
        1 => format!("{amount}0"),
        _ => amount.to_string(),
    }
}

/// The text of a number with the other sign.
pub(crate) fn negated(text: &str) -> String {
    let is_zero = Decimal::parse(text).is_ok_and(|number| number.is_zero());
    match text.strip_prefix('-') {
        Some(rest) => rest.to_owned(),
        None if is_zero => text.to_owned(),
        None => format!("-{}", text.trim_start_matches('+')),
    }
}

/// So many percent of an amount, in cents.
pub(crate) fn share(amount: Option<Decimal>, percent: Option<Decimal>) -> Option<Decimal> {
    let hundredfold = amount?.checked_mul(percent?)?;
    hundredfold.checked_mul(Decimal::new(1, 2)).map(Decimal::round_to_cents)
}

/// A sum of amounts, exact, and with how many decimals any of them is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunningSum {
    value: Option<Decimal>,
    decimals: usize,
    count: usize,
}

impl Default for RunningSum {
    fn default() -> Self {
        RunningSum { value: Some(Decimal::ZERO), decimals: 0, count: 0 }
    }
}

impl RunningSum {
    /// Adds the first amount of a field; what is no number makes a sum that is none.
    pub(crate) fn add<'d, T: ValueType<'d>>(&mut self, field: &Field<T>) {
        let Some(value) = field.get() else { return };
        let text = value.source().trimmed();
        self.count += 1;
        self.decimals = self.decimals.max(decimals_as_written(&text));
        let number = Decimal::parse(&text).ok();
        self.value = self.value.zip(number).and_then(|(sum, one)| sum.checked_add(one));
    }

    /// Adds another sum.
    pub(crate) fn plus(self, other: RunningSum) -> RunningSum {
        let value = self.value.zip(other.value).and_then(|(a, b)| a.checked_add(b));
        let decimals = self.decimals.max(other.decimals);
        RunningSum { value, decimals, count: self.count + other.count }
    }

    /// Takes another sum away.
    pub(crate) fn minus(self, other: RunningSum) -> RunningSum {
        let value = self.value.zip(other.value).and_then(|(a, b)| a.checked_sub(b));
        RunningSum { value, ..self.plus(other) }
    }

    /// The number, where there was something to add and all of it were numbers.
    pub(crate) fn value(self) -> Option<Decimal> {
        self.value.filter(|_| self.count > 0)
    }

    /// The sum as it is written, with two decimals at most: EN 16931 allows no total more
    /// (BR-DEC-09 to BR-DEC-18).
    fn text(self) -> Option<String> {
        let value = self.value()?.round_to_cents();
        let decimals = self.decimals.min(2);
        let (mut text, written) = (value.to_string(), value.decimals() as usize);
        if written < decimals {
            if written == 0 {
                text.push('.');
            }
            text.extend(std::iter::repeat_n('0', decimals - written));
        }
        Some(text)
    }
}

/// Whether a sum is, in cents, one of the numbers that the document leads to.
pub(crate) fn agreement(sum: Option<Decimal>, said: &[Option<Decimal>]) -> Agreement {
    let Some(sum) = sum else { return Agreement::Unsaid };
    let mut said = said.iter().flatten().map(|one| one.round_to_cents()).peekable();
    if said.peek().is_none() {
        return Agreement::Unsaid;
    }
    match said.any(|one| one == sum.round_to_cents()) {
        true => Agreement::Agrees,
        false => Agreement::Differs,
    }
}

/// Puts a sum in a field, at the element that has what is added, in the currency of the document;
/// nothing where there was nothing to add.
pub(crate) fn summed<'d, T: ValueType<'d>>(
    field: &mut Field<T>,
    element: Element<'d>,
    sum: RunningSum,
    agreement: Agreement,
    currency: Option<CurrencyCode<'d>>,
) {
    let Some(text) = sum.text() else { return };
    let value = ValueSource::of(element).saying(Derivation::Computed(agreement), text);
    let value = match currency {
        Some(currency) => value.with(&[(AttributeName::CurrencyId, *currency)]),
        None => value,
    };
    field.push(T::from(value));
}

impl<'d> Pass<'d> {
    /// Reads an element whose code is another one in the model.
    pub(crate) fn mapped<T: ValueType<'d>>(&mut self, element: Element<'d>, table: CodeTable) -> T {
        let own: T = self.value(element);
        mapped(own.source(), table)
    }
}

/// A price has no sign in EN 16931 (BR-27): that of a reduction is with its quantity.
pub(crate) fn signs_of_prices(invoice: &mut Invoice<'_>) {
    for line in &mut invoice.lines {
        let has_quantity = line.quantity.value().is_some();
        let Some(price) = line.price.all_mut().first_mut().filter(|_| has_quantity) else {
            continue;
        };
        let is_negative = price.net.value().is_some_and(Decimal::is_negative);
        if is_negative && price.gross.is_absent() {
            price.net = price.net.iter().map(|one| other_sign(**one)).collect();
            line.quantity = line.quantity.iter().map(|one| other_sign(**one)).collect();
        }
    }
}

fn other_sign<'d, T: ValueType<'d>>(source: ValueSource<'d>) -> T {
    T::from(source.saying(Derivation::Negated, negated(&source.trimmed())))
}

/// Why an allowance or a charge is made that says nothing of it, which EN 16931 asks for (BR-CO-21
/// to BR-CO-24): a discount, a miscellaneous service.
pub(crate) fn general_reasons(invoice: &mut Invoice<'_>) {
    let of_lines = invoice.lines.iter_mut().flat_map(|line| &mut line.allowance_charges);
    for one in invoice.allowance_charges.iter_mut().chain(of_lines) {
        if !one.reason.is_filled() && !one.reason_code.is_filled() {
            let code = if one.is_charge() { OTHER_SERVICE } else { DISCOUNT };
            one.reason_code = std::iter::once(implied(one.element, code)).collect();
        }
    }
}

/// A reason of an allowance (UNTDID 5189) that is every one.
pub(crate) const DISCOUNT: &str = "95";
/// A reason of a charge (UNTDID 7161) that is every one.
const OTHER_SERVICE: &str = "ABK";

/// The category of a line (BG-30), an allowance or a charge that says none: that of the document,
/// where it has one only.
pub(crate) fn only_category(invoice: &mut Invoice<'_>) {
    let [only] = invoice.vat_breakdown.as_slice() else { return };
    let Some(category) = only.category.one() else { return };
    let same = |source: ValueSource<'_>| source.trimmed().into_owned();
    let of_lines = invoice.lines.iter_mut().map(|line| &mut line.tax_category);
    let of_document = invoice.allowance_charges.iter_mut().map(|one| &mut one.tax_category);
    for field in of_lines.chain(of_document) {
        if field.is_present() {
            continue;
        }
        let mut own = TaxCategory::new(category.element);
        let codes = category.code.iter();
        own.code.extend(codes.map(|one| one.saying(Derivation::Implied, same(**one)).into()));
        // What is outside the scope of VAT has no rate (BR-O-05 to BR-O-07).
        let rates = category.rate.iter().filter(|_| !category.code.is("O"));
        own.rate.extend(rates.map(|one| one.saying(Derivation::Implied, same(**one)).into()));
        own.scheme.extend(category.scheme.iter().copied());
        field.push(own);
    }
}
