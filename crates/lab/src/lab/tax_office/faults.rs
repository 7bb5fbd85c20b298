//! What is planned for the reports about an invoice.

use std::collections::{BTreeMap, BTreeSet};

/// What the office does to the reports about an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfficeFault {
    /// So many different reports are rejected, each time they come.
    Rejects(usize),
    /// So many messages are kept and not answered.
    Silent(usize),
    /// Each answer is sent twice.
    Twice,
    /// Each report is rejected, and accepted once its provider has that.
    Contradicts,
}

/// What is done to one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlannedAnswer {
    /// Whether it is rejected.
    pub(super) rejects: bool,
    /// How often the answer is sent; 0 for silence.
    pub(super) times: usize,
    /// Whether the opposite is answered, too, once the answer is there.
    pub(super) contradicts: bool,
}

/// The plan, and how much of it was carried out.
#[derive(Debug, Default)]
pub(super) struct OfficePlan {
    faults: BTreeMap<String, OfficeFault>,
    messages: BTreeMap<String, usize>,
    reports: BTreeMap<String, BTreeSet<String>>,
}

impl OfficePlan {
    pub(super) fn plan(&mut self, number: &str, fault: OfficeFault) {
        self.faults.insert(number.to_owned(), fault);
    }

    /// What is done to the next message about an invoice, which carries this report.
    pub(super) fn next(&mut self, number: &str, report: &str) -> PlannedAnswer {
        let well = PlannedAnswer { rejects: false, times: 1, contradicts: false };
        let Some(fault) = self.faults.get(number) else { return well };
        let messages = self.messages.entry(number.to_owned()).or_default();
        *messages += 1;
        match *fault {
            OfficeFault::Twice => PlannedAnswer { times: 2, ..well },
            OfficeFault::Contradicts => PlannedAnswer { rejects: true, contradicts: true, ..well },
            OfficeFault::Silent(count) if *messages <= count => PlannedAnswer { times: 0, ..well },
            OfficeFault::Rejects(count) => {
                let rejected = self.reports.entry(number.to_owned()).or_default();
                let is_new = !rejected.contains(report);
                let rejects = !is_new || rejected.len() < count;
                if rejects {
                    rejected.insert(report.to_owned());
                }
                PlannedAnswer { rejects, ..well }
            }
            OfficeFault::Silent(_) => well,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_ends() {
        let mut plan = OfficePlan::default();
        assert_eq!(
            plan.next("1", "a"),
            PlannedAnswer { rejects: false, times: 1, contradicts: false }
        );
        plan.plan("1", OfficeFault::Silent(2));
        let times: Vec<usize> = (0..4).map(|_| plan.next("1", "a").times).collect();
        assert_eq!(times, [0, 0, 1, 1]);
        plan.plan("2", OfficeFault::Rejects(1));
        let rejects: Vec<bool> =
            ["a", "a", "b"].iter().map(|own| plan.next("2", own).rejects).collect();
        assert_eq!(rejects, [true, true, false]);
    }
}
