//! What is done with a document that was found where one is looked for: judged as its upload would
//! be, recorded once, and its party told of what it has to look at.

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use quoin_delivery::{DocumentId, Event, Family, Notice, Topic};
use quoin_formats::unwrap::UnwrapLimits;
use quoin_store::{Error, EventSubject, Hook, PartyRecord, Refusal, SubmitOptions, Submitted};
use uuid::Uuid;

use super::LookFault;
use crate::budget::Purpose;
use crate::enrolment::spoken;
use crate::plan::{OutboundPayload, PlanInput, judged, open};
use crate::worker::Worker;

/// What becomes of a document.
pub(super) enum FileVerdict {
    /// It is on record.
    Taken,
    /// It cannot be sent.
    Refused(String),
}

impl Worker {
    /// Judges a document as its upload would be, and records it.
    pub(super) async fn record_file(
        &self,
        (hook, party): (&Hook, &PartyRecord),
        id: &DocumentId,
        content: Bytes,
    ) -> Result<FileVerdict, LookFault> {
        let (family, content) = match self.judge_file(party, content).await? {
            Ok(judged) => judged,
            Err(reason) => return Ok(FileVerdict::Refused(reason)),
        };
        let wanted = family.commands().is_some_and(|commands| {
            hook.topics.iter().any(|pattern| pattern.matches(commands.send))
        });
        if !wanted {
            let topics: Vec<&str> = hook.topics.iter().map(|topic| topic.as_str()).collect();
            let name = family.row().name;
            let reason = format!("It is {name}, and the hook takes {}.", topics.join(", "));
            return Ok(FileVerdict::Refused(reason));
        }
        let place = (&hook.organisation, party.id.as_str());
        let new = self.provider.outgoing(place, id.clone(), family, content, self.clock.now());
        let new = new.map_err(|error| LookFault::Here(error.into()))?;
        let (name, _) = self.store.package_of(&hook.organisation, self.clock.now()).await?;
        let most = name.and_then(|name| self.packages.named(&name)?.documents);
        let submitted = self.store.submit_with(new, SubmitOptions::default(), None, most).await;
        match submitted {
            Ok(Submitted::Accepted { .. } | Submitted::Duplicate { .. }) => Ok(FileVerdict::Taken),
            Ok(Submitted::EnvelopeTaken { .. }) => {
                Ok(FileVerdict::Refused("Its envelope was sent before.".to_owned()))
            }
            Err(Error::Refusal(Refusal::PackageFull { used })) => {
                let cause = format!("the package of the organisation is full: {used} documents");
                Err(LookFault::There { code: "package-full", cause })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A document that can be sent and its family, or why it cannot. Of a PDF the document is the
    /// invoice in it.
    async fn judge_file(
        &self,
        party: &PartyRecord,
        content: Bytes,
    ) -> Result<Result<(Family, Bytes), String>, LookFault> {
        let own = spoken(&self.store, party).await?;
        let (rules, party, on) = (self.rules.clone(), party.clone(), self.clock.now());
        let who = party.organisation.to_string();
        let most = self.hooks.document_bytes;
        let judge = move || {
            let content = match quoin_formats::is_pdf(&content) {
                true => invoice_in(&content, most)?,
                false => content,
            };
            let wishes = SubmitOptions::default();
            if matches!(open(&content, &wishes).payload, OutboundPayload::Envelope(_)) {
                return Err(
                    "Documents that are looked for have no envelope of their own.".to_owned()
                );
            }
            let country = Some(party.country.as_str()).filter(|code| !code.is_empty());
            let family = Family::Document;
            let ask =
                PlanInput { document: &content, own: &own, country, wishes: &wishes, family, on };
            let planned = judged(&ask, &rules);
            let family = match planned.plan {
                Ok(plan) => plan.family,
                // What the network does not take is converted for its receiver.
                Err(event) => planned.convertible.ok_or_else(|| reason(&event))?,
            };
            Ok((family, content))
        };
        let judged = self.budgets.pool.run(Purpose::Validate, &who, judge).await;
        judged.map_err(|busy| LookFault::Here(busy.into()))
    }

    /// Tells the party of a folder what it has to look at.
    pub(in crate::worker) async fn tell_party(&self, hook: &Hook, code: &str, message: String) {
        let subject = EventSubject {
            organisation: hook.organisation.clone(),
            party: hook.scope.party().unwrap_or_default().to_owned(),
            transaction: None,
            document_id: DocumentId::from_uuid(Uuid::now_v7()),
            origin: None,
            depth: 0,
        };
        let details = [("hook", hook.id.as_str()), ("code", code)];
        let details = details.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let notice = Notice::new(Topic::FOLDER_ERROR, message, details);
        if let Err(error) = self.store.announce(subject, notice, self.clock.now()).await {
            tracing::error!(%error, "that a folder has trouble could not be told");
        }
    }
}

/// The id of a document that was found: the same whenever the same is found again.
pub(super) fn document_id(mark: &[u8]) -> DocumentId {
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest(&SHA256, mark).as_ref()) {
        *to = *from;
    }
    DocumentId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// The invoice in a PDF (Factur-X, ZUGFeRD), or why there is not one.
fn invoice_in(file: &[u8], most: usize) -> Result<Bytes, String> {
    let inside = quoin_formats::unwrap(file, &UnwrapLimits::default());
    let invoice = inside.sole_invoice(most).map(Bytes::from);
    invoice.map_err(|why| format!("A PDF is sent as the e-invoice in it: {why}."))
}

/// Why a document is refused, a line for each finding.
fn reason(event: &Event) -> String {
    let Event::Rejected { summary, findings } = event else {
        return "It cannot be sent.".to_owned();
    };
    let lines = findings.iter().map(|line| format!("\n{} {} {}", line.rule, line.path, line.text));
    format!("{summary}{}", lines.collect::<String>())
}
