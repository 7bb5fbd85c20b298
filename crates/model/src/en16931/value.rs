//! The value types of EN 16931-1 section 6.5: views on a place in the document.

use std::ops::Deref;

use jiff::civil;

use super::codes::{CurrencyCode, UnitCode};
use super::source::{AttributeName, ValueSource};
use crate::amount::{Decimal, DecimalError};
use crate::text;

/// A value type: a typed view on a [`Source`].
pub trait ValueType<'d>: Copy + From<ValueSource<'d>> + Deref<Target = ValueSource<'d>> {
    /// The attributes that the type gives access to. Others on the same element are unread.
    const ATTRIBUTES: &'static [AttributeName];

    /// Whether white space around it is part of what it says: of a text, and of nothing else.
    const IS_TEXT: bool = false;

    /// Where it stands.
    fn source(self) -> ValueSource<'d>;
}

/// Declares a value type with the attributes it carries.
macro_rules! value {
    ($(#[$doc:meta])* $name:ident: $($attribute:ident),* $(; $($more:tt)*)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name<'d>(pub(crate) $crate::en16931::source::ValueSource<'d>);

        impl<'d> From<$crate::en16931::source::ValueSource<'d>> for $name<'d> {
            fn from(source: $crate::en16931::source::ValueSource<'d>) -> Self {
                $name(source)
            }
        }

        impl<'d> std::ops::Deref for $name<'d> {
            type Target = $crate::en16931::source::ValueSource<'d>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl<'d> $crate::en16931::value::ValueType<'d> for $name<'d> {
            const ATTRIBUTES: &'static [$crate::en16931::source::AttributeName] =
                &[$($crate::en16931::source::AttributeName::$attribute),*];
            $($($more)*)?

            fn source(self) -> $crate::en16931::source::ValueSource<'d> {
                self.0
            }
        }
    };
}
pub(super) use value;

value! {
    /// Free text. White space inside and around it is kept ([`Source::text`]).
    Text: LanguageId; const IS_TEXT: bool = true;
}
value! {
    /// An identifier and the scheme it is from.
    Identifier: SchemeId, SchemeVersionId, SchemeName, SchemeAgencyId, SchemeAgencyName
}
value! {
    /// An amount of money, or a unit price, and its currency.
    Amount: CurrencyId
}
value! {
    /// A percentage: `20` is 20 %.
    Percentage: Format
}
value! {
    /// A quantity and its unit.
    Quantity: UnitCode, UnitCodeListId
}
value! {
    /// A number without unit.
    Number: Format
}
value! {
    /// A day: `2026-05-18` in UBL, `20260518` with format 102 in CII.
    Date: Format
}
value! {
    /// A time of the day, as written.
    Time: Format
}
value! {
    /// True or false.
    Indicator:
}
value! {
    /// An embedded file in base64, its media type and its name.
    Binary: MimeCode, Filename
}

impl<'d> Identifier<'d> {
    /// The scheme (`@schemeID`), if it is given.
    pub fn scheme(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::SchemeId)
    }

    /// The version of the scheme (`@schemeVersionID`), if it is given.
    pub fn scheme_version(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::SchemeVersionId)
    }
}

/// Gives the number of a value that is an `xs:decimal`.
macro_rules! decimal {
    ($($name:ident),*) => {$(
        impl $name<'_> {
            /// The exact number; `None` where the text is not one that can be computed with.
            pub fn value(self) -> Option<Decimal> {
                self.parse().ok()
            }

            /// The exact number, or in which way the text is something else.
            ///
            /// # Errors
            /// [`DecimalError`], as [`Decimal::parse`] gives it.
            pub fn parse(self) -> Result<Decimal, DecimalError> {
                Decimal::parse(&self.text())
            }

            /// How many characters follow the decimal point as written.
            pub fn decimals(self) -> usize {
                crate::amount::decimals_as_written(&self.text())
            }
        }

        impl crate::en16931::Field<$name<'_>> {
            /// The number of the first occurrence, if it is one.
            pub fn value(&self) -> Option<Decimal> {
                self.get()?.value()
            }
        }
    )*};
}
decimal!(Amount, Percentage, Quantity, Number);

impl<'d> Amount<'d> {
    /// The currency (`@currencyID`), if it is given. CII gives it only where it may differ from
    /// the currency of the document.
    pub fn currency(self) -> Option<CurrencyCode<'d>> {
        self.attribute(AttributeName::CurrencyId).map(CurrencyCode::from)
    }
}

impl<'d> Quantity<'d> {
    /// The unit (`@unitCode`), if it is given.
    pub fn unit(self) -> Option<UnitCode<'d>> {
        self.attribute(AttributeName::UnitCode).map(UnitCode::from)
    }
}

impl<'d> Date<'d> {
    /// The format (`@format`, UNTDID 2379), which only CII has; 102 is a day.
    pub fn format(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::Format)
    }

    /// The day; `None` where the text is not a day in the form of its syntax.
    pub fn day(self) -> Option<civil::Date> {
        let text = self.trimmed();
        match self.format() {
            None => text::date(&text),
            Some(format) if format.is("102") => compact(&text),
            Some(_) => None,
        }
    }
}

impl crate::en16931::Field<Date<'_>> {
    /// The day of the first occurrence, if it is one.
    pub fn day(&self) -> Option<civil::Date> {
        self.get()?.day()
    }
}

/// `YYYYMMDD`, and a day of the calendar.
fn compact(text: &str) -> Option<civil::Date> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
    let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
    civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

impl Indicator<'_> {
    /// The truth value as `xs:boolean` writes it (`true`, `false`, `1`, `0`); `None` for others.
    pub fn value(self) -> Option<bool> {
        match self.trimmed().as_ref() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl crate::en16931::Field<Indicator<'_>> {
    /// The truth value of the first occurrence, if it has one.
    pub fn value(&self) -> Option<bool> {
        self.get()?.value()
    }
}

impl<'d> Binary<'d> {
    /// The media type (`@mimeCode`, BT-125-1).
    pub fn mime_code(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::MimeCode)
    }

    /// The name of the file (`@filename`, BT-125-2).
    pub fn filename(self) -> Option<ValueSource<'d>> {
        self.attribute(AttributeName::Filename)
    }
}
