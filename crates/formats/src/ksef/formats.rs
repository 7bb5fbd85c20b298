//! The formats of the Polish national system, and what tells each.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::{Bare, Root, RootPrefix};
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// `P_17`: the buyer issued it.
const KSEF_SELF: &[(ElementPath, &[&str])] = &[(&["Fa", "Adnotacje", "P_17"], &["1"])];

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow =
    SyntaxRow::of("ksef", ROWS).issued(&[(Syntax::Ksef, &["Fa", "P_1"])]).read_by(super::READER);

const ROWS: &[Format] = &[
    row(
        "ksef-fa3",
        Syntax::Ksef,
        "KSeF FA(3)",
        DocumentKind::Invoice,
        Root("Faktura", super::FA_3),
    )
    .version(VersionSign::Is("FA (3)"))
    .self_billed(KSEF_SELF),
    row(
        "ksef-fa2",
        Syntax::Ksef,
        "KSeF FA(2)",
        DocumentKind::Invoice,
        Root("Faktura", super::FA_2),
    )
    .version(VersionSign::Is("FA (2)"))
    .self_billed(KSEF_SELF),
    row(
        "ksef-fa1",
        Syntax::Ksef,
        "KSeF FA(1)",
        DocumentKind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2021/11/29/11089/"),
    )
    .version(VersionSign::Is("FA (1)"))
    .self_billed(KSEF_SELF),
    // The buyer writes it for a farmer with flat-rate tax.
    row(
        "ksef-rr",
        Syntax::Ksef,
        "KSeF FA_RR(1), invoice of a flat-rate farmer",
        DocumentKind::Invoice,
        Root("Faktura", "http://crd.gov.pl/wzor/2026/03/06/14189/"),
    )
    .version(VersionSign::Is("FA_RR (1)"))
    .self_billed(&[(&["Naglowek", "KodFormularza"], &["FA_RR"])]),
    // Recognised so that it is told what it lacks.
    row(
        "ksef-no-namespace",
        Syntax::Ksef,
        "KSeF FA without its namespace",
        DocumentKind::Invoice,
        Bare("Faktura", "crd.gov.pl/wzor", &["Naglowek", "Podmiot1", "Podmiot2", "Fa"]),
    )
    .version(VersionSign::At(&["Naglowek", "KodFormularza", "@kodSystemowy"])),
    row("ksef", Syntax::Ksef, "KSeF FA", DocumentKind::Invoice, {
        RootPrefix("Faktura", super::WZOR)
    })
    .version(VersionSign::At(&["Naglowek", "KodFormularza", "@kodSystemowy"])),
    row(
        "ksef-upo",
        Syntax::KsefReceipt,
        "KSeF UPO, official receipt",
        DocumentKind::TaxReceipt,
        RootPrefix("Potwierdzenie", "http://upo.schematy.mf.gov.pl/KSeF/"),
    )
    .version(VersionSign::Namespace),
];
