//! Where the VAT categories are mentioned: in lines, in allowances and charges, in the breakdown.

#![expect(clippy::indexing_slicing, reason = "an array has a place for each variant")]

use quoin_xml::tree::{Element, NodeId};

use super::parties::is_vat;
use crate::rules::en16931::category::{COUNT, Category};
use crate::rules::values::{CAC, cac, cbc, normalized, one, some_boolean, string};
use crate::rules::{Facts, Unreadable, values};

/// Elements that mention a category.
#[derive(Debug, Clone, Copy)]
pub(super) enum MentionPlace {
    /// `//cac:ClassifiedTaxCategory`.
    Lines,
    /// `//cac:AllowanceCharge[cbc:ChargeIndicator=false()]/cac:TaxCategory`.
    Allowances,
    /// `//cac:AllowanceCharge[cbc:ChargeIndicator=true()]/cac:TaxCategory`.
    Charges,
    /// `/*/cac:AllowanceCharge[cbc:ChargeIndicator=false()]/cac:TaxCategory`.
    DocumentAllowances,
    /// `/*/cac:AllowanceCharge[cbc:ChargeIndicator=true()]/cac:TaxCategory`.
    DocumentCharges,
    /// `//cac:AllowanceCharge/cac:TaxCategory`.
    Adjustments,
    /// `/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory`.
    Breakdown,
}

/// How the code is compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum CodeComparison {
    /// Without the white space around it.
    Code,
    /// So, and the scheme is VAT.
    CodeOfVat,
    /// As written.
    Written,
    /// As written, and the scheme is VAT.
    WrittenOfVat,
}

/// How often, and where first.
#[derive(Debug, Clone, Copy, Default)]
struct MentionCount {
    count: usize,
    first: Option<NodeId>,
}

impl MentionCount {
    fn add(&mut self, id: NodeId) {
        self.count += 1;
        self.first = self.first.or(Some(id));
    }
}

/// The mentions of one place.
#[derive(Debug, Default)]
struct Mention {
    /// By category, and by [`How`].
    met: [[MentionCount; 4]; COUNT],
    /// A category whose scheme cannot be read.
    scheme_error: [Option<NodeId>; COUNT],
    /// A category whose code cannot be read.
    code_error: Option<NodeId>,
    /// What stands above a category cannot be read.
    error: Option<NodeId>,
}

/// The mentions of a document.
pub(super) struct Mentions([Mention; 7]);

impl Mentions {
    pub(super) fn of(facts: &Facts<'_>) -> Mentions {
        let mut all = Mentions(Default::default());
        facts.named(CAC, "ClassifiedTaxCategory").for_each(|one| all.add(MentionPlace::Lines, one));
        // Where no category is to be found, nothing is asked of what stands above one.
        let has_categories = facts.named(CAC, "TaxCategory").next().is_some();
        for group in facts.named(CAC, "AllowanceCharge").filter(|_| has_categories) {
            cac(group, "TaxCategory").for_each(|one| all.add(MentionPlace::Adjustments, one));
            let at_top = group.parent().is_some_and(|up| up.id() == facts.root().id());
            for (wanted, anywhere, top) in [
                (false, MentionPlace::Allowances, MentionPlace::DocumentAllowances),
                (true, MentionPlace::Charges, MentionPlace::DocumentCharges),
            ] {
                let places = [Some(anywhere), at_top.then_some(top)];
                for place in places.into_iter().flatten() {
                    match some_boolean(cbc(group, "ChargeIndicator"), wanted) {
                        Ok(true) => cac(group, "TaxCategory").for_each(|one| all.add(place, one)),
                        Ok(false) => {}
                        Err(_) => {
                            let error = &mut all.0[place as usize].error;
                            *error = error.or(Some(group.id()));
                        }
                    }
                }
            }
        }
        let subtotals = cac(facts.root(), "TaxTotal").flat_map(|own| cac(own, "TaxSubtotal"));
        let categories = subtotals.flat_map(|own| cac(own, "TaxCategory"));
        categories.for_each(|one| all.add(MentionPlace::Breakdown, one));
        all
    }

    fn add(&mut self, place: MentionPlace, category: Element<'_>) {
        let (mention, id) = (&mut self.0[place as usize], category.id());
        let mut written: Vec<_> =
            cbc(category, "ID").filter_map(|code| Category::of_code(&string(code))).collect();
        written.dedup();
        for code in &written {
            mention.met[*code as usize][CodeComparison::Written as usize].add(id);
        }
        let code = match one(cbc(category, "ID")) {
            Ok(code) => code.and_then(|code| Category::of_code(&normalized(code))),
            Err(_) => {
                mention.code_error = mention.code_error.or(Some(id));
                None
            }
        };
        if let Some(code) = code {
            mention.met[code as usize][CodeComparison::Code as usize].add(id);
        }
        let all = || code.iter().chain(&written).copied();
        match is_vat(category) {
            Ok(true) => {
                for (codes, how) in [
                    (code.as_slice(), CodeComparison::CodeOfVat),
                    (&written, CodeComparison::WrittenOfVat),
                ] {
                    codes.iter().for_each(|code| mention.met[*code as usize][how as usize].add(id));
                }
            }
            Ok(false) => {}
            Err(_) => {
                for code in all() {
                    let error = &mut mention.scheme_error[code as usize];
                    *error = error.or(Some(id));
                }
            }
        }
    }

    /// Whether there is one; an error before the first counts.
    pub(super) fn has<'d>(
        &self,
        facts: &Facts<'d>,
        (place, category, how): (MentionPlace, Category, CodeComparison),
    ) -> values::Read<'d, bool> {
        let mention = &self.0[place as usize];
        let first = mention.met[category as usize][how as usize].first;
        let error = mention.error_of(category, how);
        match (first, error) {
            (Some(first), Some(error)) if error.0 < first.0 => Err(Unreadable::at(facts, error)),
            (Some(_), _) => Ok(true),
            (None, Some(error)) => Err(Unreadable::at(facts, error)),
            (None, None) => Ok(false),
        }
    }

    /// How many there are; any error counts.
    pub(super) fn count<'d>(
        &self,
        facts: &Facts<'d>,
        (place, category, how): (MentionPlace, Category, CodeComparison),
    ) -> values::Read<'d, usize> {
        let mention = &self.0[place as usize];
        match mention.error_of(category, how) {
            Some(error) => Err(Unreadable::at(facts, error)),
            None => Ok(mention.met[category as usize][how as usize].count),
        }
    }
}

impl Mention {
    /// The first error that a search for the category meets.
    fn error_of(&self, category: Category, how: CodeComparison) -> Option<NodeId> {
        let scheme = self.scheme_error[category as usize];
        let errors = match how {
            CodeComparison::Code => [self.code_error, None],
            CodeComparison::CodeOfVat => [self.code_error, scheme],
            CodeComparison::Written => [None, None],
            CodeComparison::WrittenOfVat => [None, scheme],
        };
        errors.into_iter().chain([self.error]).flatten().min_by_key(|id| id.0)
    }
}
