//! The two statistics reports of a provider, built from what was exchanged in a month: nothing is
//! read from a clock or a store here, and the same lines give the same bytes.
//!
//! Sources: Peppol reporting specifications TSR 1.0 (rules SCH-TSR-01 to 43) and EUSR 1.1
//! (SCH-EUSR-01 to 47); peppol-network digest 7.2 to 7.4.

mod end_users;
mod formats;
mod transactions;

use jiff::civil::Date;
use quoin_xml::write::{escape_attribute, escape_text};

use quoin_model::text::allowed;

pub use end_users::{EndUserLine, end_user_statistics};
pub(crate) use formats::SYNTAX;
pub use transactions::{TransactionLine, transaction_statistics};

const PROFILE: &str = "urn:fdc:peppol.eu:edec:bis:reporting:1.0";
/// How providers are named in reports: the common name of the certificate's subject.
const COMMON_NAME: &str = "CertSubjectCN";
/// The country that a report gives where the envelope had none (TSR 1.0; not allowed in an EUSR).
pub const UNKNOWN_COUNTRY: &str = "ZZ";

/// Which way a document went, seen from the provider that reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeDirection {
    /// From another provider to us.
    Incoming,
    /// From us to another provider.
    Outgoing,
}

/// What a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportScope {
    /// The first day of the month.
    pub first: Date,
    /// The last day of the month.
    pub last: Date,
    /// The seat id of the provider that reports, `POP000001`.
    pub reporter: String,
}

/// What was exchanged: a document type in a process.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dataset {
    /// The scheme of the document type: `busdox-docid-qns` or `peppol-doctype-wildcard`.
    pub document_scheme: String,
    /// The document type without its scheme.
    pub document_type: String,
    /// The scheme of the process: `cenbii-procid-ubl`.
    pub process_scheme: String,
    /// The process without its scheme.
    pub process: String,
}

impl Dataset {
    fn keys(&self) -> [SubsetKey<'_>; 2] {
        [
            ("DT", &self.document_scheme, &self.document_type),
            ("PR", &self.process_scheme, &self.process),
        ]
    }
}

/// A key of a subset: meta scheme, scheme, value.
type SubsetKey<'k> = (&'static str, &'k str, &'k str);

/// XML in the making: elements of one namespace without a prefix.
struct StatisticsWriter {
    out: String,
}

impl StatisticsWriter {
    /// The document element with its identifiers and the header.
    fn new(
        (namespace, root): (&str, &str),
        customization: &str,
        covered: &ReportScope,
    ) -> StatisticsWriter {
        let mut page =
            StatisticsWriter { out: String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") };
        page.out.push_str(&format!("<{root} xmlns=\"{namespace}\">\n"));
        page.value(1, "CustomizationID", &[], customization);
        page.value(1, "ProfileID", &[], PROFILE);
        page.out.push_str("  <Header>\n    <ReportPeriod>\n");
        page.value(3, "StartDate", &[], &covered.first.to_string());
        page.value(3, "EndDate", &[], &covered.last.to_string());
        page.out.push_str("    </ReportPeriod>\n");
        page.value(2, "ReporterID", &[("schemeID", COMMON_NAME)], &covered.reporter);
        page.out.push_str("  </Header>\n");
        page
    }

    fn value(&mut self, depth: usize, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.out.extend(std::iter::repeat_n("  ", depth));
        self.out.push_str(&format!("<{name}"));
        for (attribute, value) in attributes {
            self.out.push_str(&format!(" {attribute}=\""));
            escape_attribute(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        escape_text(&allowed(text), &mut self.out);
        self.out.push_str(&format!("</{name}>\n"));
    }

    /// A group of counts, with the type and the keys of a subset.
    fn counts(
        &mut self,
        name: &str,
        subset: Option<(&str, &[SubsetKey<'_>])>,
        counts: &[(&str, u64)],
    ) {
        let kind = subset.map(|(kind, _)| format!(" type=\"{kind}\"")).unwrap_or_default();
        self.out.push_str(&format!("  <{name}{kind}>\n"));
        for (meta, scheme, value) in subset.map(|(_, keys)| keys).unwrap_or_default() {
            self.value(2, "Key", &[("metaSchemeID", meta), ("schemeID", scheme)], value);
        }
        for (name, count) in counts {
            self.value(2, name, &[], &count.to_string());
        }
        self.out.push_str(&format!("  </{name}>\n"));
    }

    fn finish(mut self, root: &str) -> String {
        self.out.push_str(&format!("</{root}>\n"));
        self.out
    }
}
