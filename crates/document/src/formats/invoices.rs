//! The formats of invoices and of what surrounds them. The first row of a root name that fits is
//! the answer, so exact namespaces stand before the starts of namespaces.

use super::DocumentKind as Kind;
use super::Signature::{Bare, Namespace, Root, RootPrefix, Ubl};
use super::{Format, Path, Syntax, VersionSign, row};

/// Type codes of UNTDID 1001 that CII documents carry for credit notes (EN 16931 code list of
/// BT-3, the codes that UBL writes as `CreditNote`).
const CREDIT_CODES: &[(&str, Kind)] = &[
    ("81", Kind::CreditNote),
    ("83", Kind::CreditNote),
    ("261", Kind::CreditNote),
    ("262", Kind::CreditNote),
    ("296", Kind::CreditNote),
    ("308", Kind::CreditNote),
    ("381", Kind::CreditNote),
    ("396", Kind::CreditNote),
    ("420", Kind::CreditNote),
    ("458", Kind::CreditNote),
    ("502", Kind::CreditNote),
    ("503", Kind::CreditNote),
    ("532", Kind::CreditNote),
];

/// Type codes of UNTDID 1001 for documents that the buyer issues.
const SELF_BILLED_CODES: &[&str] = &["261", "389", "527"];

const CII_TYPE: Path = &["ExchangedDocument", "TypeCode"];
const FATTURA_TYPE: Path =
    &["FatturaElettronicaBody", "DatiGenerali", "DatiGeneraliDocumento", "TipoDocumento"];
/// Document types of FatturaPA, element 2.1.1.1: the credit notes and the debit note.
const FATTURA_TYPES: &[(&str, Kind)] =
    &[("TD04", Kind::CreditNote), ("TD05", Kind::DebitNote), ("TD08", Kind::CreditNote)];
/// Document types of ebInterface that reduce what is owed.
const EB_TYPES: &[(&str, Kind)] =
    &[("CreditMemo", Kind::CreditNote), ("SubsequentCredit", Kind::CreditNote)];
const FATTURE: &str = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/";
const HR_XML: &str = "http://ns.hr-xml.org/2007-04-15";
const SETU: &str = "https://ontology.setu.nl/";
const SALES: &str = "http://www.ketenstandaard.nl/";

pub(super) const ROWS: &[Format] = &[
    row(
        "ubl-invoice",
        Syntax::UblInvoice,
        "UBL 2.1 Invoice",
        Kind::Invoice,
        Root("Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"),
    )
    .validated()
    .self_billed(&[(&["InvoiceTypeCode"], SELF_BILLED_CODES)])
    .version(VersionSign::At(&["UBLVersionID"])),
    row(
        "ubl-credit-note",
        Syntax::UblCreditNote,
        "UBL 2.1 CreditNote",
        Kind::CreditNote,
        Root("CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"),
    )
    .validated()
    .self_billed(&[(&["CreditNoteTypeCode"], SELF_BILLED_CODES)])
    .version(VersionSign::At(&["UBLVersionID"])),
    row("ubl", Syntax::UblOther, "another UBL 2 document", Kind::Other, Ubl)
        .version(VersionSign::At(&["UBLVersionID"])),
    row(
        "ohnl",
        Syntax::Ohnl,
        "UBL-OHNL document of the Dutch government",
        Kind::Other,
        Namespace("urn:digi-inkoop:ubl:"),
    )
    .version(VersionSign::At(&["CustomizationID"])),
    row(
        "oioubl-utility-statement",
        Syntax::UblOther,
        "OIOUBL utility statement",
        Kind::UtilityStatement,
        Namespace("urn:oioubl:names:specification:oioubl:schema:xsd:"),
    ),
    row(
        "cii",
        Syntax::Cii,
        "UN/CEFACT Cross Industry Invoice",
        Kind::Invoice,
        Root(
            "CrossIndustryInvoice",
            "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
        ),
    )
    .validated()
    .kinds(CII_TYPE, CREDIT_CODES)
    .self_billed(&[(CII_TYPE, SELF_BILLED_CODES)]),
    row(
        "cdar",
        Syntax::Cdar,
        "UN/CEFACT Cross Domain Acknowledgement and Response",
        Kind::LifecycleStatus,
        RootPrefix(
            "CrossDomainAcknowledgementAndResponse",
            "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:",
        ),
    ),
    row(
        "zugferd-1",
        Syntax::Zugferd1,
        "ZUGFeRD 1",
        Kind::Invoice,
        Root("CrossIndustryDocument", "urn:ferd:CrossIndustryDocument:invoice:1p0"),
    )
    .version(VersionSign::Is("1.0"))
    .kinds(&["HeaderExchangedDocument", "TypeCode"], CREDIT_CODES),
    row(
        "order-x",
        Syntax::OrderX,
        "Order-X",
        Kind::Order,
        RootPrefix(
            "SCRDMCCBDACIOMessageStructure",
            "urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:",
        ),
    )
    .kinds(CII_TYPE, &[("230", Kind::OrderChange), ("231", Kind::OrderResponse)]),
    row(
        "fatturapa",
        Syntax::FatturaPa,
        "FatturaPA",
        Kind::Invoice,
        RootPrefix("FatturaElettronica", FATTURE),
    )
    .version(VersionSign::At(&["@versione"]))
    .kinds(FATTURA_TYPE, FATTURA_TYPES)
    .self_billed(&[(&["FatturaElettronicaHeader", "SoggettoEmittente"], &["CC"])]),
    row(
        "fatturapa-1.0-1.1",
        Syntax::FatturaPa,
        "FatturaPA 1.0 or 1.1",
        Kind::Invoice,
        RootPrefix("FatturaElettronica", "http://www.fatturapa.gov.it/sdi/fatturapa/"),
    )
    .version(VersionSign::Namespace)
    .kinds(FATTURA_TYPE, FATTURA_TYPES)
    .self_billed(&[(&["FatturaElettronicaHeader", "SoggettoEmittente"], &["CC"])]),
    row(
        "fatturapa-simplified",
        Syntax::FatturaPaSimplified,
        "FatturaPA, simplified invoice",
        Kind::Invoice,
        RootPrefix("FatturaElettronicaSemplificata", FATTURE),
    )
    .version(VersionSign::At(&["@versione"]))
    .kinds(FATTURA_TYPE, FATTURA_TYPES),
    row(
        "ebinterface",
        Syntax::EbInterface,
        "ebInterface",
        Kind::Invoice,
        RootPrefix("Invoice", "http://www.ebinterface.at/schema/"),
    )
    .version(VersionSign::Namespace)
    .kinds(&["@DocumentType"], EB_TYPES)
    .self_billed(&[(&["@DocumentType"], &["SelfBilling"])]),
    row(
        "ebinterface-1.0",
        Syntax::EbInterface,
        "ebInterface 1.0",
        Kind::Invoice,
        Bare("Invoice", "", &["Biller"]),
    )
    .version(VersionSign::Is("1.0")),
    row(
        "svefaktura",
        Syntax::Svefaktura,
        "Svefaktura 1.0",
        Kind::Invoice,
        Root("Invoice", "urn:sfti:documents:BasicInvoice:1:0"),
    )
    .version(VersionSign::Is("1.0"))
    .kinds(&["InvoiceTypeCode"], CREDIT_CODES),
    row(
        "svefaktura-envelope",
        Syntax::SvefakturaEnvelope,
        "Svefaktura 1.0 with attachments",
        Kind::Invoice,
        Root("ObjectEnvelope", "urn:sfti:documents:ObjectEnvelope:1:0"),
    )
    .version(VersionSign::Is("1.0")),
    row(
        "setu-1",
        Syntax::Setu,
        "SETU 1",
        Kind::Invoice,
        Root("Invoice", "http://www.openapplications.org/oagis"),
    ),
    row("setu-1-timecard", Syntax::SetuHrXml, "SETU 1 time card", Kind::TimeCard, {
        Root("TimeCard", HR_XML)
    }),
    row("setu-1-assignment", Syntax::SetuHrXml, "SETU 1 assignment", Kind::Assignment, {
        Root("Assignment", HR_XML)
    }),
    row("setu-1-order", Syntax::SetuHrXml, "SETU 1 staffing order", Kind::StaffingOrder, {
        Root("StaffingOrder", HR_XML)
    }),
    row("setu-1-human", Syntax::SetuHrXml, "SETU 1 human resource", Kind::HumanResource, {
        Root("HumanResource", HR_XML)
    }),
    row(
        "setu-1-hr-xml",
        Syntax::SetuHrXml,
        "SETU HR-XML message",
        Kind::HumanResource,
        Namespace(HR_XML),
    ),
    row("setu-2-timecard", Syntax::SetuV2, "SETU 2 time card", Kind::TimeCard, {
        RootPrefix("Timecard", SETU)
    }),
    row("setu-2-assignment", Syntax::SetuV2, "SETU 2 assignment", Kind::Assignment, {
        RootPrefix("Assignment", SETU)
    }),
    row("setu-2-order", Syntax::SetuV2, "SETU 2 staffing order", Kind::StaffingOrder, {
        RootPrefix("StaffingOrder", SETU)
    }),
    row("setu-2-message", Syntax::SetuV2, "SETU 2 message", Kind::HumanResource, Namespace(SETU)),
    row(
        "dico-insbou004",
        Syntax::Dico,
        "DICO INSBOU004",
        Kind::Invoice,
        RootPrefix("Invoice", "http://www.gs1.nl/factuur/insbou/"),
    )
    .version(VersionSign::Namespace)
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row(
        "dico-insbou004-message",
        Syntax::Dico,
        "DICO INSBOU004 message",
        Kind::Other,
        Namespace("http://www.gs1.nl/"),
    )
    .version(VersionSign::Namespace),
    row(
        "dico-insbou003",
        Syntax::Dico,
        "DICO INSBOU003",
        Kind::Invoice,
        Bare("Invoice", "insbou003", &["InvoiceNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003"))
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row(
        "dico-insbou003-order",
        Syntax::Dico,
        "DICO INSBOU003 order",
        Kind::Order,
        Bare("Order", "insbou003", &["OrderNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row(
        "dico-insbou003-order-response",
        Syntax::Dico,
        "DICO INSBOU003 order response",
        Kind::OrderResponse,
        Bare("OrderResponse", "insbou003", &["OrderResponseNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row(
        "dico-insbou003-despatch-advice",
        Syntax::Dico,
        "DICO INSBOU003 despatch advice",
        Kind::DespatchAdvice,
        Bare("DespatchAdvice", "insbou003", &["MessageNumber", "Buyer", "Supplier"]),
    )
    .version(VersionSign::Is("003")),
    row("dico-sales005-invoice", Syntax::Dico, "DICO SALES005 invoice", Kind::Invoice, {
        RootPrefix("Invoice", SALES)
    })
    .version(VersionSign::Namespace)
    .kinds(&["InvoiceType"], CREDIT_CODES),
    row("dico-sales005-order", Syntax::Dico, "DICO SALES005 order", Kind::Order, {
        RootPrefix("Order", SALES)
    })
    .version(VersionSign::Namespace),
    row("dico-sales005", Syntax::Dico, "DICO SALES005", Kind::MasterData, Namespace(SALES))
        .version(VersionSign::Namespace),
    row(
        "ksef-fa3",
        Syntax::Ksef,
        "KSeF FA(3)",
        Kind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2025/06/25/13775/"),
    )
    .version(VersionSign::Is("FA (3)"))
    .self_billed(KSEF_SELF),
    row(
        "ksef-fa2",
        Syntax::Ksef,
        "KSeF FA(2)",
        Kind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2023/06/29/12648/"),
    )
    .version(VersionSign::Is("FA (2)"))
    .self_billed(KSEF_SELF),
    row(
        "ksef-fa1",
        Syntax::Ksef,
        "KSeF FA(1)",
        Kind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2021/11/29/11089/"),
    )
    .version(VersionSign::Is("FA (1)"))
    .self_billed(KSEF_SELF),
    // The buyer writes it for a farmer with flat-rate tax.
    row(
        "ksef-rr",
        Syntax::Ksef,
        "KSeF FA_RR(1), invoice of a flat-rate farmer",
        Kind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2026/03/06/14189/"),
    )
    .version(VersionSign::Is("FA_RR (1)"))
    .self_billed(&[(&["Naglowek", "KodFormularza"], &["FA_RR"])]),
    row("ksef", Syntax::Ksef, "KSeF FA", Kind::Invoice, {
        RootPrefix("Faktura", "http://crd.gov.pl/wzor/")
    })
    .version(VersionSign::At(&["Naglowek", "KodFormularza", "@kodSystemowy"])),
    row(
        "ksef-upo",
        Syntax::KsefReceipt,
        "KSeF UPO, official receipt",
        Kind::TaxReceipt,
        RootPrefix("Potwierdzenie", "http://upo.schematy.mf.gov.pl/KSeF/"),
    )
    .version(VersionSign::Namespace),
    row("isdoc", Syntax::Isdoc, "ISDOC", Kind::Invoice, {
        Root("Invoice", "http://isdoc.cz/namespace/2013")
    })
    .version(VersionSign::At(&["@version"]))
    .kinds(
        &["DocumentType"],
        &[("2", Kind::CreditNote), ("3", Kind::DebitNote), ("6", Kind::CreditNote)],
    ),
    row("isdoc-5", Syntax::Isdoc, "ISDOC 5", Kind::Invoice, {
        RootPrefix("Invoice", "http://isdoc.cz/namespace/")
    })
    .version(VersionSign::At(&["@version"])),
    row("facturae", Syntax::Facturae, "Facturae", Kind::Invoice, {
        RootPrefix("Facturae", "http://www.facturae.gob.es/formato/Versiones/")
    })
    .version(VersionSign::At(&["FileHeader", "SchemaVersion"]))
    .self_billed(FACTURAE_SELF),
    row("facturae-3.2", Syntax::Facturae, "Facturae 3.2 or older", Kind::Invoice, {
        RootPrefix("Facturae", "http://www.facturae.es/Facturae/")
    })
    .version(VersionSign::At(&["FileHeader", "SchemaVersion"]))
    .self_billed(FACTURAE_SELF),
    row("finvoice", Syntax::Finvoice, "Finvoice", Kind::Invoice, Root("Finvoice", ""))
        .version(VersionSign::At(&["@Version"]))
        .kinds(&["InvoiceDetails", "InvoiceTypeCode"], &[("INV02", Kind::CreditNote)]),
    row("finvoice-namespace", Syntax::Finvoice, "Finvoice", Kind::Invoice, {
        RootPrefix("Finvoice", "http://www.finvoice.fi/")
    })
    .version(VersionSign::At(&["@Version"])),
    row(
        "edifact-xml",
        Syntax::EdifactXml,
        "EDIFACT INVOIC in XML",
        Kind::Invoice,
        Root("M_INVOIC", ""),
    ),
    row(
        "estonian-e-invoice",
        Syntax::EstonianEInvoice,
        "Estonian e-invoice",
        Kind::Invoice,
        Root("E_Invoice", ""),
    )
    .version(VersionSign::At(&["Header", "Version"])),
];

/// `P_17`: the buyer issued it.
const KSEF_SELF: &[(Path, &[&str])] = &[(&["Fa", "Adnotacje", "P_17"], &["1"])];
/// The party that issued the file is the buyer.
const FACTURAE_SELF: &[(Path, &[&str])] = &[(&["FileHeader", "InvoiceIssuerType"], &["RE"])];
