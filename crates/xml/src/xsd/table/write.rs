//! Writes the arrays of a schema.

use crate::xsd::schema::{
    Content, IndexRange, NamespaceConstraint, ParticleTerm, Schema, SelectorPath, SelectorStep,
    SelectorTest, TypeRef, Variety,
};

/// A number, seven bits a byte, the lowest first.
fn number(value: u32, out: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        out.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// A number for which `u32::MAX` says that there is none, or no bound: the commonest, so 0.
fn optional(value: u32, out: &mut Vec<u8>) {
    number(value.wrapping_add(1), out);
}

fn range(value: IndexRange, out: &mut Vec<u8>) {
    number(value.count, out);
    if value.count > 0 {
        number(value.start, out);
    }
}

fn type_ref(value: TypeRef, out: &mut Vec<u8>) {
    number(
        match value {
            TypeRef::None => 0,
            TypeRef::Simple(at) => at * 2 + 1,
            TypeRef::Complex(at) => at * 2 + 2,
        },
        out,
    );
}

fn all<T>(values: &[T], out: &mut Vec<u8>, mut one: impl FnMut(&T, &mut Vec<u8>)) {
    number(values.len() as u32, out);
    for value in values {
        one(value, out);
    }
}

pub(super) fn schema(schema: &Schema, out: &mut Vec<u8>) {
    let mut start = 0;
    all(&schema.strings.ends, out, |&end, out| {
        number(end - start, out);
        start = end;
    });
    out.extend_from_slice(schema.strings.text.as_bytes());
    all(&schema.names, out, |it, out| {
        number(it.namespace, out);
        number(it.local, out);
        optional(it.element, out);
        optional(it.attribute, out);
        type_ref(it.ty, out);
    });
    all(&schema.elements, out, |it, out| {
        number(it.name, out);
        type_ref(it.ty, out);
        number(it.flags, out);
        number(it.value, out);
        range(it.constraints, out);
        range(it.substitutes, out);
    });
    types(schema, out);
    all(&schema.attributes, out, |it, out| {
        number(it.name, out);
        number(it.ty, out);
        number(it.flags, out);
        number(it.value, out);
    });
    particles(schema, out);
    all(&schema.lists, out, |&it, out| number(it, out));
    all(&schema.facets, out, |it, out| {
        out.push(it.kind as u8);
        number(it.value, out);
    });
    all(&schema.patterns, out, |&it, out| number(it, out));
    all(&schema.substitutes, out, |it, out| {
        number(it.0, out);
        number(it.1, out);
    });
    constraints(schema, out);
}

fn types(schema: &Schema, out: &mut Vec<u8>) {
    all(&schema.complex, out, |it, out| {
        optional(it.name, out);
        type_ref(it.base, out);
        number(it.flags, out);
        match it.content {
            Content::Empty => out.push(0),
            Content::Simple(at) => {
                out.push(1);
                number(at, out);
            }
            Content::Elements(at) => {
                out.push(2);
                optional(at, out);
            }
        }
        range(it.attributes, out);
        optional(it.wildcard, out);
    });
    all(&schema.simple, out, |it, out| {
        optional(it.name, out);
        optional(it.base, out);
        out.push(it.white_space as u8);
        match it.variety {
            Variety::Atomic(primitive) => {
                out.push(0);
                out.push(primitive as u8);
            }
            Variety::List(item) => {
                out.push(1);
                number(item, out);
            }
            Variety::Union(members) => {
                out.push(2);
                range(members, out);
            }
        }
        range(it.facets, out);
    });
}

fn particles(schema: &Schema, out: &mut Vec<u8>) {
    all(&schema.wildcards, out, |it, out| {
        out.push(it.process as u8);
        match it.namespaces {
            NamespaceConstraint::Any => out.push(0),
            NamespaceConstraint::Not(namespace) => {
                out.push(1);
                number(namespace, out);
            }
            NamespaceConstraint::List(list) => {
                out.push(2);
                range(list, out);
            }
        }
    });
    all(&schema.particles, out, |it, out| {
        number(it.min, out);
        optional(it.max, out);
        let (code, list) = match it.term {
            ParticleTerm::Element(at) => {
                out.push(0);
                return number(at, out);
            }
            ParticleTerm::Wildcard(at) => {
                out.push(1);
                return number(at, out);
            }
            ParticleTerm::Sequence(list) => (2, list),
            ParticleTerm::Choice(list) => (3, list),
            ParticleTerm::All(list) => (4, list),
        };
        out.push(code);
        range(list, out);
    });
}

fn constraints(schema: &Schema, out: &mut Vec<u8>) {
    all(&schema.constraints, out, |it, out| {
        number(it.name, out);
        out.push(it.kind as u8);
        optional(it.refer, out);
        all(&it.selector, out, path);
        all(&it.fields, out, |field, out| all(field, out, path));
    });
}

fn path(path: &SelectorPath, out: &mut Vec<u8>) {
    out.push(u8::from(path.is_deep));
    all(&path.steps, out, |step, out| match step {
        SelectorStep::This => out.push(0),
        SelectorStep::Child(it) => test(*it, out),
    });
    match path.attribute {
        None => out.push(0),
        Some(it) => test(it, out),
    }
}

/// Codes 1 to 3; 0 says that there is none.
fn test(test: SelectorTest, out: &mut Vec<u8>) {
    match test {
        SelectorTest::Any => out.push(1),
        SelectorTest::Namespace(namespace) => {
            out.push(2);
            number(namespace, out);
        }
        SelectorTest::Name(name) => {
            out.push(3);
            number(name, out);
        }
    }
}
