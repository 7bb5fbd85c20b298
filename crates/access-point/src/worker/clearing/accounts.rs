//! By whose hook a batch goes to the system, and what follows where there is none that can be used.

use quoin_delivery::event::ClearanceNews;
use quoin_delivery::{Event, decide};
use quoin_ksef::outcome::KsefOutcome;
use quoin_store::{
    Claim, ClearanceBatch, ClearanceRecord, ClearanceResult, ClearanceState, ClearanceStep, Hook,
    Secret,
};

use super::{WITHOUT_HOOK, explained_own};
use crate::budget::Purpose;
use crate::ksef::registers;
use crate::ksef::{InitError, KsefAccount, KsefInit, SessionMemory};
use crate::step::StepFault;
use crate::worker::Worker;

impl Worker {
    /// The documents of a batch wait for a hook: it is told once, and looked for again.
    pub(super) async fn without_hook(
        &self,
        claim: Claim,
        batch: ClearanceBatch,
        why: String,
    ) -> Result<(), StepFault> {
        let party = self.name_of(&batch.organisation, &batch.party).await;
        tracing::warn!(batch = batch.id, party, "no usable hook for KSeF");
        let now = self.clock.now();
        let later = now.saturating_add(WITHOUT_HOOK).unwrap_or(now);
        let mut memory = SessionMemory::read(&batch.memory);
        let mut results = Vec::new();
        if !std::mem::replace(&mut memory.hookless, true) {
            for record in &batch.documents {
                let news = ClearanceNews {
                    outcome: KsefOutcome::Unavailable,
                    code: "ksef-certificate".to_owned(),
                    message: why.clone(),
                    details: Default::default(),
                    output: Vec::new(),
                };
                results.extend(self.cleared(record, record.state, news).await?);
            }
        }
        let step = ClearanceStep {
            next: Some((batch.step.clone(), later)),
            memory: memory.bytes(),
            failed: batch.failed.saturating_add(1),
            polls: batch.polls,
            results,
            again: Vec::new(),
        };
        Ok(self.store.advance_clearance(claim, &batch, step, now).await?)
    }

    /// What follows for a document; none where it is gone.
    pub(super) async fn cleared(
        &self,
        record: &ClearanceRecord,
        state: ClearanceState,
        news: ClearanceNews,
    ) -> Result<Option<ClearanceResult>, StepFault> {
        let found = self.store.transaction(&record.transaction).await?;
        let Some(found) = found else { return Ok(None) };
        let transaction = found.transaction;
        let event = Event::Cleared(news);
        let decision = decide(&transaction, &event, &self.policy, self.clock.now());
        Ok(Some(ClearanceResult {
            transaction,
            decision: Some(decision),
            state,
            authority_number: None,
            mode: None,
            evidence: Vec::new(),
        }))
    }

    /// The hook of a batch with its certificates, or why there is none that can be used.
    pub(super) async fn account_of(
        &self,
        batch: &ClearanceBatch,
    ) -> Result<Result<(Hook, KsefAccount), String>, StepFault> {
        let kept = self.store.hook_of_key(&batch.organisation, &batch.hook).await?;
        let hook = match kept.filter(registers) {
            Some(hook) => Some(hook),
            None => self.clearing_hook(&batch.organisation, &batch.party, None).await?,
        };
        let Some(hook) = hook.filter(|hook| !hook.secrets.is_empty()) else {
            return Ok(Err(explained_own("no-hook", "")));
        };
        Ok(self.account_of_hook(&hook).await?.map(|account| (hook, account)))
    }

    /// The account of a hook of a party, or why its certificates cannot be used.
    pub(in crate::worker) async fn account_of_hook(
        &self,
        hook: &Hook,
    ) -> Result<Result<KsefAccount, String>, StepFault> {
        let (Some(party), Some(secret)) = (hook.scope.party(), hook.secrets.first().cloned())
        else {
            return Ok(Err(explained_own("certificate-use", "")));
        };
        let record = self.store.party(&hook.organisation, party).await?;
        let identifiers = record.map(|record| record.identifiers).unwrap_or_default();
        let who = hook.organisation.as_str();
        self.opened_account((hook.key.to_string(), secret), identifiers, who).await
    }

    /// The account of a hook with its certificates, opened on a thread of the pool: how much work
    /// that is stands in the files.
    async fn opened_account(
        &self,
        (key, secret): (String, Secret),
        identifiers: Vec<String>,
        who: &str,
    ) -> Result<Result<KsefAccount, String>, StepFault> {
        let work = move || {
            let unusable = |error: InitError| explained_own("certificate-use", &error.to_string());
            let init = KsefInit::open(&secret).map_err(unusable)?;
            KsefAccount::of(key, init, identifiers.iter().map(String::as_str))
                .ok_or_else(|| explained_own("no-nip", ""))
        };
        Ok(self.budgets.pool.run(Purpose::Validate, who, work).await?)
    }
}
