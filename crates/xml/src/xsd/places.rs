//! What a schema has room for: asked while a document is written, before it is there.

use super::schema::{Content, ParticleTerm, Schema, TypeRef};
use crate::tree::Element;

/// An element that is being written, as a schema declares it.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPlace<'s> {
    schema: &'s Schema,
    ty: TypeRef,
}

impl Schema {
    /// The document element of this name; `None` where the schema declares none.
    pub fn place(&self, namespace: &str, local: &str) -> Option<SchemaPlace<'_>> {
        let name = self.find_name(namespace, local).and_then(|name| self.name(name))?;
        let ty = self.element(name.element)?.ty;
        Some(SchemaPlace { schema: self, ty })
    }
}

impl<'s> SchemaPlace<'s> {
    /// A child element, and how often it may stand here at most; `None` where it may not. The order
    /// of children, and what must be there, is not looked at.
    pub fn child(self, namespace: &str, local: &str) -> Option<(SchemaPlace<'s>, u32)> {
        let TypeRef::Complex(ty) = self.ty else { return None };
        let Content::Elements(root) = self.schema.complex_type(ty)?.content else { return None };
        let name = self.schema.find_name(namespace, local)?;
        let (element, max) = find(self.schema, root, name)?;
        let ty = self.schema.element(element)?.ty;
        Some((SchemaPlace { schema: self.schema, ty }, max))
    }

    /// Whether a text may stand here; `scope` tells what prefixes in it mean.
    pub fn takes(self, text: &str, scope: Element<'_>) -> bool {
        let simple = match self.ty {
            TypeRef::Simple(ty) => Some(ty),
            TypeRef::Complex(ty) => match self.schema.complex_type(ty).map(|ty| ty.content) {
                Some(Content::Simple(ty)) => Some(ty),
                _ => None,
            },
            TypeRef::None => None,
        };
        simple.is_none_or(|ty| self.schema.problems(ty, text, scope).is_empty())
    }

    /// Whether an attribute without namespace may stand here with a text.
    pub fn takes_attribute(self, local: &str, text: &str, scope: Element<'_>) -> bool {
        let TypeRef::Complex(ty) = self.ty else { return false };
        let Some(ty) = self.schema.complex_type(ty) else { return false };
        let mut own = ty.attributes.of(&self.schema.attributes).iter();
        let found = own.find(|one| self.schema.expanded(one.name) == ("", local));
        found.is_some_and(|one| self.schema.problems(one.ty, text, scope).is_empty())
    }
}

/// The element of a name in a content model, as deep as its groups are nested.
fn find(schema: &Schema, particle: u32, name: u32) -> Option<(u32, u32)> {
    let particle = schema.particles.get(particle as usize)?;
    match particle.term {
        ParticleTerm::Element(element) => {
            let is_it = schema.element(element).is_some_and(|own| own.name == name);
            is_it.then_some((element, particle.max))
        }
        ParticleTerm::Wildcard(_) => None,
        ParticleTerm::Sequence(list) | ParticleTerm::Choice(list) | ParticleTerm::All(list) => {
            let mut parts = list.of(&schema.lists).iter();
            let found = parts.find_map(|part| find(schema, *part, name));
            found.map(|(element, max)| (element, max.saturating_mul(particle.max)))
        }
    }
}
