//! The day of issue of any document: by it a document is judged by the rules of its own time.

use jiff::civil::Date;
use quoin_xml::tree::Element;

use crate::{ElementPath, Syntax};

/// Where the day stands, by local names from the document element down; the first that is a day
/// counts. A report on a period is of its last day.
const PLACES: &[(&[Syntax], &[ElementPath])] = &[
    (
        &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::UblOther, Syntax::Ohnl],
        &[&["IssueDate"]],
    ),
    (
        &[Syntax::Cii, Syntax::Cdar, Syntax::OrderX],
        &[&["ExchangedDocument", "IssueDateTime", "DateTimeString"]],
    ),
    (&[Syntax::Zugferd1], &[&["HeaderExchangedDocument", "IssueDateTime", "DateTimeString"]]),
    (
        &[Syntax::TransactionStatistics, Syntax::EndUserStatistics],
        &[&["Header", "ReportPeriod", "EndDate"], &["Header", "ReportPeriod", "StartDate"]],
    ),
    (&[Syntax::TaxData, Syntax::Svefaktura], &[&["IssueDate"]]),
    (&[Syntax::EbInterface, Syntax::Dico], &[&["InvoiceDate"]]),
    (
        &[Syntax::FatturaPa, Syntax::FatturaPaSimplified],
        &[&["FatturaElettronicaBody", "DatiGenerali", "DatiGeneraliDocumento", "Data"]],
    ),
    (&[Syntax::Setu], &[&["Header", "DocumentDateTime"]]),
    (&[Syntax::Ksef], &[&["Fa", "P_1"]]),
    (&[Syntax::Isdoc], &[&["IssueDate"]]),
];

/// The day of issue; `None` where there is none, or what is there is no day.
pub(crate) fn issue_date(root: Element<'_>, syntax: Syntax) -> Option<Date> {
    let (_, paths) = PLACES.iter().find(|(syntaxes, _)| syntaxes.contains(&syntax))?;
    paths.iter().find_map(|path| day(&quoin_model::text::trimmed(at(root, path)?)))
}

/// The first element at the end of a path.
fn at<'d>(root: Element<'d>, path: ElementPath) -> Option<Element<'d>> {
    path.iter().try_fold(root, |place, step| place.elements().find(|own| own.local() == *step))
}

/// `2026-05-31`, with a time or a time zone too, or `20260531` with or without a time after it.
fn day(text: &str) -> Option<Date> {
    if let Some((date, zone)) = text.split_at_checked(10)
        && (zone.is_empty() || zone.starts_with(['Z', '+', '-', 'T']))
        && let Some(date) = quoin_model::text::date(date)
    {
        return Some(date);
    }
    let (digits, _) = text.split_at_checked(8)?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
