//! The formats that detection knows, one row each. Adding one is a variant and a row.
//!
//! A root name alone says little (seven formats have a root `Invoice`); the namespace decides.
//! Source: the namespaces are those of the standards themselves.

use serde::{Deserialize, Serialize};

use Signature::{Bytes, Doctype, Namespace, Root, RootPrefix, Ubl};

/// UBL 2 document namespaces are this, the root name, and `-2`.
pub const UBL_PREFIX: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

/// The syntax of a document: what its bytes are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each variant is described by its row in FORMATS")]
pub enum Syntax {
    UblInvoice,
    UblCreditNote,
    UblOther,
    Cii,
    Zugferd1,
    OrderX,
    FatturaPa,
    FatturaPaSimplified,
    EbInterface,
    Svefaktura,
    SvefakturaEnvelope,
    Setu,
    SetuHrXml,
    Dico,
    Cxml,
    Ksef,
    Isdoc,
    Facturae,
    Finvoice,
    EdifactXml,
    EstonianEInvoice,
    Pdf,
    Zip,
    Cms,
    Edifact,
    X12,
    Json,
    Mime,
}

/// How far this release goes with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It is read and validated.
    Validated,
    /// It is recognised and named, and not validated.
    Recognised,
}

/// What tells a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// Root local name and exact namespace name (`""` for none).
    Root(&'static str, &'static str),
    /// Root local name and the start of the namespace name.
    RootPrefix(&'static str, &'static str),
    /// Any root in a namespace that starts like this.
    Namespace(&'static str),
    /// UBL: the namespace is [`UBL_PREFIX`], the root name, and `-2`.
    Ubl,
    /// The first bytes, after white space and a byte order mark.
    Bytes(&'static [&'static [u8]]),
    /// Told by a document type declaration, which is not read further.
    Doctype(&'static str),
}

/// A row of [`FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The variant it describes.
    pub syntax: Syntax,
    /// Its name for people.
    pub title: &'static str,
    /// What tells it.
    pub signature: Signature,
    /// How far this release goes with it.
    pub support: Support,
}

const fn known(syntax: Syntax, title: &'static str, signature: Signature) -> Format {
    Format { syntax, title, signature, support: Support::Recognised }
}

const fn validated(syntax: Syntax, title: &'static str, signature: Signature) -> Format {
    Format { syntax, title, signature, support: Support::Validated }
}

/// The formats, in the order of the test: the first row that fits is the answer.
pub static FORMATS: &[Format] = &[
    validated(
        Syntax::UblInvoice,
        "UBL 2.1 Invoice",
        Root("Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"),
    ),
    validated(
        Syntax::UblCreditNote,
        "UBL 2.1 CreditNote",
        Root("CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"),
    ),
    known(Syntax::UblOther, "another UBL 2 document", Ubl),
    known(
        Syntax::Cii,
        "UN/CEFACT Cross Industry Invoice",
        Root(
            "CrossIndustryInvoice",
            "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
        ),
    ),
    known(
        Syntax::Zugferd1,
        "ZUGFeRD 1",
        Root("CrossIndustryDocument", "urn:ferd:CrossIndustryDocument:invoice:1p0"),
    ),
    known(
        Syntax::OrderX,
        "Order-X",
        RootPrefix(
            "SCRDMCCBDACIOMessageStructure",
            "urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:",
        ),
    ),
    known(
        Syntax::FatturaPa,
        "FatturaPA",
        RootPrefix(
            "FatturaElettronica",
            "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/",
        ),
    ),
    known(
        Syntax::FatturaPa,
        "FatturaPA",
        RootPrefix("FatturaElettronica", "http://www.fatturapa.gov.it/sdi/fatturapa/"),
    ),
    known(
        Syntax::FatturaPaSimplified,
        "FatturaPA, simplified invoice",
        RootPrefix(
            "FatturaElettronicaSemplificata",
            "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/",
        ),
    ),
    known(
        Syntax::EbInterface,
        "ebInterface",
        RootPrefix("Invoice", "http://www.ebinterface.at/schema/"),
    ),
    known(
        Syntax::Svefaktura,
        "Svefaktura 1.0",
        Root("Invoice", "urn:sfti:documents:BasicInvoice:1:0"),
    ),
    known(
        Syntax::SvefakturaEnvelope,
        "Svefaktura 1.0 with attachments",
        Root("ObjectEnvelope", "urn:sfti:documents:ObjectEnvelope:1:0"),
    ),
    known(Syntax::Setu, "SETU 1", Root("Invoice", "http://www.openapplications.org/oagis")),
    known(Syntax::SetuHrXml, "SETU HR-XML message", Namespace("http://ns.hr-xml.org/2007-04-15")),
    known(Syntax::SetuHrXml, "SETU 2 message", Namespace("https://ontology.setu.nl/messages")),
    known(
        Syntax::Dico,
        "DICO INSBOU004",
        RootPrefix("Invoice", "http://www.gs1.nl/factuur/insbou/"),
    ),
    known(Syntax::Dico, "DICO SALES005", Namespace("http://www.ketenstandaard.nl/")),
    known(Syntax::Ksef, "KSeF FA", RootPrefix("Faktura", "http://crd.gov.pl/wzor/")),
    known(Syntax::Isdoc, "ISDOC", Root("Invoice", "http://isdoc.cz/namespace/2013")),
    known(
        Syntax::Facturae,
        "Facturae",
        RootPrefix("Facturae", "http://www.facturae.gob.es/formato/Versiones/"),
    ),
    known(Syntax::Facturae, "Facturae", RootPrefix("Facturae", "http://www.facturae.es/Facturae/")),
    known(Syntax::Finvoice, "Finvoice", Root("Finvoice", "")),
    known(Syntax::Finvoice, "Finvoice", RootPrefix("Finvoice", "http://www.finvoice.fi/")),
    known(Syntax::EdifactXml, "EDIFACT INVOIC in XML", Root("M_INVOIC", "")),
    known(Syntax::EstonianEInvoice, "Estonian e-invoice", Root("E_Invoice", "")),
    known(Syntax::Cxml, "cXML", Root("cXML", "")),
    known(Syntax::Cxml, "cXML", Doctype("cXML")),
    known(Syntax::Pdf, "PDF", Bytes(&[b"%PDF-"])),
    known(Syntax::Zip, "zip archive", Bytes(&[b"PK\x03\x04", b"PK\x05\x06"])),
    known(
        Syntax::Cms,
        "signed CMS container (.p7m)",
        Bytes(&[b"\x30\x80", b"\x30\x82", b"\x30\x83"]),
    ),
    known(Syntax::Edifact, "UN/EDIFACT interchange", Bytes(&[b"UNA", b"UNB+"])),
    known(Syntax::X12, "ANSI X12 interchange", Bytes(&[b"ISA*", b"ISA|"])),
    known(Syntax::Json, "JSON", Bytes(&[b"{", b"["])),
    known(Syntax::Mime, "MIME message", Bytes(&[b"MIME-Version:", b"Content-Type:", b"--"])),
];

impl Syntax {
    /// Its first row in [`FORMATS`].
    pub fn format(self) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.syntax == self)
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        self.format().map_or("", |format| format.title)
    }

    /// Whether it is a UBL invoice or credit note.
    pub fn is_ubl_invoice(self) -> bool {
        matches!(self, Syntax::UblInvoice | Syntax::UblCreditNote)
    }

    /// The syntax of an XML document, by the expanded name of its document element.
    pub fn of_root(namespace: &str, local: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            Root(root, name) => root == local && name == namespace,
            RootPrefix(root, start) => root == local && namespace.starts_with(start),
            Namespace(start) => namespace.starts_with(start),
            Ubl => {
                let name = namespace.strip_prefix(UBL_PREFIX).and_then(|n| n.strip_suffix("-2"));
                name == Some(local)
            }
            Bytes(_) | Doctype(_) => false,
        })
    }

    /// What a file is that is not XML, by its first bytes (white space and mark already removed).
    pub fn of_bytes(bytes: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            Bytes(starts) => starts.iter().any(|start| bytes.starts_with(start)),
            _ => false,
        })
    }

    /// What a file is that begins with a document type declaration of this name.
    pub fn of_doctype(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| matches!(format.signature, Doctype(known) if known == name))
    }
}
