//! A large document is judged on several threads: its structure on one, its first rule set on
//! another, the other sets on a third.
//!
//! The answer does not depend on it: each thread reads the same tree and says what it found in its
//! own order, and the sink takes that over in the order of the sets. The threads end before the
//! function returns, so that the room stays one of values in and values out.

use std::sync::mpsc::sync_channel;

use quoin_xml::tree::Element;

use super::Sink;
use super::builtin::Builtin;
use crate::rules::{Facts, RuleSet};

/// Nodes from which on a document is large. Below, it takes less than a tenth of a second.
const LARGE: usize = 400_000;
/// Broken rules that wait for their turn; a thread that finds more waits itself.
const WAITING: usize = 1_024;

/// Whether a document is judged on several threads.
pub(super) fn is_large(root: Element<'_>) -> bool {
    root.document().node_count() >= LARGE
}

/// Does two things, side by side where that is wished.
pub(super) fn beside<A: Send, B>(
    is_wished: bool,
    aside: impl FnOnce() -> A + Send,
    main: impl FnOnce() -> B,
) -> (A, B) {
    if !is_wished {
        let done = main();
        return (aside(), done);
    }
    std::thread::scope(|scope| {
        let aside = scope.spawn(aside);
        let done = main();
        (aside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), done)
    })
}

impl<'d> Builtin<'_, 'd> {
    /// Runs the sets: one after the other, or of a large document those after the first beside it.
    pub(super) fn run(&self, sets: &[&'static RuleSet], sink: &mut Sink<'d>) {
        match sets.split_first() {
            Some((first, rest)) if !rest.is_empty() && is_large(self.facts.root()) => {
                self.run_beside(first, rest, sink);
            }
            _ => sets.iter().for_each(|set| self.run_set(set, sink)),
        }
    }

    fn run_beside(&self, first: &'static RuleSet, rest: &[&'static RuleSet], sink: &mut Sink<'d>) {
        let (root, on, at) = (self.facts.root(), self.facts.on(), self.facts.moment());
        let outline = self.facts.shared_outline();
        std::thread::scope(|scope| {
            let (found, waiting) = sync_channel(WAITING);
            scope.spawn(move || {
                let facts = Facts::sharing(root, on, outline).at(at);
                for set in rest {
                    // Nobody hears of it where the other thread is gone.
                    set.check(&facts, &mut |hit| found.send((*set, hit)).unwrap_or_default());
                }
            });
            self.run_set(first, sink);
            waiting.into_iter().for_each(|(set, hit)| self.take(set, hit, sink));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::plan::{Options, ValidationPlan};
    use quoin_formats::samples;
    use quoin_model::ValidationStep;

    #[test]
    fn what_is_found_side_by_side_is_what_is_found_in_turn() {
        let wrong = samples::INVOICE
            .replace("<cbc:ID>S</cbc:ID>", "<cbc:ID>E</cbc:ID>")
            .replace("unitCode=\"C62\"", "unitCode=\"ten\"")
            .replace("<cbc:BuyerReference>", "<cbc:Note/><cbc:BuyerReference>");
        let parsed = quoin_formats::read(wrong.as_bytes());
        let day = jiff::civil::date(2026, 6, 1);
        let plan = ValidationPlan::of(parsed.detection(), day, &Options::default());
        let root = parsed.root().unwrap();
        let builtin = Builtin::new(&plan, root);
        let (first, rest) = plan.builtin.split_first().unwrap();
        assert!(!rest.is_empty(), "EN 16931 and Peppol");
        let found = |side_by_side: bool| {
            let mut sink = Sink::default();
            sink.begin(ValidationStep::Rules);
            match side_by_side {
                true => builtin.run_beside(first, rest, &mut sink),
                false => builtin.run(&plan.builtin, &mut sink),
            }
            sink.found(None).findings
        };
        let in_turn = found(false);
        let sets = ["BR-", "PEPPOL-"]
            .map(|start| in_turn.iter().filter(|finding| finding.rule.starts_with(start)).count());
        assert!(sets.iter().all(|count| *count > 0), "{in_turn:#?}");
        assert_eq!(found(true), in_turn);
    }

    #[test]
    fn both_things_are_done_either_way() {
        for is_wished in [true, false] {
            assert_eq!(beside(is_wished, || 1, || 2), (1, 2));
        }
    }
}
