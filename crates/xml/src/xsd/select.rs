//! The part of a schema that some document elements can reach, with the same verdicts on them.

mod simple;

use std::collections::HashMap;

use super::schema::{
    ComplexType, Constraint, Content, ElementDecl, IndexRange, NONE, NamespaceConstraint, Particle,
    ParticleTerm, ProcessContents, Schema, SchemaName, SelectorPath, SelectorStep, SelectorTest,
    TypeRef, Wildcard,
};

/// Types that are derived from one another in a row at most.
const MAX_DERIVATIONS: usize = 256;

impl Schema {
    /// A schema for documents with one of these document elements: what they cannot reach is left
    /// out. Kept are also the elements that a wildcard could let pass, the members of
    /// substitution groups, and the types that `xsi:type` could name.
    pub fn for_roots(&self, roots: &[(String, String)]) -> Schema {
        let mut copy =
            Copy { old: self, new: Schema::default(), maps: Maps::default(), open: vec![] };
        copy.string(0);
        for at in 0..self.simple.len() as u32 {
            // The built-in types come first and keep their places.
            let is_built_in = self
                .simple_type(at)
                .and_then(|it| self.name(it.name))
                .is_some_and(|it| self.text(it.namespace) == super::builtin::XSD);
            if !is_built_in {
                break;
            }
            copy.simple(at);
        }
        copy.complex(super::builtin::ANY_TYPE);
        for (namespace, local) in roots {
            let name = self.find_name(namespace, local).and_then(|it| self.name(it));
            if let Some(name) = name.filter(|it| it.element != NONE) {
                copy.element(name.element);
            }
        }
        copy.close();
        let mut new = copy.new;
        let moved = copy.maps.constraints;
        for constraint in &mut new.constraints {
            constraint.refer = moved.get(&constraint.refer).copied().unwrap_or(NONE);
        }
        new.prepare();
        new
    }
}

/// Where each old component went.
#[derive(Default)]
struct Maps {
    strings: HashMap<u32, u32>,
    names: HashMap<u32, u32>,
    elements: HashMap<u32, u32>,
    complex: HashMap<u32, u32>,
    simple: HashMap<u32, u32>,
    wildcards: HashMap<u32, u32>,
    particles: HashMap<u32, u32>,
    patterns: HashMap<u32, u32>,
    enumerations: HashMap<u32, u32>,
    constraints: HashMap<u32, u32>,
}

enum PendingComponent {
    Element(u32, u32),
    Complex(u32, u32),
}

struct Copy<'s> {
    old: &'s Schema,
    new: Schema,
    maps: Maps,
    open: Vec<PendingComponent>,
}

impl Copy<'_> {
    /// Copies what is reached until nothing new is.
    fn close(&mut self) {
        loop {
            while let Some(next) = self.open.pop() {
                match next {
                    PendingComponent::Element(old, new) => self.fill_element(old, new),
                    PendingComponent::Complex(old, new) => self.fill_complex(old, new),
                }
            }
            self.add_admitted();
            self.add_derived();
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Global elements and attributes that a wildcard could let pass and then checks.
    fn add_admitted(&mut self) {
        let old = self.old;
        let open: Vec<Wildcard> = self
            .maps
            .wildcards
            .keys()
            .filter_map(|&at| old.wildcards.get(at as usize))
            .filter(|it| it.process != ProcessContents::Skip)
            .copied()
            .collect();
        // The wildcard of `xs:anyType` is there in every schema; it counts where the type is used.
        let is_used =
            |it: &Wildcard| it.namespaces != NamespaceConstraint::Any || self.uses_any_type();
        let open: Vec<_> = open.into_iter().filter(is_used).collect();
        for (at, name) in old.names.iter().enumerate() {
            if open.iter().any(|it| old.admits(it, name.namespace)) {
                if name.element != NONE {
                    self.element(name.element);
                }
                if let Some(&attribute) = old.attributes.get(name.attribute as usize) {
                    let new = self.name(at as u32);
                    let is_there =
                        self.new.names.get(new as usize).is_some_and(|it| it.attribute != NONE);
                    if !is_there {
                        let range = self.attributes(&[attribute]);
                        if let Some(entry) = self.new.names.get_mut(new as usize) {
                            entry.attribute = range.start;
                        }
                    }
                }
            }
        }
    }

    fn uses_any_type(&self) -> bool {
        let any = TypeRef::Complex(super::builtin::ANY_TYPE);
        let of_elements = self.new.elements.iter().any(|it| it.ty == any);
        of_elements
            || self.maps.wildcards.keys().any(|&at| {
                let wildcard = self.old.wildcards.get(at as usize);
                at != 0 && wildcard.is_some_and(|it| it.process != ProcessContents::Skip)
            })
    }

    /// Named types that could stand for the type of an element.
    fn add_derived(&mut self) {
        let any = TypeRef::Complex(super::builtin::ANY_TYPE);
        let takes_all = self.uses_any_type();
        let of_elements: std::collections::HashSet<TypeRef> = self
            .maps
            .elements
            .keys()
            .filter_map(|&at| self.old.element(at))
            .map(|it| it.ty)
            .collect();
        for (at, name) in self.old.names.iter().enumerate() {
            let mut place = name.ty;
            for _ in 0..MAX_DERIVATIONS {
                if place == TypeRef::None || (place == any && !takes_all) {
                    break;
                }
                if place == any || of_elements.contains(&place) {
                    self.type_ref(name.ty);
                    self.name(at as u32);
                    break;
                }
                place = self.base(place);
            }
        }
    }

    fn base(&self, ty: TypeRef) -> TypeRef {
        match ty {
            TypeRef::None => TypeRef::None,
            TypeRef::Complex(at) => self.old.complex_type(at).map_or(TypeRef::None, |it| it.base),
            TypeRef::Simple(at) => match self.old.simple_type(at) {
                Some(it) if it.base != NONE => TypeRef::Simple(it.base),
                _ => TypeRef::Complex(super::builtin::ANY_TYPE),
            },
        }
    }

    fn string(&mut self, old: u32) -> u32 {
        let strings = &mut self.new.strings;
        *self.maps.strings.entry(old).or_insert_with(|| {
            strings.text.push_str(self.old.text(old));
            strings.ends.push(strings.text.len() as u32);
            strings.ends.len() as u32 - 1
        })
    }

    fn name(&mut self, old: u32) -> u32 {
        if old == NONE {
            return NONE;
        }
        if let Some(&known) = self.maps.names.get(&old) {
            return known;
        }
        let Some(&name) = self.old.name(old) else { return NONE };
        let (namespace, local) = (self.string(name.namespace), self.string(name.local));
        let at = self.new.names.len() as u32;
        self.maps.names.insert(old, at);
        let (element, attribute, ty) = (NONE, NONE, TypeRef::None);
        self.new.names.push(SchemaName { namespace, local, element, attribute, ty });
        at
    }

    fn list(&mut self, values: &[u32]) -> IndexRange {
        let start = self.new.lists.len() as u32;
        self.new.lists.extend_from_slice(values);
        IndexRange { start, count: values.len() as u32 }
    }

    fn element(&mut self, old: u32) -> u32 {
        if let Some(&known) = self.maps.elements.get(&old) {
            return known;
        }
        let Some(&element) = self.old.element(old) else { return NONE };
        let at = self.new.elements.len() as u32;
        self.maps.elements.insert(old, at);
        let name = self.name(element.name);
        let is_global = self.old.name(element.name).is_some_and(|it| it.element == old);
        if let Some(entry) = self.new.names.get_mut(name as usize).filter(|_| is_global) {
            entry.element = at;
        }
        let value = self.string(element.value);
        self.new.elements.push(ElementDecl { name, value, ..element });
        self.open.push(PendingComponent::Element(old, at));
        at
    }

    fn fill_element(&mut self, old: u32, new: u32) {
        let Some(&element) = self.old.element(old) else { return };
        let ty = self.type_ref(element.ty);
        let mut members: Vec<(u32, u32)> = Vec::new();
        for &(name, member) in element.substitutes.of(&self.old.substitutes) {
            members.push((self.name(name), self.element(member)));
        }
        members.sort_unstable();
        let start = self.new.substitutes.len() as u32;
        let substitutes = IndexRange { start, count: members.len() as u32 };
        self.new.substitutes.extend(members);
        let start = self.new.constraints.len() as u32;
        for (offset, constraint) in element.constraints.of(&self.old.constraints).iter().enumerate()
        {
            let copied = self.constraint(constraint);
            let old = element.constraints.start + offset as u32;
            self.maps.constraints.insert(old, start + offset as u32);
            self.new.constraints.push(copied);
        }
        let constraints = IndexRange { start, count: element.constraints.count };
        if let Some(entry) = self.new.elements.get_mut(new as usize) {
            *entry = ElementDecl { ty, substitutes, constraints, ..*entry };
        }
    }

    /// The key that a reference refers to keeps its old number until the end.
    fn constraint(&mut self, constraint: &Constraint) -> Constraint {
        let mut copied = constraint.clone();
        copied.name = self.name(constraint.name);
        for path in copied.selector.iter_mut().chain(copied.fields.iter_mut().flatten()) {
            self.path(path);
        }
        copied
    }

    fn path(&mut self, path: &mut SelectorPath) {
        let tests = path.steps.iter_mut().filter_map(|step| match step {
            SelectorStep::This => None,
            SelectorStep::Child(test) => Some(test),
        });
        for test in tests.chain(&mut path.attribute) {
            *test = match *test {
                SelectorTest::Any => SelectorTest::Any,
                SelectorTest::Namespace(at) => SelectorTest::Namespace(self.string(at)),
                SelectorTest::Name(at) => SelectorTest::Name(self.name(at)),
            };
        }
    }

    fn type_ref(&mut self, ty: TypeRef) -> TypeRef {
        match ty {
            TypeRef::None => TypeRef::None,
            TypeRef::Simple(at) => TypeRef::Simple(self.simple(at)),
            TypeRef::Complex(at) => TypeRef::Complex(self.complex(at)),
        }
    }

    /// Gives a named type its place under its name.
    fn enter(&mut self, name: u32, old: TypeRef, new: TypeRef) -> u32 {
        let is_global = self.old.name(name).is_some_and(|it| it.ty == old);
        let name = self.name(name);
        if let Some(entry) = self.new.names.get_mut(name as usize).filter(|_| is_global) {
            entry.ty = new;
        }
        name
    }

    fn complex(&mut self, old: u32) -> u32 {
        if let Some(&known) = self.maps.complex.get(&old) {
            return known;
        }
        let Some(&ty) = self.old.complex_type(old) else { return NONE };
        let at = self.new.complex.len() as u32;
        self.maps.complex.insert(old, at);
        let name = self.enter(ty.name, TypeRef::Complex(old), TypeRef::Complex(at));
        self.new.complex.push(ComplexType { name, ..ty });
        self.open.push(PendingComponent::Complex(old, at));
        at
    }

    fn fill_complex(&mut self, old: u32, new: u32) {
        let Some(&ty) = self.old.complex_type(old) else { return };
        let base = self.type_ref(ty.base);
        let content = match ty.content {
            Content::Empty => Content::Empty,
            Content::Simple(at) => Content::Simple(self.simple(at)),
            Content::Elements(NONE) => Content::Elements(NONE),
            Content::Elements(at) => Content::Elements(self.particle(at)),
        };
        let attributes = self.attributes(ty.attributes.of(&self.old.attributes));
        let wildcard = self.wildcard(ty.wildcard);
        if let Some(entry) = self.new.complex.get_mut(new as usize) {
            *entry = ComplexType { base, content, attributes, wildcard, ..*entry };
        }
    }

    fn attributes(&mut self, uses: &[super::schema::AttributeUse]) -> IndexRange {
        let mut copied = Vec::with_capacity(uses.len());
        for one in uses {
            let (name, ty) = (self.name(one.name), self.simple(one.ty));
            let value = self.string(one.value);
            copied.push(super::schema::AttributeUse { name, ty, value, ..*one });
        }
        let start = self.new.attributes.len() as u32;
        self.new.attributes.extend(copied);
        IndexRange { start, count: uses.len() as u32 }
    }

    fn wildcard(&mut self, old: u32) -> u32 {
        if let Some(&known) = self.maps.wildcards.get(&old) {
            return known;
        }
        let Some(&wildcard) = self.old.wildcards.get(old as usize) else { return NONE };
        let namespaces = match wildcard.namespaces {
            NamespaceConstraint::Any => NamespaceConstraint::Any,
            NamespaceConstraint::Not(at) => NamespaceConstraint::Not(self.string(at)),
            NamespaceConstraint::List(list) => {
                let names = list.of(&self.old.lists).to_vec();
                let names: Vec<_> = names.into_iter().map(|it| self.string(it)).collect();
                NamespaceConstraint::List(self.list(&names))
            }
        };
        let at = self.new.wildcards.len() as u32;
        self.new.wildcards.push(Wildcard { namespaces, ..wildcard });
        self.maps.wildcards.insert(old, at);
        at
    }

    fn particle(&mut self, old: u32) -> u32 {
        if let Some(&known) = self.maps.particles.get(&old) {
            return known;
        }
        let Some(&particle) = self.old.particles.get(old as usize) else { return NONE };
        let term = match particle.term {
            ParticleTerm::Element(at) => ParticleTerm::Element(self.element(at)),
            ParticleTerm::Wildcard(at) => ParticleTerm::Wildcard(self.wildcard(at)),
            ParticleTerm::Sequence(list) => ParticleTerm::Sequence(self.parts(list)),
            ParticleTerm::Choice(list) => ParticleTerm::Choice(self.parts(list)),
            ParticleTerm::All(list) => ParticleTerm::All(self.parts(list)),
        };
        let at = self.new.particles.len() as u32;
        self.new.particles.push(Particle { term, ..particle });
        self.maps.particles.insert(old, at);
        at
    }

    fn parts(&mut self, list: IndexRange) -> IndexRange {
        let parts = list.of(&self.old.lists).to_vec();
        let parts: Vec<_> = parts.into_iter().map(|it| self.particle(it)).collect();
        self.list(&parts)
    }
}
