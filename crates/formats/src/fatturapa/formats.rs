//! The formats of FatturaPA, and what tells each.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

const FATTURA_TYPE: ElementPath =
    &["FatturaElettronicaBody", "DatiGenerali", "DatiGeneraliDocumento", "TipoDocumento"];

/// Document types of FatturaPA, element 2.1.1.1: the credit notes and the debit note.
const FATTURA_TYPES: &[(&str, DocumentKind)] = &[
    ("TD04", DocumentKind::CreditNote),
    ("TD05", DocumentKind::DebitNote),
    ("TD08", DocumentKind::CreditNote),
];

/// What namespaces begin with since 1.2.
pub(super) const FATTURE: &str = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/";

/// What those of 1.0 and 1.1 begin with.
pub(super) const FATTURE_1: &str = "http://www.fatturapa.gov.it/sdi/fatturapa/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("fatturapa", ROWS).issued(ISSUED).read_by(super::READER);

const ISSUED: &[(Syntax, ElementPath)] =
    &[(Syntax::FatturaPa, BODY_DATE), (Syntax::FatturaPaSimplified, BODY_DATE)];
const BODY_DATE: ElementPath =
    &["FatturaElettronicaBody", "DatiGenerali", "DatiGeneraliDocumento", "Data"];

const ROWS: &[Format] = &[
    row(
        "fatturapa",
        Syntax::FatturaPa,
        "FatturaPA",
        DocumentKind::Invoice,
        RootPrefix("FatturaElettronica", FATTURE),
    )
    .version(VersionSign::At(&["@versione"]))
    .kinds(FATTURA_TYPE, FATTURA_TYPES)
    .self_billed(&[(&["FatturaElettronicaHeader", "SoggettoEmittente"], &["CC"])]),
    row(
        "fatturapa-1.0-1.1",
        Syntax::FatturaPa,
        "FatturaPA 1.0 or 1.1",
        DocumentKind::Invoice,
        RootPrefix("FatturaElettronica", FATTURE_1),
    )
    .version(VersionSign::Namespace)
    .kinds(FATTURA_TYPE, FATTURA_TYPES)
    .self_billed(&[(&["FatturaElettronicaHeader", "SoggettoEmittente"], &["CC"])]),
    row(
        "fatturapa-simplified",
        Syntax::FatturaPaSimplified,
        "FatturaPA, simplified invoice",
        DocumentKind::Invoice,
        RootPrefix("FatturaElettronicaSemplificata", FATTURE),
    )
    .version(VersionSign::At(&["@versione"]))
    .kinds(FATTURA_TYPE, FATTURA_TYPES),
];
