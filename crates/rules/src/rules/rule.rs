//! A rule by hand: where it is tested, its test, and what the test answers.

use std::borrow::Cow;

use quoin_xml::tree::{Element, NodeId};

use super::{Case, Facts, values};
use quoin_model::Flag;
use quoin_model::Patch;

/// A rule written by hand. Who fixes it, its terms and its texts are in [`super::texts`].
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The official identifier: `BR-CO-15`.
    pub id: &'static str,
    /// Where it is tested.
    pub place: RulePlace,
    /// The test.
    pub test: RuleTest,
}

/// Where a rule is tested.
#[derive(Debug, Clone, Copy)]
pub enum RulePlace {
    /// At the elements of every row of the set's tables that has its identifier and no test.
    Rows,
    /// At those of one such row, counted from 0 in the order of the tables.
    Row(u8),
    /// At elements of its own, with its flag: the tables have no such row.
    Own(Flag, Elements),
}

/// Calls back for each element where a rule is tested, in document order.
pub(super) type Elements = for<'d> fn(&Facts<'d>, &mut dyn FnMut(Element<'d>));

/// A test at an element. The error is what an XPath processor would end with.
pub type RuleTest = for<'d> fn(&Case<'_, 'd>) -> Outcome<'d>;

/// What a test comes to.
pub type Outcome<'d> = Result<RuleVerdict<'d>, Unreadable<'d>>;

impl Rule {
    /// A rule for the rows of the tables that have its identifier.
    pub const fn new(id: &'static str, test: RuleTest) -> Rule {
        Rule { id, place: RulePlace::Rows, test }
    }

    /// For one of several rows with the identifier, from 0.
    pub const fn row(self, number: u8) -> Rule {
        Rule { place: RulePlace::Row(number), ..self }
    }

    /// At elements of its own.
    pub const fn at(self, flag: Flag, elements: Elements) -> Rule {
        Rule { place: RulePlace::Own(flag, elements), ..self }
    }
}

/// What a test answers.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleVerdict<'d> {
    /// The rule is kept.
    Holds,
    /// The rule is broken.
    Broken(Box<RuleDetail<'d>>),
}

impl<'d> RuleVerdict<'d> {
    /// Kept or broken, with nothing more to say.
    pub fn of(holds: bool) -> RuleVerdict<'d> {
        if holds { RuleVerdict::Holds } else { RuleVerdict::broken() }
    }

    /// Broken.
    pub fn broken() -> RuleVerdict<'d> {
        RuleVerdict::Broken(Box::default())
    }

    /// With what was found, where it is broken.
    pub fn found(self, found: impl Into<Cow<'d, str>>) -> RuleVerdict<'d> {
        self.with(|detail| detail.found = Some(found.into()))
    }

    /// With what was expected, where it is broken.
    pub fn expected(self, expected: impl Into<Cow<'d, str>>) -> RuleVerdict<'d> {
        self.with(|detail| detail.expected = Some(expected.into()))
    }

    /// With the element that is wrong, where it is not the one tested.
    pub fn element(self, element: Option<Element<'d>>) -> RuleVerdict<'d> {
        self.with(|detail| detail.element = element)
    }

    /// With a change that fixes it for sure; never of a number that others follow from.
    pub fn patch(self, patch: Patch) -> RuleVerdict<'d> {
        self.with(|detail| detail.patch = Some(patch))
    }

    fn with(mut self, set: impl FnOnce(&mut RuleDetail<'d>)) -> RuleVerdict<'d> {
        if let RuleVerdict::Broken(detail) = &mut self {
            set(detail);
        }
        self
    }
}

/// What a test tells about a broken rule.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleDetail<'d> {
    /// The value that is wrong, as the document has it.
    pub found: Option<Cow<'d, str>>,
    /// The value, or the kind of value, that the rule asks for.
    pub expected: Option<Cow<'d, str>>,
    /// The element that is wrong; the one tested where `None`.
    pub element: Option<Element<'d>>,
    /// How to fix it.
    pub patch: Option<Patch>,
}

/// A value that a test could not compute with: an XPath processor ends with an error here, and the
/// published validators end with it. It is reported as a fatal finding of the rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Unreadable<'d> {
    /// The element; the second one where there are several and one is allowed.
    pub element: Option<Element<'d>>,
    /// The text; empty where there are several, and of a group.
    pub value: Cow<'d, str>,
}

impl<'d> Unreadable<'d> {
    /// A text that is no value of the kind that is asked for.
    pub fn value(element: Element<'d>, value: Cow<'d, str>) -> Unreadable<'d> {
        Unreadable { element: Some(element), value }
    }

    /// The second of several elements, where one is allowed.
    pub fn several(second: Element<'d>) -> Unreadable<'d> {
        Unreadable { element: Some(second), value: Cow::Borrowed("") }
    }

    /// By the place of its element, as a [`Facts::memo`] keeps it.
    pub fn at(facts: &Facts<'d>, id: NodeId) -> Unreadable<'d> {
        let element = facts.document().element(id);
        // What stands in a whole group says nothing, and may be long.
        let leaf = element.filter(|element| element.elements().next().is_none());
        let value = leaf.map(values::string).unwrap_or_default();
        Unreadable { element, value }
    }

    /// The place of its element.
    pub fn id(&self) -> NodeId {
        self.element.map_or(NodeId(0), Element::id)
    }
}
