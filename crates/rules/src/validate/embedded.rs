//! The embedded structure of a standard beside our own words.
//!
//! A schema tells an absence or a wrong order once for each content, as whatever element it did not
//! expect there. Where a finding of ours has said already what is wrong with a content, in better
//! words, the schema is silent about that content; it is never silent about a whole document that
//! would pass without it.

use std::collections::BTreeSet;

use quoin_xml::tree::Element;
use quoin_xml::xsd::Schema;

use super::sink::{FindingDraft, Sink};
use crate::locate::locate;
use crate::official::{OfficialFinding, structure};
use quoin_formats::structure_tables;
use quoin_model::{FixBy, Flag, ValidationStep};

/// What findings have said already.
struct EarlierFindings {
    /// Elements with a structural finding, and their parents.
    contents: BTreeSet<String>,
    /// Elements in which something is missing by a rule, and what.
    absences: BTreeSet<(String, String)>,
}

/// The schemas that a document may be as.
#[derive(Debug, Clone, Copy)]
pub(super) struct EmbeddedStructure {
    pub usual: &'static Schema,
    /// Others that are as good.
    pub others: &'static [&'static str],
}

impl EmbeddedStructure {
    /// Where a document is not as the structure of its standard: as the usual one has it, where it
    /// is as none of them.
    pub(super) fn violations<'d>(self, root: Element<'d>) -> Vec<OfficialFinding<'d>> {
        let mut hits = Vec::new();
        structure::check(self.usual, root, &mut |hit| hits.push(hit));
        if hits.is_empty() {
            return hits;
        }
        let mut others = self.others.iter().filter_map(|id| structure_tables::by_id(id)?.schema());
        match others.any(|other| other.is_valid(root)) {
            true => Vec::new(),
            false => hits,
        }
    }
}

impl<'d> Sink<'d> {
    /// Takes over where the document is not as the structure of its standard.
    pub(super) fn embedded(&mut self, hits: Vec<OfficialFinding<'d>>) {
        let Some(step) = self.step(ValidationStep::Structure) else { return };
        if hits.is_empty() {
            return;
        }
        let said = self.said();
        for hit in hits {
            let place = hit.location.as_ref().map_or("", |place| place.xpath.as_str());
            if said.covers(place, hit.expected.as_deref().unwrap_or_default()) {
                continue;
            }
            let by = (hit.flag, FixBy::SourceSystem);
            let message = self.said_as(&hit.rule, hit.element, hit.message);
            let draft = FindingDraft::new(hit.rule, by, hit.element, message);
            let (location, value, expected) = (hit.location, hit.value, hit.expected);
            self.push_to(step, FindingDraft { location, value, expected, ..draft });
        }
    }

    fn said(&self) -> EarlierFindings {
        let fatal = self.drafts().filter(|(_, draft)| draft.flag == Flag::Fatal);
        let (structural, rules): (Vec<_>, Vec<_>) =
            fatal.partition(|(step, _)| *step == ValidationStep::Structure);
        let paths = |drafts: &[&(ValidationStep, FindingDraft<'d>)]| {
            let elements: Vec<_> = drafts.iter().map(|(_, draft)| draft.element).collect();
            locate(&elements).into_iter().map(|place| place.map(|place| place.xpath))
        };
        let contents = paths(&structural).flatten();
        let contents = contents.flat_map(|path| [parent(&path).to_owned(), path]).collect();
        let absent = |draft: &FindingDraft<'d>| {
            let expected = draft.expected.as_ref().filter(|_| draft.value.is_none())?;
            expected.split('/').next().map(str::to_owned)
        };
        let missing = rules.iter().map(|(_, draft)| absent(draft));
        let absences = paths(&rules).zip(missing);
        let absences = absences.filter_map(|(path, missing)| path.zip(missing)).collect();
        EarlierFindings { contents, absences }
    }
}

impl EarlierFindings {
    fn covers(&self, place: &str, expected: &str) -> bool {
        let around = [place, parent(place)];
        let missing = |path: &str| {
            let first = (path.to_owned(), String::new());
            let here = self.absences.range(first..).take_while(|(found, _)| found == path);
            here.into_iter().any(|(_, name)| expected.contains(name.as_str()))
        };
        around.iter().any(|path| self.contents.contains(*path) || missing(path))
    }
}

/// The path of the parent of an element or attribute.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}
