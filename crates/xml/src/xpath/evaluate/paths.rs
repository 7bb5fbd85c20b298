//! Paths and other sources of items, one after another.

use super::super::analyse::gives_nodes;
use super::super::cast::type_name;
use super::super::environment::{Environment, Focus, Frame, VariableSlot};
use super::super::error::{XPathResult, fail};
use super::super::ir::{Expr, PathExpression, PathStart, PathStep, WalkOrder};
use super::super::value::{Item, NodeRef, Sequence};

/// Takes an item and says whether that is enough.
pub(crate) type VisitItem<'v, 'd> = &'v mut dyn FnMut(Item<'d>) -> XPathResult<bool>;

impl<'d> Environment<'d> {
    /// Hands over the items of an expression until the visitor has enough; answers whether it had.
    /// Unless `sorted`, the nodes of a path may come in any order and more than once.
    pub(crate) fn each(
        &self,
        expr: &'d Expr,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
        sorted: bool,
        visit: VisitItem<'_, 'd>,
    ) -> XPathResult<bool> {
        match expr {
            Expr::Path(path)
                if path.order == WalkOrder::Document
                    || (!sorted && path.order != WalkOrder::Sets) =>
            {
                let _depth = self.enter()?;
                self.walk(path, focus, frame, visit)
            }
            Expr::Sequence(parts) => {
                let _depth = self.enter()?;
                for part in parts {
                    if self.each(part, focus, frame, sorted, visit)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::For(binding) => {
                let _depth = self.enter()?;
                self.each(&binding.source, focus, frame, true, &mut |item| {
                    self.step()?;
                    frame.set(binding.slot, VariableSlot::Ready(Sequence::One(item)));
                    self.each(&binding.body, focus, frame, sorted, visit)
                })
            }
            Expr::If(parts) => {
                let [test, then, otherwise] = &**parts;
                let branch = if self.boolean(test, focus, frame)? { then } else { otherwise };
                self.each(branch, focus, frame, sorted, visit)
            }
            Expr::Union(parts) if !sorted => {
                for part in parts {
                    if self.each(part, focus, frame, false, visit)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::Filter(filter) if super::filters::can_stream(&filter.1) => {
                let _depth = self.enter()?;
                self.stream_filter(&filter.0, &filter.1, focus, frame, visit)
            }
            _ => {
                for item in self.sequence(expr, focus, frame)?.items() {
                    if visit(item.clone())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Whether the document of the context node lacks a name that the path needs.
    fn lacks_names(&self, path: &PathExpression, focus: &Focus<'d>) -> bool {
        match (&path.start, &focus.item) {
            (PathStart::Expr(_), _) if !path.local => false,
            (_, Some(Item::Node(node))) => !self.has_names(node.document, &path.required),
            _ => false,
        }
    }

    /// Walks a path; nodes come as they are found.
    pub(super) fn walk(
        &self,
        path: &'d PathExpression,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
        visit: VisitItem<'_, 'd>,
    ) -> XPathResult<bool> {
        if self.lacks_names(path, focus) {
            return Ok(false);
        }
        match &path.start {
            PathStart::Context => self.walk_steps(&path.steps, context(focus)?, frame, visit),
            PathStart::Root => self.walk_steps(&path.steps, self.root(focus)?, frame, visit),
            PathStart::Expr(expr) => self.each(expr, focus, frame, true, &mut |item| match item {
                Item::Node(node) => self.walk_steps(&path.steps, node, frame, visit),
                other => fail!(XPTY0019, "a step is applied to {}", type_name(&other)),
            }),
        }
    }

    fn root(&self, focus: &Focus<'d>) -> XPathResult<NodeRef> {
        let node = context(focus)?;
        Ok(NodeRef { node: 0, attribute: 0, ..node })
    }

    fn walk_steps(
        &self,
        steps: &'d [PathStep],
        node: NodeRef,
        frame: &Frame<'d>,
        visit: VisitItem<'_, 'd>,
    ) -> XPathResult<bool> {
        let Some((step, rest)) = steps.split_first() else { return visit(Item::Node(node)) };
        match step {
            PathStep::Axis(step) if rest.is_empty() => {
                self.axis_step(step, node, frame, &mut |found| visit(Item::Node(found)))
            }
            PathStep::Axis(step) => self.axis_step(step, node, frame, &mut |found| {
                self.walk_steps(rest, found, frame, visit)
            }),
            PathStep::Expr(expr) => {
                let focus = Focus::node(node);
                if rest.is_empty() {
                    return self.each(expr, &focus, frame, true, visit);
                }
                self.each(expr, &focus, frame, true, &mut |item| match item {
                    Item::Node(found) => self.walk_steps(rest, found, frame, visit),
                    other => fail!(XPTY0019, "a step is applied to {}", type_name(&other)),
                })
            }
        }
    }

    /// The value of a path: nodes in document order, or atomic values in the order of the nodes
    /// that they were made for.
    pub(super) fn path(
        &self,
        path: &'d PathExpression,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        // Atomic values are made for the nodes in document order.
        let sorted_last = path.order == WalkOrder::Distinct && gives_nodes(path);
        if path.order != WalkOrder::Document && !sorted_last {
            return self.path_by_sets(path, focus, frame);
        }
        let mut first: Option<Item<'d>> = None;
        let mut items: Vec<Item<'d>> = Vec::new();
        self.walk(path, focus, frame, &mut |item| {
            if items.is_empty() {
                match first.take() {
                    None => {
                        first = Some(item);
                        return Ok(false);
                    }
                    Some(before) => items.push(before),
                }
            }
            items.push(item);
            self.check_items(items.len())?;
            Ok(false)
        })?;
        if items.is_empty() {
            return Ok(first.into());
        }
        if sorted_last {
            items.sort_unstable_by_key(node_key);
        }
        Ok(items.into())
    }

    /// Takes each step for all nodes before the next one, in document order without duplicates.
    fn path_by_sets(
        &self,
        path: &'d PathExpression,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        if self.lacks_names(path, focus) {
            return Ok(Sequence::Empty);
        }
        let mut items = match &path.start {
            PathStart::Context => vec![Item::Node(context(focus)?)],
            PathStart::Root => vec![Item::Node(self.root(focus)?)],
            PathStart::Expr(expr) => self.sequence(expr, focus, frame)?.into_items(),
        };
        for step in &path.steps {
            items = self.step_of_set(step, &items, frame)?;
        }
        Ok(items.into())
    }

    fn step_of_set(
        &self,
        step: &'d PathStep,
        from: &[Item<'d>],
        frame: &Frame<'d>,
    ) -> XPathResult<Vec<Item<'d>>> {
        let mut found = Vec::new();
        for (at, item) in from.iter().enumerate() {
            let Item::Node(node) = item else {
                return fail!(XPTY0019, "a step is applied to {}", type_name(item));
            };
            let mut add = |item| {
                found.push(item);
                self.check_items(found.len())?;
                Ok(false)
            };
            match step {
                PathStep::Axis(step) => {
                    self.axis_step(step, *node, frame, &mut |found| add(Item::Node(found)))?;
                }
                PathStep::Expr(expr) => {
                    let focus =
                        Focus { item: Some(item.clone()), position: at + 1, size: from.len() };
                    self.each(expr, &focus, frame, true, &mut add)?;
                }
            }
        }
        let nodes = found.iter().filter(|item| matches!(item, Item::Node(_))).count();
        if nodes == found.len() {
            found.sort_unstable_by_key(node_key);
            found.dedup_by_key(|item| node_key(item));
        } else if nodes > 0 {
            return fail!(XPTY0018, "a step gives {nodes} nodes and also atomic values");
        }
        Ok(found)
    }

    /// `a | b`: nodes in document order, none twice.
    pub(super) fn union(
        &self,
        parts: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let mut nodes = Vec::new();
        for part in parts {
            self.each_node(part, focus, frame, &mut nodes)?;
        }
        Ok(sorted(nodes))
    }

    /// `a intersect b` where `common`, else `a except b`.
    pub(super) fn combine(
        &self,
        sides: &'d [Expr; 2],
        common: bool,
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let [left, right] = sides;
        let (mut nodes, mut others) = (Vec::new(), Vec::new());
        self.each_node(left, focus, frame, &mut nodes)?;
        self.each_node(right, focus, frame, &mut others)?;
        others.sort_unstable();
        nodes.retain(|node| others.binary_search(node).is_ok() == common);
        Ok(sorted(nodes))
    }
}

fn sorted<'d>(mut nodes: Vec<NodeRef>) -> Sequence<'d> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes.into_iter().map(Item::Node).collect::<Vec<_>>().into()
}

fn node_key(item: &Item<'_>) -> Option<NodeRef> {
    match item {
        Item::Node(node) => Some(*node),
        _ => None,
    }
}

/// The context node.
pub(super) fn context(focus: &Focus<'_>) -> XPathResult<NodeRef> {
    match &focus.item {
        Some(Item::Node(node)) => Ok(*node),
        Some(other) => fail!(XPTY0020, "a step is applied to {}", type_name(other)),
        None => fail!(XPDY0002, "a path has no context node here"),
    }
}
