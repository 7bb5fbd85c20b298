//! Message Level Statuses and statistics reports that the service writes, judged by our own rules
//! and, where they are at hand, by the official schemas and rules.

#![expect(clippy::disallowed_methods, reason = "a test reads official files")]

use std::path::PathBuf;

use jiff::civil::{date, datetime};
use quoin_formats::statistics::{
    Dataset, EndUserLine, ExchangeDirection, ReportScope, TransactionLine, end_user_statistics,
    transaction_statistics,
};
use quoin_formats::ubl::write::{MessageLevelStatus, StatusIssue, message_level_status};
use quoin_formats::{read, structure_tables};
use quoin_model::ElectronicAddress;
use quoin_rules::validate;
use quoin_testing::shared;
use quoin_xml::schematron::{
    FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};
use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd;

const REPORTING: &str = "network-data/reporting";

struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(path)).map_err(|_| ResolveError::Missing)
    }
}

/// An official set of rules.
fn official(folder: &str, name: &str) -> Option<SchematronSchema> {
    let folder = Folder(shared(folder)?);
    Some(SchematronSchema::load(&folder, name, &PhaseChoice::default()).unwrap())
}

/// An official schema of one file.
fn schema(path: &str) -> Option<xsd::Schema> {
    let bytes = std::fs::read(shared(path)?).unwrap();
    let mut files = xsd::SchemaFiles::new();
    files.add("report.xsd", bytes);
    Some(xsd::Schema::load(&["report.xsd"], &files).unwrap())
}

/// What is written has its structure and keeps every rule, ours and theirs.
#[track_caller]
fn conforms(text: &str, profile: &str, rules: &[SchematronSchema], schema: Option<&xsd::Schema>) {
    let parsed = read(text.as_bytes());
    assert_eq!(parsed.detection().profile.as_deref(), Some(profile));
    let report = validate(&parsed, date(2026, 11, 21));
    assert!(report.findings.is_empty() && !report.rule_sets.is_empty(), "{report:?}\n{text}");
    let tree = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let root = tree.root();
    let own = structure_tables::for_document(root.namespace(), root.local(), None).unwrap();
    for schema in [Some(own), schema].into_iter().flatten() {
        let violations = schema.validate(root).violations;
        assert!(violations.is_empty(), "{violations:?}\n{text}");
    }
    for rules in rules {
        let outcome = rules.validate(&tree, &RunOptions::default());
        let fired: Vec<_> =
            outcome.fired.iter().map(|one| (&one.check.id, &one.location.path)).collect();
        assert!(outcome.is_complete && fired.is_empty(), "{fired:?}\n{text}");
    }
}

fn provider(value: &str) -> ElectronicAddress {
    ElectronicAddress { scheme: "0242".to_owned(), value: value.to_owned() }
}

#[test]
fn every_status_keeps_the_rules() {
    let rules: Vec<SchematronSchema> =
        official("network-data/mls", "peppol-mls-1.0.1.sch").into_iter().collect();
    let issue = |reason, place: &str| StatusIssue {
        place: place.to_owned(),
        text: "[BR-CO-15] the total is <wrong> & late\u{1}".to_owned(),
        reason,
    };
    let cases = [
        ("AP", vec![]),
        ("AP", vec![issue("BW", "/Invoice[1]/cbc:Note[1]")]),
        ("AB", vec![]),
        ("RE", vec![issue("SV", "NA")]),
        ("RE", vec![issue("BV", "/Invoice[1]"), issue("BW", "NA")]),
        ("RE", vec![issue("FD", "NA")]),
    ];
    for receiver in ["000999", "000999-TEST", "000999-TEST.A-b~c"] {
        for (code, issues) in cases.clone() {
            let status = MessageLevelStatus {
                id: "0198c1d2-0000-7000-8000-000000000001".to_owned(),
                issued: datetime(2026, 11, 21, 0, 0, 5, 987_654_321),
                sender: provider("000001"),
                receiver: provider(receiver),
                code,
                description: "What happened to the document.".to_owned(),
                envelope: "b0a7c8de-0000-4000-8000-00000000000a".to_owned(),
                issues,
            };
            let text = message_level_status(&status);
            assert!(text.contains(">00:00:05Z<"), "{text}");
            conforms(&text, "peppol-mls", &rules, None);
            let routing = read(text.as_bytes()).routing().unwrap();
            assert_eq!(routing.receiver.endpoint, Some(provider(receiver)));
            let answers = routing.answers.unwrap();
            assert_eq!(
                (&answers.numbers[..], answers.status.as_deref()),
                (&[status.envelope.clone()][..], Some(code))
            );
        }
    }
}

fn covered() -> ReportScope {
    let reporter = "POP000001".to_owned();
    ReportScope { first: date(2026, 10, 1), last: date(2026, 10, 31), reporter }
}

fn dataset(customization: &str, process: &str) -> Dataset {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    let wild = customization.ends_with('*');
    let scheme = if wild { "peppol-doctype-wildcard" } else { "busdox-docid-qns" };
    Dataset {
        document_scheme: scheme.to_owned(),
        document_type: format!("{ubl}:Invoice-2::Invoice##{customization}::2.1"),
        process_scheme: "cenbii-procid-ubl".to_owned(),
        process: process.to_owned(),
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % sides
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let at = self.roll(from.len() as u64) as usize;
        from[at].clone()
    }

    fn way(&mut self) -> ExchangeDirection {
        self.pick(&[ExchangeDirection::Incoming, ExchangeDirection::Outgoing])
    }

    fn dataset(&mut self) -> Dataset {
        let customization =
            self.pick(&["urn:cen.eu:en16931:2017", "urn:peppol:pint:billing-1@x-1*"]);
        dataset(customization, self.pick(&["urn:fdc:p:01", "urn:fdc:p:02"]))
    }

    fn transaction(&mut self) -> TransactionLine {
        let countries = ["NL", "BE", "GR", "EL", "XK", "1A", ""];
        let country = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        TransactionLine {
            way: self.way(),
            transport: "peppol-transport-as4-v2_0".to_owned(),
            provider: self.pick(&["POP000001", "POP000002", "PDE000003"]).to_owned(),
            dataset: self.dataset(),
            sender_country: country(self.pick(&countries)),
            receiver_country: country(self.pick(&countries)),
            count: self.roll(4),
        }
    }

    fn user(&mut self) -> EndUserLine {
        let user = self.roll(6);
        EndUserLine {
            user: format!("party {user}"),
            country: ["NL", "BE", "EL"][user as usize % 3].to_owned(),
            way: self.way(),
            dataset: self.dataset(),
        }
    }
}

fn report_rules(kind: &str, names: [&str; 2]) -> Vec<SchematronSchema> {
    let folder = format!("{REPORTING}/{kind}");
    names.iter().filter_map(|name| official(&folder, name)).collect()
}

#[test]
fn every_transaction_report_keeps_the_rules() {
    let name = "peppol-transaction-statistics-reporting-1.0";
    let rules = report_rules("tsr", [&format!("{name}.4.sch"), &format!("{name}.5.sch")]);
    let schema = schema(&format!("{REPORTING}/tsr/{name}.1.xsd"));
    let mut dice = Dice(7);
    // A month without traffic, months with traffic one way only, and mixed ones.
    for size in [0, 1, 1, 1, 2, 3, 5, 40, 200] {
        let lines: Vec<TransactionLine> = (0..size).map(|_| dice.transaction()).collect();
        for only in [None, Some(ExchangeDirection::Incoming), Some(ExchangeDirection::Outgoing)] {
            let mut lines = lines.clone();
            lines.retain(|line| only.is_none_or(|way| way == line.way));
            let text = transaction_statistics(&covered(), &lines);
            conforms(&text, "peppol-tsr", &rules, schema.as_ref());
            let sum = |way| lines.iter().filter(|l| l.way == way).map(|l| l.count).sum::<u64>();
            let total = format!(
                "<Total>\n    <Incoming>{}</Incoming>\n    <Outgoing>{}</Outgoing>",
                sum(ExchangeDirection::Incoming),
                sum(ExchangeDirection::Outgoing)
            );
            assert!(text.contains(&total), "{total}\n{text}");
            lines.reverse();
            assert_eq!(transaction_statistics(&covered(), &lines), text, "order does not matter");
        }
    }
}

#[test]
fn every_end_user_report_keeps_the_rules() {
    let name = "peppol-end-user-statistics-reporting-1.1";
    let rules = report_rules("eusr", [&format!("{name}.4.sch"), &format!("{name}.5.sch")]);
    let schema = schema(&format!("{REPORTING}/eusr/{name}.xsd"));
    let mut dice = Dice(11);
    for size in [0, 1, 1, 2, 3, 8, 60] {
        let mut lines: Vec<EndUserLine> = (0..size).map(|_| dice.user()).collect();
        let text = end_user_statistics(&covered(), &lines);
        conforms(&text, "peppol-eusr", &rules, schema.as_ref());
        lines.extend(lines.clone());
        assert_eq!(end_user_statistics(&covered(), &lines), text, "users are counted once");
    }
}

/// The numbers of a small month, counted by hand.
#[test]
fn an_end_user_counts_once_wherever_it_appears() {
    let billing = dataset("urn:cen.eu:en16931:2017", "urn:fdc:p:01");
    let line = |user: &str, country: &str, way, process: &str| EndUserLine {
        user: user.to_owned(),
        country: country.to_owned(),
        way,
        dataset: Dataset { process: process.to_owned(), ..billing.clone() },
    };
    let lines = [
        line("a", "NL", ExchangeDirection::Outgoing, "urn:fdc:p:01"),
        line("a", "NL", ExchangeDirection::Outgoing, "urn:fdc:p:02"),
        line("a", "NL", ExchangeDirection::Incoming, "urn:fdc:p:01"),
        line("b", "NL", ExchangeDirection::Incoming, "urn:fdc:p:01"),
        line("c", "BE", ExchangeDirection::Incoming, "urn:fdc:p:02"),
    ];
    let text = end_user_statistics(&covered(), &lines);
    let counts = |after: &str| -> Vec<u64> {
        let part = text.split(after).nth(1).unwrap_or_else(|| panic!("{after}\n{text}"));
        let names = ["SendingEndUsers", "ReceivingEndUsers", "SendingOrReceivingEndUsers"];
        let value = |name: &str| {
            let (_, rest) = part.split_once(&format!("<{name}>")).unwrap();
            rest.split_once('<').unwrap().0.parse().unwrap()
        };
        names.iter().map(|name| value(name)).collect()
    };
    assert_eq!(counts("<FullSet"), [1, 3, 3]);
    let key = "schemeID=\"cenbii-procid-ubl\">urn:fdc:p:0";
    assert_eq!(counts(&format!("{key}1")), [1, 2, 2]);
    assert_eq!(
        counts(
            "type=\"PerEUC\">\n    <Key metaSchemeID=\"CC\" \
        schemeID=\"EndUserCountry\">BE"
        ),
        [0, 1, 1]
    );
    // Two processes of one document type: the user is one of that type.
    assert_eq!(
        counts(
            "type=\"PerDT-EUC\">\n    <Key metaSchemeID=\"DT\" \
        schemeID=\"busdox-docid-qns\">urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
        Invoice##urn:cen.eu:en16931:2017::2.1</Key>\n    <Key metaSchemeID=\"CC\" \
        schemeID=\"EndUserCountry\">NL"
        ),
        [1, 2, 2]
    );
}
