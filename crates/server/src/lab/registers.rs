//! The lab's Directory: it fetches business cards from the SMP that announces them, as the real one
//! does. The SML is a service of its own, see [`super::locator`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use quoin_delivery::registration::{Tried, Wish};

use crate::net::{Call, HttpClient};
use crate::registers::{Order, RegisterDesk, Registers};

/// The largest business card that is read, in bytes.
const LARGEST_CARD: usize = 1 << 20;
/// Time for one business card.
const CARD_TIME: Duration = Duration::from_secs(10);

/// What the lab's Directory holds, for all SMPs of the lab.
#[derive(Debug, Clone, Default)]
pub struct LabRegisters(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    /// The business cards of the Directory.
    cards: BTreeMap<String, Bytes>,
}

impl LabRegisters {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The business card that the Directory has of a participant.
    pub fn card(&self, participant: &str) -> Option<Bytes> {
        self.held().cards.get(participant).cloned()
    }

    /// The registers as the SMP at this address speaks to them; the SML is that of its configuration.
    pub fn of(&self, smp_url: &str, client: HttpClient) -> Registers {
        Registers {
            directory: Arc::new(LabDirectory {
                registers: self.clone(),
                smp_url: smp_url.to_owned(),
                client,
            }),
            ..Registers::unset()
        }
    }
}

struct LabDirectory {
    registers: LabRegisters,
    smp_url: String,
    client: HttpClient,
}

impl LabDirectory {
    async fn fetch(&self, order: Order<'_>) -> Tried {
        let participant = order.participant.folded();
        if order.wish == Wish::Absent {
            self.registers.held().cards.remove(&participant);
            return Tried::Done;
        }
        let url = format!("{}/businesscard/{}", self.smp_url, order.participant.uri());
        match self.client.call(Call::get(&url, CARD_TIME, LARGEST_CARD)).await {
            Ok(answer) if answer.status == 200 => {
                self.registers.held().cards.insert(participant, answer.body);
                Tried::Done
            }
            Ok(answer) => Tried::Later(format!("the SMP answered {}", answer.status)),
            Err(error) => Tried::Later(error.to_string()),
        }
    }
}

impl RegisterDesk for LabDirectory {
    fn carry_out<'a>(&'a self, order: Order<'a>) -> BoxFuture<'a, Tried> {
        self.fetch(order).boxed()
    }
}
