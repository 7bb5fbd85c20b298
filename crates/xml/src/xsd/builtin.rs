//! The built-in simple types and `xs:anyType` as components (part 2 section 3).

use super::load::SchemaBuilder;
use super::schema::{
    ComplexType, Content, Facet, FacetKind, IndexRange, NONE, NamespaceConstraint, Particle,
    ParticleTerm, ProcessContents, SimpleType, TypeRef, UNBOUNDED, Variety, Wildcard, flag,
};
use super::value::{Primitive, WhiteSpace};

/// The namespace of the built-in types and of schema documents.
pub(super) const XSD: &str = "http://www.w3.org/2001/XMLSchema";
/// The namespace of `xsi:type`, `xsi:nil` and the schema locations.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// `xs:anyType` is the first complex type, `xs:anySimpleType` the first simple one.
pub(super) const ANY_TYPE: u32 = 0;
pub(super) const ANY_SIMPLE_TYPE: u32 = 0;

/// Name, index of the base in this list, lexical rule, white space, bounds (least and most).
type BuiltinRow = (&'static str, usize, Primitive, WhiteSpace, &'static str, &'static str);

const ATOMIC: &[BuiltinRow] = {
    use Primitive::*;
    use WhiteSpace::{Collapse, Preserve, Replace};
    &[
        ("anySimpleType", 0, AnySimple, Preserve, "", ""),
        ("string", 0, String, Preserve, "", ""),
        ("normalizedString", 1, String, Replace, "", ""),
        ("token", 2, String, Collapse, "", ""),
        ("language", 3, Language, Collapse, "", ""),
        ("NMTOKEN", 3, NmToken, Collapse, "", ""),
        ("Name", 3, Name, Collapse, "", ""),
        ("NCName", 6, NcName, Collapse, "", ""),
        ("ID", 7, Id, Collapse, "", ""),
        ("IDREF", 7, IdRef, Collapse, "", ""),
        ("ENTITY", 7, Entity, Collapse, "", ""),
        ("boolean", 0, Boolean, Collapse, "", ""),
        ("decimal", 0, Decimal, Collapse, "", ""),
        ("integer", 12, Integer, Collapse, "", ""),
        ("nonPositiveInteger", 13, Integer, Collapse, "", "0"),
        ("negativeInteger", 14, Integer, Collapse, "", "-1"),
        ("nonNegativeInteger", 13, Integer, Collapse, "0", ""),
        ("positiveInteger", 16, Integer, Collapse, "1", ""),
        ("unsignedLong", 16, Integer, Collapse, "0", "18446744073709551615"),
        ("unsignedInt", 18, Integer, Collapse, "0", "4294967295"),
        ("unsignedShort", 19, Integer, Collapse, "0", "65535"),
        ("unsignedByte", 20, Integer, Collapse, "0", "255"),
        ("long", 13, Integer, Collapse, "-9223372036854775808", "9223372036854775807"),
        ("int", 22, Integer, Collapse, "-2147483648", "2147483647"),
        ("short", 23, Integer, Collapse, "-32768", "32767"),
        ("byte", 24, Integer, Collapse, "-128", "127"),
        ("float", 0, Float, Collapse, "", ""),
        ("double", 0, Double, Collapse, "", ""),
        ("duration", 0, Duration, Collapse, "", ""),
        ("dateTime", 0, DateTime, Collapse, "", ""),
        ("time", 0, Time, Collapse, "", ""),
        ("date", 0, Date, Collapse, "", ""),
        ("gYearMonth", 0, YearMonth, Collapse, "", ""),
        ("gYear", 0, Year, Collapse, "", ""),
        ("gMonthDay", 0, MonthDay, Collapse, "", ""),
        ("gDay", 0, Day, Collapse, "", ""),
        ("gMonth", 0, Month, Collapse, "", ""),
        ("hexBinary", 0, HexBinary, Collapse, "", ""),
        ("base64Binary", 0, Base64Binary, Collapse, "", ""),
        ("anyURI", 0, AnyUri, Collapse, "", ""),
        ("QName", 0, QName, Collapse, "", ""),
        ("NOTATION", 0, Notation, Collapse, "", ""),
    ]
};

/// Name and item type (index above) of the built-in lists.
const LISTS: &[(&str, u32)] = &[("NMTOKENS", 5), ("IDREFS", 9), ("ENTITIES", 10)];

/// Adds the built-in types to an empty schema, in a fixed order.
pub(super) fn add(builder: &mut SchemaBuilder<'_>) {
    for (at, &(name, base, primitive, white_space, least, most)) in ATOMIC.iter().enumerate() {
        let start = builder.schema.facets.len() as u32;
        for (kind, bound) in [(FacetKind::MinInclusive, least), (FacetKind::MaxInclusive, most)] {
            if !bound.is_empty() {
                let value = builder.string(bound);
                builder.schema.facets.push(Facet { kind, value });
            }
        }
        let count = builder.schema.facets.len() as u32 - start;
        let base = if at == 0 { NONE } else { base as u32 };
        let variety = Variety::Atomic(primitive);
        let facets = IndexRange { start, count };
        add_simple(builder, name, SimpleType { name: NONE, base, variety, white_space, facets });
    }
    for &(name, item) in LISTS {
        let start = builder.schema.facets.len() as u32;
        builder.schema.facets.push(Facet { kind: FacetKind::MinLength, value: 1 });
        let list = SimpleType {
            name: NONE,
            base: ANY_SIMPLE_TYPE,
            variety: Variety::List(item),
            white_space: WhiteSpace::Collapse,
            facets: IndexRange { start, count: 1 },
        };
        add_simple(builder, name, list);
    }
    add_any_type(builder);
}

fn add_simple(builder: &mut SchemaBuilder<'_>, local: &str, ty: SimpleType) {
    let name = builder.name(XSD, local);
    let at = builder.schema.simple.len() as u32;
    builder.schema.simple.push(SimpleType { name, ..ty });
    if let Some(entry) = builder.schema.names.get_mut(name as usize) {
        entry.ty = TypeRef::Simple(at);
    }
}

fn add_any_type(builder: &mut SchemaBuilder<'_>) {
    let name = builder.name(XSD, "anyType");
    let schema = &mut builder.schema;
    schema
        .wildcards
        .push(Wildcard { process: ProcessContents::Lax, namespaces: NamespaceConstraint::Any });
    let any = Particle { min: 0, max: UNBOUNDED, term: ParticleTerm::Wildcard(0) };
    schema.particles.push(any);
    schema.complex.push(ComplexType {
        name,
        base: TypeRef::None,
        flags: flag::MIXED,
        content: Content::Elements(0),
        attributes: IndexRange::default(),
        wildcard: 0,
    });
    if let Some(entry) = schema.names.get_mut(name as usize) {
        entry.ty = TypeRef::Complex(ANY_TYPE);
    }
}
