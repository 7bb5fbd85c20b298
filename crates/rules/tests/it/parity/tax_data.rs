//! Tax data documents against their official files.

use super::Parity;

const TDD: &str = "tax-data-tdd";

#[test]
fn united_arab_emirates() {
    let official = format!("{TDD}/ae-1.0.4/trn-tdd/schematron/peppol-ae-tdd.sch");
    let Some(mut parity) = Parity::new("org.peppol.taxdata:ae:1.0.4", &official) else { return };
    let documents = parity.folder(&format!("{TDD}/ae-1.0.4/trn-tdd/example"));
    parity.mutants(&documents, 400);
    parity.settle(200, 0);
}

#[test]
fn oman() {
    let official = format!("{TDD}/om-1.0.1/trn-tdd/schematron/peppol-om-tdd.sch");
    let Some(mut parity) = Parity::new("org.peppol.taxdata:om:1.0.1", &official) else { return };
    let documents = parity.folder(&format!("{TDD}/om-1.0.1/trn-tdd/example"));
    parity.mutants(&documents, 400);
    parity.settle(200, 0);
}

#[test]
fn slovakia() {
    let official =
        format!("{TDD}/phive-rules/rule-source/tdd/sk/1.0.0/Peppol-Slovak Republic-TDD.sch");
    let Some(mut parity) = Parity::new("org.peppol.taxdata:sk:1.0.0", &official) else { return };
    let documents = parity.folder(&format!("{TDD}/phive-rules/test-files/tdd/sk/1.0.0"));
    parity.mutants(&documents, 400);
    parity.settle(200, 0);
}

/// The file of 1.0: what our set asks more of is asked of documents of 1.1 only.
#[test]
fn vida_pilot() {
    let official = format!("{TDD}/phive-rules/rule-source/tdd/vida/1.0.0/Peppol-ViDA-TDD.sch");
    let Some(mut parity) = Parity::new("org.peppol.taxdata:vida:1.1.0", &official) else { return };
    let documents = parity.folder(&format!("{TDD}/phive-rules/test-files/tdd/vida/1.0.0"));
    parity.mutants(&documents, 400);
    parity.settle(200, 0);
}
