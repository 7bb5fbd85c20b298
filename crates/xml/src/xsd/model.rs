//! Content models: which child elements may follow which (part 1 section 3.8 and 3.9).
//!
//! Most models are a sequence of elements, each with a number of occurrences: they are walked as
//! they are. `xs:all` is a set. Everything else becomes an automaton over the positions of the
//! model, with counters, so that `maxOccurs="100000"` costs nothing.

mod automaton;

use super::schema::{IndexRange, NONE, ParticleTerm, Schema};
pub(super) use automaton::Automaton;

/// A name of a document as the schema knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DocName {
    /// The name, or `NONE` where the schema does not know it.
    pub(super) name: u32,
    /// The namespace as a string, or `NONE`.
    pub(super) namespace: u32,
}

/// What a child element is matched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelLeaf {
    Element(u32),
    Wildcard(u32),
}

#[derive(Debug)]
pub(super) enum Model {
    Empty,
    /// The number says how many items there are up to the last that must be there.
    Sequence(Vec<ModelItem>, u32),
    /// `xs:all`; at most 128 elements. The flag says that it may be left out as a whole.
    All(Vec<ModelItem>, bool),
    Automaton(Automaton),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ModelItem {
    leaf: ModelLeaf,
    /// The name of the element, to compare before anything else.
    name: u32,
    /// Whether no other name can be matched with it.
    is_plain: bool,
    min: u32,
    max: u32,
}

/// Why a model cannot be compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelError {
    TooLarge,
    AllInsideGroup,
    AllTooLarge,
}

/// How far the children of one element were read.
#[derive(Debug)]
pub(super) enum ContentCursor {
    Empty,
    Sequence { at: u32, count: u32 },
    All { seen: u128 },
    Automaton(automaton::AutomatonCursor),
}

impl Model {
    pub(super) fn compile(schema: &Schema, root: u32) -> Result<Model, ModelError> {
        let Some(particle) = schema.particles.get(root as usize) else { return Ok(Model::Empty) };
        if particle.max == 0 {
            return Ok(Model::Empty);
        }
        if let ParticleTerm::All(list) = particle.term {
            let mut items = Vec::new();
            for &child in list.of(&schema.lists) {
                items.extend(item(schema, child));
            }
            if items.len() > 128 {
                return Err(ModelError::AllTooLarge);
            }
            return Ok(Model::All(items, particle.min == 0));
        }
        let mut items = Vec::new();
        if flatten(schema, root, &mut items) && is_deterministic(schema, &items) {
            let needed = items.iter().rposition(|item| item.min > 0).map_or(0, |last| last + 1);
            return Ok(match items.is_empty() {
                true => Model::Empty,
                false => Model::Sequence(items, needed as u32),
            });
        }
        Automaton::compile(schema, root).map(Model::Automaton)
    }

    pub(super) fn start(&self) -> ContentCursor {
        match self {
            Model::Empty => ContentCursor::Empty,
            Model::Sequence(..) => ContentCursor::Sequence { at: 0, count: 0 },
            Model::All(..) => ContentCursor::All { seen: 0 },
            Model::Automaton(automaton) => ContentCursor::Automaton(automaton.start()),
        }
    }

    /// Reads one child; `None` where it may not stand here.
    pub(super) fn step(
        &self,
        schema: &Schema,
        cursor: &mut ContentCursor,
        name: DocName,
    ) -> Option<ModelLeaf> {
        match (self, cursor) {
            (Model::Sequence(items, _), ContentCursor::Sequence { at, count }) => {
                let mut taken = *count;
                for (next, item) in (*at..).zip(items.get(*at as usize..)?) {
                    if taken < item.max
                        && let Some(leaf) = item.matches(schema, name)
                    {
                        (*at, *count) = (next, taken.saturating_add(1));
                        return Some(leaf);
                    }
                    if taken < item.min {
                        return None;
                    }
                    taken = 0;
                }
                None
            }
            (Model::All(items, _), ContentCursor::All { seen }) => {
                let (at, leaf) = find(schema, items, name)?;
                let bit = 1_u128 << at;
                let is_new = *seen & bit == 0;
                *seen |= bit;
                is_new.then_some(leaf)
            }
            (Model::Automaton(automaton), ContentCursor::Automaton(cursor)) => {
                automaton.step(schema, cursor, name)
            }
            _ => None,
        }
    }

    /// Whether the children may end here.
    pub(super) fn is_complete(&self, cursor: &ContentCursor) -> bool {
        match (self, cursor) {
            (Model::Sequence(items, needed), ContentCursor::Sequence { at, count }) => {
                let is_done = items.get(*at as usize).is_none_or(|item| *count >= item.min);
                is_done && *at + 1 >= *needed
            }
            (Model::All(items, is_optional), ContentCursor::All { seen }) => {
                let is_missing =
                    |(at, item): (usize, &ModelItem)| item.min > 0 && seen >> at & 1 == 0;
                (*is_optional && *seen == 0) || !items.iter().enumerate().any(is_missing)
            }
            (Model::Automaton(automaton), ContentCursor::Automaton(cursor)) => {
                automaton.is_final(cursor)
            }
            _ => true,
        }
    }

    /// What may follow here, in the order of the model.
    pub(super) fn expected(&self, cursor: &ContentCursor) -> Vec<ModelLeaf> {
        match (self, cursor) {
            (Model::Sequence(items, _), ContentCursor::Sequence { at, count }) => {
                let mut found = Vec::new();
                let mut taken = *count;
                for item in items.get(*at as usize..).unwrap_or_default() {
                    if taken < item.max {
                        found.push(item.leaf);
                    }
                    if taken < item.min {
                        break;
                    }
                    taken = 0;
                }
                found
            }
            (Model::All(items, _), ContentCursor::All { seen }) => {
                let missing = items.iter().enumerate().filter(|(at, _)| seen >> at & 1 == 0);
                missing.map(|(_, item)| item.leaf).collect()
            }
            (Model::Automaton(automaton), ContentCursor::Automaton(cursor)) => {
                automaton.expected(cursor)
            }
            _ => Vec::new(),
        }
    }

    /// After a violation: finds the name anywhere in the model, and goes on behind it where that
    /// is ahead, so that what follows is still checked. The flag says that it is ahead.
    pub(super) fn recover(
        &self,
        schema: &Schema,
        cursor: &mut ContentCursor,
        name: DocName,
    ) -> Option<(ModelLeaf, bool)> {
        match (self, cursor) {
            (Model::Sequence(items, _), ContentCursor::Sequence { at, count }) => {
                let ahead = items.get(*at as usize..).unwrap_or_default();
                if let Some((steps, leaf)) = find(schema, ahead, name) {
                    (*at, *count) = (*at + steps as u32, 1);
                    return Some((leaf, true));
                }
                find(schema, items, name).map(|(_, leaf)| (leaf, false))
            }
            (Model::All(items, _), _) => find(schema, items, name).map(|(_, leaf)| (leaf, false)),
            (Model::Automaton(automaton), ContentCursor::Automaton(cursor)) => {
                automaton.recover(schema, cursor, name).map(|leaf| (leaf, true))
            }
            _ => None,
        }
    }
}

impl ModelItem {
    #[inline]
    fn matches(&self, schema: &Schema, name: DocName) -> Option<ModelLeaf> {
        if self.name != NONE && self.name == name.name {
            return Some(self.leaf);
        }
        if self.is_plain { None } else { self.leaf.matches(schema, name) }
    }
}

impl ModelLeaf {
    /// The declaration or wildcard that a name is matched with: for a member of a substitution
    /// group, its own declaration.
    pub(super) fn matches(self, schema: &Schema, name: DocName) -> Option<ModelLeaf> {
        match self {
            ModelLeaf::Element(at) => {
                let element = schema.element(at)?;
                if name.name == NONE {
                    return None;
                }
                if element.name == name.name {
                    return Some(self);
                }
                let members = element.substitutes.of(&schema.substitutes);
                if members.is_empty() {
                    return None;
                }
                let found = members.binary_search_by_key(&name.name, |member| member.0).ok()?;
                members.get(found).map(|member| ModelLeaf::Element(member.1))
            }
            ModelLeaf::Wildcard(at) => {
                let wildcard = schema.wildcards.get(at as usize)?;
                schema.admits(wildcard, name.namespace).then_some(self)
            }
        }
    }

    /// Whether one name could be matched with both.
    fn competes(self, schema: &Schema, other: ModelLeaf) -> bool {
        let names = |leaf: ModelLeaf| -> Vec<u32> {
            let ModelLeaf::Element(at) = leaf else { return Vec::new() };
            let Some(element) = schema.element(at) else { return Vec::new() };
            let members = element.substitutes.of(&schema.substitutes);
            std::iter::once(element.name).chain(members.iter().map(|it| it.0)).collect()
        };
        let doc_name = |name: u32| DocName {
            name,
            namespace: schema.name(name).map_or(NONE, |it| it.namespace),
        };
        match (self, other) {
            (ModelLeaf::Element(left), ModelLeaf::Element(right)) => {
                let head = |at| schema.element(at).map(|it| (it.name, it.substitutes.count));
                match (head(left), head(right)) {
                    (Some((left, 0)), Some((right, 0))) => left == right,
                    _ => {
                        names(self).iter().any(|&it| other.matches(schema, doc_name(it)).is_some())
                    }
                }
            }
            (ModelLeaf::Wildcard(_), ModelLeaf::Wildcard(_)) => true,
            (ModelLeaf::Element(_), wildcard) => {
                names(self).iter().any(|&it| wildcard.matches(schema, doc_name(it)).is_some())
            }
            (wildcard, element) => element.competes(schema, wildcard),
        }
    }
}

fn find(schema: &Schema, items: &[ModelItem], name: DocName) -> Option<(usize, ModelLeaf)> {
    let mut found = items.iter().enumerate();
    found.find_map(|(at, item)| item.matches(schema, name).map(|leaf| (at, leaf)))
}

fn item(schema: &Schema, particle: u32) -> Option<ModelItem> {
    let particle = schema.particles.get(particle as usize)?;
    let (leaf, name, is_plain) = match particle.term {
        ParticleTerm::Element(at) => {
            let element = schema.element(at)?;
            (ModelLeaf::Element(at), element.name, element.substitutes.count == 0)
        }
        ParticleTerm::Wildcard(at) => (ModelLeaf::Wildcard(at), NONE, false),
        _ => return None,
    };
    Some(ModelItem { leaf, name, is_plain, min: particle.min, max: particle.max })
}

/// Lists the leaves of sequences that occur exactly once; false where there is anything else.
fn flatten(schema: &Schema, root: u32, items: &mut Vec<ModelItem>) -> bool {
    let Some(particle) = schema.particles.get(root as usize) else { return true };
    if particle.max == 0 {
        return true;
    }
    if let Some(item) = item(schema, root) {
        items.push(item);
        return items.len() <= super::MAX_POSITIONS;
    }
    match particle.term {
        ParticleTerm::Sequence(IndexRange { count: 0, .. }) => true,
        ParticleTerm::Sequence(list) if particle.min == 1 && particle.max == 1 => {
            list.of(&schema.lists).iter().all(|&child| flatten(schema, child, items))
        }
        ParticleTerm::Choice(list) if particle.min == 1 && particle.max == 1 && list.count == 1 => {
            list.of(&schema.lists).iter().all(|&child| flatten(schema, child, items))
        }
        _ => false,
    }
}

/// Whether taking an item as often as possible can never be wrong.
fn is_deterministic(schema: &Schema, items: &[ModelItem]) -> bool {
    items.iter().enumerate().filter(|(_, item)| item.min < item.max).all(|(at, item)| {
        let later = items.get(at + 1..).unwrap_or_default();
        let needed = later.iter().position(|next| next.min > 0).map_or(later.len(), |n| n + 1);
        later.iter().take(needed).all(|next| !item.leaf.competes(schema, next.leaf))
    })
}
