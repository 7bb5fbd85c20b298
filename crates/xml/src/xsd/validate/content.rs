//! The child elements and the text of an element (part 1 section 3.4.4 clause 2).

use super::SchemaRun;
use crate::tree::{Element, Node};
use crate::xsd::model::{ContentCursor, Model, ModelLeaf};
use crate::xsd::schema::{NONE, ProcessContents};

/// What the children before have left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trail {
    Fine,
    /// Something was wrong: the end is no longer looked at.
    Wrong,
    /// The last one had no place: the next may go on further ahead without another word.
    Lost,
}

impl<'d> SchemaRun<'_, 'd> {
    /// Nothing may stand inside: no element, and no text, not even white space.
    pub(super) fn no_content(
        &mut self,
        element: Element<'d>,
        clause: &'static str,
        expected: &str,
    ) {
        for child in element.children() {
            match child {
                Node::Element(child) => {
                    let found = self.found(child);
                    self.report(clause, child, expected, found);
                    return;
                }
                Node::Text(text) if !text.is_empty() => {
                    self.report(clause, element, expected, super::describe::value(text));
                    return;
                }
                _ => {}
            }
        }
    }

    /// `cvc-complex-type.2.3` and `.2.4`.
    pub(super) fn children(&mut self, element: Element<'d>, ty: u32, is_mixed: bool) {
        let schema = self.schema;
        let model = schema.model(ty);
        let mut cursor = model.start();
        let mut is_text_reported = is_mixed;
        let mut trail = Trail::Fine;
        for child in element.children() {
            if self.is_full() {
                return;
            }
            match child {
                Node::Element(child) => {
                    trail = self.child(element, child, model, &mut cursor, trail);
                }
                Node::Text(text)
                    if !is_text_reported
                        && !text.as_bytes().iter().all(u8::is_ascii_whitespace) =>
                {
                    is_text_reported = true;
                    let found = super::describe::value(text);
                    let expected =
                        format!("no text between the elements of {}", element.qualified_name());
                    self.report("cvc-complex-type.2.3", element, expected, found);
                }
                _ => {}
            }
        }
        if trail == Trail::Fine && !model.is_complete(&cursor) {
            let expected = self.describe_expected(element, model, &cursor);
            let found = format!("the end of {}", element.qualified_name());
            self.report("cvc-complex-type.2.4.b", element, expected, found);
        }
        if let ContentCursor::Automaton(cursor) = &cursor
            && cursor.is_over_limit
        {
            let expected = "content whose repetitions can be told apart";
            self.report("limit", element, expected, "too many ways to read it");
        }
    }

    /// One child: its place in the model, then what is inside it.
    fn child(
        &mut self,
        parent: Element<'d>,
        child: Element<'d>,
        model: &Model,
        cursor: &mut ContentCursor,
        trail: Trail,
    ) -> Trail {
        let name = self.doc_name(child);
        if let Some(leaf) = model.step(self.schema, cursor, name) {
            self.matched(child, leaf, name.name);
            return if trail == Trail::Fine { Trail::Fine } else { Trail::Wrong };
        }
        let expected = model.expected(cursor);
        let words = self.describe_expected(parent, model, cursor);
        let recovered = model.recover(self.schema, cursor, name);
        let is_told = trail == Trail::Lost && recovered.is_some_and(|(_, is_ahead)| is_ahead);
        if !is_told {
            let clause = match expected.is_empty() {
                true => "cvc-complex-type.2.4.d",
                false => "cvc-complex-type.2.4.a",
            };
            let found = self.found(child);
            self.report(clause, child, words, found);
        }
        match recovered {
            Some((leaf, _)) => {
                self.matched(child, leaf, name.name);
                Trail::Wrong
            }
            None => {
                // It has no place in the model; what it is elsewhere still tells what is inside.
                self.wildcard(child, name.name, ProcessContents::Lax);
                Trail::Lost
            }
        }
    }

    fn matched(&mut self, child: Element<'d>, leaf: ModelLeaf, name: u32) {
        match leaf {
            ModelLeaf::Element(declaration) => self.element(child, declaration),
            ModelLeaf::Wildcard(wildcard) => {
                let process = self.schema.wildcards.get(wildcard as usize).map(|it| it.process);
                self.wildcard(child, name, process.unwrap_or(ProcessContents::Skip));
            }
        }
    }

    /// `cvc-wildcard`: an element that a wildcard lets pass.
    fn wildcard(&mut self, child: Element<'d>, name: u32, process: ProcessContents) {
        if process == ProcessContents::Skip {
            return;
        }
        let declared = self.schema.name(name).map_or(NONE, |it| it.element);
        if declared != NONE {
            self.element(child, declared);
        } else if process == ProcessContents::Strict && self.has_no_known_type(child) {
            let expected = "an element that the schema declares";
            let found = self.found(child);
            self.report("cvc-complex-type.2.4.c", child, expected, found);
        } else {
            self.lax(child);
        }
    }

    /// A strict wildcard is content with `xsi:type` instead of a declaration.
    fn has_no_known_type(&self, child: Element<'d>) -> bool {
        self.xsi_attribute(child, self.xsi.ty).is_none()
    }
}
