//! What a reader left: leaves of no term, leaves that follow from the rest, and those that every
//! writer makes anew.

use std::collections::HashSet;

use quoin_model::text::cut;
use quoin_xml::write::escape_text;

use super::super::loss::{Loss, LossKind};
use super::{LeafKey, LeafLedger, ListedLeaf, leaf_key, reasons};
use crate::reading::{DocumentLeaf, LeafFates, Reading, XSI};

impl<'d> LeafLedger<'d> {
    /// Begins the account of an invoice: its syntax, and what its reader left, each leaf once.
    pub(crate) fn unread(&mut self, reading: &Reading<'d>) {
        self.source = Some(reading.syntax);
        self.left(reading.fates(), reasons::UNREAD);
    }

    /// Lists what a reader left unread, each leaf once, and why.
    pub(crate) fn left(&mut self, fates: LeafFates<'_, 'd>, reason: &'static str) {
        match self.profile.is_none_or(|profile| profile.has_lines) {
            true => fates.derived.iter().for_each(|one| self.follows(one)),
            false => self.following.extend_from_slice(fates.derived),
        }
        for one in fates.regenerated.iter().filter(|one| says_something(one)) {
            self.tally.regenerated += usize::from(self.mark(leaf_key(one)));
        }
        for one in fates.residue {
            self.one_unread(leaf_key(one), one, reason);
        }
    }

    fn follows(&mut self, one: &DocumentLeaf<'d>) {
        self.tally.derived += usize::from(self.mark(leaf_key(one)));
    }

    /// Lists what followed from lines and does not stand in the target, which has none.
    pub(crate) fn without_lines(&mut self, written: &str) {
        let following = std::mem::take(&mut self.following);
        if following.is_empty() {
            return;
        }
        let texts = written.split(['>', '<', '"']).map(str::trim);
        let texts: HashSet<&str> = texts.filter(|text| !text.is_empty()).collect();
        for one in &following {
            let mut text = String::new();
            escape_text(one.text().trim(), &mut text);
            match texts.contains(text.as_str()) {
                true => self.follows(one),
                false => self.one_unread(leaf_key(one), one, reasons::WITHOUT_LINES),
            }
        }
    }

    pub(super) fn one_unread(&mut self, at: LeafKey, one: &DocumentLeaf<'d>, reason: &'static str) {
        if !says_something(one) || !self.mark(at) {
            return;
        }
        // A hint where to find a schema, or which type of it is meant, is no content.
        if one.attribute().is_some_and(|attribute| attribute.namespace == XSI) {
            self.tally.regenerated += 1;
            return;
        }
        self.tally.listed += 1;
        let value = cut(one.text().trim(), Loss::MAX_VALUE).into_owned();
        let (kind, target_path) = (LossKind::Lost, None);
        self.add_row(ListedLeaf { at, kind, term: None, value, target_path, reason });
    }
}

fn says_something(one: &DocumentLeaf<'_>) -> bool {
    !one.text().trim_matches(quoin_model::text::SPACE).is_empty()
}
