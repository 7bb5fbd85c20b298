//! Reads the arrays of a schema.

use super::TableError;
use crate::xsd::MAX_COMPONENTS;
use crate::xsd::schema::{
    AttributeUse, ComplexType, Constraint, ConstraintKind, Content, ElementDecl, Facet, FacetKind,
    IndexRange, NONE, NamespaceConstraint, Particle, ParticleTerm, ProcessContents, Schema,
    SchemaName, SelectorPath, SelectorStep, SelectorTest, SimpleType, Strings, TypeRef, Variety,
    Wildcard,
};
use crate::xsd::value::{Primitive, WhiteSpace};

type TableResult<T> = std::result::Result<T, TableError>;

const SHORT: TableError = TableError::Damaged("it ends early");
const CODE: TableError = TableError::Damaged("a code is not known");

struct TableReader<'b> {
    bytes: &'b [u8],
}

impl<'b> TableReader<'b> {
    fn byte(&mut self) -> TableResult<u8> {
        let (&first, rest) = self.bytes.split_first().ok_or(SHORT)?;
        self.bytes = rest;
        Ok(first)
    }

    fn number(&mut self) -> TableResult<u32> {
        let mut value = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(TableError::Damaged("a number is too long"))
    }

    fn optional(&mut self) -> TableResult<u32> {
        Ok(self.number()?.wrapping_sub(1))
    }

    fn range(&mut self) -> TableResult<IndexRange> {
        let count = self.number()?;
        let start = if count > 0 { self.number()? } else { 0 };
        Ok(IndexRange { start, count })
    }

    fn type_ref(&mut self) -> TableResult<TypeRef> {
        Ok(match self.number()? {
            0 => TypeRef::None,
            code if code % 2 == 1 => TypeRef::Simple(code / 2),
            code => TypeRef::Complex(code / 2 - 1),
        })
    }

    fn all<T>(&mut self, mut one: impl FnMut(&mut Self) -> TableResult<T>) -> TableResult<Vec<T>> {
        let count = self.number()? as usize;
        // Every entry takes a byte at least.
        if count > MAX_COMPONENTS || count > self.bytes.len() {
            return Err(SHORT);
        }
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(one(self)?);
        }
        Ok(values)
    }

    fn text(&mut self, length: usize) -> TableResult<&'b str> {
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(SHORT)?;
        self.bytes = rest;
        std::str::from_utf8(text).map_err(|_| TableError::Damaged("a text is not UTF-8"))
    }

    fn test(&mut self, code: u8) -> TableResult<SelectorTest> {
        Ok(match code {
            1 => SelectorTest::Any,
            2 => SelectorTest::Namespace(self.number()?),
            3 => SelectorTest::Name(self.number()?),
            _ => return Err(CODE),
        })
    }

    fn path(&mut self) -> TableResult<SelectorPath> {
        let is_deep = self.byte()? == 1;
        let steps = self.all(|reader| match reader.byte()? {
            0 => Ok(SelectorStep::This),
            code => Ok(SelectorStep::Child(reader.test(code)?)),
        })?;
        let attribute = match self.byte()? {
            0 => None,
            code => Some(self.test(code)?),
        };
        Ok(SelectorPath { is_deep, steps, attribute })
    }
}

pub(super) fn schema(body: &[u8]) -> TableResult<Schema> {
    let mut reader = TableReader { bytes: body };
    let strings = strings(&mut reader)?;
    let names = reader.all(|it| {
        Ok(SchemaName {
            namespace: it.number()?,
            local: it.number()?,
            element: it.optional()?,
            attribute: it.optional()?,
            ty: it.type_ref()?,
        })
    })?;
    let elements = reader.all(|it| {
        Ok(ElementDecl {
            name: it.number()?,
            ty: it.type_ref()?,
            flags: it.number()?,
            value: it.number()?,
            constraints: it.range()?,
            substitutes: it.range()?,
        })
    })?;
    let complex = reader.all(complex_type)?;
    let simple = reader.all(simple_type)?;
    let attributes = reader.all(|it| {
        Ok(AttributeUse {
            name: it.number()?,
            ty: it.number()?,
            flags: it.number()?,
            value: it.number()?,
        })
    })?;
    let wildcards = reader.all(wildcard)?;
    let particles = reader.all(particle)?;
    let lists = reader.all(TableReader::number)?;
    let facets = reader.all(|it| {
        let kind = FacetKind::ALL.get(usize::from(it.byte()?)).copied().ok_or(CODE)?;
        Ok(Facet { kind, value: it.number()? })
    })?;
    let patterns = reader.all(TableReader::number)?;
    let substitutes = reader.all(|it| Ok((it.number()?, it.number()?)))?;
    let constraints = reader.all(constraint)?;
    if !reader.bytes.is_empty() {
        return Err(TableError::Damaged("something follows its end"));
    }
    Ok(Schema {
        strings,
        names,
        elements,
        complex,
        simple,
        attributes,
        wildcards,
        particles,
        lists,
        facets,
        patterns,
        constraints,
        substitutes,
        ..Schema::default()
    })
}

fn strings(reader: &mut TableReader<'_>) -> TableResult<Strings> {
    let mut end = 0_u32;
    let ends = reader.all(|it| {
        end = end.checked_add(it.number()?).ok_or(SHORT)?;
        Ok(end)
    })?;
    Ok(Strings { text: reader.text(end as usize)?.to_owned(), ends })
}

fn complex_type(reader: &mut TableReader<'_>) -> TableResult<ComplexType> {
    Ok(ComplexType {
        name: reader.optional()?,
        base: reader.type_ref()?,
        flags: reader.number()?,
        content: match reader.byte()? {
            0 => Content::Empty,
            1 => Content::Simple(reader.number()?),
            2 => Content::Elements(reader.optional()?),
            _ => return Err(CODE),
        },
        attributes: reader.range()?,
        wildcard: reader.optional()?,
    })
}

fn simple_type(reader: &mut TableReader<'_>) -> TableResult<SimpleType> {
    let name = reader.optional()?;
    let base = reader.optional()?;
    let white_space = match reader.byte()? {
        0 => WhiteSpace::Preserve,
        1 => WhiteSpace::Replace,
        2 => WhiteSpace::Collapse,
        _ => return Err(CODE),
    };
    let variety = match reader.byte()? {
        0 => Variety::Atomic(Primitive::from_code(u32::from(reader.byte()?)).ok_or(CODE)?),
        1 => Variety::List(reader.number()?),
        2 => Variety::Union(reader.range()?),
        _ => return Err(CODE),
    };
    Ok(SimpleType { name, base, variety, white_space, facets: reader.range()? })
}

fn wildcard(reader: &mut TableReader<'_>) -> TableResult<Wildcard> {
    let process = match reader.byte()? {
        0 => ProcessContents::Strict,
        1 => ProcessContents::Lax,
        2 => ProcessContents::Skip,
        _ => return Err(CODE),
    };
    let namespaces = match reader.byte()? {
        0 => NamespaceConstraint::Any,
        1 => NamespaceConstraint::Not(reader.number()?),
        2 => NamespaceConstraint::List(reader.range()?),
        _ => return Err(CODE),
    };
    Ok(Wildcard { process, namespaces })
}

fn particle(reader: &mut TableReader<'_>) -> TableResult<Particle> {
    let (min, max) = (reader.number()?, reader.optional()?);
    let term = match reader.byte()? {
        0 => ParticleTerm::Element(reader.number()?),
        1 => ParticleTerm::Wildcard(reader.number()?),
        2 => ParticleTerm::Sequence(reader.range()?),
        3 => ParticleTerm::Choice(reader.range()?),
        4 => ParticleTerm::All(reader.range()?),
        _ => return Err(CODE),
    };
    Ok(Particle { min, max, term })
}

fn constraint(reader: &mut TableReader<'_>) -> TableResult<Constraint> {
    let name = reader.number()?;
    let kind = match reader.byte()? {
        0 => ConstraintKind::Unique,
        1 => ConstraintKind::Key,
        2 => ConstraintKind::KeyRef,
        _ => return Err(CODE),
    };
    let refer = reader.optional()?;
    if (kind == ConstraintKind::KeyRef) == (refer == NONE) {
        return Err(TableError::Damaged("a key reference without key"));
    }
    let selector = reader.all(TableReader::path)?;
    let fields = reader.all(|it| it.all(TableReader::path))?;
    Ok(Constraint { name, kind, refer, selector, fields })
}
