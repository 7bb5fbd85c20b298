//! Taking a prepared migration back. The SML has no request for it: who holds the key takes the
//! participant over, and that may be the SMP that it is at. Where an SML does not take that, a new
//! key that nobody is told makes the old one worthless.

use quoin_delivery::registration::{DesiredState, Tried};
use quoin_peppol::sml::soap::{Answer, Fault, Meaning, Move, Request};

use super::{SmlDesk, without_answer};
use crate::enrolment::new_key;
use crate::registers::Order;

impl SmlDesk {
    /// Answers a refusal that is about a migration which was prepared; `None` for any other.
    pub(super) async fn moving(&self, order: Order<'_>, fault: &Fault) -> Option<Tried> {
        match (order.wish, order.migration_key) {
            (DesiredState::Absent, Some(key)) if fault.meaning() == Meaning::Migrating => {
                Some(self.delete_after_taking_back(order, key).await)
            }
            (DesiredState::Absent, None) if fault.meaning() == Meaning::Migrating => {
                Some(Tried::Never(format!(
                    "the SML keeps it, since a migration of it is prepared. It said: {}",
                    fault.text
                )))
            }
            (DesiredState::Present, Some(_)) if order.is_first => self.replaced_key(order).await,
            _ => None,
        }
    }

    fn moved(&self, order: Order<'_>, key: &str) -> Move {
        Move {
            publisher: self.client.publisher().to_owned(),
            participant: order.participant.clone(),
            key: key.to_owned(),
        }
    }

    async fn delete_after_taking_back(&self, order: Order<'_>, key: &str) -> Tried {
        let taken = self.client.call(&Request::Migrate(self.moved(order, key))).await;
        match taken {
            Err(trouble) => return without_answer(&trouble),
            Ok(Answer::Fault(fault)) => {
                return Tried::Never(format!(
                    "the SML keeps it, since a migration of it is prepared. It said: {}",
                    fault.text
                ));
            }
            Ok(_) => {}
        }
        match self.client.call(&Request::Delete(self.entries(&[order]))).await {
            Err(trouble) => without_answer(&trouble),
            Ok(Answer::Fault(fault)) => {
                Tried::Later(format!("the SML did not delete it. It said: {}", fault.text))
            }
            Ok(_) => Tried::Done,
        }
    }

    /// A participant that is at our SMP already and was to be taken over is one whose migration is
    /// taken back. `None` where it is not ours.
    async fn replaced_key(&self, order: Order<'_>) -> Option<Tried> {
        let ours = self.ours([order.participant.folded()].into()).await.ok()?;
        if ours.is_empty() {
            return None;
        }
        let Ok(secret) = new_key() else {
            return Some(Tried::Later("there are no random bytes for a key".to_owned()));
        };
        let request = Request::PrepareToMigrate(self.moved(order, secret.reveal()));
        Some(match self.client.call(&request).await {
            Err(trouble) => without_answer(&trouble),
            Ok(Answer::Fault(fault)) => Tried::Later(format!(
                "the SML did not take another key, so the one that was given out may still be \
                 used. It said: {}",
                fault.text
            )),
            Ok(_) => Tried::Done,
        })
    }
}
