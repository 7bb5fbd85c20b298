//! The formats of reports, network documents, containers and files that are not XML.

use super::DocumentKind as Kind;
use super::Signature::{Bytes, Doctype, JsonKeys, JsonSchema, Namespace, Root, RootPrefix};
use super::{Format, Syntax, VersionSign, row};

/// Messages of UN/EDIFACT and of the numbers of ANSI X12, by the name in `UNH` and `ST`.
pub(crate) const MESSAGES: &[(&str, Kind)] = &[
    ("810", Kind::Invoice),
    ("850", Kind::Order),
    ("855", Kind::OrderResponse),
    ("856", Kind::DespatchAdvice),
    ("860", Kind::OrderChange),
    ("861", Kind::ReceiptAdvice),
    ("APERAK", Kind::ApplicationResponse),
    ("CONTRL", Kind::ApplicationResponse),
    ("DESADV", Kind::DespatchAdvice),
    ("INVOIC", Kind::Invoice),
    ("ORDCHG", Kind::OrderChange),
    ("ORDERS", Kind::Order),
    ("ORDRSP", Kind::OrderResponse),
    ("PRICAT", Kind::Catalogue),
    ("RECADV", Kind::ReceiptAdvice),
    ("REMADV", Kind::RemittanceAdvice),
];

pub(super) const ROWS: &[Format] = &[
    row("gs1-xml", Syntax::Gs1Xml, "GS1 XML message", Kind::Other, {
        Namespace("http://www.ean-ucc.org/schemas/")
    }),
    row("gs1-xml-3", Syntax::Gs1Xml, "GS1 XML 3 message", Kind::Other, Namespace("urn:gs1:ecom:")),
    row(
        "iso20022",
        Syntax::Iso20022,
        "ISO 20022 message",
        Kind::Payment,
        RootPrefix("Document", "urn:iso:std:iso:20022:tech:xsd:"),
    ),
    row(
        "payment-handling",
        Syntax::PaymentHandling,
        "Norwegian payment handling",
        Kind::Payment,
        Namespace("urn:fdc:difi.no:2017:payment:extras"),
    ),
    row("digital-post", Syntax::DigitalPost, "Norwegian digital post", Kind::Other, {
        Namespace("urn:fdc:digdir.no:2020:innbyggerpost:xsd")
    }),
    row("ebxml", Syntax::EbXmlRegistry, "ebXML registry message", Kind::Tendering, {
        Namespace("urn:oasis:names:tc:ebxml-regrep:xsd:")
    })
    .version(VersionSign::Namespace),
    row(
        "vcd",
        Syntax::VirtualCompanyDossier,
        "Peppol pilot document, such as a virtual company dossier",
        Kind::Tendering,
        Namespace("urn:www.peppol.eu:schema:xsd:"),
    ),
    row("tax-data", Syntax::TaxData, "Peppol tax data document", Kind::TaxData, {
        RootPrefix("TaxData", "urn:peppol:schema:")
    })
    .version(VersionSign::Namespace),
    row("tax-data-draft", Syntax::TaxData, "Peppol tax data document, draft", Kind::TaxData, {
        RootPrefix("TaxData", "urn:fdc:peppol:tax-data-document:")
    })
    .version(VersionSign::Namespace),
    row(
        "tax-data-status",
        Syntax::TaxData,
        "Peppol tax data status",
        Kind::TaxDataStatus,
        RootPrefix("TaxDataStatus", "urn:fdc:peppol:tax-data-status:"),
    )
    .version(VersionSign::Namespace),
    row(
        "tsr",
        Syntax::TransactionStatistics,
        "Peppol transaction statistics report",
        Kind::TransactionStatistics,
        RootPrefix("TransactionStatisticsReport", "urn:fdc:peppol:transaction-statistics-report"),
    )
    .version(VersionSign::Namespace),
    row(
        "eusr",
        Syntax::EndUserStatistics,
        "Peppol end user statistics report",
        Kind::EndUserStatistics,
        RootPrefix("EndUserStatisticsReport", "urn:fdc:peppol:end-user-statistics-report"),
    )
    .version(VersionSign::Namespace),
    row(
        "eusr-draft",
        Syntax::EndUserStatistics,
        "Peppol end user report, draft",
        Kind::EndUserStatistics,
        RootPrefix("EndUserReport", "urn:fdc:peppol:end-user-reporting"),
    )
    .version(VersionSign::Namespace),
    row(
        "sbdh",
        Syntax::Sbdh,
        "standard business document header without a document",
        Kind::Envelope,
        Namespace(crate::detect::SBDH),
    ),
    row(
        "peppol-binary",
        Syntax::PeppolContent,
        "file in a Peppol envelope",
        Kind::Container,
        Namespace("http://peppol.eu/xsd/ticc/envelope/"),
    )
    .version(VersionSign::Namespace),
    row("smp-1", Syntax::ServiceMetadata, "Peppol SMP document", Kind::ServiceMetadata, {
        Namespace("http://busdox.org/serviceMetadata/publishing/")
    })
    .version(VersionSign::Is("1.0")),
    row("smp-1-oasis", Syntax::ServiceMetadata, "OASIS SMP 1 document", Kind::ServiceMetadata, {
        Namespace("http://docs.oasis-open.org/bdxr/ns/SMP/2016/")
    })
    .version(VersionSign::Is("1.0")),
    row("smp-2-oasis", Syntax::ServiceMetadata, "OASIS SMP 2 document", Kind::ServiceMetadata, {
        Namespace("http://docs.oasis-open.org/bdxr/ns/SMP/2/")
    })
    .version(VersionSign::Is("2.0")),
    row(
        "business-card",
        Syntax::BusinessCard,
        "Peppol business card",
        Kind::BusinessCard,
        Namespace("http://www.peppol.eu/schema/pd/businesscard"),
    )
    .version(VersionSign::Namespace),
    row("cxml", Syntax::Cxml, "cXML", Kind::Other, Root("cXML", ""))
        .version(VersionSign::At(&["@version"])),
    row("cxml-lower-case", Syntax::Cxml, "cXML in lower case", Kind::Other, Root("cxml", ""))
        .version(VersionSign::At(&["@version"])),
    row("cxml-doctype", Syntax::Cxml, "cXML", Kind::Other, Doctype("cXML", "")),
    row("cxml-index", Syntax::Cxml, "cXML catalogue", Kind::Catalogue, Doctype("Index", "cxml")),
    row("pdf", Syntax::Pdf, "PDF", Kind::Container, Bytes(&[b"%PDF-"])),
    row("zip", Syntax::Zip, "zip archive", Kind::Container, {
        Bytes(&[b"PK\x03\x04", b"PK\x05\x06"])
    }),
    row("cms", Syntax::Cms, "signed CMS container (.p7m)", Kind::Container, {
        Bytes(&[
            b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02",
            b"-----BEGIN PKCS7",
            b"-----BEGIN CMS",
            b"-----BEGIN PKCS #7",
        ])
    }),
    row("edifact", Syntax::Edifact, "UN/EDIFACT interchange", Kind::Other, {
        Bytes(&[b"UNA:+", b"UNB+"])
    }),
    row("x12", Syntax::X12, "ANSI X12 interchange", Kind::Other, Bytes(&[b"ISA*", b"ISA|"])),
    row("gobl", Syntax::Gobl, "GOBL", Kind::Other, JsonSchema("https://gobl.org/")),
    row("ubl-json", Syntax::UblJson, "UBL in JSON", Kind::Other, JsonKeys(&["_D"])),
    row(
        "setu-json",
        Syntax::SetuJson,
        "SETU 2 message in JSON",
        Kind::HumanResource,
        JsonKeys(&["documentId", "supplier", "customer"]),
    ),
    row("json", Syntax::Json, "JSON", Kind::Other, Bytes(&[b"{", b"["])),
    row("mime", Syntax::Mime, "MIME message", Kind::Container, {
        Bytes(&[b"MIME-Version:", b"Content-Type:", b"Content-type:", b"--"])
    }),
];
