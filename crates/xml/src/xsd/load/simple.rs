//! Simple types: restriction, list and union, and their facets (part 2 section 4).

use super::{At, SchemaBuilder, SchemaLoadError};
use crate::pattern::Pattern;
use crate::xsd::builtin::ANY_SIMPLE_TYPE;
use crate::xsd::schema::{Facet, FacetKind, IndexRange, NONE, SimpleType, TypeRef, Variety};
use crate::xsd::value::{Primitive, WhiteSpace};

impl<'d> SchemaBuilder<'d> {
    pub(super) fn is_facet(&self, local: &str) -> bool {
        local == "whiteSpace" || FacetKind::ALL.iter().any(|it| it.name() == local)
    }

    /// The simple type of a name.
    pub(super) fn simple_named(
        &mut self,
        at: At<'d>,
        name: (&'d str, &'d str),
    ) -> Result<u32, SchemaLoadError> {
        match self.type_named(at, name)? {
            TypeRef::Simple(index) => Ok(index),
            _ => {
                let problem = format!("expected a simple type, found {}", name.1);
                Err(self.fail(at, "src-resolve", problem))
            }
        }
    }

    /// Builds an `xs:simpleType`.
    pub(super) fn simple_type_at(&mut self, at: At<'d>, name: u32) -> Result<u32, SchemaLoadError> {
        self.guarded(at, "st-props-correct.2", |builder| {
            let Some(child) = builder.children(at)?.first().copied() else {
                return Err(builder.fail(at, "s4s-elt-must-match", "the simple type is empty"));
            };
            match child.element.local() {
                "restriction" => builder.restricted_simple(child, None, name),
                "list" => builder.list_type(child, name),
                "union" => builder.union_type(child, name),
                local => {
                    let problem = format!("xs:{local} cannot stand here");
                    Err(builder.fail(child, "s4s-elt-must-match", problem))
                }
            }
        })
    }

    fn add_simple(&mut self, ty: SimpleType) -> u32 {
        self.schema.simple.push(ty);
        self.schema.simple.len() as u32 - 1
    }

    fn list_type(&mut self, at: At<'d>, name: u32) -> Result<u32, SchemaLoadError> {
        let item = match at.element.attribute("itemType") {
            Some(item) => {
                let item = self.qname(at, item)?;
                self.simple_named(at, item)?
            }
            None => match self.children(at)?.first().copied() {
                Some(inner) => self.simple_type_at(inner, NONE)?,
                None => return Err(self.fail(at, "src-list-itemType-or-simpleType", "no item")),
            },
        };
        if self.schema.simple_type(item).is_some_and(|it| matches!(it.variety, Variety::List(_))) {
            return Err(self.fail(at, "cos-st-restricts.2.1", "a list cannot hold lists"));
        }
        Ok(self.add_simple(SimpleType {
            name,
            base: ANY_SIMPLE_TYPE,
            variety: Variety::List(item),
            white_space: WhiteSpace::Collapse,
            facets: IndexRange::default(),
        }))
    }

    fn union_type(&mut self, at: At<'d>, name: u32) -> Result<u32, SchemaLoadError> {
        let mut members = Vec::new();
        for member in at.element.attribute("memberTypes").unwrap_or_default().split_whitespace() {
            let member = self.qname(at, member)?;
            members.push(self.simple_named(at, member)?);
        }
        for inner in self.children(at)? {
            members.push(self.simple_type_at(inner, NONE)?);
        }
        if members.is_empty() {
            return Err(self.fail(at, "src-union-memberTypes-or-simpleTypes", "no members"));
        }
        let members = self.list(&members);
        Ok(self.add_simple(SimpleType {
            name,
            base: ANY_SIMPLE_TYPE,
            variety: Variety::Union(members),
            white_space: WhiteSpace::Preserve,
            facets: IndexRange::default(),
        }))
    }

    /// A restriction of a simple type, or of the simple content `of_base` of a complex type.
    pub(super) fn restricted_simple(
        &mut self,
        at: At<'d>,
        of_base: Option<u32>,
        name: u32,
    ) -> Result<u32, SchemaLoadError> {
        let children = self.children(at)?;
        let inner = children.iter().find(|it| it.element.local() == "simpleType").copied();
        let base = match (inner, of_base) {
            (Some(inner), _) => self.simple_type_at(inner, NONE)?,
            (None, Some(base)) => base,
            (None, None) => match at.element.attribute("base") {
                Some(base) => {
                    let base = self.qname(at, base)?;
                    self.simple_named(at, base)?
                }
                None => return Err(self.fail(at, "src-restriction-base-or-simpleType", "no base")),
            },
        };
        let Some(of_base) = self.schema.simple_type(base).copied() else {
            return Err(self.fail(at, "src-resolve", "there is no base"));
        };
        let mut ty = SimpleType { name, base, ..of_base };
        let facets: Vec<_> =
            children.into_iter().filter(|it| self.is_facet(it.element.local())).collect();
        ty.white_space = self.white_space(&facets, of_base.white_space)?;
        let mut all = of_base.facets.of(&self.schema.facets).to_vec();
        for facet in self.facets(&facets, &ty)? {
            // A restriction replaces a facet of its base; patterns are all kept.
            if facet.kind != FacetKind::Pattern {
                all.retain(|known| known.kind != facet.kind);
            }
            all.push(facet);
        }
        let start = self.schema.facets.len() as u32;
        ty.facets = IndexRange { start, count: all.len() as u32 };
        self.schema.facets.extend(all);
        Ok(self.add_simple(ty))
    }

    fn white_space(
        &self,
        facets: &[At<'d>],
        of_base: WhiteSpace,
    ) -> Result<WhiteSpace, SchemaLoadError> {
        let Some(at) = facets.iter().find(|it| it.element.local() == "whiteSpace") else {
            return Ok(of_base);
        };
        let white_space = match at.element.attribute("value").unwrap_or_default() {
            "preserve" => WhiteSpace::Preserve,
            "replace" => WhiteSpace::Replace,
            "collapse" => WhiteSpace::Collapse,
            other => {
                let problem = format!("expected preserve, replace or collapse, found {other:?}");
                return Err(self.fail(*at, "s4s-att-invalid-value", problem));
            }
        };
        if white_space < of_base {
            return Err(self.fail(*at, "whiteSpace-valid-restriction", "the base allows less"));
        }
        Ok(white_space)
    }

    /// The facets of one restriction; its patterns are alternatives, its enumeration one list.
    fn facets(
        &mut self,
        facets: &[At<'d>],
        ty: &SimpleType,
    ) -> Result<Vec<Facet>, SchemaLoadError> {
        let mut found = Vec::new();
        let mut patterns: Option<(String, At<'d>)> = None;
        let mut values: Option<Vec<String>> = None;
        for &at in facets {
            let local = at.element.local();
            let Some(kind) = FacetKind::ALL.into_iter().find(|it| it.name() == local) else {
                continue;
            };
            let Some(value) = at.element.attribute("value") else {
                return Err(self.fail(at, "s4s-att-must-appear", "the value is missing"));
            };
            match kind {
                FacetKind::Pattern => match &mut patterns {
                    Some((all, _)) => {
                        all.push('|');
                        all.push_str(value);
                    }
                    None => patterns = Some((value.to_owned(), at)),
                },
                FacetKind::Enumeration => {
                    let key = self.enumeration_key(at, ty, value);
                    values.get_or_insert_default().push(key);
                }
                _ => found.push(self.facet(at, kind, value, ty)?),
            }
        }
        if let Some((text, at)) = patterns {
            if let Err(error) = Pattern::xsd(&text) {
                let problem = format!("{text:?}: {error}");
                return Err(self.fail(at, "pattern", problem));
            }
            found.push(Facet { kind: FacetKind::Pattern, value: self.pattern(&text) });
        }
        if let Some(mut values) = values {
            values.sort_unstable();
            values.dedup();
            let mut list = vec![values.len() as u32];
            for value in &values {
                list.push(self.string(value));
            }
            let value = self.list(&list).start;
            found.push(Facet { kind: FacetKind::Enumeration, value });
        }
        Ok(found)
    }

    fn pattern(&mut self, text: &str) -> u32 {
        let string = self.string(text);
        if let Some(known) = self.schema.patterns.iter().position(|it| *it == string) {
            return known as u32;
        }
        self.schema.patterns.push(string);
        self.schema.patterns.len() as u32 - 1
    }

    fn enumeration_key(&mut self, at: At<'d>, ty: &SimpleType, value: &str) -> String {
        // The type is not in the list of types yet: its base has the same values.
        let value = ty.white_space.normalise(value);
        self.schema.key(ty.base, &value, at.element)
    }

    fn facet(
        &mut self,
        at: At<'d>,
        kind: FacetKind,
        value: &str,
        ty: &SimpleType,
    ) -> Result<Facet, SchemaLoadError> {
        let value = WhiteSpace::Collapse.normalise(value);
        let is_number = matches!(
            kind,
            FacetKind::Length
                | FacetKind::MinLength
                | FacetKind::MaxLength
                | FacetKind::TotalDigits
                | FacetKind::FractionDigits
        );
        if is_number {
            let Some(number) = Some(value.as_ref()).filter(|it| Primitive::Integer.allows(it))
            else {
                let problem = format!("expected a number for {}, found {value:?}", kind.name());
                return Err(self.fail(at, "s4s-att-invalid-value", problem));
            };
            let digits = number.trim_start_matches('+');
            let number = digits.parse::<u64>().map_err(|_| {
                self.fail(at, "s4s-att-invalid-value", format!("{value} is out of range"))
            })?;
            return Ok(Facet { kind, value: u32::try_from(number).unwrap_or(u32::MAX) });
        }
        let is_bound = match ty.variety {
            Variety::Atomic(primitive) => {
                primitive.allows(&value) && primitive.compare(&value, &value).is_some()
            }
            _ => false,
        };
        if !is_bound {
            let problem = format!("{value:?} is no bound of this type");
            return Err(self.fail(at, "cos-applicable-facets", problem));
        }
        Ok(Facet { kind, value: self.string(&value) })
    }
}
