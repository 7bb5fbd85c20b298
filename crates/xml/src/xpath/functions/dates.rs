//! Functions on dates, times and durations, Functions and Operators section 10.

use super::super::cast::{cast, type_name};
use super::super::error::{DynamicError, XPathResult, fail};
use super::super::number::XPathDecimal;
use super::super::temporal::{Moment, XPathDuration};
use super::super::types::AtomicType;
use super::super::value::{Item, Sequence};
use super::{Function, FunctionCall};

/// Minutes of the largest time zone.
const MAX_ZONE: i64 = 14 * 60;

impl<'d> FunctionCall<'_, 'd> {
    /// An argument of a type; an untyped value is cast.
    fn typed(self, at: usize, kind: AtomicType) -> XPathResult<Option<Item<'d>>> {
        let Some(argument) = self.arguments.get(at) else { return Ok(None) };
        let Some(item) = self.environment.single(argument, self.focus, self.frame)? else {
            return Ok(None);
        };
        let fits = match (&item, kind) {
            (Item::Untyped(text), kind) => {
                return match cast(&item, kind) {
                    Ok(item) => Ok(Some(item)),
                    Err(code) => {
                        let shown = super::super::evaluate::shortened(text.as_str());
                        let message = format!("{shown:?} is no xs:{}", kind.name());
                        Err(DynamicError::new(code, message))
                    }
                };
            }
            (Item::Date(_), AtomicType::Date)
            | (Item::Time(_), AtomicType::Time)
            | (Item::DateTime(_), AtomicType::DateTime)
            | (Item::DayTime(_), AtomicType::DayTime)
            | (Item::Duration(_) | Item::YearMonth(_) | Item::DayTime(_), AtomicType::Duration) => {
                true
            }
            _ => false,
        };
        if !fits {
            return fail!(XPTY0004, "expected xs:{}, found {}", kind.name(), type_name(&item));
        }
        Ok(Some(item))
    }

    fn moment(self, at: usize, kind: AtomicType) -> XPathResult<Option<Moment>> {
        Ok(match self.typed(at, kind)? {
            Some(Item::Date(moment) | Item::Time(moment) | Item::DateTime(moment)) => Some(moment),
            _ => None,
        })
    }

    pub(super) fn dates(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        match self.function {
            F::CurrentDate | F::CurrentDateTime | F::CurrentTime => self.now(),
            F::ImplicitTimezone => Ok(Item::DayTime(XPathDuration::default()).into()),
            F::DateTime => self.date_and_time(),
            F::AdjustDateTimeToTimezone => self.adjusted(AtomicType::DateTime),
            F::AdjustDateToTimezone => self.adjusted(AtomicType::Date),
            F::AdjustTimeToTimezone => self.adjusted(AtomicType::Time),
            F::YearsFromDuration
            | F::MonthsFromDuration
            | F::DaysFromDuration
            | F::HoursFromDuration
            | F::MinutesFromDuration
            | F::SecondsFromDuration => self.part_of_duration(),
            _ => self.part_of_moment(),
        }
    }

    fn now(self) -> XPathResult<Sequence<'d>> {
        let Some(now) = self.environment.settings.now else {
            return fail!(XPDY0002, "{}() is not known here", self.function.name());
        };
        let nanos = now.subsec_nanosecond();
        let moment =
            Moment::utc(now.as_second(), 0).plus(XPathDuration::of_seconds(0, i64::from(nanos)))?;
        Ok(match self.function {
            Function::CurrentDate => Item::Date(moment.date()),
            Function::CurrentTime => Item::Time(moment.time()),
            _ => Item::DateTime(moment),
        }
        .into())
    }

    fn date_and_time(self) -> XPathResult<Sequence<'d>> {
        let (Some(date), Some(time)) =
            (self.moment(0, AtomicType::Date)?, self.moment(1, AtomicType::Time)?)
        else {
            return Ok(Sequence::Empty);
        };
        let zone = match (date.zone, time.zone) {
            (Some(a), Some(b)) if a != b => {
                return fail!(FORG0008, "the date and the time have different time zones");
            }
            (a, b) => a.or(b),
        };
        let seconds = date.seconds + time.seconds;
        Ok(Item::DateTime(Moment { seconds, nanos: time.nanos, zone }).into())
    }

    fn adjusted(self, kind: AtomicType) -> XPathResult<Sequence<'d>> {
        let Some(moment) = self.moment(0, kind)? else { return Ok(Sequence::Empty) };
        let zone = match self.arguments.get(1) {
            None => Some(0),
            Some(_) => match self.typed(1, AtomicType::DayTime)? {
                Some(Item::DayTime(offset)) => {
                    let minutes = offset.seconds / 60;
                    if offset.seconds % 60 != 0 || offset.nanos != 0 || minutes.abs() > MAX_ZONE {
                        return fail!(FODT0003, "a time zone is whole minutes within 14 hours");
                    }
                    Some(minutes as i16)
                }
                _ => None,
            },
        };
        let moved = moment.in_zone(zone);
        Ok(match kind {
            AtomicType::Date => Item::Date(moved.date()),
            AtomicType::Time => Item::Time(moved.time()),
            _ => Item::DateTime(moved),
        }
        .into())
    }

    fn part_of_duration(self) -> XPathResult<Sequence<'d>> {
        let duration = match self.typed(0, AtomicType::Duration)? {
            Some(Item::Duration(value) | Item::YearMonth(value) | Item::DayTime(value)) => value,
            _ => return Ok(Sequence::Empty),
        };
        let XPathDuration { months, seconds, nanos } = duration;
        Ok(match self.function {
            Function::YearsFromDuration => Item::integer(months / 12),
            Function::MonthsFromDuration => Item::integer(months % 12),
            Function::DaysFromDuration => Item::integer(seconds / 86_400),
            Function::HoursFromDuration => Item::integer(seconds / 3600 % 24),
            Function::MinutesFromDuration => Item::integer(seconds / 60 % 60),
            _ => seconds_with_fraction(seconds % 60, nanos),
        }
        .into())
    }

    fn part_of_moment(self) -> XPathResult<Sequence<'d>> {
        use Function as F;
        let kind = match self.function {
            F::YearFromDate | F::MonthFromDate | F::DayFromDate | F::TimezoneFromDate => {
                AtomicType::Date
            }
            F::HoursFromTime | F::MinutesFromTime | F::SecondsFromTime | F::TimezoneFromTime => {
                AtomicType::Time
            }
            _ => AtomicType::DateTime,
        };
        let Some(moment) = self.moment(0, kind)? else { return Ok(Sequence::Empty) };
        let fields = moment.fields();
        Ok(match self.function {
            F::YearFromDate | F::YearFromDateTime => Item::integer(fields.year),
            F::MonthFromDate | F::MonthFromDateTime => Item::integer(fields.month.into()),
            F::DayFromDate | F::DayFromDateTime => Item::integer(fields.day.into()),
            F::HoursFromTime | F::HoursFromDateTime => Item::integer(fields.hour),
            F::MinutesFromTime | F::MinutesFromDateTime => Item::integer(fields.minute),
            F::SecondsFromTime | F::SecondsFromDateTime => {
                seconds_with_fraction(fields.second, moment.nanos.into())
            }
            _ => match moment.zone {
                None => return Ok(Sequence::Empty),
                Some(zone) => Item::DayTime(XPathDuration::of_seconds(i64::from(zone) * 60, 0)),
            },
        }
        .into())
    }
}

fn seconds_with_fraction<'d>(seconds: i64, nanos: i64) -> Item<'d> {
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    Item::Decimal(XPathDecimal::small(total, 9))
}
