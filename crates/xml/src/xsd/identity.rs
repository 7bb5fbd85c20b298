//! Identity constraints: `unique`, `key` and `keyref` (part 1 section 3.11.4).

use std::collections::{HashMap, HashSet};

use super::schema::{
    Constraint, ConstraintKind, IndexRange, NONE, SelectorPath, SelectorStep, SelectorTest,
};
use super::validate::SchemaRun;
use crate::tree::{Attribute, Element, NodeId};

/// Elements that all selectors of one check look at, at most.
const MAX_LOOKS: usize = 20_000_000;

/// What must be kept while an element with identity constraints is checked.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    depth: usize,
    /// The type of each valid value: element, and attribute name where it is one.
    types: HashMap<(NodeId, String), u32>,
    /// The key sequences of each key, with the element that it is defined on.
    tables: Vec<(u32, NodeId, HashSet<Vec<String>>)>,
    looks: usize,
}

impl Scopes {
    /// Begins the scope of an element that has constraints.
    pub(super) fn open(&mut self, constraints: IndexRange) -> bool {
        if constraints.count > 0 {
            self.depth += 1;
        }
        constraints.count > 0
    }

    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    pub(super) fn remember(
        &mut self,
        element: Element<'_>,
        attribute: Option<Attribute<'_>>,
        ty: u32,
    ) {
        let name = attribute.map(|it| format!("{{{}}}{}", it.namespace, it.local));
        self.types.insert((element.id(), name.unwrap_or_default()), ty);
    }
}

/// A field of one selected element.
enum FieldValue {
    Absent,
    Value(String),
    /// More than one node, or a node without a simple value.
    Wrong,
}

impl<'d> SchemaRun<'_, 'd> {
    /// Checks the constraints of an element after everything inside it was checked.
    pub(super) fn close_scope(&mut self, element: Element<'d>, constraints: IndexRange) {
        let schema = self.schema;
        let mut references = Vec::new();
        for (offset, constraint) in constraints.of(&schema.constraints).iter().enumerate() {
            let rows = self.rows(element, constraint);
            if constraint.kind == ConstraintKind::KeyRef {
                references.push((constraint, rows));
                continue;
            }
            let mut table = HashSet::new();
            for (row, selected) in rows {
                let shown = row.join(", ");
                if !table.insert(row) {
                    let expected = format!("a value of {} once only", self.label(constraint));
                    let clause = match constraint.kind {
                        ConstraintKind::Key => "cvc-identity-constraint.4.2.2",
                        _ => "cvc-identity-constraint.4.1",
                    };
                    self.report(clause, selected, expected, format!("{shown:?} again"));
                }
            }
            let index = constraints.start + offset as u32;
            self.scopes.tables.push((index, element.id(), table));
        }
        for (constraint, rows) in references {
            self.check_keyref(element, constraint, rows);
        }
        self.scopes.depth -= 1;
        if self.scopes.depth == 0 {
            self.scopes.types.clear();
            self.scopes.tables.clear();
        }
    }

    fn check_keyref(
        &mut self,
        element: Element<'d>,
        constraint: &Constraint,
        rows: Vec<(Vec<String>, Element<'d>)>,
    ) {
        if constraint.refer == NONE {
            return;
        }
        let inside = element.id()..element.document().end_of(element.id());
        let tables = std::mem::take(&mut self.scopes.tables);
        let is_of_key = |it: &&(u32, NodeId, _)| it.0 == constraint.refer && inside.contains(&it.1);
        let keys: Vec<_> = tables.iter().filter(is_of_key).map(|it| &it.2).collect();
        for (row, selected) in rows {
            if !keys.iter().any(|table| table.contains(&row)) {
                let expected = format!("a value that {} refers to", self.label(constraint));
                let found = format!("{:?}", row.join(", "));
                self.report("cvc-identity-constraint.4.3", selected, expected, found);
            }
        }
        self.scopes.tables = tables;
    }

    fn label(&self, constraint: &Constraint) -> String {
        self.schema.expanded(constraint.name).1.to_owned()
    }

    /// The key sequences of the selected elements that have all fields.
    fn rows(
        &mut self,
        element: Element<'d>,
        constraint: &Constraint,
    ) -> Vec<(Vec<String>, Element<'d>)> {
        let mut rows = Vec::new();
        for selected in self.select(element, &constraint.selector) {
            let mut row = Vec::with_capacity(constraint.fields.len());
            for field in &constraint.fields {
                match self.field(selected, field) {
                    FieldValue::Value(value) => row.push(value),
                    FieldValue::Absent => {}
                    FieldValue::Wrong => {
                        let expected = format!("one simple value for {}", self.label(constraint));
                        let clause = "cvc-identity-constraint.3";
                        self.report(clause, selected, expected, "something else");
                    }
                }
            }
            if row.len() == constraint.fields.len() {
                rows.push((row, selected));
            } else if constraint.kind == ConstraintKind::Key {
                let expected = format!("every field of the key {}", self.label(constraint));
                let clause = "cvc-identity-constraint.4.2.1";
                self.report(clause, selected, expected, "one that is absent");
            }
        }
        rows
    }

    fn field(&mut self, selected: Element<'d>, paths: &[SelectorPath]) -> FieldValue {
        let mut found = None;
        for path in paths {
            for element in self.select(selected, std::slice::from_ref(path)) {
                let one = match path.attribute {
                    None => self.value(element, None),
                    Some(test) => {
                        let mut values = element
                            .attributes()
                            .filter(|it| self.is_match(test, it.namespace, it.local));
                        match (values.next(), values.next()) {
                            (None, _) => continue,
                            (Some(attribute), None) => self.value(element, Some(attribute)),
                            _ => return FieldValue::Wrong,
                        }
                    }
                };
                match one {
                    Some(value) if found.is_none() => found = Some(value),
                    _ => return FieldValue::Wrong,
                }
            }
        }
        found.map_or(FieldValue::Absent, FieldValue::Value)
    }

    fn value(&self, element: Element<'d>, attribute: Option<Attribute<'d>>) -> Option<String> {
        let name = attribute.map(|it| format!("{{{}}}{}", it.namespace, it.local));
        let key = (element.id(), name.unwrap_or_default());
        let ty = self.scopes.types.get(&key).copied();
        let text = match attribute {
            Some(attribute) => attribute.value.into(),
            None if element.elements().next().is_some() => return None,
            None => element.text(),
        };
        // A value of no known type, or one that is wrong anyway, is compared as it is written.
        Some(ty.map_or_else(|| text.to_string(), |ty| self.schema.key(ty, &text, element)))
    }

    fn is_match(&self, test: SelectorTest, namespace: &str, local: &str) -> bool {
        match test {
            SelectorTest::Any => true,
            SelectorTest::Namespace(wanted) => self.schema.text(wanted) == namespace,
            SelectorTest::Name(name) => self.schema.expanded(name) == (namespace, local),
        }
    }

    fn select(&mut self, from: Element<'d>, paths: &[SelectorPath]) -> Vec<Element<'d>> {
        let mut found: Vec<Element<'d>> = Vec::new();
        for path in paths {
            let mut places: Vec<Element<'d>> = match path.is_deep {
                true => from.descendants().collect(),
                false => vec![from],
            };
            self.scopes.looks += places.len();
            for step in &path.steps {
                let SelectorStep::Child(test) = *step else { continue };
                let mut next = Vec::new();
                for place in places {
                    for child in place.elements() {
                        self.scopes.looks += 1;
                        if self.is_match(test, child.namespace(), child.local()) {
                            next.push(child);
                        }
                    }
                }
                places = next;
                if self.scopes.looks > MAX_LOOKS {
                    self.report("limit", from, "fewer elements under identity constraints", "more");
                    return Vec::new();
                }
            }
            found.extend(places);
        }
        let mut seen = HashSet::new();
        found.retain(|it| seen.insert(it.id()));
        found
    }
}
