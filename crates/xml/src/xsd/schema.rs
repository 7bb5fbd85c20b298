//! The compiled schema: flat arrays that refer to one another by index.

mod lookup;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::model::Model;
use super::value::{Primitive, WhiteSpace};
use crate::pattern::Pattern;

/// No component.
pub(super) const NONE: u32 = u32::MAX;
/// `maxOccurs="unbounded"`.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A compiled schema: immutable, shared between threads.
#[derive(Debug, Default)]
pub struct Schema {
    pub(super) strings: Strings,
    pub(super) names: Vec<SchemaName>,
    pub(super) elements: Vec<ElementDecl>,
    pub(super) complex: Vec<ComplexType>,
    pub(super) simple: Vec<SimpleType>,
    pub(super) attributes: Vec<AttributeUse>,
    pub(super) wildcards: Vec<Wildcard>,
    pub(super) particles: Vec<Particle>,
    /// Ranges of this list are the children of groups, the members of unions, the values of
    /// enumerations (string indices) and the namespaces of wildcards (string indices).
    pub(super) lists: Vec<u32>,
    pub(super) facets: Vec<Facet>,
    pub(super) patterns: Vec<u32>,
    pub(super) constraints: Vec<Constraint>,
    /// Name and element of each member of a substitution group, sorted by name within a range.
    pub(super) substitutes: Vec<(u32, u32)>,
    pub(super) caches: Caches,
}

/// What is made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Caches {
    pub(super) models: Vec<OnceLock<Model>>,
    pub(super) patterns: Vec<OnceLock<Option<Pattern>>>,
    pub(super) names: OnceLock<HashMap<(u32, u64), u32>>,
    /// How many attributes each complex type requires.
    pub(super) required: Vec<usize>,
    /// Whether each simple type takes every text.
    pub(super) is_free: Vec<bool>,
}

/// Strings, each once; string 0 is the empty one.
#[derive(Debug, Default)]
pub(super) struct Strings {
    pub(super) text: String,
    /// Where each string ends.
    pub(super) ends: Vec<u32>,
}

impl Strings {
    pub(super) fn get(&self, index: u32) -> &str {
        let at = index as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(at).copied().unwrap_or(0);
        self.text.get(start.unwrap_or(0) as usize..end as usize).unwrap_or_default()
    }
}

/// An expanded name and its global declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SchemaName {
    pub(super) namespace: u32,
    pub(super) local: u32,
    pub(super) element: u32,
    pub(super) attribute: u32,
    pub(super) ty: TypeRef,
}

/// A part of one of the arrays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct IndexRange {
    pub(super) start: u32,
    pub(super) count: u32,
}

impl IndexRange {
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        let start = self.start as usize;
        all.get(start..start.saturating_add(self.count as usize)).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TypeRef {
    None,
    Simple(u32),
    Complex(u32),
}

/// Bits of the `flags` of elements and types.
pub(super) mod flag {
    pub(crate) const ABSTRACT: u32 = 1;
    pub(crate) const NILLABLE: u32 = 2;
    pub(crate) const BLOCK_EXTENSION: u32 = 4;
    pub(crate) const BLOCK_RESTRICTION: u32 = 8;
    pub(crate) const BLOCK_SUBSTITUTION: u32 = 16;
    pub(crate) const FIXED: u32 = 32;
    pub(crate) const DEFAULT: u32 = 64;
    pub(crate) const MIXED: u32 = 128;
    pub(crate) const BY_EXTENSION: u32 = 256;
    pub(crate) const REQUIRED: u32 = 512;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ElementDecl {
    pub(super) name: u32,
    pub(super) ty: TypeRef,
    pub(super) flags: u32,
    /// The default or fixed value.
    pub(super) value: u32,
    pub(super) constraints: IndexRange,
    pub(super) substitutes: IndexRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ComplexType {
    /// `NONE` where the type is anonymous.
    pub(super) name: u32,
    pub(super) base: TypeRef,
    pub(super) flags: u32,
    pub(super) content: Content,
    pub(super) attributes: IndexRange,
    pub(super) wildcard: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Empty,
    Simple(u32),
    /// The root particle.
    Elements(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SimpleType {
    pub(super) name: u32,
    pub(super) base: u32,
    pub(super) variety: Variety,
    pub(super) white_space: WhiteSpace,
    pub(super) facets: IndexRange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variety {
    Atomic(Primitive),
    List(u32),
    Union(IndexRange),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facet {
    pub(super) kind: FacetKind,
    /// A number, a string, a pattern or, for an enumeration, the start of a list that begins with
    /// its length and goes on with the keys of the values, sorted as texts.
    pub(super) value: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum FacetKind {
    Length,
    MinLength,
    MaxLength,
    Pattern,
    Enumeration,
    MaxInclusive,
    MaxExclusive,
    MinInclusive,
    MinExclusive,
    TotalDigits,
    FractionDigits,
}

impl FacetKind {
    pub(super) const ALL: [FacetKind; 11] = [
        FacetKind::Length,
        FacetKind::MinLength,
        FacetKind::MaxLength,
        FacetKind::Pattern,
        FacetKind::Enumeration,
        FacetKind::MaxInclusive,
        FacetKind::MaxExclusive,
        FacetKind::MinInclusive,
        FacetKind::MinExclusive,
        FacetKind::TotalDigits,
        FacetKind::FractionDigits,
    ];

    /// The name in a schema document.
    pub(super) fn name(self) -> &'static str {
        match self {
            FacetKind::Length => "length",
            FacetKind::MinLength => "minLength",
            FacetKind::MaxLength => "maxLength",
            FacetKind::Pattern => "pattern",
            FacetKind::Enumeration => "enumeration",
            FacetKind::MaxInclusive => "maxInclusive",
            FacetKind::MaxExclusive => "maxExclusive",
            FacetKind::MinInclusive => "minInclusive",
            FacetKind::MinExclusive => "minExclusive",
            FacetKind::TotalDigits => "totalDigits",
            FacetKind::FractionDigits => "fractionDigits",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AttributeUse {
    pub(super) name: u32,
    pub(super) ty: u32,
    pub(super) flags: u32,
    pub(super) value: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wildcard {
    pub(super) process: ProcessContents,
    pub(super) namespaces: NamespaceConstraint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ProcessContents {
    Strict,
    Lax,
    Skip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamespaceConstraint {
    Any,
    /// Any namespace but this one; never no namespace at all.
    Not(u32),
    /// One of these; string 0 stands for no namespace.
    List(IndexRange),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Particle {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) term: ParticleTerm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParticleTerm {
    Element(u32),
    Wildcard(u32),
    Sequence(IndexRange),
    Choice(IndexRange),
    All(IndexRange),
}

/// `unique`, `key` or `keyref`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) name: u32,
    pub(super) kind: ConstraintKind,
    /// The key that a `keyref` refers to.
    pub(super) refer: u32,
    pub(super) selector: Vec<SelectorPath>,
    pub(super) fields: Vec<Vec<SelectorPath>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ConstraintKind {
    Unique,
    Key,
    KeyRef,
}

/// One alternative of a selector or field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SelectorPath {
    /// Whether it begins with `.//`.
    pub(super) is_deep: bool,
    pub(super) steps: Vec<SelectorStep>,
    /// The attribute at its end, for fields.
    pub(super) attribute: Option<SelectorTest>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SelectorStep {
    This,
    Child(SelectorTest),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SelectorTest {
    Any,
    /// Any name of this namespace (a string).
    Namespace(u32),
    Name(u32),
}
