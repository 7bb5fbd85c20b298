//! Values that a document says in other words than the model: codes of another list, texts in
//! parts, sums that its syntax has no element for.
//!
//! A derived value is a [`ValueSource`] as any other. It stands where the document says what it is
//! made of; [`ValueSource::text`] is what follows, [`ValueSource::as_written`] is what is there.

use std::borrow::Cow;

use quoin_xml::tree::{KeptId, NodeId};

use super::source::{Aspect, AttributeName, ValueSource};

/// How a value follows from what the document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Derivation {
    /// A code of the list that the term has, by a table, from a code of another list.
    Mapped,
    /// Several elements, one after the other: `IT` and `01234567890`.
    Joined,
    /// A part of what stands there: the day of a day and time.
    Part,
    /// The number with the other sign: some syntaxes write what a credit note credits as negative.
    Negated,
    /// What the syntax means where it says nothing: a rate without an exemption is category `S`.
    Implied,
    /// What the name of the element says and no text: `charges` of the JSON form are charges.
    Named,
    /// A sum, a difference or a product of amounts of the document, of which its syntax has no
    /// element.
    Computed(Agreement),
}

/// Whether what was derived is what the document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// The document says it elsewhere, or says what follows from it, and it is the same.
    Agrees,
    /// The document says something else.
    Differs,
    /// The document says nothing to compare it with.
    Unsaid,
}

/// What is kept of a derived value.
#[derive(Debug)]
pub(super) struct DerivedValue {
    /// What stands at its place.
    pub of: Aspect,
    text: Option<(Derivation, Cow<'static, str>)>,
    attributes: Vec<(AttributeName, NodeId, Aspect)>,
    parts: Vec<(NodeId, Aspect)>,
}

impl DerivedValue {
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_ref().map(|(_, text)| text.as_ref())
    }

    pub(super) fn attribute_names(&self) -> Vec<AttributeName> {
        self.attributes.iter().map(|&(name, ..)| name).collect()
    }

    pub(super) fn attribute(&self, name: AttributeName) -> Option<(NodeId, Aspect)> {
        let own = self.attributes.iter().find(|(known, ..)| *known == name);
        own.map(|&(_, node, aspect)| (node, aspect))
    }
}

impl<'d> ValueSource<'d> {
    /// A value that follows from what stands here.
    pub fn saying(self, how: Derivation, text: impl Into<Cow<'static, str>>) -> ValueSource<'d> {
        self.keeping(Some((how, text.into())), &[], &[])
    }

    /// A value that is made of several others of the same document.
    pub fn made_of(
        self,
        parts: &[ValueSource<'d>],
        text: impl Into<Cow<'static, str>>,
    ) -> ValueSource<'d> {
        self.keeping(Some((Derivation::Joined, text.into())), &[], parts)
    }

    /// What a value is made of; nothing where it is one.
    pub fn parts(self) -> impl Iterator<Item = ValueSource<'d>> {
        let parts = self.kept_value().map(|kept| kept.parts.as_slice()).unwrap_or_default();
        parts.iter().map(move |&(node, aspect)| ValueSource { node, aspect, ..self })
    }

    /// The value with attributes that stand elsewhere in the same document: the unit of a quantity
    /// that has an element of its own.
    pub fn with(self, attributes: &[(AttributeName, ValueSource<'d>)]) -> ValueSource<'d> {
        let text = self.kept_value().and_then(|kept| kept.text.clone());
        let parts: Vec<_> = self.parts().collect();
        self.keeping(text, attributes, &parts)
    }

    fn keeping(
        self,
        text: Option<(Derivation, Cow<'static, str>)>,
        attributes: &[(AttributeName, ValueSource<'d>)],
        parts: &[ValueSource<'d>],
    ) -> ValueSource<'d> {
        let parts = parts.iter().map(|part| (part.node, part.aspect)).collect();
        let of = self.place().aspect;
        let own = attributes.iter().map(|(name, source)| (*name, source.node, source.aspect));
        let kept = self.kept_value().map(|kept| kept.attributes.as_slice()).unwrap_or_default();
        let attributes = own.chain(kept.iter().copied()).collect();
        match self.document.keep(DerivedValue { of, text, attributes, parts }) {
            Some(id) => ValueSource { aspect: Aspect::kept(id), ..self },
            None => self,
        }
    }

    /// What stands there, of which a derived value says something else.
    pub(super) fn place(self) -> ValueSource<'d> {
        match self.kept_value() {
            Some(kept) => ValueSource { aspect: kept.of, ..self },
            None => self,
        }
    }

    pub(super) fn kept_value(self) -> Option<&'d DerivedValue> {
        self.document.kept(KeptId(self.aspect.as_kept()?))
    }

    /// How it follows from what the document says; `None` where the document itself says it.
    pub fn derivation(self) -> Option<Derivation> {
        self.kept_value()?.text.as_ref().map(|&(how, _)| how)
    }

    /// The text that stands at its place, of which a derived value says something else.
    pub fn as_written(self) -> Cow<'d, str> {
        self.place().text()
    }
}
