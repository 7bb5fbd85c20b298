//! What a syntax brings: its row of [`crate::SYNTAXES`], which stands in its module.

use crate::reading::InvoiceReader;
use crate::syntax::{ElementPath, Format, Syntax};

/// A row of [`crate::SYNTAXES`]: a folder of this crate.
#[derive(Debug, Clone, Copy)]
pub struct SyntaxRow {
    /// The name of its folder.
    pub name: &'static str,
    /// Its formats, and what tells each.
    pub formats: &'static [Format],
    /// Where the day of issue stands, by local names from the document element down; of several
    /// places the first that is a day counts. A report on a period is of its last day.
    pub issued: &'static [(Syntax, ElementPath)],
    /// What reads its invoices into the semantic model; `None` where it is only recognised.
    pub reader: Option<InvoiceReader>,
}

impl SyntaxRow {
    /// A syntax that is recognised.
    pub(crate) const fn of(name: &'static str, formats: &'static [Format]) -> SyntaxRow {
        SyntaxRow { name, formats, issued: &[], reader: None }
    }

    /// Of which documents say the day of issue there.
    pub(crate) const fn issued(self, issued: &'static [(Syntax, ElementPath)]) -> SyntaxRow {
        SyntaxRow { issued, ..self }
    }

    /// Of which invoices are read.
    pub(crate) const fn read_by(self, reader: InvoiceReader) -> SyntaxRow {
        SyntaxRow { reader: Some(reader), ..self }
    }
}
