//! What a syntax and a format are. What each syntax brings is its [`crate::SyntaxRow`].
//!
//! A root name alone says little (nine formats have a root `Invoice`); the namespace decides.
//! Source: the namespaces are those of the standards themselves.

mod kind;

use serde::{Deserialize, Serialize};

pub(crate) use kind::CREDIT_CODES;
pub use kind::DocumentKind;

/// The syntax of a document: what its bytes are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each variant is described by its rows in FORMATS")]
pub enum Syntax {
    UblInvoice,
    UblCreditNote,
    UblOther,
    Cii,
    Cdar,
    Zugferd1,
    OrderX,
    FatturaPa,
    FatturaPaSimplified,
    EbInterface,
    Svefaktura,
    SvefakturaEnvelope,
    Setu,
    SetuHrXml,
    SetuV2,
    Dico,
    Ohnl,
    Cxml,
    Ksef,
    KsefReceipt,
    Isdoc,
    Facturae,
    Finvoice,
    EdifactXml,
    EstonianEInvoice,
    Gs1Xml,
    Iso20022,
    PaymentHandling,
    DigitalPost,
    EbXmlRegistry,
    VirtualCompanyDossier,
    TaxData,
    TransactionStatistics,
    EndUserStatistics,
    Sbdh,
    PeppolContent,
    ServiceMetadata,
    BusinessCard,
    Pdf,
    Zip,
    Cms,
    Edifact,
    X12,
    Gobl,
    UblJson,
    SetuJson,
    InvoiceJson,
    Json,
    Mime,
}

/// What tells a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatSignature {
    /// Root local name and exact namespace name (`""` for none).
    Root(&'static str, &'static str),
    /// Root local name and the start of the namespace name.
    RootPrefix(&'static str, &'static str),
    /// Any root in a namespace that starts like this.
    Namespace(&'static str),
    /// UBL: the namespace is [`crate::ubl::UBL_PREFIX`], the root name, and `-2`.
    Ubl,
    /// Root local name without a namespace, and either a schema location that contains the second
    /// text (in lower case) or all of these child elements.
    Bare(&'static str, &'static str, &'static [&'static str]),
    /// The first bytes, after white space and a byte order mark.
    Bytes(&'static [&'static [u8]]),
    /// Told by a document type declaration, which is not read further: its name, and a text in its
    /// system identifier (in lower case).
    Doctype(&'static str, &'static str),
    /// JSON with a `$schema` that starts like this.
    JsonSchema(&'static str),
    /// JSON with all of these members at the top.
    JsonKeys(&'static [&'static str]),
}

/// Where the version of a format stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionSign {
    /// Nowhere.
    Unstated,
    /// It is always this.
    Is(&'static str),
    /// The number in the end of the namespace name: `/6p1/`, `/v1.2`, `:100`.
    Namespace,
    /// The text at this path.
    At(ElementPath),
}

/// Local names of elements below the document element; a last step that begins with `@` is an
/// attribute.
pub type ElementPath = &'static [&'static str];

/// What a text in a document decides: the path of the text, and what each value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSign {
    /// The kind where the text is absent or says nothing special.
    pub usually: DocumentKind,
    /// Where the text stands; empty where the kind never varies.
    pub path: ElementPath,
    /// Values and their kinds.
    pub values: &'static [(&'static str, DocumentKind)],
}

/// A row of [`crate::FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its stable name: `ebinterface`.
    pub id: &'static str,
    /// The variant it describes.
    pub syntax: Syntax,
    /// Its name for people.
    pub title: &'static str,
    /// What tells it.
    pub signature: FormatSignature,
    /// Where its version stands.
    pub version: VersionSign,
    /// What its documents are for.
    pub kind: KindSign,
    /// Where it says that the buyer issued the document, and the values that say so.
    pub self_billing: &'static [(ElementPath, &'static [&'static str])],
}

pub(crate) const fn row(
    id: &'static str,
    syntax: Syntax,
    title: &'static str,
    usually: DocumentKind,
    signature: FormatSignature,
) -> Format {
    let kind = KindSign { usually, path: &[], values: &[] };
    let version = VersionSign::Unstated;
    Format { id, syntax, title, signature, version, kind, self_billing: &[] }
}

impl Format {
    pub(crate) const fn version(self, version: VersionSign) -> Format {
        Format { version, ..self }
    }

    pub(crate) const fn kinds(
        self,
        path: ElementPath,
        values: &'static [(&'static str, DocumentKind)],
    ) -> Format {
        Format { kind: KindSign { usually: self.kind.usually, path, values }, ..self }
    }

    pub(crate) const fn self_billed(
        self,
        at: &'static [(ElementPath, &'static [&'static str])],
    ) -> Format {
        Format { self_billing: at, ..self }
    }
}

impl Syntax {
    /// Whether documents of it have a place for a specification identifier (CustomizationID, BT-24)
    /// and a business process (ProfileID, BT-23).
    pub fn has_identifiers(self) -> bool {
        matches!(
            self,
            Syntax::UblInvoice
                | Syntax::UblCreditNote
                | Syntax::UblOther
                | Syntax::Cii
                | Syntax::Cdar
                | Syntax::Zugferd1
                | Syntax::OrderX
                | Syntax::Ohnl
                | Syntax::TaxData
                | Syntax::TransactionStatistics
                | Syntax::EndUserStatistics
        )
    }

    /// Whether it is a UBL invoice or credit note.
    pub fn is_ubl_invoice(self) -> bool {
        matches!(self, Syntax::UblInvoice | Syntax::UblCreditNote)
    }

    /// Whether it is UBL, of any document.
    pub fn is_ubl(self) -> bool {
        self.is_ubl_invoice() || self == Syntax::UblOther
    }

    /// Whether it has documents in it and no content of its own.
    pub fn is_container(self) -> bool {
        use Syntax::{Cms, Mime, Pdf, PeppolContent, Zip};
        matches!(self, Pdf | Zip | Cms | Mime | PeppolContent)
    }

    /// Whether its documents are XML.
    pub fn is_xml(self) -> bool {
        use Syntax::{
            Cms, Edifact, Gobl, InvoiceJson, Json, Mime, Pdf, SetuJson, UblJson, X12, Zip,
        };
        let others =
            [Pdf, Zip, Cms, Edifact, X12, Gobl, UblJson, SetuJson, InvoiceJson, Json, Mime];
        !others.contains(&self)
    }

    /// The media type of its files.
    pub fn media_type(self) -> &'static str {
        use Syntax::{
            Cms, Edifact, Gobl, InvoiceJson, Json, Mime, Pdf, SetuJson, UblJson, X12, Zip,
        };
        match self {
            Pdf => "application/pdf",
            Zip => "application/zip",
            Cms => "application/pkcs7-mime",
            Edifact => "application/EDIFACT",
            X12 => "application/EDI-X12",
            Gobl | UblJson | SetuJson | InvoiceJson | Json => "application/json",
            Mime => "message/rfc822",
            _ => "application/xml",
        }
    }

    /// How the names of its files end: `.xml`.
    pub fn extension(self) -> &'static str {
        use Syntax::{
            Cms, Edifact, Gobl, InvoiceJson, Json, Mime, Pdf, SetuJson, UblJson, X12, Zip,
        };
        match self {
            Pdf => ".pdf",
            Zip => ".zip",
            Cms => ".p7m",
            Edifact => ".edi",
            X12 => ".x12",
            Gobl | UblJson | SetuJson | InvoiceJson | Json => ".json",
            Mime => ".eml",
            _ => ".xml",
        }
    }
}
