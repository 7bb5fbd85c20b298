//! Messages that carry reports to tax authorities.

use bytes::Bytes;
use quoin_delivery::{Event, Family, Transaction};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::sbdh::{CountryC1, MlsType};
use quoin_store::TaxReportRecord;

use crate::channels::OutboundRun;
use crate::plan::{DocumentSummary, OutboundPayload, Plan, Planned, PlannedContent, rejection};
use crate::step::StepFault;
use crate::tax;
use crate::worker::Worker;

/// What is known of a document, where it goes, and of one that the network does not take as what it
/// could be converted, and where it goes beside the network.
type DocumentWay = (DocumentSummary, Result<Plan, Box<Event>>, Option<ConvertibleDocument>);

/// A document in a form that the network does not have.
pub(super) struct ConvertibleDocument {
    /// What it is.
    pub(super) family: Family,
    /// Where it goes over a channel beside the network, or why it does not.
    pub(super) elsewhere: Option<Result<Plan, Box<Event>>>,
}

/// Under which name it is told that a report has no way.
const REPORT: &str = "QUOIN-TAX-REPORT";

impl Worker {
    /// The report that a message of the service's own carries.
    pub(super) async fn carried_report(
        &self,
        of: &Transaction,
    ) -> Result<Option<TaxReportRecord>, StepFault> {
        if of.family != Family::TaxReport {
            return Ok(None);
        }
        Ok(self.store.tax_report_carried_by(&of.id).await?)
    }
}

impl OutboundRun<'_> {
    /// Where a document goes, what is known of it, and as what it could be converted: of a report,
    /// which was judged when it was written, or of any other, which is judged now.
    pub(super) async fn way_of(
        &self,
        report: Option<&TaxReportRecord>,
        document: &Bytes,
    ) -> Result<DocumentWay, StepFault> {
        let Some(report) = report else {
            let Planned { known, plan, convertible, elsewhere, .. } = self.plan(document).await?;
            let convertible = convertible.map(|family| ConvertibleDocument { family, elsewhere });
            return Ok((known, plan, convertible));
        };
        let plan = self.report_plan(report).ok_or_else(|| {
            rejection(REPORT, "The tax report has no sender, receiver or type.".to_owned())
        });
        let known = plan.as_ref().map_or_else(|_| DocumentSummary::default(), Plan::known);
        Ok((known, plan, None))
    }

    fn report_plan(&self, report: &TaxReportRecord) -> Option<Plan> {
        let facts = &report.facts;
        let provider = &self.context.provider;
        let sender: ParticipantId = facts.reporter.as_deref()?.parse().ok()?;
        let receiver: ParticipantId = facts.authority.as_deref()?.parse().ok()?;
        let document_type: DocumentTypeId = facts.document_type.as_deref()?.parse().ok()?;
        let process: ProcessId = tax::process()?;
        let own = facts.country.as_deref().and_then(CountryC1::new);
        Some(Plan {
            sender,
            receiver,
            document_type,
            family: Family::TaxReport,
            process,
            country: own.unwrap_or(provider.country),
            number: self.record.transaction.number.clone(),
            issued_on: None,
            type_code: None,
            summary: format!(
                "A tax report of the regime {}.",
                facts.regime.as_deref().unwrap_or_default()
            ),
            rewritten: None,
            // Its authority has to say of each whether it took it.
            statuses: (Some(MlsType::AlwaysSend), provider.status_to.clone()),
            payload: OutboundPayload::Document,
            content: PlannedContent::default(),
        })
    }
}
