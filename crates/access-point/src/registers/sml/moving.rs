//! Taking a prepared migration back. The SML has no request for it: who holds the key takes the
//! participant over, and that may be the SMP that it is at. Where an SML does not take that, a new
//! key that nobody is told makes the old one worthless.

use quoin_delivery::registration::{DesiredState, RegistrationTry};
use quoin_peppol::sml::soap::{FaultMeaning, Move, SmlAnswer, SmlFault, SmlRequest};

use super::{SmlDesk, without_answer};
use crate::enrolment::new_key;
use crate::registers::RegisterRequest;

impl SmlDesk {
    /// Answers a refusal that is about a migration which was prepared; `None` for any other.
    pub(super) async fn moving(
        &self,
        order: RegisterRequest<'_>,
        fault: &SmlFault,
    ) -> Option<RegistrationTry> {
        match (order.wish, order.migration_key) {
            (DesiredState::Absent, Some(key)) if fault.meaning() == FaultMeaning::Migrating => {
                Some(self.delete_after_taking_back(order, key).await)
            }
            (DesiredState::Absent, None) if fault.meaning() == FaultMeaning::Migrating => {
                Some(RegistrationTry::Never(format!(
                    "the SML keeps it, since a migration of it is prepared. It said: {}",
                    fault.text
                )))
            }
            (DesiredState::Present, Some(_)) if order.is_taken_back => {
                self.replaced_key(order).await
            }
            _ => None,
        }
    }

    fn moved(&self, order: RegisterRequest<'_>, key: &str) -> Move {
        Move {
            publisher: self.client.publisher().to_owned(),
            participant: order.participant.clone(),
            key: key.to_owned(),
        }
    }

    async fn delete_after_taking_back(
        &self,
        order: RegisterRequest<'_>,
        key: &str,
    ) -> RegistrationTry {
        let taken = self.client.call(&SmlRequest::Migrate(self.moved(order, key))).await;
        match taken {
            Err(trouble) => return without_answer(&trouble),
            Ok(SmlAnswer::Fault(fault)) => {
                return RegistrationTry::Never(format!(
                    "the SML keeps it, since a migration of it is prepared. It said: {}",
                    fault.text
                ));
            }
            Ok(_) => {}
        }
        match self.client.call(&SmlRequest::Delete(self.entries(&[order]))).await {
            Err(trouble) => without_answer(&trouble),
            Ok(SmlAnswer::Fault(fault)) => RegistrationTry::Later(format!(
                "the SML did not delete it. It said: {}",
                fault.text
            )),
            Ok(_) => RegistrationTry::Done,
        }
    }

    /// A new key in place of the one that was given out, and at once taken with it, where the SML
    /// lets that be done. `None` where the participant is not ours.
    async fn replaced_key(&self, order: RegisterRequest<'_>) -> Option<RegistrationTry> {
        let ours = self.ours([order.participant.folded()].into()).await.ok()?;
        if ours.is_empty() {
            return None;
        }
        let Ok(secret) = new_key() else {
            return Some(RegistrationTry::Later("there are no random bytes for a key".to_owned()));
        };
        let request = SmlRequest::PrepareToMigrate(self.moved(order, secret.reveal()));
        Some(match self.client.call(&request).await {
            Err(trouble) => without_answer(&trouble),
            Ok(SmlAnswer::Fault(fault)) => RegistrationTry::Later(format!(
                "the SML did not take another key, so the one that was given out may still be \
                 used. It said: {}",
                fault.text
            )),
            Ok(_) => {
                let taken = SmlRequest::Migrate(self.moved(order, secret.reveal()));
                match self.client.call(&taken).await {
                    Err(trouble) => without_answer(&trouble),
                    Ok(_) => RegistrationTry::Done,
                }
            }
        })
    }
}
