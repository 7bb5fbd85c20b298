//! Types and attributes as text.

use super::Writer;
use crate::xsd::builtin::ANY_TYPE;
use crate::xsd::schema::{
    ComplexType, Content, FacetKind, NONE, Particle, ParticleTerm, SimpleType, TypeRef, Variety,
    flag,
};
use crate::xsd::value::WhiteSpace;

impl Writer<'_> {
    /// The name of a type; what it is made of where it has none, below.
    pub(super) fn type_name(&self, ty: TypeRef) -> String {
        match ty {
            TypeRef::None => "nothing".to_owned(),
            TypeRef::Simple(at) => self.simple_name(at),
            TypeRef::Complex(ANY_TYPE) => "xs:anyType".to_owned(),
            TypeRef::Complex(at) => {
                let name = self.schema.complex_type(at).map_or(NONE, |ty| ty.name);
                if name == NONE { "its own".to_owned() } else { self.name(name) }
            }
        }
    }

    fn simple_name(&self, at: u32) -> String {
        let name = self.schema.simple_type(at).map_or(NONE, |ty| ty.name);
        if name == NONE { "its own".to_owned() } else { self.name(name) }
    }

    /// A type without a name, where it is used.
    pub(super) fn own_type(&mut self, depth: usize, ty: TypeRef) {
        match ty {
            TypeRef::Simple(at) if self.simple_name(at) == "its own" => {
                self.simple(depth, "simple", at);
            }
            TypeRef::Complex(at) if at != ANY_TYPE && self.type_name(ty) == "its own" => {
                self.complex(depth, "type", at);
            }
            _ => {}
        }
    }

    /// A complex type: its derivation, its content, its attributes.
    pub(super) fn complex(&mut self, depth: usize, head: &str, at: u32) {
        let schema = self.schema;
        let Some(ty) = schema.complex_type(at).filter(|_| depth < 64) else { return };
        let mut line = head.to_owned();
        if ty.base != TypeRef::Complex(ANY_TYPE) && ty.base != TypeRef::None {
            let how = if ty.flags & flag::BY_EXTENSION != 0 { "extends" } else { "restricts" };
            line.push_str(&format!(" {how} {}", self.type_name(ty.base)));
        }
        let flags = [
            (flag::MIXED, " mixed"),
            (flag::ABSTRACT, " abstract"),
            (flag::BLOCK_EXTENSION, " block-extension"),
            (flag::BLOCK_RESTRICTION, " block-restriction"),
        ];
        line.extend(flags.iter().filter(|it| ty.flags & it.0 != 0).map(|it| it.1));
        let base = match ty.base {
            TypeRef::Complex(base) if base != ANY_TYPE => schema.complex_type(base),
            _ => None,
        };
        let attributes = |ty: &ComplexType| (ty.attributes.of(&schema.attributes), ty.wildcard);
        let is_same = base.is_some_and(|base| attributes(base) == attributes(ty));
        if is_same && ty.attributes.count > 0 {
            line.push_str(" with its attributes");
        }
        if let Content::Simple(content) = ty.content
            && ty.base != TypeRef::Simple(content)
            && base.is_none_or(|base| base.content != ty.content)
        {
            line.push_str(&format!(" = {}", self.simple_name(content)));
        }
        if ty.content == Content::Empty {
            line.push_str(" empty");
        }
        self.page.line(depth, &line);
        match ty.content {
            Content::Empty => {}
            Content::Simple(content) => self.own_type(depth + 1, TypeRef::Simple(content)),
            Content::Elements(root) => match schema.particles.get(root as usize) {
                Some(Particle { min: 1, max: 1, term: ParticleTerm::Sequence(list) }) => {
                    self.particles(depth + 1, *list);
                }
                _ => self.particle(depth + 1, root),
            },
        }
        if is_same {
            return;
        }
        for offset in 0..ty.attributes.count {
            self.attribute(depth + 1, "attribute", ty.attributes.start + offset);
        }
        if ty.wildcard != NONE {
            let line = format!("attributes {}", self.wildcard(ty.wildcard));
            self.page.line(depth + 1, &line);
        }
    }

    /// An attribute of a type, or a global one.
    pub(super) fn attribute(&mut self, depth: usize, head: &str, at: u32) {
        let schema = self.schema;
        let Some(attribute) = schema.attributes.get(at as usize) else { return };
        let is_required = attribute.flags & flag::REQUIRED != 0;
        let line = format!(
            "{head} {}{} = {}{}",
            if is_required { "required " } else { "" },
            self.name(attribute.name),
            self.simple_name(attribute.ty),
            self.value(attribute.flags, attribute.value)
        );
        self.page.line(depth, &line);
        self.own_type(depth + 1, TypeRef::Simple(attribute.ty));
    }

    /// A simple type: what it is made from, and its facets.
    pub(super) fn simple(&mut self, depth: usize, head: &str, at: u32) {
        let schema = self.schema;
        let Some(ty) = schema.simple_type(at).filter(|_| depth < 64) else { return };
        let space = match ty.white_space {
            WhiteSpace::Preserve => " preserve",
            WhiteSpace::Replace => " replace",
            WhiteSpace::Collapse => "",
        };
        let base = if ty.base == NONE { "nothing".to_owned() } else { self.simple_name(ty.base) };
        let (kind, members): (String, Vec<u32>) = match ty.variety {
            Variety::Atomic(primitive) => (format!(" {primitive:?}"), Vec::new()),
            Variety::List(item) => (format!(" list of {}", self.simple_name(item)), vec![item]),
            Variety::Union(members) => {
                let members = members.of(&schema.lists);
                let names: Vec<String> = members.iter().map(|&it| self.simple_name(it)).collect();
                (format!(" one of {}", names.join(", ")), members.to_vec())
            }
        };
        self.page.line(depth, &format!("{head} = {base}{kind}{space}"));
        for member in members.into_iter().chain([ty.base].into_iter().filter(|it| *it != NONE)) {
            self.own_type(depth + 1, TypeRef::Simple(member));
        }
        self.facets(depth + 1, ty);
    }

    fn facets(&mut self, depth: usize, ty: &SimpleType) {
        let schema = self.schema;
        for facet in ty.facets.of(&schema.facets) {
            let name = facet.kind.name();
            let value = match facet.kind {
                FacetKind::Pattern => {
                    let pattern = schema.patterns.get(facet.value as usize);
                    pattern.map_or("", |&it| schema.text(it)).replace('\n', "\\n")
                }
                FacetKind::Enumeration => {
                    let values = schema.enumerated(facet.value as usize).iter();
                    let texts: Vec<String> =
                        values.map(|&it| format!("{:?}", schema.text(it))).collect();
                    texts.join(" ")
                }
                FacetKind::MaxInclusive
                | FacetKind::MaxExclusive
                | FacetKind::MinInclusive
                | FacetKind::MinExclusive => schema.text(facet.value).to_owned(),
                _ => facet.value.to_string(),
            };
            self.page.line(depth, &format!("{name} {value}"));
        }
    }
}
