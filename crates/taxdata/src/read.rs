//! A report is read: what corner 5 needs of it, and what a test holds against what was written.

use quoin_formats::ParsedDocument;
use quoin_formats::ubl::{CAC, CBC};
use quoin_model::ElectronicAddress;
use quoin_model::text::{cut, trimmed};
use quoin_xml::c14n;
use quoin_xml::tree::Element;

use crate::regime::{
    REGIMES, Regime, RegimeRow, ReportModel, ReporterRole, TaxScope, TaxSubmission,
};

/// Characters of each text that are kept.
const TEXT: usize = 500;

/// Why a document is no report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableReport {
    /// No XML.
    #[error("the report cannot be read: {0}")]
    Xml(String),
    /// Another document.
    #[error("this is no tax data document of a regime that is known: it is {0}")]
    Root(String),
    /// A term is missing or has no value that the regime knows.
    #[error("the report has no proper {0}")]
    Element(&'static str),
}

/// What a report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxReport {
    /// The regime. ViDA 1.1 is told by the identifier of the transmission.
    pub regime: Regime,
    /// TDT-003; the Emirates have none.
    pub uuid: Option<String>,
    /// TDT-004, as written.
    pub issue_date: String,
    /// TDT-005, as written.
    pub issue_time: String,
    /// TDT-007.
    pub submission: TaxSubmission,
    /// TDT-006.
    pub scope: TaxScope,
    /// TDT-012.
    pub role: ReporterRole,
    /// TDT-010.
    pub authority: Option<String>,
    /// TDT-013.
    pub reporter: ElectronicAddress,
    /// TDT-014, without its scheme.
    pub receiver: String,
    /// TDT-015, without its scheme.
    pub representative: String,
    /// TDT-018, or `TransportHeaderID`.
    pub transmission: Option<String>,
    /// TDT-017, BTAE-07, BTOM-002: what the invoice is called.
    pub invoice_uuid: Option<String>,
    /// BT-1.
    pub invoice_number: Option<String>,
}

/// What a report says, of a document that was read.
///
/// # Errors
/// [`UnreadableReport`] with the first thing that is wrong.
pub fn read_report(document: &ParsedDocument) -> Result<TaxReport, UnreadableReport> {
    document.tree().map_err(|error| UnreadableReport::Xml(error.to_string()))?;
    let unknown = |root: Option<Element<'_>>| {
        UnreadableReport::Root(root.map_or_else(String::new, |root| {
            format!("{:.80} of {:.200}", root.local(), root.namespace())
        }))
    };
    let root = document.root().ok_or_else(|| unknown(None))?;
    let row = row_of(root).ok_or_else(|| unknown(Some(root)))?;
    let own = |local: &'static str| value(root, row.namespace, local);
    let need = |found: Option<String>, name| found.ok_or(UnreadableReport::Element(name));
    let code = |local: &'static str| own(local).unwrap_or_default();
    let transaction = root.child(row.namespace, "ReportedTransaction");
    let reported = transaction.and_then(|one| one.child(row.namespace, "ReportedDocument"));
    let of_reported = |local| reported.and_then(|one| value(one, CBC, local));
    let of_transaction = |local| transaction.and_then(|one| value(one, row.namespace, local));
    Ok(TaxReport {
        regime: row.regime,
        uuid: value(root, CBC, "UUID"),
        issue_date: need(value(root, CBC, "IssueDate"), "IssueDate")?,
        issue_time: need(value(root, CBC, "IssueTime"), "IssueTime")?,
        submission: TaxSubmission::of_code(row.regime, &code(row.submission_element))
            .ok_or(UnreadableReport::Element(row.submission_element))?,
        scope: TaxScope::of_code(&code("DocumentScope"))
            .ok_or(UnreadableReport::Element("DocumentScope"))?,
        role: ReporterRole::of_code(row.regime, &code("ReporterRole"))
            .ok_or(UnreadableReport::Element("ReporterRole"))?,
        authority: root.child(row.namespace, "TaxAuthority").and_then(|one| value(one, CBC, "ID")),
        reporter: endpoint(root, row, "ReportingParty")?,
        receiver: endpoint(root, row, "ReceivingParty")?.value,
        representative: need(representative(root, row), "ReportersRepresentative")?,
        transmission: of_transaction("TransmissionUUID")
            .or_else(|| of_transaction("TransportHeaderID")),
        invoice_uuid: of_reported("UUID"),
        invoice_number: of_reported("ID"),
    })
}

/// The regime by the namespace of the document element; the two of ViDA have one.
fn row_of(root: Element<'_>) -> Option<&'static RegimeRow> {
    let mut rows = REGIMES.iter().copied().filter(|row| root.is(row.namespace, "TaxData"));
    let first = rows.next()?;
    // The Emirates had the namespace first; a draft of the pilot has it too, with other elements.
    let transaction = root.child(first.namespace, "ReportedTransaction");
    let has_transmission = first.model == ReportModel::Extract
        && transaction.is_some_and(|one| one.child(first.namespace, "TransmissionUUID").is_some());
    if has_transmission { rows.next().or(Some(first)) } else { Some(first) }
}

fn value(parent: Element<'_>, namespace: &str, local: &str) -> Option<String> {
    let text = trimmed(parent.child(namespace, local)?);
    (!text.is_empty()).then(|| cut(&text, TEXT).into_owned())
}

fn endpoint(
    root: Element<'_>,
    row: &RegimeRow,
    party: &'static str,
) -> Result<ElectronicAddress, UnreadableReport> {
    let wrong = UnreadableReport::Element(party);
    let party = root.child(row.namespace, party).ok_or_else(|| wrong.clone())?;
    let element = party.child(CBC, "EndpointID").ok_or_else(|| wrong.clone())?;
    let scheme = element.attribute("schemeID").map(str::trim).unwrap_or_default();
    let value = value(party, CBC, "EndpointID").ok_or(wrong)?;
    Ok(ElectronicAddress { scheme: cut(scheme, TEXT).into_owned(), value })
}

fn representative(root: Element<'_>, row: &RegimeRow) -> Option<String> {
    let party = root.child(row.namespace, "ReportersRepresentative")?;
    value(party.child(CAC, "PartyIdentification")?, CBC, "ID")
}

/// The whole invoice that stands in a report (AE: tdt-012), as a document of its own; `None` where
/// the report has none that could be a document: its canonical form has a room of its own.
pub fn source_document(report: &ParsedDocument) -> Option<Vec<u8>> {
    let root = report.root()?;
    let row = row_of(root)?;
    let source = root
        .child(row.namespace, "ReportedTransaction")?
        .child(row.namespace, "SourceDocument")?
        .elements()
        .find(|one| one.local() == "ExtensionContent")?;
    let mut bytes = Vec::new();
    let source = source.elements().next()?;
    c14n::exclusive(source, &[], c14n::room_of(source.document()), &mut bytes).ok()?;
    Some(bytes)
}

/// A report without the whole invoice that stands in it: what the authority was told beside it, as
/// canonical XML. `None` where it has none.
pub fn without_source_document(report: &ParsedDocument) -> Option<Vec<u8>> {
    let root = report.root()?;
    let row = row_of(root)?;
    let source =
        root.child(row.namespace, "ReportedTransaction")?.child(row.namespace, "SourceDocument")?;
    let mut bytes = Vec::new();
    // What is left is written by us; the invoice may say long namespaces again and again.
    let room = c14n::room_of(root.document());
    c14n::exclusive_without(root, Some(source), &[], room, &mut bytes).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    // In canonical XML a `<` begins nothing but a tag.
    let is_of = |at: &usize, mark: &str| {
        let name = text.get(at + mark.len()..).unwrap_or_default();
        let name = name.split([' ', '>']).next().unwrap_or_default();
        name.rsplit(':').next() == Some("SourceDocument")
    };
    let tags = |mark: &'static str| text.match_indices(mark).map(|(at, _)| at);
    let Some(start) = tags("<").find(|at| is_of(at, "<")) else { return Some(text.into_bytes()) };
    let last = tags("</").filter(|at| is_of(at, "</")).last()?;
    let end = last + text.get(last..)?.find('>')? + 1;
    let (head, tail) = (text.get(..start)?, text.get(end..)?);
    Some([head, tail].concat().into_bytes())
}
