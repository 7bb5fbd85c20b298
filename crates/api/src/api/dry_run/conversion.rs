//! What a document would become for a receiver that takes another format.

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_access_point::channels::{AskedWay, Channel};
use quoin_access_point::plan::{
    CarriedForm, ConversionRecord, ConvertedPlan, NotCarried, OutboundPayload, Plan, PlanInput,
    carried, converted, other_course,
};
use quoin_delivery::{Event, Family};
use quoin_identity::by_course;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::LookupError;
use quoin_rules::own;
use quoin_store::{Hook, SubmitOptions};

use crate::api::Api;
use crate::api::conversion::LossView;
use crate::http::Problem;

use super::{DryRun, DryRunConversion};

/// A document as it would be sent.
pub(super) struct DryRunInput {
    /// The document.
    pub(super) content: Bytes,
    /// What was asked beside it.
    pub(super) wishes: SubmitOptions,
    /// What a platform is to do with it.
    pub(super) instruction: Option<String>,
    /// The identifiers of the party.
    pub(super) own: Vec<ParticipantId>,
    /// Its country.
    pub(super) country: String,
    /// Its organisation.
    pub(super) organisation: String,
    /// The day whose rules apply.
    pub(super) on: Timestamp,
}

/// What a document would become for its receiver.
pub(super) enum DryRunTarget {
    /// Nothing that the receiver takes.
    None,
    /// What the receiver takes is of another course of business, as this sentence says.
    OtherCourse(String),
    /// Nobody says what the receiver takes, or all of it begins later.
    Unanswered(LookupError),
    /// This, or why it cannot.
    Found(Result<Box<ConvertedPlan>, Box<Event>>),
}

/// What a look-up that took longer than this came to.
pub(super) fn slow(limit: Duration) -> LookupError {
    LookupError::SmpTrouble { what: format!("no answer within {limit:?}") }
}

impl DryRunInput {
    /// What it is to be judged by.
    pub(super) fn ask(&self) -> PlanInput<'_> {
        PlanInput {
            document: &self.content,
            own: &self.own,
            country: Some(&self.country),
            wishes: &self.wishes,
            family: Family::Invoice,
            on: self.on,
        }
    }

    /// The document in the form that its receiver takes.
    pub(super) async fn converted(
        &self,
        api: &Api,
        receiver: &ParticipantId,
        own: Option<&DocumentTypeId>,
    ) -> Result<DryRunTarget, Problem> {
        let Some(conversion) = &api.settings.conversion else { return Ok(DryRunTarget::None) };
        let asked = self.wishes.allowed_losses.as_deref();
        let policy = conversion.between(&self.own, receiver, asked);
        let content = self.content.clone();
        let look = move || quoin_formats::read(&content).detection().clone();
        let source = api.settings.judges.run(&self.organisation, look).await?;
        let limit = api.settings.lookup_timeout;
        let asked = tokio::time::timeout(limit, api.lookup.conversion_offers(receiver, &source));
        let found = match asked.await.unwrap_or_else(|_| Err(slow(limit))) {
            Ok(found) if found.is_empty() => return Ok(DryRunTarget::None),
            Ok(found) => found,
            Err(error) if error.is_temporary() => return Ok(DryRunTarget::Unanswered(error)),
            Err(_) => return Ok(DryRunTarget::None),
        };
        let (offers, others) = by_course(found, &source, None);
        if offers.is_empty() {
            let why = other_course(receiver, &others, (&source, None));
            return Ok(why.map_or(DryRunTarget::None, DryRunTarget::OtherCourse));
        }
        if let Some(detail) = crate::api::usage::no_conversion(api, &self.organisation).await? {
            let summary = format!("The receiver takes another format: {detail}.");
            let refused = Event::Rejected { summary, findings: Vec::new() };
            return Ok(DryRunTarget::Found(Err(Box::new(refused))));
        }
        let (desk, receiver, own) = (api.rules.clone(), receiver.clone(), own.cloned());
        let again = DryRunInput {
            instruction: self.instruction.clone(),
            content: self.content.clone(),
            wishes: self.wishes.clone(),
            own: self.own.clone(),
            country: self.country.clone(),
            organisation: String::new(),
            on: self.on,
        };
        let work =
            move || converted(&again.ask(), own.as_ref(), (&offers, &receiver), (&policy, &desk));
        let made = api.settings.judges.run(&self.organisation, work).await?;
        Ok(DryRunTarget::Found(made.map(Box::new)))
    }
}

impl DryRunInput {
    /// Whether a channel reaches the receiver of a document.
    pub(super) fn reaches(&self, by: &dyn Channel, hook: &Hook, plan: &Plan) -> Result<(), String> {
        let known = plan.known();
        let asked = AskedWay {
            senders: std::slice::from_ref(&plan.sender),
            receiver: &plan.receiver,
            instruction: self.instruction.as_deref(),
            document_type: known.document_type.as_deref(),
        };
        by.reaches(hook, &asked)
    }

    /// Whether a document that has the form of a channel goes by a hook as it is.
    pub(super) async fn taken(
        &self,
        api: &Api,
        (by, hook): (&'static dyn Channel, &Hook),
        plan: &Plan,
    ) -> Result<Result<(), Event>, Problem> {
        let (hook, content) = (hook.clone(), self.content.clone());
        let (sender, receiver) = (plan.sender.clone(), plan.receiver.clone());
        let work = move || by.takes(&hook, (&sender, &receiver), &content);
        let taken = api.settings.judges.run(&self.organisation, work).await?;
        Ok(taken.map_err(|why| {
            let summary = format!("The channel would not take it: {why}.");
            Event::Rejected { summary, findings: Vec::new() }
        }))
    }

    /// What a document becomes for a channel that carries a form of its own.
    pub(super) async fn carried(
        &self,
        api: &Api,
        plan: &Plan,
        form: CarriedForm,
    ) -> Result<Result<ConversionRecord, NotCarried>, Problem> {
        let refused = |why: String| {
            let summary = format!("The channel carries {}: {why}.", form.target.title());
            Ok(Err(NotCarried::NoForm(Box::new(Event::Rejected { summary, findings: Vec::new() }))))
        };
        if plan.payload != OutboundPayload::Document {
            return refused("a file, or an envelope of its own, cannot become one".to_owned());
        }
        let Some(conversion) = &api.settings.conversion else {
            return refused("this service does not convert documents".to_owned());
        };
        if let Some(detail) = crate::api::usage::no_conversion(api, &self.organisation).await? {
            return refused(detail);
        }
        let asked = self.wishes.allowed_losses.as_deref();
        let policy = conversion.between(&self.own, &plan.receiver, asked);
        let (content, source) = (self.content.clone(), plan.document_type.to_string());
        let work = move || carried(&content, &source, form, &policy).map(|(_, record)| record);
        api.settings.judges.run(&self.organisation, work).await
    }
}

impl DryRun {
    /// Tells what the receiver takes in another course of business, where nothing else takes the
    /// document.
    pub(super) fn instead(&mut self, target: DryRunTarget) {
        if let DryRunTarget::OtherCourse(why) = target
            && self.verdict != "deliverable"
        {
            self.reason = format!("{} {why}", self.reason).trim_start().to_owned();
        }
    }

    /// Tells what the document would be in another form.
    pub(super) fn becomes(&mut self, record: ConversionRecord) {
        self.losses = record.losses.iter().map(LossView::of).collect();
        self.conversion = Some(DryRunConversion {
            target_document_type_id: record.target_document_type_id,
            carried: record.carried,
        });
    }

    /// Tells what became of the document, and gives the plan of what would travel.
    pub(super) fn takes_converted(&mut self, found: ConvertedPlan) -> Plan {
        self.becomes(found.record);
        // What it becomes was judged, whatever rules there are for the form that it had.
        self.findings.retain(|finding| finding.rule != own::FORMAT_UNSUPPORTED.id);
        found.plan
    }
}
