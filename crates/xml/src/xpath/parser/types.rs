//! Type names and sequence types, XPath 2.0 section 2.5.

use super::super::types::{AtomicType, ItemType, Occurrence, SequenceType};
use super::{CompileResult, ErrorCode, Parser, TokenKind};

const SCHEMA: &str = "http://www.w3.org/2001/XMLSchema";

impl Parser<'_, '_> {
    /// `SingleType ::= AtomicType "?"?`
    pub(super) fn single_type(&mut self) -> CompileResult<(AtomicType, bool)> {
        let kind = self.atomic_type()?;
        if kind == AtomicType::Any {
            let message = "xs:anyAtomicType is no type that can be cast to";
            return Err(self.error(ErrorCode::XPST0080, message));
        }
        Ok((kind, self.take("?")))
    }

    fn atomic_type(&mut self) -> CompileResult<AtomicType> {
        let TokenKind::Name(prefix, local) = *self.peek() else {
            return Err(self.unexpected("the name of a type"));
        };
        let namespace = match prefix {
            Some(prefix) => self.namespace(prefix)?,
            None => String::new(),
        };
        let known = if namespace == SCHEMA { AtomicType::named(local) } else { None };
        let Some(kind) = known else {
            let message = format!("{{{namespace}}}{local} is not a type that is supported");
            return Err(self.error(ErrorCode::XPST0051, message));
        };
        self.advance();
        Ok(kind)
    }

    /// `SequenceType ::= "empty-sequence" "(" ")" | ItemType ("?" | "*" | "+")?`
    pub(super) fn sequence_type(&mut self) -> CompileResult<SequenceType> {
        if self.is_word("empty-sequence") && self.is_at(1, "(") {
            self.at += 2;
            self.need(")")?;
            return Ok(SequenceType { item: ItemType::Any, occurrence: Occurrence::Zero });
        }
        let item = self.item_type()?;
        let occurrence = if self.take("?") {
            Occurrence::Optional
        } else if self.take("*") {
            Occurrence::Many
        } else if self.take("+") {
            Occurrence::Some
        } else {
            Occurrence::One
        };
        Ok(SequenceType { item, occurrence })
    }

    fn item_type(&mut self) -> CompileResult<ItemType> {
        if self.is_word("item") && self.is_at(1, "(") {
            self.at += 2;
            self.need(")")?;
            return Ok(ItemType::Any);
        }
        use super::super::ir::NodeTest;
        Ok(match self.kind_test()? {
            Some(NodeTest::AnyNode) => ItemType::Node,
            Some(NodeTest::Document) => ItemType::Document,
            Some(NodeTest::Element(name)) => ItemType::Element(name),
            Some(NodeTest::Attribute(name)) => ItemType::Attribute(name),
            Some(NodeTest::Text) => ItemType::Text,
            Some(NodeTest::Comment) => ItemType::Comment,
            Some(NodeTest::Instruction(target)) => ItemType::Instruction(target),
            Some(_) | None => ItemType::Atomic(self.atomic_type()?),
        })
    }
}
