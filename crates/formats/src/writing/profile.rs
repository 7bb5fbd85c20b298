//! A release or profile of a syntax, as a writer is told of it: what it is held to.

/// Elements that are not used in certain others.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnusedPlaces {
    /// Ends of the paths of these others, without prefixes.
    pub within: &'static [&'static str],
    /// The local names of the elements.
    pub names: &'static [&'static str],
}

/// A release or a profile of a syntax that a document can be converted to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TargetProfile {
    /// Its name: `factur-x-basic`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// BT-24, where the profile has one of its own.
    pub specification: Option<&'static str>,
    /// Whether whoever asks for the specification means the profile: those that are not EN 16931
    /// are told by it, and EN 16931 and its CIUS are written as CII D16B then.
    pub is_told_by_specification: bool,
    /// The structure table that the document is held to.
    pub structure: Option<&'static str>,
    /// What the schema has a place for and the rules of the profile do not use.
    pub unused: &'static [UnusedPlaces],
    /// Whether it has lines at all. What a reader checked to follow from them does not follow from
    /// a document without them.
    pub has_lines: bool,
    /// Whether it has parts of VAT, allowances, charges and payment (BG-16, BG-20, BG-21, BG-23).
    pub has_breakdown: bool,
    /// Whether it has lines within lines, charges for logistics and terms of several instalments
    /// (Factur-X EXTENDED).
    pub is_extended: bool,
    /// Whether several preceding invoices (BG-3) have a place, which CII has since D22A.
    pub has_many_preceding: bool,
}
