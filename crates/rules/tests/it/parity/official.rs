//! Which official file has the rules of which table, and which documents it is for.

use quoin_rules::rules::RuleSet;

/// Folders of official files below the corpora.
const BILLING: &str = "peppol-bis-billing/phive-rules/rule-source/openpeppol";
const AFTER_AWARD: &str = "peppol-poacc/phive-rules/rule-source/openpeppol";
const LOGISTICS: &str = "logistics/logistics-bis/target/schematron";
const DUTCH: &str = "nlcius-si-ubl/phive-rules/rule-source";
const GERMAN: &str = "xrechnung/phive-rules/rule-source/3.0.2";
const FACTUR_X: &str = "facturx-zugferd/phive-rules/rule-source/2.5.2";
const CEN: &str = "en16931/eInvoicing-EN16931";

/// Document elements, as their local names.
const UBL: &[&str] = &["Invoice", "CreditNote"];
const CII: &[&str] = &["CrossIndustryInvoice"];
const RESPONSE: &[&str] = &["ApplicationResponse"];
const TAX_DATA: &[&str] = &["TaxData"];

/// An official file: the table with its rules, its folder and name, the documents it is for.
pub type Official =
    ((&'static str, &'static str), (&'static str, &'static str), &'static [&'static str]);

/// The official files that are not named by a transaction.
#[rustfmt::skip]
const NAMED: &[Official] = &[
    (("en16931-ubl", "1.3.16"), (CEN, "ubl/schematron/preprocessed/EN16931-UBL-validation-preprocessed.sch"), UBL),
    (("en16931-ubl", "1.3.15"), (BILLING, "2025.11/CEN-EN16931-UBL.sch"), UBL),
    (("en16931-ubl", "1.3.13"), (BILLING, "2026.3/CEN-EN16931-UBL.sch"), UBL),
    (("en16931-cii", "1.3.16"), (CEN, "cii/schematron/preprocessed/EN16931-CII-validation-preprocessed.sch"), CII),
    (("en16931-cii", "1.3.14.1"), ("peppol-bis-billing/github-2025-Q2/rules/sch", "CEN-EN16931-CII.sch"), CII),
    (("peppol-bis3-ubl", "2025-11"), (BILLING, "2025.11/PEPPOL-EN16931-UBL.sch"), UBL),
    (("peppol-bis3-ubl", "2026-05"), (BILLING, "2026.5/PEPPOL-EN16931-UBL.sch"), UBL),
    (("peppol-bis3-selfbilling", "2026-03"), (BILLING, "2026.3/PEPPOL-EN16931-UBL-SB.sch"), UBL),
    (("peppol-bis3-selfbilling", "2026-05"), (BILLING, "2026.5/PEPPOL-EN16931-UBL-SB.sch"), UBL),
    (("peppol-bis3-cii", "2025-05"), ("peppol-bis-billing/github-2025-Q2/rules/sch", "PEPPOL-EN16931-CII.sch"), CII),
    (("xrechnung-ubl", "3.0.2-2.5.0"), (GERMAN, "ubl/XRechnung-UBL-validation.sch"), UBL),
    (("xrechnung-cii", "3.0.2-2.5.0"), (GERMAN, "cii/XRechnung-CII-validation.sch"), CII),
    (("nlcius-ubl", "1.0.3.13"), (DUTCH, "simplerinvoicing/2.0.3.13/si-ubl-2.0.3.13.sch"), UBL),
    (("nlcius-cii", "1.0.3.13"), (DUTCH, "nlcius/1.0.3.13/nlcius-cii-1.0.3.13.sch"), CII),
    (("nlcius-gaccount", "1.0.2.13"), (DUTCH, "simplerinvoicing/2.0.3.13/si-ubl-2.0-ext-gaccount-1.0.13.sch"), UBL),
    (("factur-x-minimum", "1.09.2"), (FACTUR_X, "FACTUR-X_MINIMUM.sch"), CII),
    (("factur-x-basic-wl", "1.09.2"), (FACTUR_X, "FACTUR-X_BASIC-WL.sch"), CII),
    (("factur-x-basic", "1.09.2"), (FACTUR_X, "FACTUR-X_BASIC.sch"), CII),
    (("factur-x-en16931", "1.09.2"), (FACTUR_X, "FACTUR-X_EN16931.sch"), CII),
    (("factur-x-extended", "1.09.2"), (FACTUR_X, "FACTUR-X_EXTENDED.sch"), CII),
    (("peppol-mls", "1.0.1"), ("mls-mlr/peppol-mls/schematron", "peppol-mls-1.0.1.sch"), RESPONSE),
    (("peppol-eusr", "1.1.5"), ("reporting-tsr-eusr/phive-rules/rule-source/reporting/eusr/1.1.5", "peppol-end-user-statistics-reporting-1.1.5.sch"), &["EndUserStatisticsReport"]),
    (("peppol-tsr", "1.0.5"), ("reporting-tsr-eusr/phive-rules/rule-source/reporting/tsr/1.0.5", "peppol-transaction-statistics-reporting-1.0.5.sch"), &["TransactionStatisticsReport"]),
    (("tax-data-ae", "1.0.4"), ("tax-data-tdd/ae-1.0.4/trn-tdd/schematron", "peppol-ae-tdd.sch"), TAX_DATA),
    (("tax-data-om", "1.0.1"), ("tax-data-tdd/om-1.0.1/trn-tdd/schematron", "peppol-om-tdd.sch"), TAX_DATA),
    (("tax-data-sk", "1.0.0"), ("tax-data-tdd/phive-rules/rule-source/tdd/sk/1.0.0", "Peppol-Slovak Republic-TDD.sch"), TAX_DATA),
    (("tax-data-vida", "1.1.0"), ("tax-data-tdd/phive-rules/rule-source/tdd/vida/1.0.0", "Peppol-ViDA-TDD.sch"), TAX_DATA),
    (("peppol-t01", ""), (AFTER_AWARD, "PEPPOLBIS-T01.sch"), &["Order"]),
    (("peppol-t16", ""), (AFTER_AWARD, "PEPPOLBIS-T16.sch"), &["DespatchAdvice"]),
    (("peppol-t19", ""), (AFTER_AWARD, "PEPPOLBIS-T19.sch"), &["Catalogue"]),
    (("peppol-t58", ""), (AFTER_AWARD, "PEPPOLBIS-T58.sch"), RESPONSE),
    (("peppol-t71", ""), (AFTER_AWARD, "PEPPOLBIS-T71.sch"), RESPONSE),
    (("peppol-t76", ""), (AFTER_AWARD, "PEPPOLBIS-T76.sch"), &["OrderResponse"]),
    (("peppol-t77", ""), (AFTER_AWARD, "PEPPOLBIS-T77.sch"), &["Catalogue"]),
    (("peppol-t110", ""), (AFTER_AWARD, "PEPPOLBIS-T110.sch"), &["OrderResponse"]),
    (("peppol-t111", ""), (AFTER_AWARD, "PEPPOLBIS-T111.sch"), RESPONSE),
    (("peppol-t114", ""), (AFTER_AWARD, "PEPPOLBIS-T114.sch"), &["OrderChange"]),
    (("peppol-t115", ""), (AFTER_AWARD, "PEPPOLBIS-T115.sch"), &["OrderCancellation"]),
    (("peppol-t116", ""), (AFTER_AWARD, "PEPPOLBIS-T116.sch"), &["OrderResponse"]),
    (("peppol-t120", "1.2"), (LOGISTICS, "PEPPOLBIS-T120.sch"), &["DespatchAdvice"]),
    (("peppol-t122", "1.2"), (LOGISTICS, "PEPPOLBIS-T122.sch"), &["WeightStatement"]),
    (("peppol-t123", "1.2"), (LOGISTICS, "PEPPOLBIS-T123.sch"), &["TransportExecutionPlanRequest"]),
    (("peppol-t124", "1.2"), (LOGISTICS, "PEPPOLBIS-T124.sch"), &["TransportExecutionPlan"]),
    (("peppol-t125", "1.2"), (LOGISTICS, "PEPPOLBIS-T125.sch"), &["Waybill"]),
    (("peppol-t126", "1.2"), (LOGISTICS, "PEPPOLBIS-T126.sch"), &["TransportationStatusRequest"]),
    (("peppol-t127", "1.2"), (LOGISTICS, "PEPPOLBIS-T127.sch"), &["TransportationStatus"]),
    (("peppol-t128", "1.2"), (LOGISTICS, "PEPPOLBIS-T128.sch"), &["ReceiptAdvice"]),
    (("peppol-t129", "1.2"), (LOGISTICS, "PEPPOLBIS-T129.sch"), RESPONSE),
    (("pint", "1.1.3"), ("pint/pint-base/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-ae-shared", "1.0.4"), ("pint/pint-ae/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-ae-sb-shared", "1.0.4"), ("pint/pint-ae-sb/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-aunz-sb-shared", "1.1.3"), ("pint/pint-aunz-sb/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-jp-ntr-shared", "1.1.3"), ("pint/pint-jp-ntr/trn-invoice", "PINT-UBL"), UBL),
    (("pint-jp-sb-shared", "1.1.3"), ("pint/pint-jp-sb/trn-invoice", "PINT-UBL"), UBL),
    (("pint-my-sb-shared", "1.3.1"), ("pint/pint-my-sb/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-om-sb-shared", "1.0.1"), ("pint/pint-om-sb/trn-creditnote", "PINT-UBL"), UBL),
    (("pint-eu-en16931", "1.1.1"), ("pint/pint-eu/trn-creditnote", "PINT-EN16931"), UBL),
    (("pint-eu", "1.1.1"), ("pint/pint-eu/trn-creditnote", "PINT"), UBL),
    (("pint-aunz", "1.1.3"), ("pint/pint-aunz/trn-creditnote", "PINT"), UBL),
    (("pint-aunz-sb", "1.1.3"), ("pint/pint-aunz-sb/trn-creditnote", "PINT"), UBL),
    (("pint-ae", "1.0.4"), ("pint/pint-ae/trn-creditnote", "PINT"), UBL),
    (("pint-jp", "1.1.3"), ("pint/pint-jp/trn-invoice", "PINT"), UBL),
    (("pint-jp-ntr", "1.1.3"), ("pint/pint-jp-ntr/trn-invoice", "PINT"), UBL),
    (("pint-jp-sb", "1.1.3"), ("pint/pint-jp-sb/trn-invoice", "PINT"), UBL),
    (("pint-my", "1.3.1"), ("pint/pint-my/trn-creditnote", "PINT"), UBL),
    (("pint-my-sb", "1.3.1"), ("pint/pint-my-sb/trn-creditnote", "PINT"), UBL),
    (("pint-sg", "1.4.1"), ("pint/pint-sg/trn-creditnote", "PINT"), UBL),
    (("pint-om", "1.0.1"), ("pint/pint-om/trn-creditnote", "PINT"), UBL),
    (("pint-om-sb", "1.0.1"), ("pint/pint-om-sb/trn-creditnote", "PINT"), UBL),
];

/// The official file of a table: its folder below the corpora and its name there, since it may
/// include what is elsewhere in the folder; and the documents it is for.
pub fn of_table(id: &str, release: &str) -> Option<((String, String), &'static [&'static str])> {
    let fits = |own: &&Official| own.0.0 == id && (own.0.1 == release || own.0.1.is_empty());
    let (_, (folder, name), roots) = *NAMED.iter().find(fits)?;
    let name = match name {
        "PINT-UBL" => "schematron/PINT-UBL-validation-preprocessed.sch".to_owned(),
        "PINT-EN16931" => "schematron/PINT-EN16931-aligned-rules.sch".to_owned(),
        "PINT" => "schematron/PINT-jurisdiction-aligned-rules.sch".to_owned(),
        // Two releases in folders of their own: 2025-11 in 2025.11, 2026-05 in 2026.5.
        _ if folder == AFTER_AWARD => {
            format!("{}/{name}", release.replace("-0", ".").replace('-', "."))
        }
        _ => name.to_owned(),
    };
    Some(((folder.to_owned(), name), roots))
}

/// The official files of a set, one for each of its tables; `None` where one is not known, or for
/// the envelope, which has no official file.
pub fn files(set: &RuleSet) -> Option<Vec<(String, String)>> {
    let files = set.tables.iter().map(|(id, release)| Some(of_table(id, release)?.0));
    files.collect::<Option<Vec<_>>>().filter(|files| !files.is_empty())
}

/// The folder of the corpora in which the documents are that come with the rules of a set: the one
/// of its family, of PINT the one of its jurisdiction, self-billing or not; the beginning of it.
pub fn home(set: &RuleSet) -> Option<String> {
    let ((folder, _), _) = set.tables.first().and_then(|(id, release)| of_table(id, release))?;
    let depth = if folder.starts_with("pint/") { 2 } else { 1 };
    let parts: Vec<&str> = folder.split('/').take(depth).collect();
    let home = parts.join("/");
    let home = home.trim_end_matches("-sb").trim_end_matches("-ntr");
    Some(home.to_owned())
}

/// The documents that a set is for, as the local names of their document elements.
pub fn roots(set: &RuleSet) -> &'static [&'static str] {
    let first = set.tables.first().and_then(|(id, release)| of_table(id, release));
    first.map_or(&[], |(_, roots)| roots)
}
