//! Peppol's own messages against their official files.

use super::Parity;

const MLS: &str = "mls-mlr";
const REPORTS: &str = "reporting-tsr-eusr";

#[test]
fn message_level_status() {
    let official = format!("{MLS}/peppol-mls/schematron/peppol-mls-1.0.1.sch");
    let Some(mut parity) = Parity::new("eu.peppol:mls:1.0.1", &official) else { return };
    parity.folder(&format!("{MLS}/peppol-mls/test-files"));
    let documents = parity.folder(&format!("{MLS}/mls-resources-1.1.0/trn-mls/example"));
    parity.mutants(&documents, 200);
    parity.settle(200, 0);
}

#[test]
fn transaction_statistics() {
    let official = format!(
        "{REPORTS}/phive-rules/rule-source/reporting/tsr/1.0.5/\
         peppol-transaction-statistics-reporting-1.0.5.sch"
    );
    let Some(mut parity) = Parity::new("eu.peppol:tsr:1.0.5", &official) else { return };
    parity.folder(&format!("{REPORTS}/edec-reporting/tsr/trn-transaction_statistics/bad-examples"));
    parity.folder(&format!("{REPORTS}/edec-reporting/tsr/trn-transaction_statistics/schematron"));
    let folder = format!("{REPORTS}/edec-reporting/tsr/trn-transaction_statistics/example");
    let mut documents = parity.folder(&folder);
    documents.extend(parity.folder(&format!("{REPORTS}/phive-rules/test-files/reporting/tsr")));
    parity.mutants(&documents, 200);
    parity.settle(200, 0);
}

#[test]
fn end_user_statistics() {
    let official = format!(
        "{REPORTS}/phive-rules/rule-source/reporting/eusr/1.1.5/\
         peppol-end-user-statistics-reporting-1.1.5.sch"
    );
    let Some(mut parity) = Parity::new("eu.peppol:eusr:1.1.5", &official) else { return };
    parity.folder(&format!("{REPORTS}/edec-reporting/eusr/trn-end_user_statistics/bad-examples"));
    let folder = format!("{REPORTS}/edec-reporting/eusr/trn-end_user_statistics/example");
    let mut documents = parity.folder(&folder);
    documents.extend(parity.folder(&format!("{REPORTS}/phive-rules/test-files/reporting/eusr")));
    parity.mutants(&documents, 200);
    parity.settle(200, 0);
}
