//! A call that is owed to a hook: one try, and what follows from the answer.

use std::time::Duration;

use quoin_delivery::hook::decide_hook;
use quoin_delivery::ids::spread;
use quoin_store::{Claim, HookCall};

use super::{Hands, StepFault};
use crate::clock::Clock;
use crate::hooks::{self, Tried};
use crate::net::HttpClient;

/// How hooks are called.
pub struct HookCaller {
    /// Guarded against addresses of the own network.
    pub client: HttpClient,
    /// Prefix of the signature header.
    pub prefix: String,
    /// Time for one call.
    pub limit: Duration,
    /// The time that is signed.
    pub clock: Clock,
}

impl HookCaller {
    async fn call(&self, call: &HookCall) -> Tried {
        hooks::call(&self.client, call, &self.prefix, self.clock.now(), self.limit).await
    }
}

impl Hands {
    /// Makes one try and commits it.
    pub(super) async fn notify(&self, claim: Claim, call: HookCall) -> Result<(), StepFault> {
        let Tried { answer, tried } = self.hooks.call(&call).await;
        let attempt = call.tries + 1;
        let now = self.clock.now();
        let spread = spread(&call.id, attempt);
        let decision = decide_hook(attempt, &answer, &self.policy.hooks, now, spread);
        self.store.finish_call(claim, tried, decision, now).await?;
        Ok(())
    }
}
