//! What the office answers: a Message Level Status that goes out over the network like any other.

use std::time::Duration;

use jiff::tz::TimeZone;
use quoin_delivery::{DocumentId, Family, TransactionId};
use quoin_formats::ubl::write::{MessageLevelStatus, StatusIssue, message_level_status};
use quoin_model::{ElectronicAddress, Flag, ValidationStep};
use quoin_peppol::identifiers::{ParticipantId, SeatId};
use quoin_rules::Report;
use quoin_store::{Store, Submitted, TransactionRecord};
use uuid::Uuid;

use super::faults::PlannedAnswer;
use super::other;
use crate::lab::network::LabError;
use quoin_server::start::Running;

/// Where a planned rejection finds fault.
const PLACE: &str = "/TaxData/ReportedTransaction/ReportedDocument/AccountingCustomerParty\
                     /Party/PartyTaxScheme/CompanyID";
/// What it says.
const PLANNED: &str = "The VAT number of the buyer (BT-48) is unknown to the tax office.";

/// How often it is looked whether an answer is there: for half a minute.
const PATIENCE: u32 = 1_500;

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) code: &'static str,
    issues: Vec<(String, String)>,
}

/// What is wrong with a report that its access point judged.
pub(super) async fn broken(
    store: &Store,
    record: &TransactionRecord,
) -> Result<Vec<(String, String)>, LabError> {
    let Some(blob) = record.report else { return Ok(Vec::new()) };
    let bytes = store.blob(&record.transaction.organisation, blob).await.map_err(other)?;
    let report = bytes.and_then(|bytes| serde_json::from_slice::<Report>(&bytes).ok());
    let findings = report.map(|report| report.findings).unwrap_or_default();
    let fatal = findings
        .into_iter()
        .filter(|finding| finding.flag == Flag::Fatal && finding.step != ValidationStep::Routing);
    let issue = |finding: quoin_model::Finding| {
        let place = finding.location.as_ref().map(|place| place.xpath.clone());
        (place.unwrap_or_else(|| "NA".to_owned()), format!("{}: {}", finding.rule, finding.message))
    };
    Ok(fatal.take(20).map(issue).collect())
}

/// Waits until a message is with its provider.
pub(super) async fn delivered(store: &Store, message: &TransactionId) -> Result<(), LabError> {
    for _ in 0..PATIENCE {
        let found = store.transaction(message).await.map_err(other)?;
        if found.is_none_or(|found| found.transaction.status.is_final()) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Err(other("the answer did not get there"))
}

impl Answer {
    /// The answer to a report that has these faults, by what is planned for it; none for silence.
    pub(super) fn of(broken: Vec<(String, String)>, planned: &PlannedAnswer) -> Option<Answer> {
        if planned.times == 0 {
            return None;
        }
        let issues = match broken.is_empty() && planned.rejects {
            true => vec![(PLACE.to_owned(), PLANNED.to_owned())],
            false => broken,
        };
        Some(Answer { code: if issues.is_empty() { "AP" } else { "RE" }, issues })
    }

    /// The answer to a report that is taken.
    pub(super) fn accepting() -> Answer {
        Answer { code: "AP", issues: Vec::new() }
    }

    /// Sends it to the provider that brought the report. Answers the message that carries it.
    pub(super) async fn send(
        &self,
        service: &Running,
        report: &TransactionRecord,
    ) -> Result<TransactionId, LabError> {
        let parts = &service.parts;
        let provider = parts.provider.as_ref().ok_or_else(|| other("it has no provider"))?;
        let seat: SeatId =
            report.access_point.as_deref().unwrap_or_default().parse().map_err(other)?;
        let to = seat.participant().map_err(other)?;
        let (now, id) = (parts.clock.now(), Uuid::new_v4());
        let end = |id: &ParticipantId| ElectronicAddress {
            scheme: id.icd().to_owned(),
            value: id.value().to_owned(),
        };
        let issues = self.issues.iter().map(|(place, text)| StatusIssue {
            place: place.clone(),
            text: text.clone(),
            reason: "BV",
        });
        let description = match self.code {
            "AP" => "The tax office took the report.",
            _ => "The tax office rejected the report.",
        };
        let text = message_level_status(&MessageLevelStatus {
            id: id.to_string(),
            issued: now.to_zoned(TimeZone::UTC).datetime(),
            sender: end(&provider.id),
            receiver: end(&to),
            code: self.code,
            description: description.to_owned(),
            envelope: report.instance_id.clone().unwrap_or_default(),
            issues: issues.collect(),
        });
        let owner = (&provider.organisation, provider.id.to_string());
        let family = Family::MessageLevelStatus;
        let document = DocumentId::from_uuid(id);
        let message = provider.outgoing((owner.0, &owner.1), document, family, text, now);
        match parts.store.submit(message.map_err(other)?).await.map_err(other)? {
            Submitted::Accepted { transaction, .. } => Ok(transaction),
            taken => Err(other(format!("the answer was not taken: {taken:?}"))),
        }
    }
}
