//! Copies simple types and their facets.

use super::Copy;
use crate::xsd::schema::{Facet, FacetKind, IndexRange, NONE, SimpleType, TypeRef, Variety};

impl Copy<'_> {
    pub(super) fn simple(&mut self, old: u32) -> u32 {
        if let Some(&known) = self.maps.simple.get(&old) {
            return known;
        }
        let Some(&ty) = self.old.simple_type(old) else { return NONE };
        let base = if ty.base == NONE { NONE } else { self.simple(ty.base) };
        let variety = match ty.variety {
            Variety::Atomic(primitive) => Variety::Atomic(primitive),
            Variety::List(item) => Variety::List(self.simple(item)),
            Variety::Union(members) => {
                let members = members.of(&self.old.lists).to_vec();
                let members: Vec<_> = members.into_iter().map(|it| self.simple(it)).collect();
                Variety::Union(self.list(&members))
            }
        };
        let mut copied = Vec::new();
        for facet in ty.facets.of(&self.old.facets) {
            copied.push(Facet { value: self.facet(facet), ..*facet });
        }
        let start = self.new.facets.len() as u32;
        let facets = IndexRange { start, count: copied.len() as u32 };
        self.new.facets.extend(copied);
        let at = self.new.simple.len() as u32;
        let name = self.enter(ty.name, TypeRef::Simple(old), TypeRef::Simple(at));
        self.new.simple.push(SimpleType { name, base, variety, facets, ..ty });
        self.maps.simple.insert(old, at);
        at
    }

    fn facet(&mut self, facet: &Facet) -> u32 {
        match facet.kind {
            FacetKind::Pattern => {
                if let Some(&known) = self.maps.patterns.get(&facet.value) {
                    return known;
                }
                let text = self.old.patterns.get(facet.value as usize).copied().unwrap_or(0);
                let text = self.string(text);
                self.new.patterns.push(text);
                let at = self.new.patterns.len() as u32 - 1;
                self.maps.patterns.insert(facet.value, at);
                at
            }
            FacetKind::Enumeration => {
                if let Some(&known) = self.maps.enumerations.get(&facet.value) {
                    return known;
                }
                let values = self.old.enumerated(facet.value as usize).to_vec();
                let mut list = vec![values.len() as u32];
                list.extend(values.into_iter().map(|it| self.string(it)));
                let start = self.list(&list).start;
                self.maps.enumerations.insert(facet.value, start);
                start
            }
            FacetKind::MaxInclusive
            | FacetKind::MaxExclusive
            | FacetKind::MinInclusive
            | FacetKind::MinExclusive => self.string(facet.value),
            _ => facet.value,
        }
    }
}
