//! Which official files the tables are made from, and how their namespaces are abbreviated.

use super::cen;
use super::tax_data::{Amendments, TAX_DATA};

/// A rule file of a release.
#[derive(Debug, Clone)]
pub struct Source {
    /// The rule set.
    pub id: String,
    pub release: String,
    /// Below the folder of the corpora.
    pub path: String,
    /// The code data base that its `document()` calls read; empty where it has none.
    pub code_data_base: String,
    /// A rule set read before, whose patterns are not repeated in this one.
    pub without: &'static str,
    /// What is changed in the file before it is read.
    pub amended: Amendments,
}

/// Folders of published list files below the corpora, each with its release.
pub const LIST_FOLDERS: &[(&str, &str)] = &[
    ("peppol-bis3-2025-q2", "peppol-bis-billing/github-2025-Q2/structure/codelist"),
    ("peppol-poacc-2025-q2", "peppol-poacc/github-2025-Q2/structure/codelist"),
    ("peppol-logistics-1.2", "logistics/logistics-bis/structure/codelist"),
    ("peppol-mls-1.1.0", "mls-mlr/mls-resources-1.1.0/trn-mls/codelist"),
    ("pint-1.1.3", "pint/pint-base/trn-creditnote/codelist"),
    ("pint-1.1.3", "pint/pint-base/trn-invoice/codelist"),
    ("pint-eu-1.1.1", "pint/pint-eu/trn-creditnote/codelist"),
    ("pint-aunz-1.1.3", "pint/pint-aunz/trn-creditnote/codelist"),
    ("pint-aunz-sb-1.1.3", "pint/pint-aunz-sb/trn-creditnote/codelist"),
    ("pint-aunz-sb-1.1.3", "pint/pint-aunz-sb/trn-invoice/codelist"),
    ("pint-ae-1.0.4", "pint/pint-ae/trn-creditnote/codelist"),
    ("pint-ae-1.0.4", "pint/pint-ae/trn-invoice/codelist"),
    ("pint-ae-sb-1.0.4", "pint/pint-ae-sb/trn-creditnote/codelist"),
    ("pint-ae-sb-1.0.4", "pint/pint-ae-sb/trn-invoice/codelist"),
    ("pint-jp-1.1.3", "pint/pint-jp/trn-invoice/codelist"),
    ("pint-jp-ntr-1.1.3", "pint/pint-jp-ntr/trn-invoice/codelist"),
    ("pint-my-1.3.1", "pint/pint-my/trn-creditnote/codelist"),
    ("pint-my-sb-1.3.1", "pint/pint-my-sb/trn-creditnote/codelist"),
    ("pint-sg-1.4.1", "pint/pint-sg/trn-creditnote/codelist"),
    ("pint-om-1.0.1", "pint/pint-om/trn-creditnote/codelist"),
    ("peppol-tdd-ae-1.0.4", "tax-data-tdd/ae-1.0.4/trn-tdd/codelist"),
    ("peppol-tdd-om-1.0.1", "tax-data-tdd/om-1.0.1/trn-tdd/codelist"),
];

/// Rule sets of one file each: set, release, file.
const SINGLE: &[(&str, &str, &str)] = &[
    (
        "en16931-ubl",
        "1.3.16",
        "en16931/eInvoicing-EN16931/ubl/schematron/preprocessed/\
         EN16931-UBL-validation-preprocessed.sch",
    ),
    (
        "en16931-ubl",
        "1.3.15",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2025.11/CEN-EN16931-UBL.sch",
    ),
    (
        "en16931-ubl",
        "1.3.13",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.3/CEN-EN16931-UBL.sch",
    ),
    (
        "en16931-cii",
        "1.3.16",
        "en16931/eInvoicing-EN16931/cii/schematron/preprocessed/\
         EN16931-CII-validation-preprocessed.sch",
    ),
    // Made from the file of 1.3.14.1.
    ("en16931-cii", "1.3.15", cen::CII_1_3_14_1),
    ("en16931-cii", "1.3.14.1", cen::CII_1_3_14_1),
    (
        "peppol-bis3-ubl",
        "2025-11",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2025.11/PEPPOL-EN16931-UBL.sch",
    ),
    (
        "peppol-bis3-ubl",
        "2026-05",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.5/PEPPOL-EN16931-UBL.sch",
    ),
    (
        "peppol-bis3-selfbilling",
        "2026-03",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.3/PEPPOL-EN16931-UBL-SB.sch",
    ),
    (
        "peppol-bis3-selfbilling",
        "2026-05",
        "peppol-bis-billing/phive-rules/rule-source/openpeppol/2026.5/PEPPOL-EN16931-UBL-SB.sch",
    ),
    (
        "peppol-bis3-cii",
        "2025-05",
        "peppol-bis-billing/github-2025-Q2/rules/sch/PEPPOL-EN16931-CII.sch",
    ),
    (
        "xrechnung-ubl",
        "3.0.2-2.5.0",
        "xrechnung/phive-rules/rule-source/3.0.2/ubl/XRechnung-UBL-validation.sch",
    ),
    (
        "xrechnung-cii",
        "3.0.2-2.5.0",
        "xrechnung/phive-rules/rule-source/3.0.2/cii/XRechnung-CII-validation.sch",
    ),
    ("peppol-mls", "1.0.1", "mls-mlr/peppol-mls/schematron/peppol-mls-1.0.1.sch"),
    (
        "peppol-eusr",
        "1.1.5",
        "reporting-tsr-eusr/phive-rules/rule-source/reporting/eusr/1.1.5/\
         peppol-end-user-statistics-reporting-1.1.5.sch",
    ),
    (
        "peppol-tsr",
        "1.0.5",
        "reporting-tsr-eusr/phive-rules/rule-source/reporting/tsr/1.0.5/\
         peppol-transaction-statistics-reporting-1.0.5.sch",
    ),
];

const NLCIUS: &[(&str, &str, &str, &str)] = &[
    (
        "nlcius-ubl",
        "1.0.3.13",
        "nlcius-si-ubl/phive-rules/rule-source/simplerinvoicing/2.0.3.13/si-ubl-2.0.3.13.sch",
        "en16931-ubl",
    ),
    (
        "nlcius-cii",
        "1.0.3.13",
        "nlcius-si-ubl/phive-rules/rule-source/nlcius/1.0.3.13/nlcius-cii-1.0.3.13.sch",
        "en16931-cii",
    ),
    // The extension changes rules of EN 16931, so its set is the whole of both.
    (
        "nlcius-gaccount",
        "1.0.2.13",
        "nlcius-si-ubl/phive-rules/rule-source/simplerinvoicing/2.0.3.13/\
         si-ubl-2.0-ext-gaccount-1.0.13.sch",
        "",
    ),
];

/// The transactions after the award, in two releases.
const POST_AWARD: &[&str] =
    &["t01", "t110", "t111", "t114", "t115", "t116", "t16", "t19", "t58", "t71", "t76", "t77"];

const LOGISTICS: &[&str] =
    &["t120", "t122", "t123", "t124", "t125", "t126", "t127", "t128", "t129"];

/// PINT: the rules for everybody as each jurisdiction publishes them, and those of its own.
const PINT: &[(&str, &str, &str)] = &[
    ("pint", "1.1.3", "pint-base/trn-creditnote/schematron/PINT-UBL-validation-preprocessed"),
    (
        "pint-ae-shared",
        "1.0.4",
        "pint-ae/trn-creditnote/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-ae-sb-shared",
        "1.0.4",
        "pint-ae-sb/trn-creditnote/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-aunz-sb-shared",
        "1.1.3",
        "pint-aunz-sb/trn-creditnote/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-jp-ntr-shared",
        "1.1.3",
        "pint-jp-ntr/trn-invoice/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-jp-sb-shared",
        "1.1.3",
        "pint-jp-sb/trn-invoice/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-my-sb-shared",
        "1.3.1",
        "pint-my-sb/trn-creditnote/schematron/PINT-UBL-validation-preprocessed",
    ),
    (
        "pint-om-sb-shared",
        "1.0.1",
        "pint-om-sb/trn-creditnote/schematron/PINT-UBL-validation-preprocessed",
    ),
    ("pint-eu-en16931", "1.1.1", "pint-eu/trn-creditnote/schematron/PINT-EN16931-aligned-rules"),
    ("pint-eu", "1.1.1", "pint-eu/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-aunz", "1.1.3", "pint-aunz/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    (
        "pint-aunz-sb",
        "1.1.3",
        "pint-aunz-sb/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules",
    ),
    ("pint-ae", "1.0.4", "pint-ae/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-jp", "1.1.3", "pint-jp/trn-invoice/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-jp-ntr", "1.1.3", "pint-jp-ntr/trn-invoice/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-jp-sb", "1.1.3", "pint-jp-sb/trn-invoice/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-my", "1.3.1", "pint-my/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-my-sb", "1.3.1", "pint-my-sb/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-sg", "1.4.1", "pint-sg/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-om", "1.0.1", "pint-om/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
    ("pint-om-sb", "1.0.1", "pint-om-sb/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules"),
];

const FACTUR_X: &[(&str, &str)] = &[
    ("factur-x-minimum", "MINIMUM"),
    ("factur-x-basic-wl", "BASIC-WL"),
    ("factur-x-basic", "BASIC"),
    ("factur-x-en16931", "EN16931"),
    ("factur-x-extended", "EXTENDED"),
];

/// Every source, in the order that decides which release first has a list or a pattern.
pub fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    let mut add = |id: &str, release: &str, path: String, amended: Amendments| {
        let (id, release, code_data_base) = (id.to_owned(), release.to_owned(), String::new());
        found.push(Source { id, release, path, code_data_base, without: "", amended });
    };
    for (id, release, path) in SINGLE {
        add(id, release, (*path).to_owned(), cen::amended(id, release));
    }
    for transaction in POST_AWARD {
        for (release, folder) in [("2025-11", "2025.11"), ("2026-05", "2026.5")] {
            let file = format!("PEPPOLBIS-{}.sch", transaction.to_uppercase());
            let folder = format!("peppol-poacc/phive-rules/rule-source/openpeppol/{folder}");
            add(&format!("peppol-{transaction}"), release, format!("{folder}/{file}"), &[]);
        }
    }
    for transaction in LOGISTICS {
        let file = format!("PEPPOLBIS-{}.sch", transaction.to_uppercase());
        let path = format!("logistics/logistics-bis/target/schematron/{file}");
        add(&format!("peppol-{transaction}"), "1.2", path, &[]);
    }
    for (id, release, path) in PINT {
        add(id, release, format!("pint/{path}.sch"), &[]);
    }
    for (id, release, path, without) in NLCIUS {
        let (id, release, path) = ((*id).to_owned(), (*release).to_owned(), (*path).to_owned());
        let code_data_base = String::new();
        found.push(Source { id, release, path, code_data_base, without, amended: &[] });
    }
    for (id, profile) in FACTUR_X {
        let folder = "facturx-zugferd/phive-rules";
        found.push(Source {
            id: (*id).to_owned(),
            release: "1.09.2".to_owned(),
            path: format!("{folder}/rule-source/2.5.2/FACTUR-X_{profile}.sch"),
            code_data_base: format!("{folder}/schematron/2.5.2/FACTUR-X_{profile}_codedb.xml"),
            without: "",
            amended: &[],
        });
    }
    for (id, release, path, amended) in TAX_DATA {
        let (id, release, path) = ((*id).to_owned(), (*release).to_owned(), (*path).to_owned());
        let code_data_base = String::new();
        found.push(Source { id, release, path, code_data_base, without: "", amended });
    }
    found
}

/// Our prefix of a namespace: the usual one, or the name of the UBL document in lower case.
/// `None` where it has none.
pub fn prefix(namespace: &str) -> Option<String> {
    if let Some((prefix, _)) = PREFIXES.iter().find(|(_, known)| *known == namespace) {
        return Some((*prefix).to_owned());
    }
    let document = namespace.strip_prefix(UBL)?.strip_suffix("-2")?;
    DOCUMENTS.contains(&document).then(|| document.to_lowercase())
}

/// Every prefix with its namespace.
pub fn namespaces() -> Vec<(String, String)> {
    let usual = PREFIXES.iter().map(|(prefix, namespace)| ((*prefix).into(), (*namespace).into()));
    let documents = DOCUMENTS.iter().map(|name| (name.to_lowercase(), format!("{UBL}{name}-2")));
    usual.chain(documents).collect()
}

const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// The UBL documents whose rules are read, to spell their namespaces again.
const DOCUMENTS: &[&str] = &[
    "ApplicationResponse",
    "Catalogue",
    "CreditNote",
    "DespatchAdvice",
    "Invoice",
    "Order",
    "OrderCancellation",
    "OrderChange",
    "OrderResponse",
    "ReceiptAdvice",
    "TransportExecutionPlan",
    "TransportExecutionPlanRequest",
    "TransportationStatus",
    "TransportationStatusRequest",
    "Waybill",
    "WeightStatement",
];

const PREFIXES: &[(&str, &str)] = &[
    ("cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
    ("cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
    ("ext", "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"),
    ("rsm", "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"),
    ("ram", "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"),
    ("qdt", "urn:un:unece:uncefact:data:standard:QualifiedDataType:100"),
    ("udt", "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"),
    ("eusr", "urn:fdc:peppol:end-user-statistics-report:1.1"),
    ("tsr", "urn:fdc:peppol:transaction-statistics-report:1.0"),
    ("taxae", "urn:peppol:schema:taxdata:1.0"),
    ("taxom", "urn:peppol:schema:om-taxdata:1.0"),
    ("taxsk", "urn:peppol:schema:sk-taxdata:1.0"),
    ("taxvida", "urn:peppol:schema:vida-taxdata:1.0"),
];
