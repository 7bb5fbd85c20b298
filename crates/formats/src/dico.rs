//! DICO, the messages of building and installation in the Netherlands.

use crate::syntax::DocumentKind as Kind;
use crate::syntax::FormatSignature::{Bare, Namespace, RootPrefix};
use crate::syntax::{Format, Syntax, SyntaxRow, VersionSign, row};

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

const SALES: &str = "http://www.ketenstandaard.nl/";

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow { name: "dico", formats: ROWS, reader: None };

const ROWS: &[Format] = &[
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
];
