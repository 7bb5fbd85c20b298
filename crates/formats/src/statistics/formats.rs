//! The formats of the statistics reports.

use crate::syntax::DocumentKind;
use crate::syntax::FormatSignature::RootPrefix;
use crate::syntax::{ElementPath, Format, Syntax, VersionSign, row};
use crate::syntax_row::SyntaxRow;

/// Its row of the table of syntaxes.
pub(crate) const SYNTAX: SyntaxRow = SyntaxRow::of("statistics", ROWS).issued(ISSUED);

const ISSUED: &[(Syntax, ElementPath)] = &[
    (Syntax::TransactionStatistics, PERIOD_END),
    (Syntax::TransactionStatistics, PERIOD_START),
    (Syntax::EndUserStatistics, PERIOD_END),
    (Syntax::EndUserStatistics, PERIOD_START),
];
const PERIOD_END: ElementPath = &["Header", "ReportPeriod", "EndDate"];
const PERIOD_START: ElementPath = &["Header", "ReportPeriod", "StartDate"];

const ROWS: &[Format] = &[
    row(
        "tsr",
        Syntax::TransactionStatistics,
        "Peppol transaction statistics report",
        DocumentKind::TransactionStatistics,
        RootPrefix("TransactionStatisticsReport", "urn:fdc:peppol:transaction-statistics-report"),
    )
    .version(VersionSign::Namespace),
    row(
        "eusr",
        Syntax::EndUserStatistics,
        "Peppol end user statistics report",
        DocumentKind::EndUserStatistics,
        RootPrefix("EndUserStatisticsReport", "urn:fdc:peppol:end-user-statistics-report"),
    )
    .version(VersionSign::Namespace),
    row(
        "eusr-draft",
        Syntax::EndUserStatistics,
        "Peppol end user report, draft",
        DocumentKind::EndUserStatistics,
        RootPrefix("EndUserReport", "urn:fdc:peppol:end-user-reporting"),
    )
    .version(VersionSign::Namespace),
];
