//! The Transaction Statistics Report (TSR): how many documents went which way, by transport, by
//! provider and dataset, and by the countries of both ends.

use std::collections::BTreeMap;

use super::{
    COMMON_NAME, Dataset, ExchangeDirection, ReportScope, StatisticsWriter, UNKNOWN_COUNTRY,
};

const ROOT: &str = "TransactionStatisticsReport";
const NAMESPACE: &str = "urn:fdc:peppol:transaction-statistics-report:1.0";
const CUSTOMIZATION: &str = "urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0";

/// Documents of one kind that were exchanged in the month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionLine {
    /// Which way they went.
    pub way: ExchangeDirection,
    /// The transport profile: `peppol-transport-as4-v2_0`.
    pub transport: String,
    /// The seat id of the other provider.
    pub provider: String,
    /// What they are.
    pub dataset: Dataset,
    /// The country of corner 1, where the envelope had one.
    pub sender_country: Option<String>,
    /// The country of corner 4; only known, and only asked for, on the way in.
    pub receiver_country: Option<String>,
    /// How many there are.
    pub count: u64,
}

#[derive(Clone, Copy, Default)]
struct DirectionCounts {
    incoming: u64,
    outgoing: u64,
}

impl DirectionCounts {
    fn add(&mut self, line: &TransactionLine) {
        match line.way {
            ExchangeDirection::Incoming => self.incoming += line.count,
            ExchangeDirection::Outgoing => self.outgoing += line.count,
        }
    }

    fn counts(self) -> [(&'static str, u64); 2] {
        [("Incoming", self.incoming), ("Outgoing", self.outgoing)]
    }
}

/// The report. Lines of the same kind are added up; a month without lines is a report of noughts.
pub fn transaction_statistics(covered: &ReportScope, lines: &[TransactionLine]) -> String {
    let mut total = DirectionCounts::default();
    let mut by_transport: BTreeMap<&str, DirectionCounts> = BTreeMap::new();
    let mut by_provider: BTreeMap<(&str, &Dataset), DirectionCounts> = BTreeMap::new();
    let mut by_country: BTreeMap<(&str, &Dataset, &str, &str), DirectionCounts> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.count > 0) {
        total.add(line);
        by_transport.entry(&line.transport).or_default().add(line);
        by_provider.entry((&line.provider, &line.dataset)).or_default().add(line);
        if line.way == ExchangeDirection::Incoming {
            let from = line.sender_country.as_deref().unwrap_or(UNKNOWN_COUNTRY);
            let to = line.receiver_country.as_deref().unwrap_or(UNKNOWN_COUNTRY);
            by_country.entry((&line.provider, &line.dataset, from, to)).or_default().add(line);
        }
    }
    let mut page = StatisticsWriter::new((NAMESPACE, ROOT), CUSTOMIZATION, covered);
    page.counts("Total", None, &total.counts());
    for (transport, sum) in by_transport {
        let keys = [("TP", "Peppol", transport)];
        page.counts("Subtotal", Some(("PerTP", &keys)), &sum.counts());
    }
    for ((provider, dataset), sum) in by_provider {
        let [document, process] = dataset.keys();
        let keys = [("SP", COMMON_NAME, provider), document, process];
        page.counts("Subtotal", Some(("PerSP-DT-PR", &keys)), &sum.counts());
    }
    for ((provider, dataset, from, to), sum) in by_country {
        let [document, process] = dataset.keys();
        let (from, to) = (("CC", "SenderCountry", from), ("CC", "ReceiverCountry", to));
        let keys = [("SP", COMMON_NAME, provider), document, process, from, to];
        page.counts("Subtotal", Some(("PerSP-DT-PR-CC", &keys)), &sum.counts());
    }
    page.finish(ROOT)
}
