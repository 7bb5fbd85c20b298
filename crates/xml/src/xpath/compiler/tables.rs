//! Names, functions and keys of a rule set.

use hashbrown::HashMap;

use super::super::ir::Expression;
use super::super::pattern::MatchPattern;
use super::super::types::SequenceType;

/// A variable that is evaluated once a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VariableId(pub(crate) u32);

/// A function that a rule set defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionId(pub(crate) u32);

/// A name of a rule set, dense from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameSlot(pub u32);

/// Everything that expressions of a rule set refer to. Immutable, and shared between threads.
#[derive(Debug)]
pub struct Program {
    pub(crate) names: NameRegistry,
    pub(crate) functions: Vec<FunctionDefinition>,
    pub(crate) variables: Vec<Expression>,
    pub(crate) keys: Vec<KeyDefinition>,
    pub(crate) memos: u32,
    /// For each condition on a node, whether it stands in more than one place.
    pub(crate) shared: Vec<bool>,
}

impl Program {
    /// How many name slots there are; every [`NameSlot`] is below this.
    pub fn name_slots(&self) -> usize {
        self.names.len()
    }
}

/// A function that a rule set defines.
#[derive(Debug)]
pub(crate) struct FunctionDefinition {
    pub(crate) name: (String, String),
    pub(crate) arity: usize,
    pub(crate) parameters: Vec<Option<SequenceType>>,
    pub(crate) body: Option<Expression>,
}

/// An `xsl:key`: for each declaration which nodes and their values.
#[derive(Debug)]
pub(crate) struct KeyDefinition {
    pub(crate) name: (String, String),
    pub(crate) parts: Vec<(MatchPattern, Expression)>,
}

/// Expanded names of elements and attributes, each once.
#[derive(Debug, Default)]
pub(crate) struct NameRegistry {
    slots: HashMap<(String, String), u32>,
}

/// A name that is looked up without being copied.
#[derive(Hash)]
struct Borrowed<'a>(&'a str, &'a str);

impl hashbrown::Equivalent<(String, String)> for Borrowed<'_> {
    fn equivalent(&self, key: &(String, String)) -> bool {
        self.0 == key.0 && self.1 == key.1
    }
}

impl NameRegistry {
    /// The slot of a name, new if need be.
    pub(crate) fn slot(&mut self, namespace: &str, local: &str) -> u32 {
        if let Some(known) = self.find(namespace, local) {
            return known;
        }
        let slot = self.slots.len() as u32;
        self.slots.insert((namespace.to_owned(), local.to_owned()), slot);
        slot
    }

    /// The slot of a name that the rules use.
    pub(crate) fn find(&self, namespace: &str, local: &str) -> Option<u32> {
        self.slots.get(&Borrowed(namespace, local)).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }
}

/// Conditions of predicates by their text; those that stand in several places are remembered for
/// each node.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    /// Slots of the prefixes that are declared now.
    slots: HashMap<String, u32>,
    shared: Vec<bool>,
}

impl Conditions {
    /// The slot of a condition.
    pub(crate) fn slot(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.slots.get(text) {
            if let Some(shared) = self.shared.get_mut(known as usize) {
                *shared = true;
            }
            return known;
        }
        let slot = self.shared.len() as u32;
        self.slots.insert(text.to_owned(), slot);
        self.shared.push(false);
        slot
    }

    /// Forgets the texts, because prefixes mean something else from here on.
    pub(super) fn begin(&mut self) {
        self.slots.clear();
    }

    /// Which slots stand in more than one place.
    pub(super) fn into_shared(self) -> Vec<bool> {
        self.shared
    }
}
