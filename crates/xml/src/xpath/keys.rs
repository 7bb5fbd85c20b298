//! `xsl:key`: nodes by their values, one table a key and document, XSLT 2.0 section 16.3.

use std::rc::Rc;

use hashbrown::HashMap;

use super::cast::text_of;
use super::compare::double;
use super::environment::{Environment, Focus, Frame};
use super::error::{ErrorCode, XPathResult, fail};
use super::ir::Expr;
use super::number::double_text;
use super::pattern::Target;
use super::value::{Item, NodeRef, Sequence};
use crate::tree::NodeId;

/// The nodes of each value, in document order.
pub(crate) type KeyTable = HashMap<String, Vec<NodeRef>>;

/// Values that are equal by `eq` have the same text.
fn value_text(item: &Item<'_>) -> String {
    match double(item) {
        Some(number) => format!("n{}", double_text(number)),
        None => format!("s{}", text_of(item).as_str()),
    }
}

impl<'d> Environment<'d> {
    /// `key(name, value)` and `key(name, value, top)`.
    pub(crate) fn key(
        &self,
        key: u32,
        arguments: &'d [Expr],
        focus: &Focus<'d>,
        frame: &Frame<'d>,
    ) -> XPathResult<Sequence<'d>> {
        let top = match arguments.get(1) {
            None => focus.item.clone(),
            Some(top) => self.sequence(top, focus, frame)?.items().first().cloned(),
        };
        let Some(Item::Node(top)) = top else {
            return fail!(XPTY0004, "key() needs a node: a context node or a third argument");
        };
        let table = self.key_table(key, top.document)?;
        let mut nodes = Vec::new();
        let Some(value) = arguments.first() else { return Ok(Sequence::Empty) };
        self.each_atomic(value, focus, frame, &mut |item| {
            nodes.extend_from_slice(table.get(&value_text(&item)).map_or(&[], Vec::as_slice));
            Ok(false)
        })?;
        if arguments.len() > 1
            && let Some(id) = top.id()
        {
            let end = self.tree(top.document).end_number(id.0);
            nodes.retain(|node| node.id().is_some_and(|inner| (id.0..end).contains(&inner.0)));
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes.into_iter().map(Item::Node).collect::<Vec<_>>().into())
    }

    fn key_table(&self, key: u32, document: u32) -> XPathResult<Rc<KeyTable>> {
        if let Some(known) = self.keys.borrow().get(&(key, document)) {
            return Ok(Rc::clone(known));
        }
        let table = Rc::new(self.build_key(key, document)?);
        self.keys.borrow_mut().insert((key, document), Rc::clone(&table));
        Ok(table)
    }

    fn build_key(&self, key: u32, document: u32) -> XPathResult<KeyTable> {
        let mut table = KeyTable::new();
        let _depth = self.enter()?;
        let Some(key) = self.program.keys.get(key as usize) else {
            return Err(ErrorCode::XTDE1260.into());
        };
        let tree = self.tree(document);
        for (pattern, value) in &key.parts {
            let attributes = pattern
                .targets()
                .any(|target| matches!(target, Target::Attribute(_) | Target::AnyAttribute));
            let mut add = |node: NodeRef| -> XPathResult<()> {
                self.step()?;
                if !self.matches(pattern, node) {
                    return Ok(());
                }
                let frame = Frame::bare(value.slots, Focus::node(node), Some(node));
                self.each_atomic(&value.root, frame.focus(), &frame, &mut |item| {
                    table.entry(value_text(&item)).or_default().push(node);
                    Ok(false)
                })?;
                Ok(())
            };
            for id in 0..tree.node_count() as u32 {
                let node = NodeRef { document, ..NodeRef::of(NodeId(id)) };
                add(node)?;
                if attributes {
                    for attribute in tree.attribute_numbers(id) {
                        add(NodeRef { attribute: attribute + 1, ..node })?;
                    }
                }
            }
        }
        Ok(table)
    }
}
