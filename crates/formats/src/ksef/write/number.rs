//! Numbers and texts in the types of FA.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Date, Field, ValueSource, ValueType};
use quoin_model::text::SPACE;

use super::super::read::other_sign;
use super::plan::SignChange;
use crate::writing::{InvoiceOutput, LossKind, NumberForm, in_form, written_day};

/// `TKwotowy`.
pub(super) const AMOUNT: NumberForm = NumberForm { least: 0, most: 2, digits: 16 };
/// `TKwotowy2`.
pub(super) const PRICE: NumberForm = NumberForm { least: 0, most: 8, digits: 14 };
/// `TIlosci`.
pub(super) const QUANTITY: NumberForm = NumberForm { least: 0, most: 6, digits: 16 };

/// No sign changes.
pub(super) const AS_IT_IS: SignChange = SignChange { written: false, read: false };

const NO_NUMBER: &str = "the target asks for a number, with fewer digits";
const ROUNDED: &str = "the target has fewer decimals";
const CREDITED: &str = "what is credited is less than nought in the target";
/// Why a text is another.
pub(super) const CUT: &str = "the target has a greatest length";

/// Whether a text is a number of a type: no plus sign, no noughts before it, no exponent.
fn is_plain(text: &str, form: NumberForm) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let has_noughts = whole.len() > 1 && whole.starts_with('0');
    is_digits(whole)
        && is_digits(fraction)
        && !has_noughts
        && whole.len() <= form.digits
        && fraction.len() <= form.most as usize
}

/// A number in a type; `None` where it has too many digits.
pub(super) fn decimal(number: Decimal, decimals: u32, digits: usize) -> Option<String> {
    in_form(number, NumberForm { least: 0, most: decimals, digits })
}

/// What is written for a number; `None` where it is none, or has too many digits.
pub(super) fn number_text(source: ValueSource<'_>, form: NumberForm) -> Option<String> {
    let words = source.trimmed();
    let number = Decimal::parse(&words).ok()?;
    match is_plain(&words, form) {
        true => Some(words.into_owned()),
        false => in_form(number, form),
    }
}

/// Writes a number in a type, with the other sign where the document credits. The document is
/// refused where it is none.
pub(super) fn number<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    form: NumberForm,
    signs: SignChange,
) {
    let Some(same) = number_text(source, form) else {
        return out.refuse_value(source, NO_NUMBER);
    };
    let text = if signs.written { other_sign(&same) } else { same.clone() };
    let is_same = Decimal::parse(&same).ok() == Decimal::parse(&source.trimmed()).ok();
    let is_nought = other_sign(&same) == same;
    match (signs.written || signs.read) && !is_nought {
        false if is_same => out.kept(name, &text, source),
        false => out.changed(name, &text, source, ROUNDED),
        true => out.changed(name, &text, source, CREDITED),
    }
}

/// As [`number`], without the sign.
pub(super) fn magnitude<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    source: ValueSource<'d>,
    is_read_so: bool,
) {
    let Some(text) = number_text(source, AMOUNT) else {
        return out.refuse_value(source, NO_NUMBER);
    };
    let positive = text.strip_prefix('-').unwrap_or(&text).to_owned();
    match positive == source.trimmed() && is_read_so {
        true => out.kept(name, &positive, source),
        false => out.changed(name, &positive, source, "the target has no sign there"),
    }
}

/// A text with single blanks, as the schema reads it.
pub(super) fn collapsed(text: &str) -> String {
    text.split(SPACE).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Writes a text of a greatest length; what is longer is cut. Whether there is one.
pub(super) fn text<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Option<T>,
    most: usize,
) -> bool {
    let Some(value) = value.filter(|value| !value.source().is_blank()) else { return false };
    let whole = collapsed(&value.trimmed());
    match whole.chars().count() <= most {
        true => out.fitted(name, &whole, value.source(), CUT),
        false => {
            let part: String = whole.chars().take(most).collect();
            out.changed(name, part.trim_end(), value.source(), CUT);
        }
    }
    true
}

/// Writes an identifier of a greatest length; one that is longer is lost. Whether it is written.
pub(super) fn id<'d, T: ValueType<'d>>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    value: Option<T>,
    most: usize,
) -> bool {
    let Some(value) = value.filter(|value| !value.source().is_blank()) else { return false };
    let whole = collapsed(&value.trimmed());
    if whole.chars().count() > most {
        out.lost(value.source(), "it is longer than the target allows");
        return false;
    }
    out.fitted(name, &whole, value.source(), CUT);
    true
}

/// Writes a day of a field that is not before another. Whether it is written.
pub(super) fn day<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    field: &Field<Date<'d>>,
    first: &str,
) -> bool {
    let Some(date) = field.filled() else { return false };
    let is_written = one_day(out, name, date, first);
    out.same_day(field, date);
    is_written
}

/// As [`day`], of one date.
pub(super) fn one_day<'d>(
    out: &mut InvoiceOutput<'d>,
    name: &'static str,
    date: Date<'d>,
    first: &str,
) -> bool {
    match is_day(date, first) {
        true => out.one_day(name, date),
        false => {
            out.lost(*date, "it is no day of the target, which has those of some years only");
            false
        }
    }
}

/// Whether a date is a day that the target has: not before the first, and not after 2050 began.
pub(super) fn is_day(date: Date<'_>, first: &str) -> bool {
    let text = written_day(date).map(|written| written.day.to_string());
    text.is_some_and(|text| text.as_str() >= first && text.as_str() <= "2050-01-01")
}

/// Lists a value that a text beside the elements says.
pub(super) fn as_text<'d>(out: &mut InvoiceOutput<'d>, source: ValueSource<'d>) {
    let reason = "the target has a fact for it, in words";
    out.told_otherwise("DodatkowyOpis", source, LossKind::CarriedAsText, reason);
}
