//! `count`, `sum`, `avg`, `min` and `max`, Functions and Operators section 15.4.

use std::collections::BTreeSet;

use super::super::arithmetic;
use super::super::cast::{cast, type_name};
use super::super::compare;
use super::super::error::{DynamicError, XPathResult, fail};
use super::super::ir::{Comparison, Expr, Operator, WalkOrder};
use super::super::types::AtomicType;
use super::super::value::{Item, Sequence};
use super::{Function, FunctionCall};

impl<'d> FunctionCall<'_, 'd> {
    pub(super) fn aggregates(self) -> XPathResult<Sequence<'d>> {
        let Some(source) = self.arguments.first() else { return Ok(Sequence::Empty) };
        match self.function {
            Function::Count => Ok(Item::integer(self.count(source)? as i64).into()),
            Function::Sum => self.sum(source),
            Function::Avg => self.average(source),
            Function::Max => self.extreme(source, Comparison::Greater),
            _ => self.extreme(source, Comparison::Less),
        }
    }

    fn count(self, source: &'d Expr) -> XPathResult<usize> {
        let distinct = match source {
            Expr::Path(path) => matches!(path.order, WalkOrder::Document | WalkOrder::Distinct),
            Expr::Sequence(_) | Expr::For(_) => true,
            Expr::Filter(_) => true,
            _ => false,
        };
        if !distinct {
            return Ok(self.environment.sequence(source, self.focus, self.frame)?.len());
        }
        let mut count = 0;
        // Parts of a sequence or filter must not hand a node over twice, so they are sorted.
        let sorted = !matches!(source, Expr::Path(_));
        self.environment.each(source, self.focus, self.frame, sorted, &mut |_| {
            count += 1;
            Ok(false)
        })?;
        Ok(count)
    }

    /// Hands over the values as numbers or durations.
    fn each_number(
        self,
        source: &'d Expr,
        visit: &mut dyn FnMut(Item<'d>) -> XPathResult<()>,
    ) -> XPathResult<()> {
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            let number = match &item {
                Item::Untyped(text) => cast(&item, AtomicType::Double).map_err(|code| {
                    let shown = super::super::evaluate::shortened(text.as_str());
                    DynamicError::new(code, format!("{shown:?} is not a number"))
                })?,
                Item::Integer(_)
                | Item::Decimal(_)
                | Item::Double(_)
                | Item::Float(_)
                | Item::YearMonth(_)
                | Item::DayTime(_) => item,
                other => {
                    return fail!(FORG0006, "{}() of {}", self.function.name(), type_name(other));
                }
            };
            visit(number)?;
            Ok(false)
        })?;
        Ok(())
    }

    fn total(self, source: &'d Expr) -> XPathResult<(Option<Item<'d>>, i64)> {
        let (mut total, mut count): (Option<Item<'d>>, i64) = (None, 0);
        self.each_number(source, &mut |number| {
            count += 1;
            total = Some(match total.take() {
                None => number,
                Some(sum) => match arithmetic::evaluate(Operator::Add, &sum, &number) {
                    Err(error) if error.code == super::super::error::ErrorCode::XPTY0004 => {
                        return fail!(FORG0006, "{}", error.message);
                    }
                    result => result?,
                },
            });
            Ok(())
        })?;
        Ok((total, count))
    }

    fn sum(self, source: &'d Expr) -> XPathResult<Sequence<'d>> {
        let (total, _) = self.total(source)?;
        match (total, self.arguments.get(1)) {
            (Some(total), _) => Ok(total.into()),
            (None, Some(zero)) => {
                let zero = self.environment.single(zero, self.focus, self.frame)?;
                Ok(zero.into())
            }
            (None, None) => Ok(Item::integer(0).into()),
        }
    }

    fn average(self, source: &'d Expr) -> XPathResult<Sequence<'d>> {
        let (total, count) = self.total(source)?;
        let Some(total) = total else { return Ok(Sequence::Empty) };
        Ok(arithmetic::evaluate(Operator::Divide, &total, &Item::integer(count))?.into())
    }

    /// The largest or smallest value; all are promoted to the widest type among them.
    fn extreme(self, source: &'d Expr, better: Comparison) -> XPathResult<Sequence<'d>> {
        let mut best: Option<Item<'d>> = None;
        let mut not_a_number: Option<Item<'d>> = None;
        let mut kinds = BTreeSet::new();
        self.environment.each_atomic(source, self.focus, self.frame, &mut |item| {
            let item = match &item {
                Item::Untyped(text) => cast(&item, AtomicType::Double).map_err(|code| {
                    let shown = super::super::evaluate::shortened(text.as_str());
                    DynamicError::new(code, format!("{shown:?} is not a number"))
                })?,
                Item::QName(_) | Item::Duration(_) => {
                    return fail!(FORG0006, "{} has no order", type_name(&item));
                }
                _ => item,
            };
            kinds.insert(width(&item));
            if compare::double(&item).is_some_and(f64::is_nan) {
                not_a_number = Some(item);
                return Ok(false);
            }
            best = Some(match best.take() {
                None => item,
                Some(best) => match compare::single(better, &item, &best) {
                    Ok(true) => item,
                    Ok(false) => best,
                    Err(error) => return fail!(FORG0006, "{}", error.message),
                },
            });
            Ok(false)
        })?;
        let widest = match kinds.last() {
            Some(Width::Double) => Some(AtomicType::Double),
            Some(Width::Float) => Some(AtomicType::Float),
            _ => None,
        };
        let Some(result) = not_a_number.or(best) else { return Ok(Sequence::Empty) };
        Ok(match widest {
            Some(kind) => cast(&result, kind)?,
            None => result,
        }
        .into())
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Exact,
    Float,
    Double,
}

fn width(item: &Item<'_>) -> Width {
    match item {
        Item::Double(_) => Width::Double,
        Item::Float(_) => Width::Float,
        _ => Width::Exact,
    }
}
