//! The general content model: an automaton whose states are the positions of the model, with a
//! counter for every group that occurs a counted number of times.
//!
//! The states after a child are a set, so a model that is ambiguous in its counts, such as
//! `(a{2,3})*`, is decided exactly as well.

use super::{DocName, ModelError, ModelLeaf};
use crate::xsd::MAX_POSITIONS;
use crate::xsd::schema::{ParticleTerm, Schema, UNBOUNDED};

/// Edges between positions of one model at most.
const MAX_EDGES: usize = 1 << 18;
/// States held at the same time at most.
const MAX_STATES: usize = 1_024;
/// Groups inside one another at most.
const MAX_DEPTH: usize = 128;

#[derive(Debug)]
pub(in crate::xsd) struct Automaton {
    /// Position 0 is the start.
    positions: Vec<ModelPosition>,
    counters: usize,
}

#[derive(Debug, Default)]
struct ModelPosition {
    leaf: Option<ModelLeaf>,
    edges: Vec<Edge>,
    /// The ways to end here: what the counters must fulfil.
    ends: Vec<Vec<CounterAction>>,
}

#[derive(Debug, Clone)]
struct Edge {
    to: u32,
    actions: Vec<CounterAction>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CounterAction {
    /// The group is entered: its counter becomes 1.
    Enter(u32),
    /// The group is repeated: its counter, below the maximum, is increased up to the cap.
    Repeat { counter: u32, max: u32, cap: u32 },
    /// The group is left: its counter must have reached the minimum.
    Leave { counter: u32, min: u32 },
}

/// The states after the children read so far.
#[derive(Debug)]
pub(in crate::xsd) struct AutomatonCursor {
    states: Vec<AutomatonState>,
    /// States were dropped: the verdict on this element is not sure.
    pub(in crate::xsd) is_over_limit: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct AutomatonState {
    position: u32,
    counts: Vec<u32>,
}

/// First and last positions of a part of the model, with what entering or leaving does.
#[derive(Default)]
struct ModelFragment {
    first: Vec<Edge>,
    last: Vec<Edge>,
    is_nullable: bool,
}

struct AutomatonBuilder<'s> {
    schema: &'s Schema,
    positions: Vec<ModelPosition>,
    counters: u32,
    edges: usize,
}

impl Automaton {
    pub(super) fn compile(schema: &Schema, root: u32) -> Result<Automaton, ModelError> {
        let mut builder = AutomatonBuilder {
            schema,
            positions: vec![ModelPosition::default()],
            counters: 0,
            edges: 0,
        };
        let part = builder.part(root, 0)?;
        let mut positions = builder.positions;
        for last in part.last {
            if let Some(position) = positions.get_mut(last.to as usize) {
                position.ends.push(last.actions);
            }
        }
        if let Some(start) = positions.first_mut() {
            start.edges = part.first;
            if part.is_nullable {
                start.ends.push(Vec::new());
            }
        }
        Ok(Automaton { positions, counters: builder.counters as usize })
    }

    pub(super) fn start(&self) -> AutomatonCursor {
        let start = AutomatonState { position: 0, counts: vec![0; self.counters] };
        AutomatonCursor { states: vec![start], is_over_limit: false }
    }

    pub(super) fn step(
        &self,
        schema: &Schema,
        cursor: &mut AutomatonCursor,
        name: DocName,
    ) -> Option<ModelLeaf> {
        let mut found: Option<ModelLeaf> = None;
        let mut next: Vec<AutomatonState> = Vec::new();
        for state in &cursor.states {
            for edge in self.edges(state.position) {
                let leaf = self.leaf(edge.to).and_then(|leaf| leaf.matches(schema, name));
                let Some(leaf) = leaf else { continue };
                let Some(counts) = apply(&edge.actions, &state.counts) else { continue };
                // An element declaration is preferred to a wildcard.
                if found.is_none() || matches!(leaf, ModelLeaf::Element(_)) {
                    found = Some(leaf);
                }
                let state = AutomatonState { position: edge.to, counts };
                if next.len() > MAX_STATES {
                    cursor.is_over_limit = true;
                } else if !next.contains(&state) {
                    next.push(state);
                }
            }
        }
        if found.is_some() {
            cursor.states = next;
        }
        found
    }

    pub(super) fn is_final(&self, cursor: &AutomatonCursor) -> bool {
        cursor.states.iter().any(|state| {
            let ends = self.positions.get(state.position as usize).map(|it| it.ends.as_slice());
            ends.unwrap_or_default().iter().any(|end| apply(end, &state.counts).is_some())
        })
    }

    pub(super) fn expected(&self, cursor: &AutomatonCursor) -> Vec<ModelLeaf> {
        let mut found = Vec::new();
        for state in &cursor.states {
            for edge in self.edges(state.position) {
                let leaf = self.leaf(edge.to).filter(|leaf| !found.contains(leaf));
                if apply(&edge.actions, &state.counts).is_some() {
                    found.extend(leaf);
                }
            }
        }
        found
    }

    pub(super) fn recover(
        &self,
        schema: &Schema,
        cursor: &mut AutomatonCursor,
        name: DocName,
    ) -> Option<ModelLeaf> {
        let mut states = Vec::new();
        let mut found = None;
        for (at, position) in self.positions.iter().enumerate() {
            if let Some(leaf) = position.leaf.and_then(|leaf| leaf.matches(schema, name)) {
                found = found.or(Some(leaf));
                let counts = vec![1; self.counters];
                if states.len() < MAX_STATES {
                    states.push(AutomatonState { position: at as u32, counts });
                }
            }
        }
        if found.is_some() {
            cursor.states = states;
        }
        found
    }

    fn edges(&self, position: u32) -> &[Edge] {
        self.positions.get(position as usize).map_or(&[], |it| it.edges.as_slice())
    }

    fn leaf(&self, position: u32) -> Option<ModelLeaf> {
        self.positions.get(position as usize)?.leaf
    }
}

/// The counts after an edge; `None` where a counter forbids it.
fn apply(actions: &[CounterAction], counts: &[u32]) -> Option<Vec<u32>> {
    let mut counts = counts.to_vec();
    for action in actions {
        match *action {
            CounterAction::Enter(counter) => *counts.get_mut(counter as usize)? = 1,
            CounterAction::Repeat { counter, max, cap } => {
                let count = counts.get_mut(counter as usize)?;
                if *count >= max {
                    return None;
                }
                *count = (*count + 1).min(cap);
            }
            CounterAction::Leave { counter, min } => {
                if *counts.get(counter as usize)? < min {
                    return None;
                }
            }
        }
    }
    Some(counts)
}

impl AutomatonBuilder<'_> {
    fn part(&mut self, particle: u32, depth: usize) -> Result<ModelFragment, ModelError> {
        if depth > MAX_DEPTH {
            return Err(ModelError::TooLarge);
        }
        let schema = self.schema;
        let Some(particle) = schema.particles.get(particle as usize) else {
            return Ok(ModelFragment { is_nullable: true, ..ModelFragment::default() });
        };
        if particle.max == 0 {
            return Ok(ModelFragment { is_nullable: true, ..ModelFragment::default() });
        }
        let body = match particle.term {
            ParticleTerm::Element(at) => self.leaf(ModelLeaf::Element(at))?,
            ParticleTerm::Wildcard(at) => self.leaf(ModelLeaf::Wildcard(at))?,
            ParticleTerm::Sequence(list) => {
                let mut whole = ModelFragment { is_nullable: true, ..ModelFragment::default() };
                for &child in list.of(&schema.lists) {
                    let next = self.part(child, depth + 1)?;
                    whole = self.chain(whole, next)?;
                }
                whole
            }
            ParticleTerm::Choice(list) => {
                let mut whole = ModelFragment::default();
                for &child in list.of(&schema.lists) {
                    let next = self.part(child, depth + 1)?;
                    whole.first.extend(next.first);
                    whole.last.extend(next.last);
                    whole.is_nullable |= next.is_nullable;
                }
                whole
            }
            ParticleTerm::All(_) => return Err(ModelError::AllInsideGroup),
        };
        self.occurrences(body, particle.min, particle.max)
    }

    fn leaf(&mut self, leaf: ModelLeaf) -> Result<ModelFragment, ModelError> {
        let to = self.positions.len() as u32;
        self.positions.push(ModelPosition { leaf: Some(leaf), ..ModelPosition::default() });
        if self.positions.len() > MAX_POSITIONS {
            return Err(ModelError::TooLarge);
        }
        let edge = Edge { to, actions: Vec::new() };
        Ok(ModelFragment { first: vec![edge.clone()], last: vec![edge], is_nullable: false })
    }

    fn connect(
        &mut self,
        last: &[Edge],
        first: &[Edge],
        by: &[CounterAction],
    ) -> Result<(), ModelError> {
        self.edges += last.len() * first.len();
        if self.edges > MAX_EDGES {
            return Err(ModelError::TooLarge);
        }
        for from in last {
            let Some(position) = self.positions.get_mut(from.to as usize) else { continue };
            for to in first {
                let mut actions = from.actions.clone();
                actions.extend_from_slice(by);
                actions.extend_from_slice(&to.actions);
                position.edges.push(Edge { to: to.to, actions });
            }
        }
        Ok(())
    }

    fn chain(
        &mut self,
        left: ModelFragment,
        right: ModelFragment,
    ) -> Result<ModelFragment, ModelError> {
        self.connect(&left.last, &right.first, &[])?;
        let mut whole =
            ModelFragment { is_nullable: left.is_nullable && right.is_nullable, ..left };
        if left.is_nullable {
            whole.first.extend(right.first);
        }
        if right.is_nullable {
            whole.last.extend(right.last);
        } else {
            whole.last = right.last;
        }
        Ok(whole)
    }

    fn occurrences(
        &mut self,
        mut body: ModelFragment,
        min: u32,
        max: u32,
    ) -> Result<ModelFragment, ModelError> {
        let is_nullable = body.is_nullable || min == 0;
        let min = if body.is_nullable { 0 } else { min };
        if min <= 1 && max == UNBOUNDED {
            let (last, first) = (body.last.clone(), body.first.clone());
            self.connect(&last, &first, &[])?;
        } else if max > 1 {
            let counter = self.counters;
            self.counters += 1;
            // Beyond the minimum an unbounded counter has nothing more to say.
            let cap = if max == UNBOUNDED { min } else { max };
            let repeat = CounterAction::Repeat { counter, max, cap };
            let (last, first) = (body.last.clone(), body.first.clone());
            self.connect(&last, &first, &[repeat])?;
            for edge in &mut body.first {
                edge.actions.insert(0, CounterAction::Enter(counter));
            }
            if min > 1 {
                for edge in &mut body.last {
                    edge.actions.push(CounterAction::Leave { counter, min });
                }
            }
        }
        Ok(ModelFragment { is_nullable, ..body })
    }
}
