//! What a register outside is to hold: one try, and what follows from the answer.

use quoin_delivery::ids::spread;
use quoin_delivery::registration::{Tried, decide_registration};
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Claim, Registration, Secret};

use super::{Hands, StepFault};
use crate::registers::Order;

impl Hands {
    /// Makes one try and commits it.
    pub(super) async fn register(
        &self,
        claim: Claim,
        registration: Registration,
    ) -> Result<(), StepFault> {
        let tried = self.try_register(&registration).await;
        let attempt = registration.attempts + 1;
        let now = self.clock.now();
        let spread = spread(&claim.subject, attempt);
        let outcome = decide_registration(attempt, &tried, &self.policy.hooks, now, spread);
        let (register, participant) = (registration.register.as_str(), &registration.participant);
        let progress = outcome.progress.as_str();
        tracing::info!(register, participant, progress, message = outcome.message, "registration");
        self.store.finish_registration(claim, registration, outcome, now).await?;
        Ok(())
    }

    async fn try_register(&self, registration: &Registration) -> Tried {
        let participant: ParticipantId = match registration.participant.parse() {
            Ok(participant) => participant,
            Err(error) => return Tried::Never(format!("{error}")),
        };
        let order = Order {
            participant: &participant,
            wish: registration.wish,
            migration_key: registration.migration_key.as_ref().map(Secret::reveal),
        };
        self.registers.desk(registration.register).carry_out(order).await
    }
}
