//! Attribute declarations, uses, groups and wildcards (part 1 sections 3.2, 3.5, 3.6 and 3.10).

use super::{At, SchemaBuilder, SchemaLoadError, SymbolSpace};
use crate::namespaces::XML;
use crate::xsd::builtin::{ANY_SIMPLE_TYPE, XSD};
use crate::xsd::schema::{
    AttributeUse, NONE, NamespaceConstraint, ProcessContents, TypeRef, Wildcard, flag,
};

/// Attribute groups inside one another at most.
const MAX_GROUP_DEPTH: usize = 64;

/// The attributes of a type or group while it is built.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) uses: Vec<DeclaredUse>,
    pub(super) wildcard: Option<Wildcard>,
}

#[derive(Clone, Copy)]
pub(super) struct DeclaredUse {
    pub(super) attribute: AttributeUse,
    /// Only in a restriction: takes away what the base has.
    pub(super) is_prohibited: bool,
}

impl<'d> SchemaBuilder<'d> {
    /// `xml:lang`, `xml:space`, `xml:base` and `xml:id`, which schemas use without their document.
    pub(super) fn add_xml_attributes(&mut self) {
        for (local, ty) in
            [("lang", "string"), ("space", "NCName"), ("base", "anyURI"), ("id", "ID")]
        {
            let name = self.name(XML, local);
            let of_type = self.name(XSD, ty);
            let ty = match self.schema.name(of_type).map(|it| it.ty) {
                Some(TypeRef::Simple(ty)) => ty,
                _ => ANY_SIMPLE_TYPE,
            };
            self.declare_attribute(AttributeUse { name, ty, flags: 0, value: 0 });
        }
    }

    fn declare_attribute(&mut self, attribute: AttributeUse) -> u32 {
        let index = self.schema.attributes.len() as u32;
        self.schema.attributes.push(attribute);
        if let Some(entry) = self.schema.names.get_mut(attribute.name as usize) {
            entry.attribute = index;
        }
        index
    }

    pub(super) fn global_attribute(
        &mut self,
        at: At<'d>,
        (namespace, local): (&str, &str),
    ) -> Result<u32, SchemaLoadError> {
        let name = self.name(namespace, local);
        let known = self.schema.name(name).map_or(NONE, |it| it.attribute);
        // A document for the `xml` namespace replaces the built-in declarations.
        if known != NONE && (namespace != XML || !self.own_xml.insert(name)) {
            return Ok(known);
        }
        let ty = self.attribute_type(at)?;
        let (flags, value) = self.default_or_fixed(at, "src-attribute.1")?;
        Ok(self.declare_attribute(AttributeUse { name, ty, flags, value }))
    }

    fn attribute_type(&mut self, at: At<'d>) -> Result<u32, SchemaLoadError> {
        if let Some(name) = at.element.attribute("type") {
            let name = self.qname(at, name)?;
            return self.simple_named(at, name);
        }
        match self.children(at)?.first().copied() {
            Some(inner) if inner.element.local() == "simpleType" => {
                self.simple_type_at(inner, NONE)
            }
            _ => Ok(ANY_SIMPLE_TYPE),
        }
    }

    /// The attributes that are written inside a type, a derivation or a group.
    pub(super) fn attributes(&mut self, at: At<'d>) -> Result<Attributes, SchemaLoadError> {
        self.attributes_at(at, 0)
    }

    fn attributes_at(&mut self, at: At<'d>, depth: usize) -> Result<Attributes, SchemaLoadError> {
        if depth > MAX_GROUP_DEPTH {
            return Err(self.fail(at, "limit", "attribute groups are nested too deeply"));
        }
        let mut found = Attributes::default();
        let mut own = None;
        for child in self.children(at)? {
            match child.element.local() {
                "attribute" => {
                    let one = self.attribute_use(child)?;
                    if found.uses.iter().any(|it| it.attribute.name == one.attribute.name) {
                        return Err(self.fail(child, "ct-props-correct.4", "it is there twice"));
                    }
                    found.uses.push(one);
                }
                "attributeGroup" => {
                    let Some(name) = child.element.attribute("ref") else {
                        return Err(self.fail(child, "s4s-att-must-appear", "ref is missing"));
                    };
                    let name = self.qname(child, name)?;
                    if name == (XML, "specialAttrs")
                        && !self.globals.contains_key(&(
                            SymbolSpace::AttributeGroup,
                            name.0,
                            name.1,
                        ))
                    {
                        found.uses.extend(self.special_attributes());
                        continue;
                    }
                    let group = self.global(child, SymbolSpace::AttributeGroup, name)?;
                    let inner = self.guarded(group, "src-attribute_group.3", |builder| {
                        builder.attributes_at(group, depth + 1)
                    })?;
                    for one in inner.uses {
                        if !found.uses.iter().any(|it| it.attribute.name == one.attribute.name) {
                            found.uses.push(one);
                        }
                    }
                    found.wildcard = match (found.wildcard, inner.wildcard) {
                        (Some(left), Some(right)) => Some(self.both(left, right)),
                        (left, right) => left.or(right),
                    };
                }
                "anyAttribute" => own = Some(self.wildcard(child)?),
                _ => {}
            }
        }
        found.wildcard = match (own, found.wildcard) {
            (Some(own), Some(of_groups)) => Some(self.both(own, of_groups)),
            (own, of_groups) => own.or(of_groups),
        };
        Ok(found)
    }

    fn special_attributes(&mut self) -> Vec<DeclaredUse> {
        let mut found = Vec::new();
        for local in ["lang", "space", "base", "id"] {
            let name = self.name(XML, local);
            let index = self.schema.name(name).map_or(NONE, |it| it.attribute);
            let attribute = self.schema.attributes.get(index as usize).copied();
            found
                .extend(attribute.map(|attribute| DeclaredUse { attribute, is_prohibited: false }));
        }
        found
    }

    fn attribute_use(&mut self, at: At<'d>) -> Result<DeclaredUse, SchemaLoadError> {
        let (value_flag, value) = self.default_or_fixed(at, "src-attribute.1")?;
        let mut attribute = match at.element.attribute("ref") {
            Some(name) => {
                let name = self.qname(at, name)?;
                let of_name = self.name(name.0, name.1);
                let known = self.schema.name(of_name).map_or(NONE, |it| it.attribute);
                let index = if known == NONE || name.0 == XML {
                    // What is built in stands in for a document that nobody gave.
                    match self.global(at, SymbolSpace::Attribute, name) {
                        Ok(found) => self.global_attribute(found, name)?,
                        Err(_) if known != NONE => known,
                        Err(error) => return Err(error),
                    }
                } else {
                    known
                };
                self.schema.attributes.get(index as usize).copied()
            }
            None => None,
        };
        if attribute.is_none() {
            let Some(local) = at.element.attribute("name").map(str::trim) else {
                return Err(self.fail(at, "src-attribute.3.1", "it has neither name nor ref"));
            };
            let form = at.element.attribute("form");
            let form = form.or(self.schema_attribute(at, "attributeFormDefault"));
            let namespace = if form == Some("qualified") { self.target(at) } else { "" };
            let name = self.name(namespace, local);
            let ty = self.attribute_type(at)?;
            attribute = Some(AttributeUse { name, ty, flags: 0, value: 0 });
        }
        let mut attribute =
            attribute.unwrap_or(AttributeUse { name: NONE, ty: 0, flags: 0, value: 0 });
        if value_flag != 0 {
            attribute.flags = value_flag;
            attribute.value = value;
        }
        let is_prohibited = match at.element.attribute("use").unwrap_or("optional").trim() {
            "required" => {
                attribute.flags |= flag::REQUIRED;
                false
            }
            "optional" => false,
            "prohibited" => true,
            other => {
                let problem = format!("expected optional, required or prohibited, found {other:?}");
                return Err(self.fail(at, "s4s-att-invalid-value", problem));
            }
        };
        Ok(DeclaredUse { attribute, is_prohibited })
    }

    /// Adds what the base of a derivation has and the derivation does not write itself.
    pub(super) fn inherit_attributes(
        &mut self,
        base: u32,
        own: &mut Attributes,
        is_extension: bool,
    ) {
        let Some(base) = self.schema.complex_type(base).copied() else { return };
        let inherited = base.attributes.of(&self.schema.attributes).to_vec();
        let mut all: Vec<DeclaredUse> = Vec::with_capacity(inherited.len() + own.uses.len());
        for attribute in inherited {
            if !own.uses.iter().any(|it| it.attribute.name == attribute.name) {
                all.push(DeclaredUse { attribute, is_prohibited: false });
            }
        }
        all.append(&mut own.uses);
        own.uses = all;
        let of_base = self.schema.wildcards.get(base.wildcard as usize).copied();
        if is_extension {
            own.wildcard = match (own.wildcard, of_base) {
                (Some(own), Some(of_base)) => Some(self.either(own, of_base)),
                (own, of_base) => own.or(of_base),
            };
        }
    }

    /// `cos-aw-intersect`: what both let pass; the first says how contents are processed.
    fn both(&mut self, left: Wildcard, right: Wildcard) -> Wildcard {
        let namespaces = match (left.namespaces, right.namespaces) {
            (NamespaceConstraint::Any, other) | (other, NamespaceConstraint::Any) => other,
            (NamespaceConstraint::List(list), other) | (other, NamespaceConstraint::List(list)) => {
                let other = Wildcard { process: ProcessContents::Skip, namespaces: other };
                let listed = list.of(&self.schema.lists).to_vec();
                let kept: Vec<_> =
                    listed.into_iter().filter(|&it| self.schema.admits(&other, it)).collect();
                NamespaceConstraint::List(self.list(&kept))
            }
            (NamespaceConstraint::Not(0), other) | (other, _) => other,
        };
        Wildcard { process: left.process, namespaces }
    }

    /// `cos-aw-union`: what one of them lets pass.
    fn either(&mut self, left: Wildcard, right: Wildcard) -> Wildcard {
        let namespaces = match (left.namespaces, right.namespaces) {
            (NamespaceConstraint::Any, _) | (_, NamespaceConstraint::Any) => {
                NamespaceConstraint::Any
            }
            (NamespaceConstraint::List(left), NamespaceConstraint::List(right)) => {
                let mut all = left.of(&self.schema.lists).to_vec();
                all.extend_from_slice(right.of(&self.schema.lists));
                all.sort_unstable();
                all.dedup();
                NamespaceConstraint::List(self.list(&all))
            }
            (NamespaceConstraint::Not(left), NamespaceConstraint::Not(right)) if left == right => {
                NamespaceConstraint::Not(left)
            }
            (NamespaceConstraint::Not(_), NamespaceConstraint::Not(_)) => {
                NamespaceConstraint::Not(0)
            }
            (NamespaceConstraint::Not(refused), NamespaceConstraint::List(list))
            | (NamespaceConstraint::List(list), NamespaceConstraint::Not(refused)) => {
                let listed = list.of(&self.schema.lists);
                match (listed.contains(&refused), listed.contains(&0)) {
                    (true, true) => NamespaceConstraint::Any,
                    (true, false) => NamespaceConstraint::Not(0),
                    _ => NamespaceConstraint::Not(refused),
                }
            }
        };
        Wildcard { process: left.process, namespaces }
    }
}
