//! Complex types: simple and complex content, extension and restriction (part 1 section 3.4).

use super::attributes::Attributes;
use super::{At, Pending, SchemaBuilder, SchemaLoadError};
use crate::xsd::builtin::ANY_TYPE;
use crate::xsd::schema::{
    ComplexType, Content, IndexRange, NONE, Particle, ParticleTerm, TypeRef, flag,
};

impl<'d> SchemaBuilder<'d> {
    /// The index of a complex type; it is finished later, or when another needs it as base.
    pub(super) fn complex_type_at(&mut self, at: At<'d>, name: u32) -> u32 {
        let index = self.schema.complex.len() as u32;
        self.schema.complex.push(ComplexType {
            name,
            base: TypeRef::Complex(ANY_TYPE),
            flags: 0,
            content: Content::Empty,
            attributes: IndexRange::default(),
            wildcard: NONE,
        });
        self.complex_at.insert(index, at);
        self.pending.push(Pending::Complex(index));
        index
    }

    pub(super) fn finish_complex(&mut self, index: u32) -> Result<(), SchemaLoadError> {
        let Some(&at) = self.complex_at.get(&index) else { return Ok(()) };
        if self.complex_done.contains(&index) {
            return Ok(());
        }
        self.guarded(at, "ct-props-correct.3", |builder| builder.build_complex(index, at))?;
        self.complex_done.insert(index);
        Ok(())
    }

    fn build_complex(&mut self, index: u32, at: At<'d>) -> Result<(), SchemaLoadError> {
        let name = self.schema.complex_type(index).map_or(NONE, |it| it.name);
        let mut flags = self.flag(at, "abstract", flag::ABSTRACT)?;
        flags |= self.flag(at, "mixed", flag::MIXED)? | self.block_flags(at, false)?;
        let children = self.children(at)?;
        let built = match children.first().map(|it| it.element.local()) {
            Some("simpleContent") => {
                let child = children.first().copied().unwrap_or(at);
                self.derived(child, flags, true)?
            }
            Some("complexContent") => {
                let child = children.first().copied().unwrap_or(at);
                let flags = match child.element.attribute("mixed") {
                    Some(_) => (flags & !flag::MIXED) | self.flag(child, "mixed", flag::MIXED)?,
                    None => flags,
                };
                self.derived(child, flags, false)?
            }
            _ => {
                let particle = self.content_particle(at)?;
                let attributes = self.attributes(at)?;
                let content = content(particle, flags);
                self.complex_type(TypeRef::Complex(ANY_TYPE), flags, content, attributes)
            }
        };
        if let Some(entry) = self.schema.complex.get_mut(index as usize) {
            *entry = ComplexType { name, ..built };
        }
        Ok(())
    }

    fn complex_type(
        &mut self,
        base: TypeRef,
        flags: u32,
        content: Content,
        attributes: Attributes,
    ) -> ComplexType {
        let wildcard = match attributes.wildcard {
            Some(wildcard) => {
                self.schema.wildcards.push(wildcard);
                self.schema.wildcards.len() as u32 - 1
            }
            None => NONE,
        };
        let start = self.schema.attributes.len() as u32;
        self.schema
            .attributes
            .extend(attributes.uses.iter().filter(|it| !it.is_prohibited).map(|it| it.attribute));
        let count = self.schema.attributes.len() as u32 - start;
        ComplexType {
            name: NONE,
            base,
            flags,
            content,
            attributes: IndexRange { start, count },
            wildcard,
        }
    }

    /// `xs:simpleContent` or `xs:complexContent`.
    fn derived(
        &mut self,
        at: At<'d>,
        flags: u32,
        is_simple: bool,
    ) -> Result<ComplexType, SchemaLoadError> {
        let child = self.children(at)?.first().copied();
        let derivation =
            child.filter(|it| matches!(it.element.local(), "extension" | "restriction"));
        let Some(at) = derivation else {
            return Err(self.fail(at, "s4s-elt-must-match", "expected extension or restriction"));
        };
        let Some(base) = at.element.attribute("base") else {
            return Err(self.fail(at, "s4s-att-must-appear", "the base is missing"));
        };
        let base = self.qname(at, base)?;
        let base = self.type_named(at, base)?;
        if let TypeRef::Complex(index) = base {
            self.finish_complex(index)?;
        }
        let is_extension = at.element.local() == "extension";
        let flags = if is_extension { flags | flag::BY_EXTENSION } else { flags };
        let mut attributes = self.attributes(at)?;
        if let TypeRef::Complex(index) = base {
            self.inherit_attributes(index, &mut attributes, is_extension);
        }
        let content = match (is_simple, is_extension) {
            (true, _) => self.simple_content(at, base, is_extension)?,
            (false, true) => return self.extended(at, base, flags, attributes),
            (false, false) => content(self.content_particle(at)?, flags),
        };
        if !is_simple && !matches!(base, TypeRef::Complex(_)) {
            return Err(self.fail(at, "src-ct.1", "the base is not a complex type"));
        }
        Ok(self.complex_type(base, flags, content, attributes))
    }

    fn simple_content(
        &mut self,
        at: At<'d>,
        base: TypeRef,
        is_extension: bool,
    ) -> Result<Content, SchemaLoadError> {
        let of_base = match base {
            TypeRef::Simple(simple) if is_extension => return Ok(Content::Simple(simple)),
            TypeRef::Complex(index) => {
                self.schema.complex_type(index).map(|it| (it.content, it.flags))
            }
            _ => None,
        };
        match of_base {
            Some((Content::Simple(simple), _)) if is_extension => Ok(Content::Simple(simple)),
            Some((Content::Simple(simple), _)) => {
                Ok(Content::Simple(self.restricted_simple(at, Some(simple), NONE)?))
            }
            // A mixed type whose elements may all be absent, with a simple type inside.
            Some((Content::Empty | Content::Elements(_), flags))
                if !is_extension && flags & flag::MIXED != 0 =>
            {
                Ok(Content::Simple(self.restricted_simple(at, None, NONE)?))
            }
            _ => Err(self.fail(at, "src-ct.2", "the base has no simple content")),
        }
    }

    /// The content of the base followed by the new one.
    fn extended(
        &mut self,
        at: At<'d>,
        base: TypeRef,
        flags: u32,
        attributes: Attributes,
    ) -> Result<ComplexType, SchemaLoadError> {
        let TypeRef::Complex(index) = base else {
            return Err(self.fail(at, "src-ct.1", "the base is not a complex type"));
        };
        let (of_base, base_flags) = self
            .schema
            .complex_type(index)
            .map_or((Content::Empty, 0), |it| (it.content, it.flags));
        let own = self.content_particle(at)?;
        let is_mixed = |flags: u32| flags & flag::MIXED != 0;
        let whole = match (of_base, own) {
            (Content::Simple(simple), None) => Content::Simple(simple),
            (Content::Simple(_), Some(_)) => {
                let problem = "elements cannot extend simple content";
                return Err(self.fail(at, "cos-ct-extends.1.4", problem));
            }
            (of_base, None) => {
                let flags = flags | (base_flags & flag::MIXED);
                return Ok(self.complex_type(base, flags, of_base, attributes));
            }
            (Content::Empty, Some(own)) => content(Some(own), flags),
            (Content::Elements(first), Some(second)) => {
                if is_mixed(base_flags) != is_mixed(flags) {
                    let problem = "one is mixed and the other is not";
                    return Err(self.fail(at, "cos-ct-extends.1.4.2.2.2.1", problem));
                }
                let range = self.list(&[first, second]);
                let both = Particle { min: 1, max: 1, term: ParticleTerm::Sequence(range) };
                Content::Elements(self.particle(at, both)?)
            }
        };
        Ok(self.complex_type(base, flags, whole, attributes))
    }
}

fn content(particle: Option<u32>, flags: u32) -> Content {
    match particle {
        Some(particle) => Content::Elements(particle),
        // Text is allowed even where no element is.
        None if flags & flag::MIXED != 0 => Content::Elements(NONE),
        None => Content::Empty,
    }
}
