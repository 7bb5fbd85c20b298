//! Arithmetic on atomic values, XPath 2.0 section 3.4 and Functions and Operators 6.2 and 10.

use super::cast::{cast, type_name};
use super::compare::{decimal, double, float};
use super::error::{DynamicError, ErrorCode, XPathResult, fail};
use super::ir::Operator;
use super::number::Integer;
use super::temporal::{Moment, XPathDuration};
use super::types::AtomicType;
use super::value::Item;

impl Operator {
    fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "div",
            Operator::IntegerDivide => "idiv",
            Operator::Modulo => "mod",
        }
    }
}

/// An untyped operand is a double (section 3.4).
fn operand<'d>(item: &Item<'d>) -> XPathResult<Item<'d>> {
    match item {
        Item::Untyped(text) => cast(item, AtomicType::Double).map_err(|code| {
            DynamicError::new(code, format!("{:?} is not a number", text.as_str()))
        }),
        other => Ok(other.clone()),
    }
}

/// The value of `a operator b`.
pub(crate) fn evaluate<'d>(
    operator: Operator,
    a: &Item<'d>,
    b: &Item<'d>,
) -> XPathResult<Item<'d>> {
    let (a, b) = (operand(a)?, operand(b)?);
    let result = match (&a, &b) {
        (Item::Integer(a), Item::Integer(b)) => return Ok(integers(operator, a, b)?),
        (Item::Decimal(_), Item::Decimal(_) | Item::Integer(_))
        | (Item::Integer(_), Item::Decimal(_)) => decimals(operator, &a, &b)?,
        (Item::Float(_), Item::Float(_) | Item::Decimal(_) | Item::Integer(_))
        | (Item::Decimal(_) | Item::Integer(_), Item::Float(_)) => floats(operator, &a, &b)?,
        (
            Item::Double(_) | Item::Float(_) | Item::Decimal(_) | Item::Integer(_),
            Item::Double(_) | Item::Float(_) | Item::Decimal(_) | Item::Integer(_),
        ) => doubles(operator, &a, &b)?,
        _ => moments(operator, &a, &b)?,
    };
    match result {
        Some(item) => Ok(item),
        None => fail!(
            XPTY0004,
            "`{}` is not defined for {} and {}",
            operator.sign(),
            type_name(&a),
            type_name(&b)
        ),
    }
}

fn integers<'d>(
    operator: Operator,
    a: &Integer,
    b: &Integer,
) -> std::result::Result<Item<'d>, ErrorCode> {
    Ok(Item::Integer(match operator {
        Operator::Add => a.add(b)?,
        Operator::Subtract => a.subtract(b)?,
        Operator::Multiply => a.multiply(b)?,
        Operator::Divide => return Ok(Item::Decimal(a.to_decimal().divide(&b.to_decimal())?)),
        Operator::IntegerDivide => a.quotient(b)?,
        Operator::Modulo => a.remainder(b)?,
    }))
}

fn decimals<'d>(operator: Operator, a: &Item<'d>, b: &Item<'d>) -> XPathResult<Option<Item<'d>>> {
    let (Some(a), Some(b)) = (decimal(a), decimal(b)) else { return Ok(None) };
    Ok(Some(Item::Decimal(match operator {
        Operator::Add => a.add(&b)?,
        Operator::Subtract => a.subtract(&b)?,
        Operator::Multiply => a.multiply(&b)?,
        Operator::Divide => a.divide(&b)?,
        Operator::IntegerDivide => return Ok(Some(Item::Integer(a.quotient(&b)?))),
        Operator::Modulo => a.remainder(&b)?,
    })))
}

fn floats<'d>(operator: Operator, a: &Item<'d>, b: &Item<'d>) -> XPathResult<Option<Item<'d>>> {
    let (Some(x), Some(y)) = (float(a), float(b)) else { return Ok(None) };
    Ok(Some(Item::Float(match operator {
        Operator::Add => x + y,
        Operator::Subtract => x - y,
        Operator::Multiply => x * y,
        Operator::Divide => x / y,
        Operator::Modulo => x % y,
        Operator::IntegerDivide => return whole_quotient(x.into(), y.into()).map(Some),
    })))
}

fn doubles<'d>(operator: Operator, a: &Item<'d>, b: &Item<'d>) -> XPathResult<Option<Item<'d>>> {
    let (Some(x), Some(y)) = (double(a), double(b)) else { return Ok(None) };
    Ok(Some(Item::Double(match operator {
        Operator::Add => x + y,
        Operator::Subtract => x - y,
        Operator::Multiply => x * y,
        Operator::Divide => x / y,
        Operator::Modulo => x % y,
        Operator::IntegerDivide => return whole_quotient(x, y).map(Some),
    })))
}

/// `idiv` of doubles, Functions and Operators 6.2.5.
fn whole_quotient<'d>(x: f64, y: f64) -> XPathResult<Item<'d>> {
    if y == 0.0 {
        return Err(ErrorCode::FOAR0001.into());
    }
    if !x.is_finite() || y.is_nan() {
        return fail!(FOAR0002, "{x} idiv {y} is no integer");
    }
    if y.is_infinite() {
        return Ok(Item::integer(0));
    }
    match cast(&Item::Double(x / y), AtomicType::Integer(super::types::IntegerType::Any)) {
        Ok(item) => Ok(item),
        Err(_) => fail!(FOAR0002, "{x} idiv {y} is too large"),
    }
}

fn moments<'d>(operator: Operator, a: &Item<'d>, b: &Item<'d>) -> XPathResult<Option<Item<'d>>> {
    use Item as I;
    use Operator as O;
    Ok(Some(match (a, operator, b) {
        (I::Date(x), O::Subtract, I::Date(y))
        | (I::Time(x), O::Subtract, I::Time(y))
        | (I::DateTime(x), O::Subtract, I::DateTime(y)) => I::DayTime(x.minus(*y)),
        (I::Date(x) | I::DateTime(x), O::Add, I::YearMonth(y) | I::DayTime(y)) => moved(a, *x, *y)?,
        (I::Date(x) | I::DateTime(x), O::Subtract, I::YearMonth(y) | I::DayTime(y)) => {
            moved(a, *x, y.negate())?
        }
        (I::YearMonth(y) | I::DayTime(y), O::Add, I::Date(x) | I::DateTime(x)) => moved(b, *x, *y)?,
        (I::Time(x), O::Add, I::DayTime(y)) | (I::DayTime(y), O::Add, I::Time(x)) => {
            I::Time(x.plus(*y)?.time())
        }
        (I::Time(x), O::Subtract, I::DayTime(y)) => I::Time(x.plus(y.negate())?.time()),
        (I::YearMonth(x), O::Add, I::YearMonth(y)) => I::YearMonth(x.plus(*y)?),
        (I::YearMonth(x), O::Subtract, I::YearMonth(y)) => I::YearMonth(x.plus(y.negate())?),
        (I::DayTime(x), O::Add, I::DayTime(y)) => I::DayTime(x.plus(*y)?),
        (I::DayTime(x), O::Subtract, I::DayTime(y)) => I::DayTime(x.plus(y.negate())?),
        (I::YearMonth(x), O::Divide, I::YearMonth(y)) => I::Decimal(x.ratio(*y)?),
        (I::DayTime(x), O::Divide, I::DayTime(y)) => I::Decimal(x.ratio(*y)?),
        (I::YearMonth(_) | I::DayTime(_), O::Multiply | O::Divide, factor) => {
            return scaled(a, operator, factor);
        }
        (factor, O::Multiply, I::YearMonth(_) | I::DayTime(_)) => {
            return scaled(b, operator, factor);
        }
        _ => return Ok(None),
    }))
}

fn moved<'d>(item: &Item<'d>, moment: Moment, by: XPathDuration) -> XPathResult<Item<'d>> {
    let moment = moment.plus(by)?;
    Ok(match item {
        Item::Date(_) => Item::Date(moment.date()),
        _ => Item::DateTime(moment),
    })
}

fn scaled<'d>(
    item: &Item<'d>,
    operator: Operator,
    factor: &Item<'d>,
) -> XPathResult<Option<Item<'d>>> {
    let Some(factor) = double(factor) else { return Ok(None) };
    if operator == Operator::Divide && factor == 0.0 {
        return Err(ErrorCode::FODT0002.into());
    }
    let factor = if operator == Operator::Divide { 1.0 / factor } else { factor };
    Ok(match item {
        Item::YearMonth(value) => Some(Item::YearMonth(value.times(factor)?)),
        Item::DayTime(value) => Some(Item::DayTime(value.times(factor)?)),
        _ => None,
    })
}
