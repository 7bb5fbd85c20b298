//! A call that is owed to a hook: one try, and what follows from the answer.

use quoin_delivery::hook::decide_hook;
use quoin_delivery::ids::spread;
use quoin_store::{Claim, HookCall};

use super::{Hands, StepFault};

impl Hands {
    /// Makes one try and commits it.
    pub(super) async fn notify(&self, claim: Claim, call: HookCall) -> Result<(), StepFault> {
        let (tried, answer) = self.hooks.call(&call).await;
        let attempt = call.tries + 1;
        let now = self.clock.now();
        let spread = spread(&call.id, attempt);
        let decision = decide_hook(attempt, &answer, &self.policy.hooks, now, spread);
        self.store.finish_call(claim, tried, decision, now).await?;
        Ok(())
    }
}
