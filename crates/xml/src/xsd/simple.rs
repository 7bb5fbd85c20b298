//! Checks a text against a simple type: lexical rule, variety and facets (part 2 section 4).

use std::borrow::Cow;
use std::cmp::Ordering;

use super::schema::{
    ComplexType, Facet, FacetKind, NONE, Schema, SimpleType, TypeRef, Variety, flag,
};
use super::value::{LexicalDecimal, Primitive, octets};
use crate::pattern::Pattern;
use crate::tree::Element;

/// Types that are derived from one another in a row at most.
const MAX_DERIVATIONS: usize = 256;
/// Unions inside one another at most.
const MAX_UNION_DEPTH: usize = 32;
/// Values that are listed in a message at most.
const LISTED_VALUES: usize = 6;

/// Why a text is not of a simple type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SimpleTypeProblem {
    pub(super) clause: &'static str,
    pub(super) expected: String,
}

/// Whether values of a type are identifiers or refer to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdKind {
    None,
    Id,
    IdRef,
}

impl Schema {
    /// Everything that is wrong with a text; empty where it is of the type.
    pub(super) fn problems(
        &self,
        ty: u32,
        text: &str,
        scope: Element<'_>,
    ) -> Vec<SimpleTypeProblem> {
        self.problems_at(ty, text, scope, 0)
    }

    fn problems_at(
        &self,
        at: u32,
        raw: &str,
        scope: Element<'_>,
        depth: usize,
    ) -> Vec<SimpleTypeProblem> {
        let Some(ty) = self.simple_type(at) else { return Vec::new() };
        if depth > MAX_UNION_DEPTH {
            return Vec::new();
        }
        let text = ty.white_space.normalise(raw);
        let problem = |clause, expected: String| vec![SimpleTypeProblem { clause, expected }];
        match ty.variety {
            Variety::Atomic(primitive) => {
                if !primitive.allows(&text) || !is_prefix_known(primitive, &text, scope) {
                    let expected = primitive.describe().to_owned();
                    return problem("cvc-datatype-valid.1.2.1", expected);
                }
            }
            Variety::List(item) => {
                for part in text.split(' ').filter(|it| !it.is_empty()) {
                    if let Some(wrong) = self.problems_at(item, part, scope, depth + 1).first() {
                        let expected = format!("a list, each item {}", wrong.expected);
                        return problem("cvc-datatype-valid.1.2.2", expected);
                    }
                }
            }
            Variety::Union(members) => {
                let members = members.of(&self.lists);
                let is_member = |&it: &u32| self.problems_at(it, raw, scope, depth + 1).is_empty();
                if !members.iter().any(is_member) {
                    let mut kinds: Vec<_> = members
                        .iter()
                        .flat_map(|&it| self.problems_at(it, raw, scope, depth + 1))
                        .map(|it| it.expected)
                        .collect();
                    kinds.dedup();
                    return problem("cvc-datatype-valid.1.2.3", kinds.join(", or "));
                }
            }
        }
        let facets = ty.facets.of(&self.facets);
        facets.iter().filter_map(|facet| self.facet_problem(at, ty, facet, &text, scope)).collect()
    }

    fn facet_problem(
        &self,
        at: u32,
        ty: &SimpleType,
        facet: &Facet,
        text: &str,
        scope: Element<'_>,
    ) -> Option<SimpleTypeProblem> {
        let number = facet.value as usize;
        let problem = |clause, expected| Some(SimpleTypeProblem { clause, expected });
        let of = |what: &str| {
            let unit = match ty.variety {
                Variety::List(_) => "items",
                Variety::Atomic(Primitive::HexBinary | Primitive::Base64Binary) => "octets",
                _ => "characters",
            };
            format!("{what} {number} {unit}, found {}", length(ty, text).unwrap_or(0))
        };
        match facet.kind {
            FacetKind::Length if length(ty, text).is_some_and(|it| it != number) => {
                problem("cvc-length-valid", of("exactly"))
            }
            FacetKind::MinLength if length(ty, text).is_some_and(|it| it < number) => {
                problem("cvc-minLength-valid", of("at least"))
            }
            FacetKind::MaxLength if length(ty, text).is_some_and(|it| it > number) => {
                problem("cvc-maxLength-valid", of("at most"))
            }
            FacetKind::Pattern if !self.matches_pattern(facet.value, text) => {
                let pattern = self.patterns.get(number).map_or("", |&it| self.text(it));
                problem("cvc-pattern-valid", format!("text that matches {pattern}"))
            }
            FacetKind::Enumeration if !self.is_enumerated(at, ty, number, text, scope) => {
                problem("cvc-enumeration-valid", self.describe_values(number))
            }
            FacetKind::TotalDigits => {
                let digits = LexicalDecimal::read(text)?.total_digits();
                let expected = || format!("at most {number} digits, found {digits}");
                (digits > number).then(|| SimpleTypeProblem {
                    clause: "cvc-totalDigits-valid",
                    expected: expected(),
                })
            }
            FacetKind::FractionDigits => {
                let digits = LexicalDecimal::read(text)?.fraction_digits();
                (digits > number).then(|| SimpleTypeProblem {
                    clause: "cvc-fractionDigits-valid",
                    expected: format!("at most {number} digits after the point, found {digits}"),
                })
            }
            _ => self.bound_problem(ty, facet, text),
        }
    }

    /// The four bounds of ordered types.
    fn bound_problem(
        &self,
        ty: &SimpleType,
        facet: &Facet,
        text: &str,
    ) -> Option<SimpleTypeProblem> {
        let Variety::Atomic(primitive) = ty.variety else { return None };
        let bound = self.text(facet.value);
        let (clause, words, fine): (_, _, &[Ordering]) = match facet.kind {
            FacetKind::MaxInclusive => {
                ("cvc-maxInclusive-valid", "at most", &[Ordering::Less, Ordering::Equal])
            }
            FacetKind::MaxExclusive => ("cvc-maxExclusive-valid", "less than", &[Ordering::Less]),
            FacetKind::MinInclusive => {
                ("cvc-minInclusive-valid", "at least", &[Ordering::Greater, Ordering::Equal])
            }
            FacetKind::MinExclusive => {
                ("cvc-minExclusive-valid", "more than", &[Ordering::Greater])
            }
            _ => return None,
        };
        let order = primitive.compare(text, bound);
        let is_fine = order.is_some_and(|it| fine.contains(&it));
        (!is_fine).then(|| SimpleTypeProblem { clause, expected: format!("{words} {bound}") })
    }

    fn matches_pattern(&self, at: u32, text: &str) -> bool {
        if self.caches.patterns.is_empty() {
            // The schema is still being built.
            let pattern = self.patterns.get(at as usize).map_or("", |&it| self.text(it));
            return Pattern::xsd(pattern).is_ok_and(|it| it.is_match(text));
        }
        self.pattern(at).is_some_and(|it| it.is_match(text))
    }

    pub(super) fn enumerated(&self, start: usize) -> &[u32] {
        let count = self.lists.get(start).map_or(0, |&it| it as usize);
        self.lists.get(start + 1..).and_then(|it| it.get(..count)).unwrap_or_default()
    }

    fn is_enumerated(
        &self,
        at: u32,
        ty: &SimpleType,
        start: usize,
        text: &str,
        scope: Element<'_>,
    ) -> bool {
        let values = self.enumerated(start);
        let has = |key: &str| values.binary_search_by(|&it| self.text(it).cmp(key)).is_ok();
        match ty.variety {
            Variety::Atomic(primitive) if !is_qualified(primitive) => has(&primitive.key(text)),
            _ => has(&self.key(at, text, scope)),
        }
    }

    fn describe_values(&self, start: usize) -> String {
        let values = self.enumerated(start);
        let listed: Vec<_> = values.iter().take(LISTED_VALUES).map(|&it| self.text(it)).collect();
        let more = values.len() - listed.len();
        let tail = if more > 0 { format!(" or {more} more") } else { String::new() };
        format!("one of {}{tail}", listed.join(", "))
    }

    /// A text that is the same for all texts of one value of a type.
    pub(super) fn key(&self, ty: u32, text: &str, scope: Element<'_>) -> String {
        self.key_at(ty, text, scope, 0)
    }

    fn key_at(&self, at: u32, text: &str, scope: Element<'_>, depth: usize) -> String {
        let Some(ty) = self.simple_type(at).filter(|_| depth <= MAX_UNION_DEPTH) else {
            return text.to_owned();
        };
        let text = ty.white_space.normalise(text);
        match ty.variety {
            Variety::Atomic(primitive) if is_qualified(primitive) => {
                let (prefix, local) = text.split_once(':').unwrap_or(("", &text));
                format!("{{{}}}{local}", scope.resolve_prefix(prefix).unwrap_or_default())
            }
            Variety::Atomic(primitive) => primitive.key(&text).into_owned(),
            Variety::List(item) => {
                let items = text.split(' ').map(|it| self.key_at(item, it, scope, depth + 1));
                items.collect::<Vec<_>>().join(" ")
            }
            Variety::Union(members) => {
                let mut members = members.of(&self.lists).iter();
                let is_member =
                    |it: &&u32| self.problems_at(**it, &text, scope, depth + 1).is_empty();
                match members.find(is_member) {
                    Some(&member) => self.key_at(member, &text, scope, depth + 1),
                    None => text.into_owned(),
                }
            }
        }
    }

    /// Whether a text of this type is an identifier, or refers to one or more.
    pub(super) fn id_kind(&self, at: u32) -> IdKind {
        let Some(ty) = self.simple_type(at) else { return IdKind::None };
        match ty.variety {
            Variety::Atomic(Primitive::Id) => IdKind::Id,
            Variety::Atomic(Primitive::IdRef) => IdKind::IdRef,
            Variety::List(item) => {
                let item = self.simple_type(item).map(|it| it.variety);
                let is_ref = item == Some(Variety::Atomic(Primitive::IdRef));
                if is_ref { IdKind::IdRef } else { IdKind::None }
            }
            _ => IdKind::None,
        }
    }

    pub(super) fn normalised<'t>(&self, ty: u32, text: &'t str) -> Cow<'t, str> {
        self.simple_type(ty).map_or(Cow::Borrowed(text), |it| it.white_space.normalise(text))
    }

    /// Whether a type is another one or derived from it without a blocked method
    /// (`cos-ct-derived-ok`, `cos-st-derived-ok`).
    pub(super) fn is_derived(&self, ty: TypeRef, from: TypeRef, blocked: u32) -> bool {
        let mut place = ty;
        for _ in 0..MAX_DERIVATIONS {
            if place == from {
                return true;
            }
            // All types are derived from the ur-type, simple ones by restriction.
            place = match place {
                TypeRef::None => return false,
                TypeRef::Simple(at) => {
                    if blocked & flag::BLOCK_RESTRICTION != 0 {
                        return false;
                    }
                    if let TypeRef::Simple(from) = from
                        && self.is_member(at, from)
                    {
                        return true;
                    }
                    match self.simple_type(at) {
                        Some(SimpleType { base: NONE, .. }) | None => {
                            TypeRef::Complex(super::builtin::ANY_TYPE)
                        }
                        Some(ty) => TypeRef::Simple(ty.base),
                    }
                }
                TypeRef::Complex(at) => {
                    let Some(&ComplexType { base, flags, .. }) = self.complex_type(at) else {
                        return false;
                    };
                    let is_extension = flags & flag::BY_EXTENSION != 0;
                    let method =
                        if is_extension { flag::BLOCK_EXTENSION } else { flag::BLOCK_RESTRICTION };
                    if blocked & method != 0 {
                        return false;
                    }
                    base
                }
            };
        }
        false
    }

    fn is_member(&self, ty: u32, of: u32) -> bool {
        match self.simple_type(of).map(|it| it.variety) {
            Some(Variety::Union(members)) => members.of(&self.lists).contains(&ty),
            _ => false,
        }
    }
}

fn is_qualified(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::QName | Primitive::Notation)
}

fn is_prefix_known(primitive: Primitive, text: &str, scope: Element<'_>) -> bool {
    if !is_qualified(primitive) {
        return true;
    }
    text.split_once(':').is_none_or(|(prefix, _)| scope.resolve_prefix(prefix).is_some())
}

/// In the units of the length facets; `None` where they do not apply.
fn length(ty: &SimpleType, text: &str) -> Option<usize> {
    match ty.variety {
        Variety::List(_) => Some(text.split(' ').filter(|it| !it.is_empty()).count()),
        Variety::Atomic(primitive) if is_qualified(primitive) => None,
        Variety::Atomic(primitive @ (Primitive::HexBinary | Primitive::Base64Binary)) => {
            octets(primitive, text)
        }
        _ => Some(text.chars().count()),
    }
}
