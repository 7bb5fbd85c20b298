//! Finding components: by name, by index, and what is made of them when it is first needed.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{
    AttributeUse, ComplexType, Content, ElementDecl, NONE, NamespaceConstraint, Schema, SchemaName,
    SimpleType, Variety, Wildcard, flag,
};
use crate::pattern::Pattern;
use crate::xsd::model::Model;
use crate::xsd::value::Primitive;

impl Schema {
    /// The namespace and local name of every element that may be a document element.
    pub fn roots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .filter(|name| name.element != NONE)
            .map(|name| (self.strings.get(name.namespace), self.strings.get(name.local)))
    }

    /// Whether there is a global declaration of this element.
    pub fn declares(&self, namespace: &str, local: &str) -> bool {
        self.find_name(namespace, local)
            .and_then(|name| self.names.get(name as usize))
            .is_some_and(|name| name.element != NONE)
    }

    /// How many components it has: elements, complex types, simple types.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.elements.len(), self.complex.len(), self.simple.len())
    }

    /// Gives the caches their places; after all components are there.
    pub(in crate::xsd) fn prepare(&mut self) {
        self.caches.models = self.complex.iter().map(|_| OnceLock::new()).collect();
        self.caches.patterns = self.patterns.iter().map(|_| OnceLock::new()).collect();
        self.caches.names = OnceLock::new();
        let is_required = |it: &&AttributeUse| it.flags & flag::REQUIRED != 0;
        let required = |ty: &ComplexType| ty.attributes.of(&self.attributes).iter();
        let required = |ty| required(ty).filter(is_required).count();
        self.caches.required = self.complex.iter().map(required).collect();
        let is_text =
            |variety| matches!(variety, Variety::Atomic(Primitive::String | Primitive::AnySimple));
        let is_free = |ty: &SimpleType| is_text(ty.variety) && ty.facets.count == 0;
        self.caches.is_free = self.simple.iter().map(is_free).collect();
    }

    /// How many attributes a complex type requires.
    pub(in crate::xsd) fn required(&self, at: u32) -> usize {
        self.caches.required.get(at as usize).copied().unwrap_or_default()
    }

    /// Whether every text is of a simple type, and none is an identifier or refers to one.
    pub(in crate::xsd) fn is_free(&self, at: u32) -> bool {
        self.caches.is_free.get(at as usize).copied().unwrap_or_default()
    }

    pub(in crate::xsd) fn find_name(&self, namespace: &str, local: &str) -> Option<u32> {
        let namespace = self.find_namespace(namespace)?;
        self.find_local(namespace, local)
    }

    /// The string of a namespace that occurs in a name or a wildcard of this schema.
    pub(in crate::xsd) fn find_namespace(&self, namespace: &str) -> Option<u32> {
        if namespace.is_empty() {
            return Some(0);
        }
        let index = self.name_index();
        index.get(&(NONE, hash(namespace))).copied().filter(|&at| self.text(at) == namespace)
    }

    pub(in crate::xsd) fn find_local(&self, namespace: u32, local: &str) -> Option<u32> {
        let found = self.name_index().get(&(namespace, hash(local))).copied()?;
        let name = self.names.get(found as usize)?;
        (self.text(name.local) == local).then_some(found)
    }

    fn name_index(&self) -> &HashMap<(u32, u64), u32> {
        self.caches.names.get_or_init(|| {
            let mut index = HashMap::with_capacity(self.names.len() + 16);
            for (at, name) in self.names.iter().enumerate() {
                index.insert((name.namespace, hash(self.text(name.local))), at as u32);
                index.insert((NONE, hash(self.text(name.namespace))), name.namespace);
            }
            for wildcard in &self.wildcards {
                if let NamespaceConstraint::List(list) = wildcard.namespaces {
                    for &namespace in list.of(&self.lists) {
                        index.insert((NONE, hash(self.text(namespace))), namespace);
                    }
                }
                if let NamespaceConstraint::Not(namespace) = wildcard.namespaces {
                    index.insert((NONE, hash(self.text(namespace))), namespace);
                }
            }
            index
        })
    }

    pub(in crate::xsd) fn text(&self, string: u32) -> &str {
        self.strings.get(string)
    }

    pub(in crate::xsd) fn name(&self, name: u32) -> Option<&SchemaName> {
        self.names.get(name as usize)
    }

    /// `{namespace}local`, for messages without a document.
    pub(in crate::xsd) fn expanded(&self, name: u32) -> (&str, &str) {
        self.name(name).map_or(("", "?"), |it| (self.text(it.namespace), self.text(it.local)))
    }

    pub(in crate::xsd) fn element(&self, at: u32) -> Option<&ElementDecl> {
        self.elements.get(at as usize)
    }

    pub(in crate::xsd) fn complex_type(&self, at: u32) -> Option<&ComplexType> {
        self.complex.get(at as usize)
    }

    pub(in crate::xsd) fn simple_type(&self, at: u32) -> Option<&SimpleType> {
        self.simple.get(at as usize)
    }

    /// The content model of a complex type.
    pub(in crate::xsd) fn model(&self, at: u32) -> &Model {
        static EMPTY: Model = Model::Empty;
        let Some(cell) = self.caches.models.get(at as usize) else { return &EMPTY };
        cell.get_or_init(|| match self.complex_type(at).map(|ty| ty.content) {
            Some(Content::Elements(root)) => Model::compile(self, root).unwrap_or(Model::Empty),
            _ => Model::Empty,
        })
    }

    pub(in crate::xsd) fn pattern(&self, at: u32) -> Option<&Pattern> {
        self.caches
            .patterns
            .get(at as usize)?
            .get_or_init(|| Pattern::xsd(self.text(*self.patterns.get(at as usize)?)).ok())
            .as_ref()
    }

    /// Whether a wildcard lets a namespace pass: a string, or `NONE` for one the schema never
    /// names.
    pub(in crate::xsd) fn admits(&self, wildcard: &Wildcard, namespace: u32) -> bool {
        match wildcard.namespaces {
            NamespaceConstraint::Any => true,
            NamespaceConstraint::Not(refused) => namespace != refused && namespace != 0,
            NamespaceConstraint::List(list) => list.of(&self.lists).contains(&namespace),
        }
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
