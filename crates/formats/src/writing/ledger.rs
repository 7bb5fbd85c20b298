//! The account of every leaf of a source document while it is written in another syntax.

use jiff::civil::Date as Day;
use quoin_model::en16931::{
    BusinessTerm, Date, Derivation, Field, Invoice, ValueSource, ValueType,
};
use quoin_model::text::cut;
use quoin_xml::tree::{Document, Element};

use super::dates::written_day;
use super::loss::{ConversionRefusal, Loss, LossKind};
use super::paths::paths;
use super::profile::TargetProfile;
use crate::reading::{DocumentLeaf, LeafKind, leaf};
use crate::syntax::Syntax;

mod implied;
pub(crate) mod reasons;
mod terms;
mod unread;

pub(crate) use implied::documents;
use terms::terms;

/// Bytes that the list of losses may have at most: paths and values together.
pub const MAX_LIST_BYTES: usize = 16 << 20;
/// Rows that it may have: a row takes some hundred bytes beside its path and value, here and where
/// it is told.
pub const MAX_LOSSES: usize = 100_000;

/// How many leaves had which fate in a conversion. A leaf is an attribute or the text of an element
/// that says something. The sum of the four is the number of leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConversionTally {
    /// In the target as they are.
    pub carried: usize,
    /// They follow from the rest, and were checked to.
    pub derived: usize,
    /// The target has its own: hints to schemas, fillers, the form of a date.
    pub regenerated: usize,
    /// They have a row in the list of losses.
    pub listed: usize,
}

impl ConversionTally {
    /// All leaves.
    pub fn leaves(&self) -> usize {
        self.carried + self.derived + self.regenerated + self.listed
    }
}

/// A leaf by its number: the text of an element comes before its attributes.
type LeafKey = (u32, u32);

/// In the place of an attribute: the row is of the element, and of no leaf of it.
const NO_LEAF: u32 = u32::MAX;

/// A row in the making.
struct ListedLeaf {
    at: LeafKey,
    kind: LossKind,
    term: Option<&'static str>,
    value: String,
    target_path: Option<String>,
    reason: &'static str,
}

/// Which leaves were written, and what is said of the others.
pub(crate) struct LeafLedger<'d> {
    document: &'d Document,
    texts: Vec<bool>,
    attributes: Vec<bool>,
    rows: Vec<ListedLeaf>,
    pub tally: ConversionTally,
    /// The syntax of the invoice; none of an order.
    pub source: Option<Syntax>,
    /// Whether source and target are one syntax, so that values are written as they are there.
    pub in_own_words: bool,
    /// Whether embedded files travel beside the document, which names them only.
    pub files_beside: bool,
    /// The release or profile of the syntax that is written.
    pub profile: Option<&'static TargetProfile>,
    /// What the reader checked to follow from the rest, where the profile may not have the rest.
    following: Vec<DocumentLeaf<'d>>,
}

impl<'d> LeafLedger<'d> {
    pub(crate) fn new(document: &'d Document) -> LeafLedger<'d> {
        LeafLedger {
            document,
            texts: vec![false; document.node_count()],
            attributes: Vec::new(),
            rows: Vec::new(),
            tally: ConversionTally::default(),
            source: None,
            in_own_words: false,
            files_beside: false,
            profile: None,
            following: Vec::new(),
        }
    }

    /// Whether it is the account of an invoice in one of these syntaxes.
    pub(crate) fn is_of(&self, syntaxes: &[Syntax]) -> bool {
        self.source.is_some_and(|source| syntaxes.contains(&source))
    }

    /// The leaf is in the target as it is; a value that was derived as what follows from it.
    pub(crate) fn carry(&mut self, source: ValueSource<'d>) {
        match source.derivation() {
            None => self.tally.carried += self.counted(source),
            Some(how) if self.in_own_words => self.carry_written(source, how),
            Some(how) => self.carry_derived(source, how),
        }
    }

    /// A derived value in the syntax that it is of: what it is made of is in the target as it is.
    fn carry_written(&mut self, source: ValueSource<'d>, how: Derivation) {
        match how {
            Derivation::Implied => {}
            Derivation::Joined => {
                for part in source.parts() {
                    self.tally.carried += self.counted(part);
                }
            }
            _ => self.tally.carried += self.counted_place(source),
        }
    }

    /// A derived value: the leaves that it is made of are in the target in other words. What no
    /// leaf says is there, too, and has a row of its own.
    fn carry_derived(&mut self, source: ValueSource<'d>, how: Derivation) {
        let (kind, reason) = match how {
            Derivation::Mapped => (LossKind::Changed, reasons::MAPPED),
            Derivation::Part => (LossKind::Changed, reasons::PART),
            Derivation::Negated => (LossKind::Changed, reasons::NEGATED),
            Derivation::Joined => {
                for part in source.parts() {
                    self.list(part, LossKind::Merged, None, reasons::JOINED);
                }
                return;
            }
            Derivation::Named => return,
            Derivation::Implied => (LossKind::Derived, reasons::IMPLIED),
            Derivation::Computed(_) => (LossKind::Derived, reasons::COMPUTED),
        };
        if kind == LossKind::Changed {
            self.tally.listed += self.counted(source);
        }
        let (at, term, target_path) = (key(source), None, None);
        let value = cut(&source.trimmed(), Loss::MAX_VALUE).into_owned();
        self.add_row(ListedLeaf { at, kind, term, value, target_path, reason });
    }

    /// The leaf follows from others, and was checked to.
    pub(crate) fn derive(&mut self, source: ValueSource<'d>) {
        self.tally.derived += self.counted_place(source);
    }

    /// The target has its own instead.
    pub(crate) fn regenerate(&mut self, source: ValueSource<'d>) {
        self.tally.regenerated += self.counted_place(source);
    }

    /// The leaf gets a row.
    pub(crate) fn list(
        &mut self,
        source: ValueSource<'d>,
        kind: LossKind,
        target_path: Option<String>,
        reason: &'static str,
    ) {
        self.list_as(None, source, kind, target_path, reason);
    }

    /// The leaf gets a row under the name of a term, where the leaf itself is none.
    pub(crate) fn list_as(
        &mut self,
        term: Option<&'static str>,
        source: ValueSource<'d>,
        kind: LossKind,
        target_path: Option<String>,
        reason: &'static str,
    ) {
        self.tally.listed += self.counted_place(source);
        let at = key(source);
        let value = cut(&source.trimmed(), Loss::MAX_VALUE).into_owned();
        self.add_row(ListedLeaf { at, kind, term, value, target_path, reason });
    }

    /// Marks the leaves that a value is made of; how many were not marked before. What the source
    /// means without words, and what is computed of others, is no leaf.
    fn counted_place(&mut self, source: ValueSource<'d>) -> usize {
        match source.derivation() {
            Some(Derivation::Implied) => 0,
            Some(Derivation::Joined) => source.parts().map(|part| self.counted(part)).sum(),
            _ if source.as_written().trim_matches(quoin_model::text::SPACE).is_empty() => 0,
            _ => usize::from(self.mark(key(source))),
        }
    }

    /// Whether a fate of the leaf is known.
    pub(crate) fn is_told(&self, source: ValueSource<'d>) -> bool {
        match source.derivation() {
            Some(Derivation::Joined) => source.parts().all(|part| self.is_marked(key(part))),
            _ => self.is_marked(key(source)),
        }
    }

    /// The target says something that no leaf says, and that follows from what stands at `place`.
    pub(crate) fn invent(
        &mut self,
        place: Element<'d>,
        term: Option<&'static str>,
        value: &str,
        target_path: String,
        reason: &'static str,
    ) {
        self.add_row(ListedLeaf {
            at: (place.id().0, NO_LEAF),
            kind: LossKind::Derived,
            term,
            value: value.to_owned(),
            target_path: Some(target_path),
            reason,
        });
    }

    /// The day that a date says, of which the caller writes the form of the target. The form of the
    /// source is not content. `None` where it is no day, which is listed; where the source says
    /// more than the day, the path in the target is.
    pub(crate) fn day(&mut self, date: Date<'d>, path: impl FnOnce() -> String) -> Option<Day> {
        if date.is_blank() {
            return None;
        }
        let Some(written) = written_day(date) else {
            self.list(date.source(), LossKind::Lost, None, reasons::NO_DAY);
            return None;
        };
        match written.changed {
            None => self.carry(date.source()),
            Some(reason) => self.list(date.source(), LossKind::Changed, Some(path()), reason),
        }
        if let Some(format) = date.format() {
            self.regenerate(format);
        }
        Some(written.day)
    }

    /// Counts the other occurrences of a term as derived where they say what `value` says.
    pub(crate) fn repeated<T: ValueType<'d>>(&mut self, field: &Field<T>, value: T) {
        let (source, text) = (value.source(), value.source().trimmed());
        for other in field.iter().map(|other| other.source()).filter(|other| *other != source) {
            if other.is(&text) {
                self.derive(other);
            }
        }
    }

    /// Marks a leaf; 1 where it says something and was not marked before.
    fn counted(&mut self, source: ValueSource<'d>) -> usize {
        // What was derived may stand at an element that says nothing itself.
        let is_said = !source.as_written().trim_matches(quoin_model::text::SPACE).is_empty();
        usize::from(is_said && self.mark(key(source)))
    }

    /// Whether it was not marked before.
    fn mark(&mut self, (node, attribute): LeafKey) -> bool {
        let (marks, at) = match attribute.checked_sub(1) {
            None => (&mut self.texts, node as usize),
            Some(attribute) => (&mut self.attributes, attribute as usize),
        };
        if marks.len() <= at {
            marks.resize(at + 1, false);
        }
        marks.get_mut(at).is_some_and(|mark| !std::mem::replace(mark, true))
    }

    /// A row of the list; one more than it may have says that there are too many.
    fn add_row(&mut self, row: ListedLeaf) {
        if self.rows.len() <= MAX_LOSSES {
            self.rows.push(row);
        }
    }

    /// Lists every leaf of the document at `root` that nothing was said of, and gives the whole
    /// list in document order.
    pub(crate) fn finish(
        self,
        invoice: &Invoice<'d>,
        root: Element<'d>,
    ) -> Result<(Vec<Loss>, ConversionTally), ConversionRefusal> {
        self.finish_with(|| invoice.terms(), root)
    }

    /// As [`LeafLedger::finish`], of any document; its terms are asked for where there is a list.
    pub(crate) fn finish_with(
        mut self,
        named: impl FnOnce() -> Vec<BusinessTerm<'d>>,
        root: Element<'d>,
    ) -> Result<(Vec<Loss>, ConversionTally), ConversionRefusal> {
        for element in root.descendants() {
            let is_text = matches!(leaf(element), LeafKind::Text);
            let at = (element.id().0, 0);
            if is_text && !self.is_marked(at) {
                self.one_unread(at, &DocumentLeaf::text_of(element), reasons::NO_PLACE);
            }
            for id in element.attribute_ids() {
                let at = (element.id().0, id + 1);
                if !self.is_marked(at)
                    && let Some(attribute) = self.document.attribute(id)
                {
                    let one = DocumentLeaf::attribute_of(element, attribute);
                    self.one_unread(at, &one, reasons::NO_PLACE);
                }
            }
        }
        let tally = self.tally;
        Ok((self.told(named, root)?, tally))
    }

    fn is_marked(&self, (node, attribute): LeafKey) -> bool {
        let mark = match attribute.checked_sub(1) {
            None => self.texts.get(node as usize),
            Some(attribute) => self.attributes.get(attribute as usize),
        };
        mark.copied().unwrap_or_default()
    }

    /// The rows with their paths and terms.
    fn told(
        mut self,
        named: impl FnOnce() -> Vec<BusinessTerm<'d>>,
        root: Element<'d>,
    ) -> Result<Vec<Loss>, ConversionRefusal> {
        if self.rows.is_empty() {
            return Ok(Vec::new());
        }
        if self.rows.len() > MAX_LOSSES {
            return Err(ConversionRefusal::TooManyLosses(MAX_LOSSES));
        }
        self.rows.sort_by_key(|row| row.at);
        let terms = terms(named());
        let nodes: Vec<u32> = self.rows.iter().map(|row| row.at.0).collect();
        let mut losses = Vec::with_capacity(self.rows.len());
        let mut bytes = 0;
        let mut rows = self.rows.into_iter().peekable();
        paths(root, &nodes, &mut |node, path| {
            while let Some(row) = rows.next_if(|row| row.at.0 == node) {
                let attribute = row.at.1.checked_sub(1);
                let attribute = attribute.and_then(|id| self.document.attribute(id));
                let source_path = match attribute {
                    None => path.to_owned(),
                    Some(attribute) => format!("{path}/@{}", qualified(&attribute)),
                };
                bytes += source_path.len() + row.value.len();
                losses.push(Loss {
                    source_path,
                    term: row.term.or_else(|| match row.kind {
                        LossKind::Derived => terms.of_derived(row.at, &row.value),
                        _ => terms.of(row.at, &row.value),
                    }),
                    value: row.value,
                    kind: row.kind,
                    target_path: row.target_path,
                    reason: row.reason,
                });
            }
            bytes <= MAX_LIST_BYTES
        });
        match bytes <= MAX_LIST_BYTES {
            true => Ok(losses),
            false => Err(ConversionRefusal::ListTooLong(MAX_LIST_BYTES)),
        }
    }
}

fn qualified(attribute: &quoin_xml::tree::Attribute<'_>) -> String {
    let local = cut(attribute.local, quoin_model::text::MAX_VALUE);
    match attribute.prefix {
        "" => local.into_owned(),
        prefix => format!("{}:{local}", cut(prefix, quoin_model::text::MAX_VALUE)),
    }
}

fn key(source: ValueSource<'_>) -> LeafKey {
    let element = source.element();
    (element.id().0, source.attribute_id().map_or(0, |id| id + 1))
}

fn leaf_key(one: &DocumentLeaf<'_>) -> LeafKey {
    let element = one.element();
    let Some(attribute) = one.attribute() else { return (element.id().0, 0) };
    let is_it = |id: &u32| element.document().attribute(*id) == Some(attribute);
    let id = element.attribute_ids().find(is_it);
    (element.id().0, id.map_or(0, |id| id + 1))
}
