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
            // The key may be one that was replaced when the migration was taken back.
            Ok(SmlAnswer::Fault(fault)) => match self.replaced(order).await {
                ReplacedKey::Used => {}
                ReplacedKey::Trouble(tried) => return tried,
                ReplacedKey::Kept(_) | ReplacedKey::Unused => {
                    return RegistrationTry::Never(format!(
                        "the SML keeps it, since a migration of it is prepared. It said: {}",
                        fault.text
                    ));
                }
            },
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

    /// A new key in place of the one that was given out, where the participant is ours; that one is
    /// worthless then, also where the SML does not let the new one be used by us. `None` where the
    /// participant is not ours.
    async fn replaced_key(&self, order: RegisterRequest<'_>) -> Option<RegistrationTry> {
        match self.ours([order.participant.folded()].into()).await {
            // Whether it is ours is not known, and so not whether the key is worthless.
            Err(trouble) => return Some(without_answer(&trouble)),
            Ok(ours) if ours.is_empty() => return None,
            Ok(_) => {}
        }
        Some(match self.replaced(order).await {
            ReplacedKey::Used | ReplacedKey::Unused => RegistrationTry::Done,
            ReplacedKey::Trouble(tried) => tried,
            ReplacedKey::Kept(fault) => RegistrationTry::Later(format!(
                "the SML did not take another key, so the one that was given out may still be \
                 used. It said: {}",
                fault.text
            )),
        })
    }

    /// Prepares a migration with a new key that nobody is told, and uses it.
    async fn replaced(&self, order: RegisterRequest<'_>) -> ReplacedKey {
        let Ok(secret) = new_key() else {
            let why = "there are no random bytes for a key".to_owned();
            return ReplacedKey::Trouble(RegistrationTry::Later(why));
        };
        let moved = self.moved(order, secret.reveal());
        match self.client.call(&SmlRequest::PrepareToMigrate(moved.clone())).await {
            Err(trouble) => return ReplacedKey::Trouble(without_answer(&trouble)),
            Ok(SmlAnswer::Fault(fault)) => return ReplacedKey::Kept(fault),
            Ok(_) => {}
        }
        match self.client.call(&SmlRequest::Migrate(moved)).await {
            Err(trouble) => ReplacedKey::Trouble(without_answer(&trouble)),
            Ok(SmlAnswer::Fault(_)) => ReplacedKey::Unused,
            Ok(_) => ReplacedKey::Used,
        }
    }
}

/// What became of a key that was to be replaced by one that nobody is told.
enum ReplacedKey {
    /// It is replaced, and the new one was used: nothing is prepared any more.
    Used,
    /// It is replaced, and the new one cannot be used by us.
    Unused,
    /// The SML keeps it.
    Kept(SmlFault),
    /// There was no answer.
    Trouble(RegistrationTry),
}
