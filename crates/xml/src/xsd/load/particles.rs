//! Particles: elements, wildcards and groups with their occurrences (part 1 sections 3.7 to 3.10).

use super::{At, SchemaBuilder, SchemaLoadError, SymbolSpace};
use crate::xsd::MAX_POSITIONS;
use crate::xsd::schema::{
    IndexRange, NamespaceConstraint, Particle, ParticleTerm, ProcessContents, UNBOUNDED, Wildcard,
};

/// Particles in one content model, groups expanded, at most; empty groups count too.
const MAX_EXPANDED: usize = MAX_POSITIONS * 4;

impl<'d> SchemaBuilder<'d> {
    pub(super) fn list(&mut self, values: &[u32]) -> IndexRange {
        let start = self.schema.lists.len() as u32;
        self.schema.lists.extend_from_slice(values);
        IndexRange { start, count: values.len() as u32 }
    }

    /// Adds a particle; refuses one that would expand beyond all measure.
    pub(super) fn particle(
        &mut self,
        at: At<'d>,
        particle: Particle,
    ) -> Result<u32, SchemaLoadError> {
        let children = match particle.term {
            ParticleTerm::Sequence(range)
            | ParticleTerm::Choice(range)
            | ParticleTerm::All(range) => range,
            ParticleTerm::Element(_) | ParticleTerm::Wildcard(_) => IndexRange::default(),
        };
        let size_of = |&child: &u32| self.sizes.get(child as usize).copied().unwrap_or(1);
        let inner: usize = children.of(&self.schema.lists).iter().map(size_of).sum();
        if inner >= MAX_EXPANDED {
            return Err(self.fail(at, "limit", "the content model is too large"));
        }
        self.sizes.push(inner + 1);
        self.schema.particles.push(particle);
        Ok(self.schema.particles.len() as u32 - 1)
    }

    /// The particle of a type or derivation; `None` where it has no content.
    pub(super) fn content_particle(&mut self, at: At<'d>) -> Result<Option<u32>, SchemaLoadError> {
        let mut found = None;
        for child in self.children(at)? {
            match child.element.local() {
                "sequence" | "choice" | "all" | "group" => {
                    let particle = self.model_particle(child)?;
                    // A sequence or `all` without children is no content.
                    found = particle.filter(|&it| !self.is_empty_group(it));
                }
                "attribute" | "attributeGroup" | "anyAttribute" | "simpleType" => {}
                "openContent" | "assert" => {
                    let problem = format!("xs:{}", child.element.local());
                    return Err(self.fail(child, "unsupported", problem));
                }
                local if self.is_facet(local) => {}
                local => {
                    let problem = format!("xs:{local} cannot stand here");
                    return Err(self.fail(child, "s4s-elt-invalid-content.1", problem));
                }
            }
        }
        Ok(found)
    }

    fn is_empty_group(&self, particle: u32) -> bool {
        self.schema.particles.get(particle as usize).is_some_and(|it| match it.term {
            ParticleTerm::Sequence(range) | ParticleTerm::All(range) => range.count == 0,
            ParticleTerm::Choice(range) => range.count == 0 && it.min == 0,
            _ => it.max == 0,
        })
    }

    /// One particle; `None` where it may occur zero times at most.
    fn model_particle(&mut self, at: At<'d>) -> Result<Option<u32>, SchemaLoadError> {
        let (min, max) = self.occurs(at)?;
        let term = match at.element.local() {
            "element" => ParticleTerm::Element(match at.element.attribute("ref") {
                Some(name) => {
                    let name = self.qname(at, name)?;
                    let found = self.global(at, SymbolSpace::Element, name)?;
                    self.global_element(found, name)?
                }
                None => self.local_element(at)?,
            }),
            "any" => {
                let wildcard = self.wildcard(at)?;
                self.schema.wildcards.push(wildcard);
                ParticleTerm::Wildcard(self.schema.wildcards.len() as u32 - 1)
            }
            "group" => self.group(at)?,
            "sequence" => ParticleTerm::Sequence(self.group_children(at)?),
            "choice" => ParticleTerm::Choice(self.group_children(at)?),
            "all" => {
                if max > 1 || min > 1 {
                    return Err(self.fail(at, "cos-all-limited.1.2", "xs:all occurs once"));
                }
                ParticleTerm::All(self.group_children(at)?)
            }
            local => {
                let problem = format!("xs:{local} cannot stand in a group");
                return Err(self.fail(at, "s4s-elt-invalid-content.1", problem));
            }
        };
        if max == 0 {
            return Ok(None);
        }
        Ok(Some(self.particle(at, Particle { min, max, term })?))
    }

    fn group_children(&mut self, at: At<'d>) -> Result<IndexRange, SchemaLoadError> {
        let is_all = at.element.local() == "all";
        let mut found = Vec::new();
        for child in self.children(at)? {
            let particle = self.model_particle(child)?;
            let occurs = particle.and_then(|it| self.schema.particles.get(it as usize));
            let is_fit =
                occurs.is_none_or(|it| matches!(it.term, ParticleTerm::Element(_)) && it.max <= 1);
            if is_all && !is_fit {
                let problem = "xs:all holds elements that occur once at most";
                return Err(self.fail(child, "cos-all-limited.2", problem));
            }
            found.extend(particle);
        }
        Ok(self.list(&found))
    }

    /// A reference to a named group.
    fn group(&mut self, at: At<'d>) -> Result<ParticleTerm, SchemaLoadError> {
        let Some(name) = at.element.attribute("ref") else {
            return Err(self.fail(at, "s4s-att-must-appear", "a group here needs ref"));
        };
        let name = self.qname(at, name)?;
        let found = self.global(at, SymbolSpace::Group, name)?;
        let key = (found.source, found.element.id());
        let particle = match self.groups.get(&key) {
            Some(&known) => known,
            None => {
                let Some(child) = self.children(found)?.first().copied() else {
                    return Err(self.fail(found, "s4s-elt-must-match", "the group is empty"));
                };
                let built = self.guarded(found, "mg-props-correct.2", |builder| {
                    builder.model_particle(child)
                })?;
                let Some(built) = built else {
                    return Ok(ParticleTerm::Sequence(IndexRange::default()));
                };
                self.groups.insert(key, built);
                built
            }
        };
        let term = self.schema.particles.get(particle as usize).map(|it| it.term);
        Ok(term.unwrap_or(ParticleTerm::Sequence(IndexRange::default())))
    }

    fn occurs(&self, at: At<'d>) -> Result<(u32, u32), SchemaLoadError> {
        let read = |name: &str| -> Result<u32, SchemaLoadError> {
            match at.element.attribute(name).map(str::trim) {
                None => Ok(1),
                Some("unbounded") if name == "maxOccurs" => Ok(UNBOUNDED),
                Some(digits)
                    if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) =>
                {
                    Ok(digits.parse().unwrap_or(UNBOUNDED - 1).min(UNBOUNDED - 1))
                }
                Some(other) => {
                    let problem = format!("expected a number for {name}, found {other:?}");
                    Err(self.fail(at, "s4s-att-invalid-value", problem))
                }
            }
        };
        let (min, max) = (read("minOccurs")?, read("maxOccurs")?);
        if min > max {
            let problem = format!("minOccurs {min} is above maxOccurs {max}");
            return Err(self.fail(at, "p-props-correct.2.1", problem));
        }
        Ok((min, max))
    }

    /// `xs:any` or `xs:anyAttribute`.
    pub(super) fn wildcard(&mut self, at: At<'d>) -> Result<Wildcard, SchemaLoadError> {
        let process = match at.element.attribute("processContents").unwrap_or("strict").trim() {
            "strict" => ProcessContents::Strict,
            "lax" => ProcessContents::Lax,
            "skip" => ProcessContents::Skip,
            other => {
                let problem = format!("expected strict, lax or skip, found {other:?}");
                return Err(self.fail(at, "s4s-att-invalid-value", problem));
            }
        };
        if at.element.attribute("notNamespace").or(at.element.attribute("notQName")).is_some() {
            return Err(self.fail(at, "unsupported", "a wildcard of XML Schema 1.1"));
        }
        let target = self.target(at);
        let namespaces = match at.element.attribute("namespace").unwrap_or("##any").trim() {
            "##any" => NamespaceConstraint::Any,
            "##other" => NamespaceConstraint::Not(self.string(target)),
            list => {
                let mut found = Vec::new();
                for word in list.split_whitespace() {
                    found.push(match word {
                        "##targetNamespace" => self.string(target),
                        "##local" => 0,
                        namespace => self.string(namespace),
                    });
                }
                NamespaceConstraint::List(self.list(&found))
            }
        };
        Ok(Wildcard { process, namespaces })
    }
}
