//! Why an invoice cannot be reported: the terms that it lacks, in people's words, and who can add
//! them.

mod words;

use std::fmt::Write as _;

use quoin_model::Language;

/// Who can put a report right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WhoCanFix {
    /// Who wrote the invoice: the seller, or the buyer where it is self-billed. A corrected invoice
    /// is a new one.
    Issuer,
    /// The provider that reports: a setting of the profile.
    Provider,
}

/// A term that is missing, or cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MissingTerm {
    /// The term: `BT-31`, `TDT-018`, `IBT-110`, `BTOM-002`.
    pub term: &'static str,
    /// On which line (BT-126), where it is one of a line.
    pub line: Option<String>,
    /// Who can add it.
    pub who: WhoCanFix,
}

impl MissingTerm {
    /// A term of the document. Those of the envelope (`TDT-`) are the provider's.
    pub(crate) fn named(term: &'static str) -> MissingTerm {
        let of_envelope = term.starts_with("TDT-");
        let who = if of_envelope { WhoCanFix::Provider } else { WhoCanFix::Issuer };
        MissingTerm { term, line: None, who }
    }

    /// A term of a line.
    pub(crate) fn of_line(term: &'static str, line: &str) -> MissingTerm {
        let line = Some(quoin_model::text::shortened(line).into_owned());
        MissingTerm { term, line, who: WhoCanFix::Issuer }
    }

    /// What a term is, in people's words, where there are words for it.
    pub(crate) fn known(term: &str, language: Language) -> Option<&'static str> {
        words::known(term, language)
    }

    /// The word for a line of an invoice.
    pub(crate) fn line_word(language: Language) -> &'static str {
        words::LINE.of(language)
    }

    /// What the term is, in people's words: `the VAT number of the seller`.
    pub fn words(&self, language: Language) -> &'static str {
        words::of_term(self.term, language)
    }
}

/// Why an invoice cannot be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotReport {
    /// What is missing, in the order of the report; at most [`CannotReport::MOST`].
    pub missing: Vec<MissingTerm>,
}

impl CannotReport {
    /// Terms that are told at most: the rest is told when these are there.
    pub const MOST: usize = 50;

    pub(crate) fn one(term: MissingTerm) -> CannotReport {
        CannotReport { missing: vec![term] }
    }

    /// One sentence that says what is missing and who can add it.
    pub fn sentence(&self, language: Language) -> String {
        let mut out = words::BEGINNING.of(language).to_owned();
        for (at, missing) in self.missing.iter().enumerate() {
            let separator = if at == 0 { " " } else { "; " };
            let _ = write!(out, "{separator}{} ({}", missing.words(language), missing.term);
            if let Some(line) = &missing.line {
                let _ = write!(out, ", {} {line}", words::LINE.of(language));
            }
            out.push(')');
        }
        let issuer = self.missing.iter().any(|missing| missing.who == WhoCanFix::Issuer);
        let end = if issuer { words::ISSUER } else { words::PROVIDER };
        let _ = write!(out, ". {}", end.of(language));
        out
    }
}

impl std::fmt::Display for CannotReport {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.sentence(Language::En))
    }
}

impl std::error::Error for CannotReport {}
