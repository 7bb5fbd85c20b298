//! The End User Statistics Report (EUSR): how many different end users sent and received, on the
//! whole and by dataset and country. Users are counted, not documents: one that sends and receives
//! is one, and one with two datasets counts once on the whole and once in each.

use std::collections::{BTreeMap, BTreeSet};

use super::{Dataset, ExchangeDirection, ReportScope, StatisticsWriter};

const ROOT: &str = "EndUserStatisticsReport";
const NAMESPACE: &str = "urn:fdc:peppol:end-user-statistics-report:1.1";
const CUSTOMIZATION: &str = "urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1";

/// An end user that exchanged at least one document of a dataset in the month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndUserLine {
    /// The end user: one key, however many participant identifiers it has.
    pub user: String,
    /// Its country, ISO 3166-1 alpha-2; `EL`, `XK` and `1A` are allowed as well, `ZZ` is not.
    pub country: String,
    /// Which way the document went.
    pub way: ExchangeDirection,
    /// What it is.
    pub dataset: Dataset,
}

/// Those who sent and those who received.
#[derive(Default)]
struct Users<'l> {
    sending: BTreeSet<&'l str>,
    receiving: BTreeSet<&'l str>,
}

impl<'l> Users<'l> {
    fn add(&mut self, line: &'l EndUserLine) {
        match line.way {
            ExchangeDirection::Outgoing => self.sending.insert(&line.user),
            ExchangeDirection::Incoming => self.receiving.insert(&line.user),
        };
    }

    fn counts(&self) -> [(&'static str, u64); 3] {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        [
            ("SendingEndUsers", count(self.sending.len())),
            ("ReceivingEndUsers", count(self.receiving.len())),
            ("SendingOrReceivingEndUsers", count(self.sending.union(&self.receiving).count())),
        ]
    }
}

/// The document type of a dataset without its process.
type DatasetDocument<'l> = (&'l str, &'l str);

/// The report. A month without lines is a report of noughts.
pub fn end_user_statistics(covered: &ReportScope, lines: &[EndUserLine]) -> String {
    let mut all = Users::default();
    let mut by_dataset: BTreeMap<&Dataset, Users<'_>> = BTreeMap::new();
    let mut by_both: BTreeMap<(&Dataset, &str), Users<'_>> = BTreeMap::new();
    let mut by_document: BTreeMap<(DatasetDocument<'_>, &str), Users<'_>> = BTreeMap::new();
    let mut by_country: BTreeMap<&str, Users<'_>> = BTreeMap::new();
    for line in lines {
        let (dataset, country) = (&line.dataset, line.country.as_str());
        let document = (dataset.document_scheme.as_str(), dataset.document_type.as_str());
        all.add(line);
        by_dataset.entry(dataset).or_default().add(line);
        by_both.entry((dataset, country)).or_default().add(line);
        by_document.entry((document, country)).or_default().add(line);
        by_country.entry(country).or_default().add(line);
    }
    let mut page = StatisticsWriter::new((NAMESPACE, ROOT), CUSTOMIZATION, covered);
    page.counts("FullSet", None, &all.counts());
    let of = |country| ("CC", "EndUserCountry", country);
    for (dataset, users) in by_dataset {
        page.counts("Subset", Some(("PerDT-PR", &dataset.keys())), &users.counts());
    }
    for ((dataset, country), users) in by_both {
        let [document, process] = dataset.keys();
        let keys = [document, process, of(country)];
        page.counts("Subset", Some(("PerDT-PR-EUC", &keys)), &users.counts());
    }
    for (((scheme, document), country), users) in by_document {
        let keys = [("DT", scheme, document), of(country)];
        page.counts("Subset", Some(("PerDT-EUC", &keys)), &users.counts());
    }
    for (country, users) in by_country {
        page.counts("Subset", Some(("PerEUC", &[of(country)])), &users.counts());
    }
    page.finish(ROOT)
}
