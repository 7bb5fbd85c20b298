//! Functions on numbers, Functions and Operators section 6.4, and `number`.

use super::super::cast::{to_double, trimmed};
use super::super::error::{XPathResult, fail};
use super::super::number::{XPathDecimal, parse_double, round_double};
use super::super::value::{Item, Sequence};
use super::{Function, FunctionCall};

impl<'d> FunctionCall<'_, 'd> {
    pub(super) fn numbers(self) -> XPathResult<Sequence<'d>> {
        if self.function == Function::Number {
            return Ok(Item::Double(self.to_number()?).into());
        }
        let Some(first) = self.arguments.first() else { return Ok(Sequence::Empty) };
        let Some(number) = self.environment.number(first, self.focus, self.frame)? else {
            return Ok(Sequence::Empty);
        };
        Ok(match self.function {
            Function::Abs => absolute(number),
            Function::Ceiling => whole(number, XPathDecimal::ceiling, f64::ceil),
            Function::Floor => whole(number, XPathDecimal::floor, f64::floor),
            Function::Round => match number {
                Item::Decimal(value) => Item::Decimal(value.round(0)?),
                Item::Double(value) => Item::Double(round_double(value)),
                Item::Float(value) => Item::Float(round_double(value.into()) as f32),
                other => other,
            },
            _ => {
                let digits = match self.arguments.get(1) {
                    None => 0,
                    Some(digits) => {
                        let digits = self.environment.integer(digits, self.focus, self.frame)?;
                        let Some(digits) = digits.and_then(|digits| digits.to_i64()) else {
                            return fail!(XPTY0004, "the precision must be one integer");
                        };
                        digits
                    }
                };
                half_even(number, digits)?
            }
        }
        .into())
    }

    /// `fn:number`: NaN for whatever is no number.
    fn to_number(self) -> XPathResult<f64> {
        let item = match self.arguments.first() {
            Some(argument) => self.environment.single(argument, self.focus, self.frame)?,
            None => Some(self.environment.atomized(self.context_item()?)),
        };
        Ok(match &item {
            None => f64::NAN,
            Some(Item::Untyped(text) | Item::String(text)) => {
                parse_double(trimmed(text.as_str())).unwrap_or(f64::NAN)
            }
            Some(item) => to_double(item).unwrap_or(f64::NAN),
        })
    }

    /// The context item, which a function without its argument takes.
    pub(super) fn context_item(self) -> XPathResult<Item<'d>> {
        match &self.focus.item {
            Some(item) => Ok(item.clone()),
            None => fail!(XPDY0002, "{}() has no context item here", self.function.name()),
        }
    }
}

fn absolute(number: Item<'_>) -> Item<'_> {
    match number {
        Item::Integer(value) => Item::Integer(value.absolute()),
        Item::Decimal(value) => Item::Decimal(value.absolute()),
        Item::Double(value) => Item::Double(value.abs()),
        Item::Float(value) => Item::Float(value.abs()),
        other => other,
    }
}

fn whole(
    number: Item<'_>,
    exact: fn(&XPathDecimal) -> XPathDecimal,
    double: fn(f64) -> f64,
) -> Item<'_> {
    match number {
        Item::Decimal(value) => Item::Decimal(exact(&value)),
        Item::Double(value) => Item::Double(double(value)),
        Item::Float(value) => Item::Float(double(value.into()) as f32),
        other => other,
    }
}

fn half_even(number: Item<'_>, digits: i64) -> XPathResult<Item<'_>> {
    let double = |value: f64| -> XPathResult<f64> {
        let Some(exact) = XPathDecimal::from_f64(value) else { return Ok(value) };
        let rounded = exact.round_half_even(digits)?.to_f64();
        Ok(if rounded == 0.0 { rounded.copysign(value) } else { rounded })
    };
    Ok(match number {
        Item::Integer(value) if digits >= 0 => Item::Integer(value),
        Item::Integer(value) => {
            Item::Integer(value.to_decimal().round_half_even(digits)?.to_integer())
        }
        Item::Decimal(value) => Item::Decimal(value.round_half_even(digits)?),
        Item::Double(value) => Item::Double(double(value)?),
        Item::Float(value) => Item::Float(double(value.into())? as f32),
        other => other,
    })
}
