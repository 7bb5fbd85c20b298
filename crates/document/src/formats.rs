//! The formats that detection knows, one row each. Adding one is a variant and a row in
//! `formats/`.
//!
//! A root name alone says little (nine formats have a root `Invoice`); the namespace decides.
//! Source: the namespaces are those of the standards themselves.

mod carriers;
mod invoices;
mod kind;
#[cfg(test)]
mod tests;
mod ubl;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub(crate) use carriers::MESSAGES;
pub use kind::DocumentKind;
pub use ubl::{UBL_KINDS, UBL_PREFIX, ubl_kind};

use Signature::{Bytes, Doctype, JsonKeys, JsonSchema, Namespace, Root, RootPrefix, Ubl};

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
    At(Path),
}

/// Local names of elements below the document element; a last step that begins with `@` is an
/// attribute.
pub type Path = &'static [&'static str];

/// What a text in a document decides: the path of the text, and what each value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSign {
    /// The kind where the text is absent or says nothing special.
    pub usually: DocumentKind,
    /// Where the text stands; empty where the kind never varies.
    pub path: Path,
    /// Values and their kinds.
    pub values: &'static [(&'static str, DocumentKind)],
}

/// A row of [`FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its stable name: `ebinterface`.
    pub id: &'static str,
    /// The variant it describes.
    pub syntax: Syntax,
    /// Its name for people.
    pub title: &'static str,
    /// What tells it.
    pub signature: Signature,
    /// Where its version stands.
    pub version: VersionSign,
    /// What its documents are for.
    pub kind: KindSign,
    /// Where it says that the buyer issued the document, and the values that say so.
    pub self_billing: &'static [(Path, &'static [&'static str])],
    /// How far this release goes with it.
    pub support: Support,
}

/// The formats. The first row of a root name that fits is the answer.
pub static FORMATS: &[Format] =
    &join::<Format, { invoices::ROWS.len() + carriers::ROWS.len() }>(&[
        invoices::ROWS,
        carriers::ROWS,
    ]);

/// Tables put one after the other.
///
/// It runs while compiling; `N` has to be the number of all rows.
pub(crate) const fn join<T: Copy, const N: usize>(groups: &[&[T]]) -> [T; N] {
    let mut all = [groups[0][0]; N];
    let (mut group, mut at) = (0, 0);
    while group < groups.len() {
        let mut row = 0;
        while row < groups[group].len() {
            all[at] = groups[group][row];
            (at, row) = (at + 1, row + 1);
        }
        group += 1;
    }
    all
}

const fn row(
    id: &'static str,
    syntax: Syntax,
    title: &'static str,
    usually: DocumentKind,
    signature: Signature,
) -> Format {
    let kind = KindSign { usually, path: &[], values: &[] };
    let (version, support) = (VersionSign::Unstated, Support::Recognised);
    Format { id, syntax, title, signature, version, kind, self_billing: &[], support }
}

impl Format {
    const fn validated(self) -> Format {
        Format { support: Support::Validated, ..self }
    }

    const fn version(self, version: VersionSign) -> Format {
        Format { version, ..self }
    }

    const fn kinds(self, path: Path, values: &'static [(&'static str, DocumentKind)]) -> Format {
        Format { kind: KindSign { usually: self.kind.usually, path, values }, ..self }
    }

    const fn self_billed(self, at: &'static [(Path, &'static [&'static str])]) -> Format {
        Format { self_billing: at, ..self }
    }
}

/// The rows by what a look-up knows.
struct Index {
    by_root: HashMap<&'static str, Vec<&'static Format>>,
    by_namespace: Vec<&'static Format>,
    by_id: HashMap<&'static str, &'static Format>,
    ubl: Option<&'static Format>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let (mut by_root, mut by_id) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
    let (mut by_namespace, mut ubl) = (Vec::new(), None);
    for format in FORMATS {
        by_id.insert(format.id, format);
        match format.signature {
            Root(local, _) | RootPrefix(local, _) | Signature::Bare(local, _, _) => {
                by_root.entry(local).or_default().push(format);
            }
            Namespace(_) => by_namespace.push(format),
            Ubl => ubl = Some(format),
            Bytes(_) | Doctype(..) | JsonSchema(_) | JsonKeys(_) => {}
        }
    }
    Index { by_root, by_namespace, by_id, ubl }
});

impl Format {
    /// The row with this name.
    pub fn by_id(id: &str) -> Option<&'static Format> {
        INDEX.by_id.get(id).copied()
    }

    /// The row of an XML document, by the expanded name of its document element; formats without
    /// a namespace that share a root name are told apart by [`Format::of_bare_root`].
    pub fn of_root(namespace: &str, local: &str) -> Option<&'static Format> {
        let fits = |format: &&&'static Format| match format.signature {
            Root(_, name) => name == namespace,
            RootPrefix(_, start) => namespace.starts_with(start),
            _ => false,
        };
        let by_root = INDEX.by_root.get(local).and_then(|rows| rows.iter().find(fits));
        let is_ubl = || {
            let name = namespace.strip_prefix(UBL_PREFIX).and_then(|n| n.strip_suffix("-2"));
            INDEX.ubl.as_ref().filter(|_| name == Some(local))
        };
        let by_namespace = || {
            INDEX.by_namespace.iter().find(|format| match format.signature {
                Namespace(start) => namespace.starts_with(start),
                _ => false,
            })
        };
        by_root.or_else(is_ubl).or_else(by_namespace).copied()
    }

    /// The row of a document element without a namespace, by its schema location and what it
    /// holds.
    pub fn of_bare_root(
        local: &str,
        schema_location: &str,
        has: impl Fn(&str) -> bool,
    ) -> Option<&'static Format> {
        let location = schema_location.to_ascii_lowercase();
        let rows = INDEX.by_root.get(local)?;
        rows.iter().copied().find(|format| match format.signature {
            Signature::Bare(_, schema, children) => {
                (!schema.is_empty() && location.contains(schema))
                    || (!children.is_empty() && children.iter().all(|child| has(child)))
            }
            _ => false,
        })
    }

    /// The row of a file that is not XML, by its first bytes (white space and mark removed).
    pub fn of_bytes(bytes: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            Bytes(starts) => starts.iter().any(|start| bytes.starts_with(start)),
            _ => false,
        })
    }

    /// The row of a document type declaration with this name and system identifier.
    pub fn of_doctype(name: &str, system_id: &str) -> Option<&'static Format> {
        let system_id = system_id.to_ascii_lowercase();
        FORMATS.iter().find(|format| match format.signature {
            Doctype(known, location) => known == name && system_id.contains(location),
            _ => false,
        })
    }

    /// The row of a JSON text, by its `$schema` and the names of its members.
    pub fn of_json(schema: Option<&str>, members: &[&str]) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            JsonSchema(start) => schema.is_some_and(|schema| schema.starts_with(start)),
            JsonKeys(keys) => keys.iter().all(|key| members.contains(key)),
            _ => false,
        })
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
        use Syntax::{Cms, Edifact, Gobl, Json, Mime, Pdf, SetuJson, UblJson, X12, Zip};
        let others = [Pdf, Zip, Cms, Edifact, X12, Gobl, UblJson, SetuJson, Json, Mime];
        !others.contains(&self)
    }

    /// The media type of its files.
    pub fn media_type(self) -> &'static str {
        use Syntax::{Cms, Edifact, Gobl, Json, Mime, Pdf, SetuJson, UblJson, X12, Zip};
        match self {
            Pdf => "application/pdf",
            Zip => "application/zip",
            Cms => "application/pkcs7-mime",
            Edifact => "application/EDIFACT",
            X12 => "application/EDI-X12",
            Gobl | UblJson | SetuJson | Json => "application/json",
            Mime => "message/rfc822",
            _ => "application/xml",
        }
    }

    /// The row of an XML document, by the expanded name of its document element.
    pub fn of_root(namespace: &str, local: &str) -> Option<&'static Format> {
        Format::of_root(namespace, local)
    }

    /// What a file is that is not XML, by its first bytes (white space and mark already removed).
    pub fn of_bytes(bytes: &[u8]) -> Option<&'static Format> {
        Format::of_bytes(bytes)
    }
}
