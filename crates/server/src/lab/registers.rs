//! The lab's registers: its SML, whose zone is changed as orders come in, and a Directory that
//! fetches business cards from the SMP that announces them, as the real one does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use quoin_delivery::registration::{Tried, Wish};
use quoin_peppol::sml::dns_name;

use super::network::ZONE;
use super::sml::Zone;
use crate::net::{Call, HttpClient};
use crate::registers::{Order, RegisterDesk, Registers};

/// The largest business card that is read, in bytes.
const LARGEST_CARD: usize = 1 << 20;
/// Time for one business card.
const CARD_TIME: Duration = Duration::from_secs(10);

/// What the lab's registers hold, for all SMPs of the lab.
#[derive(Debug, Clone, Default)]
pub struct LabRegisters(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    /// The SMP of each participant, and the key under which it may go to another.
    entries: BTreeMap<String, (String, Option<String>)>,
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

    /// The registers as the SMP at this address speaks to them.
    pub fn of(&self, zone: &Zone, smp_url: &str, client: HttpClient) -> Registers {
        Registers {
            sml: Arc::new(LabSmlDesk {
                registers: self.clone(),
                zone: zone.clone(),
                smp_url: smp_url.to_owned(),
            }),
            directory: Arc::new(LabDirectory {
                registers: self.clone(),
                smp_url: smp_url.to_owned(),
                client,
            }),
        }
    }
}

struct LabSmlDesk {
    registers: LabRegisters,
    zone: Zone,
    smp_url: String,
}

impl LabSmlDesk {
    fn change(&self, order: Order<'_>) -> Result<(), String> {
        let participant = order.participant.folded();
        let mut held = self.registers.held();
        let known = held.entries.get(&participant).cloned();
        let key = order.migration_key.map(str::to_owned);
        if let Some((smp, leaves)) = &known
            && *smp != self.smp_url
            && (leaves.is_none() || *leaves != key)
        {
            return Err(format!(
                "{participant} is registered by another SMP; have it prepare the migration and \
                 give its key"
            ));
        }
        let name = dns_name(order.participant, ZONE);
        let changed = match order.wish {
            Wish::Absent => {
                held.entries.remove(&participant);
                self.zone.unregister(&name)
            }
            Wish::Present | Wish::Leaving => {
                let leaves = key.filter(|_| order.wish == Wish::Leaving);
                held.entries.insert(participant, (self.smp_url.clone(), leaves));
                self.zone.register(&name, &self.smp_url)
            }
        };
        changed.map_err(|error| error.to_string())
    }
}

impl RegisterDesk for LabSmlDesk {
    fn carry_out<'a>(&'a self, order: Order<'a>) -> BoxFuture<'a, Tried> {
        let tried = self.change(order).map_or_else(Tried::Never, |()| Tried::Done);
        std::future::ready(tried).boxed()
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
