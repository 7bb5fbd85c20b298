//! Code lists: the values that a field of a document may have, as each release of a rule set
//! states them.
//!
//! ```text
//! lists.txt ── when a code is first looked up ──► every code once, and each list as their numbers
//! ```
//! The lists are facts, written as text by `cargo xtask subsets` from the published list files and
//! the official rule files, of which every release stays. Lists with the same codes are one list
//! that several releases use. A look-up hashes the code once and then searches the numbers of a
//! list; nothing is allocated.

pub mod commodities;
mod pool;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::sync::LazyLock;

use pool::CodePool;

/// The lists and their codes.
static ALL: LazyLock<(CodePool, Vec<CodeList>)> = LazyLock::new(|| text::read(text::LISTS));

/// A code list of one or more releases.
pub struct CodeList {
    /// Its key in the tables: the name, and the release that first had these codes
    /// (`iso4217@peppol-bis3-2025-q2`).
    pub key: &'static str,
    /// The family: `iso4217`, `icd`, `eas`, `uncl1001-inv`, `unece-rec20`; the rule's identifier in
    /// lower case for a list that has no name.
    pub name: &'static str,
    /// What the publisher calls it; empty where no list file is published.
    pub title: &'static str,
    /// Who maintains the codes; empty where that is not stated.
    pub agency: &'static str,
    /// The publisher's version; empty where that is not stated.
    pub version: &'static str,
    /// The releases that use it: `en16931-ubl-1.3.16`, `peppol-t01-2026-05`.
    pub releases: Vec<&'static str>,
    /// The codes as the text has them, in order.
    written: &'static str,
    /// The numbers of the codes, in the order of the numbers.
    members: Vec<u16>,
}

/// A code that some list has, found once and looked up in any number of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedCode(u16);

impl ListedCode {
    /// Finds a code, spelled exactly so; `None` where no list of any release has it.
    pub fn find(text: &str) -> Option<ListedCode> {
        ALL.0.find(text).map(ListedCode)
    }
}

impl CodeList {
    /// Whether a value is a code of the list: exactly, upper and lower case apart.
    pub fn contains(&self, text: &str) -> bool {
        ListedCode::find(text).is_some_and(|code| self.has(code))
    }

    /// Whether a code that was found is one of the list's.
    pub fn has(&self, code: ListedCode) -> bool {
        self.members.binary_search(&code.0).is_ok()
    }

    /// The codes, in the order of their characters.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        text::codes(self.written)
    }

    /// How many codes it has.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether it has no code; true of no list in the table.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl fmt::Debug for CodeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List({}, {} codes)", self.key, self.len())
    }
}

/// Every list of every release.
pub fn lists() -> &'static [CodeList] {
    &ALL.1
}

/// The list of a family as one release has it: `list("iso4217", "en16931-ubl-1.3.16")`.
///
/// A release with several lists of a family gives the first; [`by_key`] tells them apart.
pub fn list(name: &str, release: &str) -> Option<&'static CodeList> {
    lists().iter().find(|list| list.name == name && list.releases.contains(&release))
}

/// The types of documents that EN 16931 knows (BR-CL-01).
const DOCUMENT_TYPES: &str = "uncl1001@en16931-cii-1.3.16";
/// Those that UBL has in an `Invoice`, and in a `CreditNote`.
const INVOICE_TYPES: &str = "uncl1001-inv@en16931-ubl-1.3.16";
const CREDIT_NOTE_TYPES: &str = "uncl1001-cn@en16931-ubl-1.3.16";

/// Whether a code of UNTDID 1001 is the type of an invoice or of a credit note (BR-CL-01).
pub fn is_document_type(code: &str) -> bool {
    by_key(DOCUMENT_TYPES).is_some_and(|list| list.contains(code))
}

/// Whether a code of UNTDID 1001 is a type of credit notes.
pub fn is_credit_note_type(code: &str) -> bool {
    by_key(CREDIT_NOTE_TYPES).is_some_and(|list| list.contains(code))
}

/// Whether a type of credit notes is one of invoices, too: the document element decides then.
pub fn is_type_of_both(code: &str) -> bool {
    is_credit_note_type(code) && by_key(INVOICE_TYPES).is_some_and(|list| list.contains(code))
}

/// A list by its key.
pub fn by_key(key: &str) -> Option<&'static CodeList> {
    lists().iter().find(|list| list.key == key)
}
