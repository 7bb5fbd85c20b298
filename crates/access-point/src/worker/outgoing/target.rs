//! What the receiver takes, where that is not the document as it was uploaded.

use bytes::Bytes;
use quoin_delivery::{Event, Family};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::LookupError;
use quoin_peppol::smp::EndpointRefusal;

use super::sent_form::SentForm;
use crate::channels::OutboundRun;
use crate::lookup::{LookupFailure, LookupReport, ResolvedReceiver};
use crate::plan::{
    CONVERSION, CarriedForm, ConversionRecord, ConvertedPlan, DocumentSummary, NotCarried,
    OutboundPayload, Plan, PlanInput, announced, carried, converted, may_show_a_secret,
    other_course, rejection, shown_secret,
};
use crate::rules::RuleLibrary;
use crate::step::StepFault;
use quoin_identity::{ProcessOffer, by_course};

/// Under which name it is told that conversion is not part of a package.
const PACKAGE: &str = "QUOIN-PACKAGE";

/// A document on its way, in the form in which it travels.
pub(super) struct Outbound {
    /// Where it goes.
    pub(super) plan: Plan,
    /// What it says about itself as it was uploaded.
    pub(super) source: DocumentSummary,
    /// What travels.
    pub(super) document: Bytes,
    /// What became of it, where it was converted.
    pub(super) conversion: Option<Conversion>,
}

/// What became of a document that was converted.
pub(super) struct Conversion {
    /// As it is kept: JSON.
    pub(super) list: Vec<u8>,
    /// One line for the timeline.
    pub(super) summary: String,
}

impl Conversion {
    fn of(record: &ConversionRecord) -> Conversion {
        let list = serde_json::to_vec(record).unwrap_or_default();
        Conversion { list, summary: record.summary() }
    }

    /// One that was told when the document was sent for the first time.
    pub(super) fn recorded(list: &[u8]) -> Conversion {
        Conversion { list: list.to_owned(), summary: String::new() }
    }
}

/// Why a document does not travel in another form.
pub(super) enum NoTarget {
    /// It travels as it is, or fails as it would have: what the look-up of its receiver came to,
    /// where one was made.
    AsItIs(Option<Result<ResolvedReceiver, LookupFailure>>),
    /// As [`NoTarget::AsItIs`]: what the receiver takes is of another course of business, as this
    /// sentence says.
    OtherCourse(String),
    /// It is refused.
    Refused(Box<Event>),
    /// The receiver's SMP did not answer.
    Unanswered(LookupFailure),
    /// As many look-ups as may be are under way.
    Crowded,
}

impl NoTarget {
    /// What the receiver takes in another course of business.
    pub(super) fn other_course(self) -> Option<String> {
        match self {
            NoTarget::OtherCourse(why) => Some(why),
            _ => None,
        }
    }
}

impl OutboundRun<'_> {
    /// The document as its receiver takes it, where it does not take it as it was uploaded.
    pub(super) async fn for_receiver(
        &mut self,
        outbound: &Outbound,
    ) -> Result<Result<Outbound, NoTarget>, StepFault> {
        let Outbound { plan, source, document, .. } = outbound;
        match self.sent_form().await? {
            Some(SentForm::Upload) => return Ok(Err(NoTarget::AsItIs(None))),
            Some(SentForm::Converted(form)) => {
                let to = (&plan.receiver, plan.family);
                return self.sent_again(*form, to, source.clone()).await;
            }
            None => {}
        }
        let is_converted =
            matches!(plan.family, Family::Invoice | Family::Order) && self.carried.is_none();
        if self.context.conversion.is_none()
            || !is_converted
            || plan.payload != OutboundPayload::Document
        {
            return Ok(Err(NoTarget::AsItIs(None)));
        }
        if self.record.wishes.target_format.is_some() {
            let own = (plan.family, Some(&plan.document_type));
            let upload = (source.clone(), document.clone());
            return self.target(&plan.receiver, own, upload).await;
        }
        let lookup = self.context.lookup;
        let found = lookup.find(&plan.receiver, &plan.document_type, &plan.process).await;
        let unsupported = |failure: &LookupFailure| {
            matches!(
                failure.error,
                LookupError::UnsupportedDocumentType
                    | LookupError::NoUsableEndpoint(EndpointRefusal::OtherProcesses { .. })
            )
        };
        if !found.as_ref().is_err_and(unsupported) {
            return Ok(Err(NoTarget::AsItIs(Some(found))));
        }
        let own = (plan.family, Some(&plan.document_type));
        let upload = (source.clone(), document.clone());
        Ok(match self.target(&plan.receiver, own, upload).await? {
            Err(NoTarget::AsItIs(_)) => Err(NoTarget::AsItIs(Some(found))),
            Err(NoTarget::OtherCourse(why)) => {
                let found = found.map_err(|own| LookupFailure { instead: Some(why), ..own });
                Err(NoTarget::AsItIs(Some(found)))
            }
            other => other,
        })
    }

    /// The document in the form that suits the receiver best.
    pub(super) async fn target(
        &mut self,
        receiver: &ParticipantId,
        (family, own): (Family, Option<&DocumentTypeId>),
        (source, document): (DocumentSummary, Bytes),
    ) -> Result<Result<Outbound, NoTarget>, StepFault> {
        let Some(policy) = self.context.conversion else { return Ok(Err(NoTarget::AsItIs(None))) };
        let (parties, country) = self.speakers();
        let policy =
            policy.between(&parties, receiver, self.record.wishes.allowed_losses.as_deref());
        let offers = match self.process_offers(receiver, &document).await? {
            Ok(offers) if offers.is_empty() => return Ok(Err(NoTarget::AsItIs(None))),
            Ok(offers) => offers,
            Err(stop) => return Ok(Err(stop)),
        };
        let takes: Vec<String> =
            offers.iter().take(4).map(|own| own.offer.document_type.to_string()).collect();
        let why = format!(
            "{receiver} does not take the document as it is, and takes {}.",
            takes.join(", ")
        );
        if let Some(refusal) = self.package_refuses(&why).await? {
            return Ok(Err(NoTarget::Refused(refusal)));
        }
        let wishes = self.record.wishes.clone();
        let on = self.record.created_on;
        let (receiver, own) = (receiver.clone(), own.cloned());
        let work = move |rules: &RuleLibrary| {
            let (own_ids, country) = (&parties[..], country.as_deref());
            let (document, wishes) = (&document[..], &wishes);
            let ask = PlanInput { document, own: own_ids, country, wishes, family, on };
            converted(&ask, own.as_ref(), (&offers, &receiver), (&policy, rules))
        };
        Ok(match self.context.apart(&self.record, work).await? {
            Err(refusal) => Err(NoTarget::Refused(refusal)),
            Ok(ConvertedPlan { mut plan, document, record }) => {
                self.ask_statuses(&mut plan);
                let conversion = Some(Conversion::of(&record));
                Ok(Outbound { plan, source, document, conversion })
            }
        })
    }

    /// What the receiver takes that the document could become.
    async fn process_offers(
        &self,
        receiver: &ParticipantId,
        document: &Bytes,
    ) -> Result<Result<Vec<ProcessOffer>, NoTarget>, StepFault> {
        let lookup = self.context.lookup;
        let stop = |error: LookupError| match error {
            LookupError::Crowded { .. } => NoTarget::Crowded,
            error if error.is_temporary() => {
                let (instead, report) = (None, LookupReport::default());
                NoTarget::Unanswered(LookupFailure { error, instead, report })
            }
            _ => NoTarget::AsItIs(None),
        };
        let document = document.clone();
        let look = move |_: &RuleLibrary| quoin_formats::read(&document).detection().clone();
        let source = self.context.apart(&self.record, look).await?;
        let format = self.record.wishes.target_format.as_deref();
        let found = match lookup.conversion_offers(receiver, (&source, format)).await {
            Ok(found) => found,
            Err(error) => return Ok(Err(stop(error))),
        };
        let wishes = &self.record.wishes;
        let asked = announced(wishes).process;
        let (offers, others) = by_course(found, &source, asked.as_ref());
        let why = other_course(receiver, &others, (&source, asked.as_ref()));
        Ok(match &wishes.target_format {
            Some(format) => {
                of_format((offers, &others), format, (receiver, why)).map_err(NoTarget::Refused)
            }
            None if offers.is_empty() => match why {
                Some(why) => Err(NoTarget::OtherCourse(why)),
                None => Ok(offers),
            },
            None => Ok(offers),
        })
    }

    /// Why a document does not go over a channel that carries it as it is, where it shows a secret.
    pub(super) async fn shows_a_secret(
        &self,
        outbound: &Outbound,
    ) -> Result<Option<Box<Event>>, StepFault> {
        if !may_show_a_secret(&outbound.plan) {
            return Ok(None);
        }
        let document = outbound.document.clone();
        self.context.apart(&self.record, move |_: &RuleLibrary| shown_secret(&document)).await
    }

    /// The document in the form that a channel carries; one that is in that form stays as it is.
    ///
    /// An error is the reason why it does not leave over this channel.
    pub(super) async fn for_channel(
        &self,
        outbound: Outbound,
        form: CarriedForm,
    ) -> Result<Result<Outbound, NotCarried>, StepFault> {
        if form.has(&outbound.plan) {
            return Ok(Ok(outbound));
        }
        let Outbound { plan, source, document, .. } = outbound;
        let title = form.target.as_str();
        let refused = |why: &str| {
            let text = format!("The channel carries {title}: {why}");
            NotCarried::NoForm(rejection(CONVERSION, text))
        };
        if plan.payload != OutboundPayload::Document {
            return Ok(Err(refused("a file, or an envelope of its own, cannot become one.")));
        }
        let Some(policy) = self.context.conversion else {
            return Ok(Err(refused("this service does not convert documents.")));
        };
        if let Some(refusal) =
            self.package_refuses(&format!("The channel carries {title}.")).await?
        {
            return Ok(Err(NotCarried::NoForm(refusal)));
        }
        let (parties, _) = self.speakers();
        let asked = self.record.wishes.allowed_losses.as_deref();
        let policy = policy.between(&parties, &plan.receiver, asked);
        let (upload, own) = (document.clone(), plan.document_type.to_string());
        let work = move |_: &RuleLibrary| carried(&upload, &own, form, &policy);
        Ok(self.context.apart(&self.record, work).await?.map(|(form, record)| Outbound {
            plan,
            source,
            document: form,
            conversion: Some(Conversion::of(&record)),
        }))
    }

    /// Why the package of the organisation has no conversion, where it has none.
    async fn package_refuses(&self, why: &str) -> Result<Option<Box<Event>>, StepFault> {
        let owner = &self.record.transaction.organisation;
        let (name, _) = self.context.store.package_of(owner, self.record.created_on).await?;
        let Some(name) = name else { return Ok(None) };
        let packages = self.context.packages;
        if packages.named(&name).is_none_or(|package| package.transformation) {
            return Ok(None);
        }
        let least = packages.with_transformation();
        let least = least.map_or("none of the packages", |package| &package.name);
        let text = format!(
            "{why} Conversion is part of the package {least} and above; the organisation has {name}."
        );
        Ok(Some(rejection(PACKAGE, text)))
    }
}

/// The offers of the format that the sender asked for.
fn of_format(
    (mut offers, others): (Vec<ProcessOffer>, &[ProcessOffer]),
    format: &str,
    (receiver, other_course): (&ParticipantId, Option<String>),
) -> Result<Vec<ProcessOffer>, Box<Event>> {
    let mut takes: Vec<String> =
        offers.iter().map(|own| own.offer.document_type.to_string()).collect();
    takes.dedup();
    offers.retain(|own| own.offer.is_of(format));
    if !offers.is_empty() {
        return Ok(offers);
    }
    let is_other = takes.is_empty() || others.iter().any(|own| own.offer.is_of(format));
    let text = match (other_course.filter(|_| is_other), &takes[..]) {
        (Some(why), _) => format!("The document was to be sent as {format}. {why}"),
        (None, takes) => {
            let takes = match takes {
                [] => "nothing that the document could be converted to".to_owned(),
                some => some.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", "),
            };
            format!("The document was to be sent as {format}, and {receiver} takes {takes}.")
        }
    };
    Err(rejection(CONVERSION, text))
}
