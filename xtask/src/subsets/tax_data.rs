//! The rule files of tax data documents. Of the ViDA pilot 1.1 the file is not at hand: its rules
//! are those of 1.0 with what its notes of release and its text say is changed. Both versions have
//! one namespace and one identifier, so one set judges both: a document with the identifier of its
//! transmission is one of 1.1, which asks for it (ibr-tdd-88) and for more.

/// Texts of a rule file that are replaced, each by another.
pub type Amendments = &'static [(&'static str, &'static str)];

/// Set, release, file below the corpora, what is changed in it.
pub const TAX_DATA: &[(&str, &str, &str, Amendments)] = &[
    ("tax-data-ae", "1.0.4", "tax-data-tdd/ae-1.0.4/trn-tdd/schematron/peppol-ae-tdd.sch", &[]),
    ("tax-data-om", "1.0.1", "tax-data-tdd/om-1.0.1/trn-tdd/schematron/peppol-om-tdd.sch", &[]),
    (
        "tax-data-sk",
        "1.0.0",
        "tax-data-tdd/phive-rules/rule-source/tdd/sk/1.0.0/Peppol-Slovak Republic-TDD.sch",
        &[],
    ),
    (
        "tax-data-vida",
        "1.1.0",
        "tax-data-tdd/phive-rules/rule-source/tdd/vida/1.0.0/Peppol-ViDA-TDD.sch",
        VIDA_1_1,
    ),
];

/// ViDA pilot 1.1.0: the rules ibr-tdd-87 to 93, before or behind a rule of their place.
const VIDA_1_1: Amendments = &[
    (
        "<assert id=\"ibr-tdd-24\"",
        "<assert id=\"ibr-tdd-89\" flag=\"fatal\" test=\"matches(pxs:TransmissionUUID, 'by hand')\"/>\
         <assert id=\"ibr-tdd-24\"",
    ),
    (
        "<assert id=\"ibr-tdd-86\"",
        "<assert id=\"ibr-tdd-87\" flag=\"fatal\" test=\"matches(cbc:UUID, 'by hand')\"/>\
         <assert id=\"ibr-tdd-90\" flag=\"fatal\" test=\"matches(cbc:UUID, 'by hand')\"/>\
         <assert id=\"ibr-tdd-91\" flag=\"fatal\" test=\"matches(cbc:UUID, 'by hand')\"/>\
         <assert id=\"ibr-tdd-93\" flag=\"fatal\" test=\"matches(cbc:UUID, 'by hand')\"/>\
         <assert id=\"ibr-tdd-86\"",
    ),
    (
        "<assert id=\"ibr-tdd-67\"",
        "<assert id=\"ibr-tdd-92\" flag=\"fatal\" test=\"matches(cbc:TaxAmount, 'by hand')\"/>\
         <assert id=\"ibr-tdd-67\"",
    ),
];
