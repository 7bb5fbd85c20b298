//! Checks that every index of a table that was read points into its array.

use super::TableError;
use crate::xsd::schema::{
    Content, FacetKind, IndexRange, NONE, NamespaceConstraint, ParticleTerm, Schema, SelectorStep,
    SelectorTest, TypeRef, Variety,
};

struct TableCheck<'s> {
    schema: &'s Schema,
    is_sound: bool,
}

impl TableCheck<'_> {
    fn below(&mut self, at: u32, length: usize) {
        self.is_sound &= (at as usize) < length;
    }

    fn optional(&mut self, at: u32, length: usize) {
        self.is_sound &= at == NONE || (at as usize) < length;
    }

    fn range(&mut self, range: IndexRange, length: usize) {
        self.is_sound &= range.start as usize + range.count as usize <= length;
    }

    /// A range of the lists whose values point into an array.
    fn list(&mut self, range: IndexRange, length: usize) {
        self.range(range, self.schema.lists.len());
        for &at in range.of(&self.schema.lists) {
            self.below(at, length);
        }
    }

    fn string(&mut self, at: u32) {
        self.below(at, self.schema.strings.ends.len());
    }

    fn name(&mut self, at: u32) {
        self.below(at, self.schema.names.len());
    }

    fn type_ref(&mut self, ty: TypeRef) {
        match ty {
            TypeRef::None => {}
            TypeRef::Simple(at) => self.below(at, self.schema.simple.len()),
            TypeRef::Complex(at) => self.below(at, self.schema.complex.len()),
        }
    }

    fn test(&mut self, test: SelectorTest) {
        match test {
            SelectorTest::Any => {}
            SelectorTest::Namespace(at) => self.string(at),
            SelectorTest::Name(at) => self.name(at),
        }
    }
}

pub(super) fn indices(schema: &Schema) -> Result<(), TableError> {
    let mut check = TableCheck { schema, is_sound: !schema.complex.is_empty() };
    for &end in &schema.strings.ends {
        check.is_sound &= schema.strings.text.is_char_boundary(end as usize);
    }
    for name in &schema.names {
        check.string(name.namespace);
        check.string(name.local);
        check.optional(name.element, schema.elements.len());
        check.optional(name.attribute, schema.attributes.len());
        check.type_ref(name.ty);
    }
    for element in &schema.elements {
        check.name(element.name);
        check.type_ref(element.ty);
        check.string(element.value);
        check.range(element.constraints, schema.constraints.len());
        check.range(element.substitutes, schema.substitutes.len());
    }
    for attribute in &schema.attributes {
        check.name(attribute.name);
        check.below(attribute.ty, schema.simple.len());
        check.string(attribute.value);
    }
    for &(name, element) in &schema.substitutes {
        check.name(name);
        check.below(element, schema.elements.len());
    }
    for &pattern in &schema.patterns {
        check.string(pattern);
    }
    types(&mut check);
    particles(&mut check);
    facets(&mut check);
    constraints(&mut check);
    if check.is_sound { Ok(()) } else { Err(TableError::Damaged("an index is out of range")) }
}

fn types(check: &mut TableCheck<'_>) {
    let schema = check.schema;
    for ty in &schema.complex {
        check.optional(ty.name, schema.names.len());
        check.type_ref(ty.base);
        check.range(ty.attributes, schema.attributes.len());
        check.optional(ty.wildcard, schema.wildcards.len());
        match ty.content {
            Content::Empty => {}
            Content::Simple(at) => check.below(at, schema.simple.len()),
            Content::Elements(at) => check.optional(at, schema.particles.len()),
        }
    }
    for ty in &schema.simple {
        check.optional(ty.name, schema.names.len());
        check.optional(ty.base, schema.simple.len());
        check.range(ty.facets, schema.facets.len());
        match ty.variety {
            Variety::Atomic(_) => {}
            Variety::List(item) => check.below(item, schema.simple.len()),
            Variety::Union(members) => check.list(members, schema.simple.len()),
        }
    }
}

fn particles(check: &mut TableCheck<'_>) {
    let schema = check.schema;
    for (at, particle) in schema.particles.iter().enumerate() {
        match particle.term {
            ParticleTerm::Element(at) => check.below(at, schema.elements.len()),
            ParticleTerm::Wildcard(at) => check.below(at, schema.wildcards.len()),
            // A group comes after its parts, so that no group is inside itself.
            ParticleTerm::Sequence(list) | ParticleTerm::Choice(list) | ParticleTerm::All(list) => {
                check.range(list, schema.lists.len());
                for &part in list.of(&schema.lists) {
                    check.is_sound &= part == NONE || (part as usize) < at;
                }
            }
        }
    }
    for wildcard in &schema.wildcards {
        match wildcard.namespaces {
            NamespaceConstraint::Any => {}
            NamespaceConstraint::Not(namespace) => check.string(namespace),
            NamespaceConstraint::List(list) => check.list(list, schema.strings.ends.len()),
        }
    }
}

fn facets(check: &mut TableCheck<'_>) {
    let schema = check.schema;
    for facet in &schema.facets {
        match facet.kind {
            FacetKind::Pattern => check.below(facet.value, schema.patterns.len()),
            FacetKind::Enumeration => {
                check.below(facet.value, schema.lists.len());
                let count = schema.lists.get(facet.value as usize).copied().unwrap_or(0);
                let range = IndexRange { start: facet.value.saturating_add(1), count };
                check.list(range, schema.strings.ends.len());
            }
            FacetKind::MaxInclusive
            | FacetKind::MaxExclusive
            | FacetKind::MinInclusive
            | FacetKind::MinExclusive => check.string(facet.value),
            _ => {}
        }
    }
}

fn constraints(check: &mut TableCheck<'_>) {
    let schema = check.schema;
    for constraint in &schema.constraints {
        check.name(constraint.name);
        check.optional(constraint.refer, schema.constraints.len());
        for path in constraint.selector.iter().chain(constraint.fields.iter().flatten()) {
            for step in &path.steps {
                if let SelectorStep::Child(test) = step {
                    check.test(*test);
                }
            }
            if let Some(test) = path.attribute {
                check.test(test);
            }
        }
    }
}
