//! Element declarations, substitution groups and identity constraints (part 1 sections 3.3, 3.11).

use std::collections::{BTreeMap, HashSet};

use super::paths::paths;
use super::{At, Pending, SchemaBuilder, SchemaLoadError, SymbolSpace};
use crate::xsd::builtin::{ANY_TYPE, XSD};
use crate::xsd::schema::{
    Constraint, ConstraintKind, ElementDecl, IndexRange, NONE, TypeRef, flag,
};

/// Elements that substitute one another in a row at most.
const MAX_CHAIN: usize = 64;

impl<'d> SchemaBuilder<'d> {
    /// The index of a global element; it is finished later.
    pub(super) fn global_element(
        &mut self,
        at: At<'d>,
        (namespace, local): (&str, &str),
    ) -> Result<u32, SchemaLoadError> {
        let name = self.name(namespace, local);
        let known = self.schema.names.get(name as usize).map_or(NONE, |it| it.element);
        if known != NONE {
            return Ok(known);
        }
        let index = self.new_element(name);
        if let Some(entry) = self.schema.names.get_mut(name as usize) {
            entry.element = index;
        }
        self.pending.push(Pending::Element(index, at));
        Ok(index)
    }

    /// A local element declaration.
    pub(super) fn local_element(&mut self, at: At<'d>) -> Result<u32, SchemaLoadError> {
        let Some(local) = at.element.attribute("name").map(str::trim) else {
            return Err(self.fail(at, "src-element.2.1", "it has neither name nor ref"));
        };
        let form = at.element.attribute("form").or(self.schema_attribute(at, "elementFormDefault"));
        let namespace = if form == Some("qualified") { self.target(at) } else { "" };
        let name = self.name(namespace, local);
        let index = self.new_element(name);
        self.pending.push(Pending::Element(index, at));
        Ok(index)
    }

    fn new_element(&mut self, name: u32) -> u32 {
        let index = self.schema.elements.len() as u32;
        self.schema.elements.push(ElementDecl {
            name,
            ty: TypeRef::None,
            flags: 0,
            value: 0,
            constraints: IndexRange::default(),
            substitutes: IndexRange::default(),
        });
        index
    }

    pub(super) fn finish_element(&mut self, index: u32, at: At<'d>) -> Result<(), SchemaLoadError> {
        let ty = self.element_type(at)?;
        let mut flags = self.block_flags(at, true)?;
        flags |= self.flag(at, "nillable", flag::NILLABLE)?;
        flags |= self.flag(at, "abstract", flag::ABSTRACT)?;
        let (value_flag, value) = self.default_or_fixed(at, "src-element.1")?;
        let constraints = self.identity_constraints(at)?;
        if let Some(element) = self.schema.elements.get_mut(index as usize) {
            element.ty = ty;
            element.flags = flags | value_flag;
            element.value = value;
            element.constraints = constraints;
        }
        Ok(())
    }

    /// Its own type, or `xs:anyType`; none where it has that of its head.
    fn element_type(&mut self, at: At<'d>) -> Result<TypeRef, SchemaLoadError> {
        let inner = self.children(at)?;
        let inner =
            inner.iter().find(|it| matches!(it.element.local(), "simpleType" | "complexType"));
        if let Some(name) = at.element.attribute("type") {
            if inner.is_some() {
                return Err(self.fail(at, "src-element.3", "it has a type and a type inside"));
            }
            let name = self.qname(at, name)?;
            return self.type_named(at, name);
        }
        match inner {
            Some(inner) if inner.element.local() == "simpleType" => {
                Ok(TypeRef::Simple(self.simple_type_at(*inner, NONE)?))
            }
            Some(inner) => Ok(TypeRef::Complex(self.complex_type_at(*inner, NONE))),
            // The type of the head: looked up when all elements are there.
            None if at.element.attribute("substitutionGroup").is_some() => Ok(TypeRef::None),
            None => Ok(TypeRef::Complex(ANY_TYPE)),
        }
    }

    pub(super) fn flag(&self, at: At<'d>, name: &str, bit: u32) -> Result<u32, SchemaLoadError> {
        match at.element.attribute(name).map(str::trim) {
            Some("true" | "1") => Ok(bit),
            None | Some("false" | "0") => Ok(0),
            Some(other) => {
                let problem = format!("expected true or false for {name}, found {other:?}");
                Err(self.fail(at, "s4s-att-invalid-value", problem))
            }
        }
    }

    pub(super) fn block_flags(&self, at: At<'d>, is_element: bool) -> Result<u32, SchemaLoadError> {
        let own = at.element.attribute("block");
        let block = own.or(self.schema_attribute(at, "blockDefault")).unwrap_or_default();
        let mut flags = 0;
        for word in block.split_whitespace() {
            flags |= match word {
                "extension" => flag::BLOCK_EXTENSION,
                "restriction" => flag::BLOCK_RESTRICTION,
                "substitution" if is_element || own.is_none() => flag::BLOCK_SUBSTITUTION,
                "#all" => {
                    flag::BLOCK_EXTENSION | flag::BLOCK_RESTRICTION | flag::BLOCK_SUBSTITUTION
                }
                other => {
                    let problem = format!("{other:?} cannot be blocked");
                    return Err(self.fail(at, "s4s-att-invalid-value", problem));
                }
            };
        }
        Ok(flags)
    }

    pub(super) fn default_or_fixed(
        &mut self,
        at: At<'d>,
        clause: &'static str,
    ) -> Result<(u32, u32), SchemaLoadError> {
        match (at.element.attribute("default"), at.element.attribute("fixed")) {
            (Some(_), Some(_)) => Err(self.fail(at, clause, "it has a default and a fixed value")),
            (Some(value), None) => Ok((flag::DEFAULT, self.string(value))),
            (None, Some(value)) => Ok((flag::FIXED, self.string(value))),
            (None, None) => Ok((0, 0)),
        }
    }

    fn identity_constraints(&mut self, at: At<'d>) -> Result<IndexRange, SchemaLoadError> {
        let mut found = Vec::new();
        for child in self.children(at)? {
            let kind = match child.element.local() {
                "unique" => ConstraintKind::Unique,
                "key" => ConstraintKind::Key,
                "keyref" => ConstraintKind::KeyRef,
                "alternative" => {
                    return Err(self.fail(child, "unsupported", "xs:alternative"));
                }
                _ => continue,
            };
            found.push(self.identity_constraint(child, kind)?);
        }
        let start = self.schema.constraints.len() as u32;
        let count = found.len() as u32;
        for (offset, (constraint, at)) in found.into_iter().enumerate() {
            let index = start + offset as u32;
            if self.constraints.insert(constraint.name, index).is_some() {
                return Err(self.fail(at, "sch-props-correct.2", "a second one of this name"));
            }
            if constraint.kind == ConstraintKind::KeyRef {
                let Some(refer) = at.element.attribute("refer") else {
                    return Err(self.fail(at, "s4s-att-must-appear", "refer is missing"));
                };
                let (namespace, local) = self.qname(at, refer)?;
                let name = self.name(namespace, local);
                self.refers.push((index, name, at));
            }
            self.schema.constraints.push(constraint);
        }
        Ok(IndexRange { start, count })
    }

    fn identity_constraint(
        &mut self,
        at: At<'d>,
        kind: ConstraintKind,
    ) -> Result<(Constraint, At<'d>), SchemaLoadError> {
        let Some(local) = at.element.attribute("name") else {
            return Err(self.fail(at, "s4s-att-must-appear", "the name is missing"));
        };
        let name = self.name(self.target(at), local);
        let (mut selector, mut fields) = (Vec::new(), Vec::new());
        for child in self.children(at)? {
            let is_field = child.element.local() == "field";
            let text = child.element.attribute("xpath").unwrap_or_default();
            let read = paths(self, child, text, is_field)?;
            if is_field {
                fields.push(read);
            } else {
                selector = read;
            }
        }
        if selector.is_empty() || fields.is_empty() {
            return Err(self.fail(at, "s4s-elt-must-match", "it needs a selector and a field"));
        }
        Ok((Constraint { name, kind, refer: NONE, selector, fields }, at))
    }

    /// Looks up the keys that key references refer to.
    pub(super) fn resolve_refers(&mut self) -> Result<(), SchemaLoadError> {
        for (index, name, at) in std::mem::take(&mut self.refers) {
            let Some(&key) = self.constraints.get(&name) else {
                return Err(self.fail(at, "src-resolve", "there is no key of this name"));
            };
            let fields =
                |at: u32| self.schema.constraints.get(at as usize).map(|it| it.fields.len());
            if fields(key) != fields(index) {
                let problem = "the key has another number of fields";
                return Err(self.fail(at, "c-props-correct.2", problem));
            }
            if let Some(constraint) = self.schema.constraints.get_mut(index as usize) {
                constraint.refer = key;
            }
        }
        Ok(())
    }

    /// Gives every head of a substitution group the list of its members, direct and indirect.
    pub(super) fn substitution_groups(
        &mut self,
        all: &[((SymbolSpace, &'d str, &'d str), At<'d>)],
    ) -> Result<(), SchemaLoadError> {
        // Members by head, in the order of names so that tables are the same every time.
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for ((kind, namespace, local), at) in all {
            let Some(head) = at.element.attribute("substitutionGroup") else { continue };
            if *kind != SymbolSpace::Element {
                continue;
            }
            let head = self.qname(*at, head)?;
            let head_at = self.global(*at, SymbolSpace::Element, head)?;
            let head = self.global_element(head_at, head)?;
            let member = self.global_element(*at, (namespace, local))?;
            members.entry(head).or_default().push(member);
        }
        self.types_of_heads(&members);
        for &head in members.keys() {
            let mut found: Vec<(u32, u32)> = Vec::new();
            let mut seen = HashSet::from([head]);
            let mut open = members.get(&head).cloned().unwrap_or_default();
            while let Some(member) = open.pop() {
                if !seen.insert(member) {
                    continue;
                }
                open.extend(members.get(&member).into_iter().flatten());
                if self.may_substitute(head, member) {
                    let name = self.schema.element(member).map_or(NONE, |it| it.name);
                    found.push((name, member));
                }
            }
            found.sort_unstable();
            let start = self.schema.substitutes.len() as u32;
            let range = IndexRange { start, count: found.len() as u32 };
            self.schema.substitutes.extend(found);
            if let Some(element) = self.schema.elements.get_mut(head as usize) {
                element.substitutes = range;
            }
        }
        Ok(())
    }

    /// A member without a type has that of its head; the longest chain decides how often to look.
    fn types_of_heads(&mut self, members: &BTreeMap<u32, Vec<u32>>) {
        for _ in 0..MAX_CHAIN {
            let mut is_settled = true;
            for (&head, members) in members {
                let of_head = self.schema.element(head).map_or(TypeRef::None, |it| it.ty);
                for &member in members {
                    let Some(member) = self.schema.elements.get_mut(member as usize) else {
                        continue;
                    };
                    if member.ty == TypeRef::None && of_head != TypeRef::None {
                        member.ty = of_head;
                        is_settled = false;
                    }
                }
            }
            if is_settled {
                break;
            }
        }
        for element in &mut self.schema.elements {
            if element.ty == TypeRef::None {
                element.ty = TypeRef::Complex(ANY_TYPE);
            }
        }
    }

    /// `cos-equiv-derived-ok-rec`: what the head and its type block is no member.
    fn may_substitute(&self, head: u32, member: u32) -> bool {
        let (Some(head), Some(member)) = (self.schema.element(head), self.schema.element(member))
        else {
            return false;
        };
        if head.flags & flag::BLOCK_SUBSTITUTION != 0 {
            return false;
        }
        let of_type = match head.ty {
            TypeRef::Complex(at) => self.schema.complex_type(at).map_or(0, |it| it.flags),
            _ => 0,
        };
        self.schema.is_derived(member.ty, head.ty, head.flags | of_type)
    }

    /// The type of a name: built-in or global.
    pub(super) fn type_named(
        &mut self,
        at: At<'d>,
        (namespace, local): (&'d str, &'d str),
    ) -> Result<TypeRef, SchemaLoadError> {
        let name = self.name(namespace, local);
        let known = self.schema.name(name).map_or(TypeRef::None, |it| it.ty);
        if known != TypeRef::None {
            return Ok(known);
        }
        if namespace == XSD && !self.globals.contains_key(&(SymbolSpace::Type, namespace, local)) {
            return Err(self.fail(at, "src-resolve", format!("there is no type xs:{local}")));
        }
        let found = self.global(at, SymbolSpace::Type, (namespace, local))?;
        self.named_type(found, (namespace, local))
    }

    /// Builds a global type, or answers it where it is known.
    pub(super) fn named_type(
        &mut self,
        at: At<'d>,
        (namespace, local): (&'d str, &'d str),
    ) -> Result<TypeRef, SchemaLoadError> {
        let name = self.name(namespace, local);
        let known = self.schema.name(name).map_or(TypeRef::None, |it| it.ty);
        if known != TypeRef::None {
            return Ok(known);
        }
        let built = if at.element.local() == "simpleType" {
            TypeRef::Simple(self.simple_type_at(at, name)?)
        } else {
            TypeRef::Complex(self.complex_type_at(at, name))
        };
        if let Some(entry) = self.schema.names.get_mut(name as usize) {
            entry.ty = built;
        }
        Ok(built)
    }
}
