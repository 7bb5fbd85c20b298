//! What applying a schema to a document gives: findings in the order of the report language SVRL.

use std::sync::Arc;

use crate::tree::Position;

/// An assertion or report of a schema, as its author wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchematronCheck {
    /// `id`: the name of the business rule, `BR-01`. Some official rules have none.
    pub id: Option<String>,
    /// `flag`: `fatal`, `warning`, …, as written.
    pub flag: Option<String>,
    /// `role`, as written.
    pub role: Option<String>,
    /// The XPath expression of `test`.
    pub test: String,
    /// Whether it is a `report`, which speaks up where its test holds, and not an `assert`.
    pub is_report: bool,
    /// The `context` of its rule.
    pub context: String,
    /// The `id` of its rule.
    pub rule: Option<String>,
    /// The `id` of its pattern.
    pub pattern: Option<String>,
    /// Its place in the files of the rule set: `sch/EN16931-UBL.sch:210:7`.
    pub origin: super::Origin,
}

/// Why an entry stands in an [`Outcome`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The test of an `assert` does not hold.
    FailedAssert,
    /// The test of a `report` holds.
    SuccessfulReport,
    /// The test, or a variable that it uses, could not be evaluated: `FORG0001` and a message.
    ///
    /// An XSLT engine ends the whole validation here. We go on with the next test and count the
    /// document as not valid: what could not be checked was not shown to be right.
    Error {
        /// The code of the XPath specification.
        code: &'static str,
        /// What was expected and what was found.
        message: String,
    },
    /// A limit of the run was reached in this test; nothing after it was looked at.
    Limit {
        /// Our code, which begins with `QX`.
        code: &'static str,
        /// Which limit.
        message: String,
    },
}

/// One entry: a test, the node it was applied to, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    /// The assertion or report.
    pub check: Arc<SchematronCheck>,
    /// Why it stands here.
    pub cause: Cause,
    /// The context node.
    pub location: NodeLocation,
    /// The text of the context node where it has no child element, cut after
    /// [`MAX_VALUE`] characters: the offending value of rules about one value.
    pub value: Option<String>,
    /// The message with `value-of` and `name` filled in and white space collapsed.
    pub message: String,
    /// The diagnostics named by the assertion: identifier and text.
    pub diagnostics: Vec<(String, String)>,
}

/// How much of an offending value is kept, in characters.
pub const MAX_VALUE: usize = 200;

/// A node of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeLocation {
    /// Its XPath with the document's own prefixes: `/Invoice[1]/cac:InvoiceLine[2]/cbc:ID[1]`; an
    /// attribute ends in `/@currencyID`; the document itself is `/`.
    pub path: String,
    /// Where its start tag stands; for an attribute, that of its element.
    pub position: Position,
}

/// A rule that was applied to a node; kept only where the run was asked to trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiredRule {
    /// Number of the pattern in [`super::Schema::patterns`].
    pub pattern: usize,
    /// The `id` of the rule.
    pub id: Option<String>,
    /// Its `context`.
    pub context: String,
    /// Its `flag`.
    pub flag: Option<String>,
    /// Its `role`.
    pub role: Option<String>,
    /// How many entries of [`Outcome::fired`] there were before this rule was applied.
    pub before: usize,
}

/// What one run found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SchematronOutcome {
    /// All entries: pattern by pattern, within a pattern in document order, within a rule in the
    /// order of the rule.
    pub fired: Vec<Fired>,
    /// The rules that were applied, where the run was asked to trace.
    pub rules: Vec<FiredRule>,
    /// Whether everything was looked at; `false` after a [`Cause::Limit`].
    pub is_complete: bool,
}

impl SchematronOutcome {
    /// Whether an XSLT engine would have ended without a report.
    pub fn reference_stops(&self) -> bool {
        self.fired.iter().any(|fired| matches!(fired.cause, Cause::Error { .. }))
    }
}
