//! Which rules can match which nodes, known before any document: by the last name of each context.
//!
//! Within a pattern a node is judged by the first rule whose context matches it (ISO/IEC 19757-3,
//! section 6.5). One pass over the document finds, for every node and pattern, that rule.

use super::compile::CompiledPattern;
use crate::tree::{NodeId, NodeKind};
use crate::xpath::{DynamicError, Environment, NodeRef, Program, Target};

/// One path of the context of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RuleCandidate {
    pattern: u32,
    rule: u32,
    alternative: u32,
}

/// The candidates for every kind of node, each list in the order of patterns and rules.
#[derive(Debug, Default)]
pub(super) struct Dispatch {
    elements: Vec<Box<[RuleCandidate]>>,
    /// For elements whose name no context ends in.
    other_elements: Box<[RuleCandidate]>,
    attributes: Vec<Box<[RuleCandidate]>>,
    other_attributes: Box<[RuleCandidate]>,
    document: Box<[RuleCandidate]>,
    texts: Box<[RuleCandidate]>,
    comments: Box<[RuleCandidate]>,
    instructions: Box<[RuleCandidate]>,
    has_attributes: bool,
    has_children: bool,
}

/// A node and the number of the rule that judges it.
pub(super) type RuleMatch = (NodeRef, u32);

impl Dispatch {
    pub(super) fn new(program: &Program, patterns: &[CompiledPattern]) -> Dispatch {
        let mut all: Vec<(Target, RuleCandidate)> = Vec::new();
        for (pattern, compiled) in patterns.iter().enumerate() {
            for (rule, compiled) in compiled.rules.iter().enumerate() {
                for (alternative, target) in compiled.matching.targets().enumerate() {
                    let (pattern, rule) = (pattern as u32, rule as u32);
                    let candidate =
                        RuleCandidate { pattern, rule, alternative: alternative as u32 };
                    all.push((target, candidate));
                }
            }
        }
        let select = |wanted: &dyn Fn(Target) -> bool| -> Box<[RuleCandidate]> {
            all.iter().filter(|(target, _)| wanted(*target)).map(|&(_, found)| found).collect()
        };
        let any_element = |target| matches!(target, Target::AnyElement | Target::AnyChild);
        let any_attribute = |target| target == Target::AnyAttribute;
        let mut elements = vec![Vec::new(); program.name_slots()];
        let mut attributes = elements.clone();
        for &(target, candidate) in &all {
            let lists = match target {
                Target::Element(slot) => elements.get_mut(slot.0 as usize),
                Target::Attribute(slot) => attributes.get_mut(slot.0 as usize),
                _ => None,
            };
            lists.into_iter().for_each(|list| list.push(candidate));
        }
        let (other_elements, other_attributes) = (select(&any_element), select(&any_attribute));
        let with = |lists: Vec<Vec<RuleCandidate>>, others: &[RuleCandidate]| {
            let merge = |mut list: Vec<RuleCandidate>| {
                list.extend(others);
                list.sort_unstable();
                list.into_boxed_slice()
            };
            lists.into_iter().map(merge).collect::<Vec<_>>()
        };
        let child = |kind| select(&move |target| target == kind || target == Target::AnyChild);
        let (texts, comments) = (child(Target::Text), child(Target::Comment));
        let instructions = child(Target::Instruction);
        Dispatch {
            has_attributes: all
                .iter()
                .any(|(target, _)| matches!(target, Target::Attribute(_) | Target::AnyAttribute)),
            has_children: [&texts, &comments, &instructions].iter().any(|list| !list.is_empty()),
            elements: with(elements, &other_elements),
            attributes: with(attributes, &other_attributes),
            other_elements,
            other_attributes,
            document: select(&|target| target == Target::Document),
            texts,
            comments,
            instructions,
        }
    }

    /// For every pattern, its hits in document order.
    ///
    /// # Errors
    /// A limit that was reached; any other error in a context means that the node does not match
    /// (XSLT 2.0, section 5.5.4).
    pub(super) fn hits<'d>(
        &self,
        patterns: &'d [CompiledPattern],
        environment: &Environment<'d>,
    ) -> Result<Vec<Vec<RuleMatch>>, DynamicError> {
        let mut pass =
            DispatchPass { patterns, environment, hits: vec![Vec::new(); patterns.len()] };
        pass.visit(NodeRef::ROOT, &self.document);
        let document = environment.document();
        for id in (0..document.node_count() as u32).map(NodeId) {
            match document.element(id) {
                Some(element) => {
                    let slot = environment.slot_of(id);
                    let named = slot.and_then(|slot| self.elements.get(slot.0 as usize));
                    pass.visit(NodeRef::of(id), named.unwrap_or(&self.other_elements));
                    if !self.has_attributes {
                        continue;
                    }
                    for attribute in element.attribute_ids() {
                        let slot = environment.slot_of_attribute(attribute);
                        let named = slot.and_then(|slot| self.attributes.get(slot.0 as usize));
                        let candidates = named.unwrap_or(&self.other_attributes);
                        pass.visit(NodeRef::attribute(id, attribute), candidates);
                    }
                }
                None if self.has_children => {
                    let candidates = match document.kind_of(id.0) {
                        Some(NodeKind::Text) => &self.texts,
                        Some(NodeKind::Comment) => &self.comments,
                        Some(NodeKind::Instruction) => &self.instructions,
                        // The rest of a text that began before.
                        _ => continue,
                    };
                    pass.visit(NodeRef::of(id), candidates);
                }
                None => {}
            }
        }
        match environment.limit_reached() {
            Some(error) => Err(error),
            None => Ok(pass.hits),
        }
    }
}

struct DispatchPass<'p, 'd> {
    patterns: &'d [CompiledPattern],
    environment: &'p Environment<'d>,
    hits: Vec<Vec<RuleMatch>>,
}

impl DispatchPass<'_, '_> {
    /// Finds the first matching rule of each pattern.
    fn visit(&mut self, node: NodeRef, candidates: &[RuleCandidate]) {
        let mut done = None;
        for candidate in candidates {
            if done == Some(candidate.pattern) {
                continue;
            }
            let pattern = self.patterns.get(candidate.pattern as usize);
            let rule = pattern.and_then(|pattern| pattern.rules.get(candidate.rule as usize));
            let Some(rule) = rule else { continue };
            let at = candidate.alternative as usize;
            if self.environment.matches_alternative(&rule.matching, at, node) {
                done = Some(candidate.pattern);
                if let Some(hits) = self.hits.get_mut(candidate.pattern as usize) {
                    hits.push((node, candidate.rule));
                }
            }
        }
    }
}
