//! An authority that registers the document before it leaves.

use bytes::Bytes;
use quoin_access_point::ksef::{NAME, clearing_hook, not_registered};
use quoin_access_point::plan::Planned;
use quoin_delivery::{Event, Family};
use quoin_store::PartyRecord;

use super::DryRun;
use super::conversion::DryRunInput;
use crate::api::Api;
use crate::http::Problem;

/// What an authority has to do with the document.
pub(super) enum PriorRegistration {
    /// Nothing.
    None,
    /// It registers the document first, in a sentence.
    First(String),
    /// It would not get the document, which was told.
    Refused,
}

impl DryRun {
    /// Whether an authority registers the document before it leaves, and whether the document
    /// becomes what is handed over there.
    pub(super) async fn registered(
        &mut self,
        api: &Api,
        (party, input): (&PartyRecord, &DryRunInput),
        judged: &Planned,
    ) -> Result<PriorRegistration, Problem> {
        let known = match &judged.plan {
            Ok(plan) => plan.known(),
            Err(_) => judged.known.clone(),
        };
        let may_leave = judged.plan.is_ok() || judged.convertible == Some(Family::Invoice);
        if !api.settings.hook_guard.ksef || !may_leave {
            return Ok(PriorRegistration::None);
        }
        let hooks = api.store.hooks_of(&party.organisation).await?;
        let facts = known.facts(Family::Invoice);
        let Some(hook) = clearing_hook(hooks, &party.id, Some(&facts)) else {
            return Ok(PriorRegistration::None);
        };
        let id = hook.id.clone();
        let rewritten = judged.plan.as_ref().ok().and_then(|plan| plan.rewritten.as_deref());
        let document = rewritten.map_or(input.content.clone(), Bytes::copy_from_slice);
        let (identifiers, desk, on) = (party.identifiers.clone(), api.rules.clone(), input.on);
        let look = move || not_registered(&hook, &identifiers, &document, (&desk, on));
        let Some(summary) = api.settings.judges.run(party.organisation.as_str(), look).await?
        else {
            return Ok(PriorRegistration::First(format!(
                "{NAME} registers it before it leaves, by the hook {id}."
            )));
        };
        self.tell(known);
        self.rejected(&Event::Rejected { summary, findings: Vec::new() });
        Ok(PriorRegistration::Refused)
    }
}
