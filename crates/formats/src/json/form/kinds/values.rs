//! Values: texts, numbers, days, and texts with something beside them, which are objects.

use quoin_model::en16931::{AttributeName, Field, Text, ValueSource, ValueType};
use quoin_xml::tree::Element;

use crate::json::form::{Member, MemberContent, TextForm};
use crate::json::output::JsonOutput;
use crate::reading::Pass;

/// A member of a value that is an object: what stands beside it.
type Beside = (&'static str, AttributeName);

const IDENTIFIER: &[Beside] = &[("scheme", AttributeName::SchemeId)];
const QUANTITY: &[Beside] = &[("unit", AttributeName::UnitCode)];
const CLASSIFICATION: &[Beside] =
    &[("list", AttributeName::ListId), ("listVersion", AttributeName::ListVersionId)];
const FILE: &[Beside] =
    &[("mediaType", AttributeName::MimeCode), ("filename", AttributeName::Filename)];

const PLAIN: MemberContent = MemberContent::Text(TextForm::Plain);
const DECIMAL: MemberContent = MemberContent::Text(TextForm::Decimal);

const fn member(name: &'static str, content: MemberContent, about: &'static str) -> Member {
    Member { name, content, about }
}

const IDENTIFIER_MEMBERS: &[Member] = &[
    member("value", PLAIN, "The identifier itself."),
    member("scheme", PLAIN, "The scheme that it is of."),
];
const QUANTITY_MEMBERS: &[Member] = &[
    member("value", DECIMAL, "How many."),
    member("unit", PLAIN, "The unit: UN/ECE recommendations 20 and 21."),
];
const CLASSIFICATION_MEMBERS: &[Member] = &[
    member("value", PLAIN, "BT-158: the code."),
    member("list", PLAIN, "BT-158-1: the list that it is of (UNTDID 7143)."),
    member("listVersion", PLAIN, "BT-158-2: the version of the list."),
];
const FILE_MEMBERS: &[Member] = &[
    member("content", MemberContent::Text(TextForm::Base64), "BT-125: the file."),
    member("mediaType", PLAIN, "BT-125-1: its media type."),
    member("filename", PLAIN, "BT-125-2: its name."),
];

/// Reads an object that is one value with something beside it.
fn read_valued<'d, T: ValueType<'d>>(
    pass: &mut Pass<'d>,
    field: &mut Field<T>,
    element: Element<'d>,
    own: &str,
    beside: &[Beside],
) {
    pass.open(element);
    let (mut value, mut attributes) = (None, Vec::new());
    for child in element.elements() {
        let known = beside.iter().find(|(name, _)| *name == child.local());
        match known {
            _ if child.local() == own => value = Some(pass.value::<T>(child)),
            Some((_, attribute)) => attributes.push((*attribute, child)),
            None => pass.unread(child),
        }
    }
    let Some(value) = value else {
        return attributes.into_iter().for_each(|(_, child)| pass.unread(child));
    };
    let attributes: Vec<_> = attributes
        .into_iter()
        .map(|(name, child)| (name, *pass.value::<Text<'d>>(child)))
        .collect();
    field.push(match attributes.is_empty() {
        true => value,
        false => T::from(value.source().with(&attributes)),
    });
}

/// Writes such an object.
fn write_valued<'d>(
    out: &mut JsonOutput<'d>,
    source: ValueSource<'d>,
    own: &str,
    beside: &[Beside],
) {
    // A number has no white space around it; of the others it is kept.
    let is_written = match () {
        () if beside == QUANTITY => out.number(own, Text::from(source)),
        () if beside == FILE => out.file(own, Text::from(source)),
        () => out.text(own, Text::from(source)),
    };
    for (name, attribute) in beside.iter().filter(|_| is_written) {
        if let Some(attribute) = source.attribute(*attribute) {
            out.text(name, Text::from(attribute));
        }
    }
}

/// A text.
pub(in crate::json) mod text {
    use super::*;

    pub(in crate::json) const fn content() -> MemberContent {
        PLAIN
    }

    pub(in crate::json) fn read<'d, T: ValueType<'d>>(
        pass: &mut Pass<'d>,
        field: &mut Field<T>,
        element: Element<'d>,
    ) {
        pass.take(field, element);
    }

    pub(in crate::json) fn write<'d, T: ValueType<'d>>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<T>,
    ) {
        out.first(name, field);
    }
}

/// A text that some syntaxes say again and again.
pub(in crate::json) mod once {
    pub(in crate::json) use super::text::{content, read};
    use super::*;

    pub(in crate::json) fn write<'d, T: ValueType<'d>>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<T>,
    ) {
        out.once(name, field);
    }
}

/// A number.
pub(in crate::json) mod number {
    pub(in crate::json) use super::text::read;
    use super::*;

    pub(in crate::json) const fn content() -> MemberContent {
        DECIMAL
    }

    pub(in crate::json) fn write<'d, T: ValueType<'d>>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<T>,
    ) {
        if let Some(value) = field.filled() {
            out.number(name, value);
        }
    }
}

/// An amount in the currency of the document. One in another currency would say something else.
pub(in crate::json) mod amount {
    pub(in crate::json) use super::number::content;
    pub(in crate::json) use super::text::read;
    use super::*;
    use quoin_model::en16931::Amount;

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<Amount<'d>>,
    ) {
        let Some(value) = field.filled().filter(|value| !out.is_foreign(*value)) else { return };
        if out.number(name, value)
            && let Some(currency) = value.currency()
        {
            out.ledger.derive(*currency);
        }
    }
}

/// A day.
pub(in crate::json) mod day {
    pub(in crate::json) use super::text::read;
    use super::*;
    use quoin_model::en16931::Date;

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Text(TextForm::Day)
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<Date<'d>>,
    ) {
        out.day(name, field);
    }
}

/// Kinds of which a value is an object with something beside it: the type, and the members.
macro_rules! valued {
    ($(
        $kind:ident: $type:ident, $own:literal, $beside:ident, $members:ident, $about:literal;
    )*) => {$(
        #[doc = $about]
        pub(in crate::json) mod $kind {
            use super::*;
            use quoin_model::en16931::$type;

            pub(in crate::json) const fn content() -> MemberContent {
                MemberContent::Object($members)
            }

            pub(in crate::json) fn read<'d>(
                pass: &mut Pass<'d>,
                field: &mut Field<$type<'d>>,
                element: Element<'d>,
            ) {
                read_valued(pass, field, element, $own, $beside);
            }

            pub(in crate::json) fn write<'d>(
                out: &mut JsonOutput<'d>,
                name: &str,
                field: &Field<$type<'d>>,
            ) {
                let Some(value) = field.filled() else { return };
                out.object(name, |out| write_valued(out, *value, $own, $beside));
            }
        }
    )*};
}

valued! {
    id: Identifier, "value", IDENTIFIER, IDENTIFIER_MEMBERS, "An identifier and its scheme.";
    quantity: Quantity, "value", QUANTITY, QUANTITY_MEMBERS, "A quantity and its unit.";
    file: Binary, "content", FILE, FILE_MEMBERS, "A file, its media type and its name.";
}

/// Identifiers, each with its scheme.
pub(in crate::json) mod ids {
    use super::*;
    use quoin_model::en16931::Identifier;

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Objects(IDENTIFIER_MEMBERS)
    }

    pub(in crate::json) use super::id::read;

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        field: &Field<Identifier<'d>>,
    ) {
        out.list(name, |out| {
            for one in field {
                out.item(|out| write_valued(out, **one, "value", IDENTIFIER));
            }
        });
    }
}

/// BT-158: codes, each with its list and the version of the list.
pub(in crate::json) mod classifications {
    use super::*;
    use quoin_model::en16931::Classification;

    pub(in crate::json) const fn content() -> MemberContent {
        MemberContent::Objects(CLASSIFICATION_MEMBERS)
    }

    pub(in crate::json) fn read<'d>(
        pass: &mut Pass<'d>,
        all: &mut Vec<Classification<'d>>,
        element: Element<'d>,
    ) {
        let mut one = Classification::new(element);
        read_valued(pass, &mut one.code, element, "value", CLASSIFICATION);
        all.push(one);
    }

    pub(in crate::json) fn write<'d>(
        out: &mut JsonOutput<'d>,
        name: &str,
        all: &[Classification<'d>],
    ) {
        out.list(name, |out| {
            for code in all.iter().filter_map(|one| one.code.filled()) {
                out.item(|out| write_valued(out, *code, "value", CLASSIFICATION));
            }
        });
    }
}
