//! Answers that are kept for as long as none of the tables was written from which they follow
//! ([`crate::written`]).

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use quoin_delivery::ChannelHook;
use quoin_delivery::ownership::ActingRight;

use crate::accounts::Account;
use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::hooks::Hook;
use crate::open::Store;
use crate::parties::PartyRecord;
use crate::permissions::Permission;
use crate::publications::PublishedService;
use crate::written::Tables;

/// Answers of a kind that are kept at most.
const MOST: usize = 10_000;
/// The same of what one participant takes, which may be a hundred services.
const PARTICIPANTS: usize = 500;

/// Answers by key, each with the count that was seen before it was read.
pub(crate) struct Remembered<T> {
    /// From what they follow.
    pub(crate) tables: Tables,
    most: usize,
    kept: Mutex<HashMap<String, (u64, T)>>,
}

impl<T: Clone> Remembered<T> {
    /// Nothing yet; answers follow from these tables.
    fn of(tables: &[&str], most: usize) -> Remembered<T> {
        Remembered { tables: Tables::named(tables), most, kept: Mutex::default() }
    }

    /// The answer that is remembered, or the one that is read now; `count` is that of before the
    /// reading began.
    pub(crate) fn or_read(
        &self,
        key: String,
        count: u64,
        read: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if let Some(answer) = self.get(&key, count) {
            return Ok(answer);
        }
        let answer = read()?;
        self.keep(key, count, answer.clone());
        Ok(answer)
    }

    /// The answer, where it was read at this count.
    pub(crate) fn get(&self, key: &str, count: u64) -> Option<T> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(seen, _)| *seen == count).map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer that was read after this count was seen.
    pub(crate) fn keep(&self, key: String, count: u64, answer: T) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= self.most {
            kept.clear();
        }
        kept.insert(key, (count, answer));
    }
}

/// What is remembered.
pub(crate) struct Memories {
    /// Accounts of an organisation by their name.
    pub(crate) accounts: Remembered<Option<Account>>,
    /// The hooks that can be channels of a party.
    pub(crate) channels: Remembered<Vec<ChannelHook>>,
    /// Hooks by organisation and key.
    pub(crate) hooks: Remembered<Option<Hook>>,
    /// Organisations that are open.
    pub(crate) open: Remembered<bool>,
    /// Parties of an organisation by an identifier.
    pub(crate) parties: Remembered<Option<PartyRecord>>,
    /// The rights of an account on a party.
    pub(crate) permissions: Remembered<Option<Permission>>,
    /// What a participant takes.
    pub(crate) services: Remembered<Arc<[PublishedService]>>,
    /// Whether a party may act under its identifiers, in their order.
    pub(crate) standings: Remembered<Vec<ActingRight>>,
    /// Organisations that were given no package: the count of one changes with each document.
    pub(crate) unpackaged: Remembered<()>,
    /// Whether is reported for a party.
    pub(crate) switches: Remembered<Option<bool>>,
}

impl Default for Memories {
    fn default() -> Memories {
        let services = ["services", "service_kinds", "service_groups"];
        Memories {
            accounts: Remembered::of(&["organisations", "clients", "users"], MOST),
            channels: Remembered::of(&["hooks"], MOST),
            hooks: Remembered::of(&["hooks"], MOST),
            open: Remembered::of(&["organisations"], MOST),
            parties: Remembered::of(&["parties", "party_identifiers"], MOST),
            permissions: Remembered::of(&["permissions"], MOST),
            services: Remembered::of(&services, PARTICIPANTS),
            standings: Remembered::of(&["holdings", "verifications"], MOST),
            unpackaged: Remembered::of(&["packages"], MOST),
            switches: Remembered::of(&["tax_switches"], MOST),
        }
    }
}

impl Store {
    /// The answer that is remembered, or the one that is read now.
    pub(crate) async fn recalled<T, F>(
        &self,
        memory: fn(&Memories) -> &Remembered<T>,
        key: String,
        query: F,
    ) -> Result<T, Error>
    where
        T: Clone + Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        let memory = memory(&self.memories);
        let count = self.written(memory.tables);
        if let Some(answer) = memory.get(&key, count) {
            return Ok(answer);
        }
        let answer = self.read(query).await?;
        memory.keep(key, count, answer.clone());
        Ok(answer)
    }
}

/// A key of several parts, whatever they hold.
pub(crate) fn key<const N: usize>(parts: [&str; N]) -> String {
    let mut key = String::with_capacity(parts.iter().map(|part| part.len() + 4).sum());
    for part in parts {
        // Nothing that is written to a text fails.
        let _ = write!(key, "{}:{part}", part.len());
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_good_for_its_key_and_its_count() {
        let memory = Remembered::of(&["hooks"], 2);
        memory.keep(key(["a", "b"]), 1, 7);
        assert_eq!(memory.get(&key(["a", "b"]), 1), Some(7));
        assert_eq!(memory.get(&key(["a", "b"]), 2), None, "something was written since");
        assert_eq!(memory.get(&key(["a1:b", ""]), 1), None, "parts do not run together");
        let read = |answer| move || Ok(answer);
        assert_eq!(memory.or_read(key(["a", "b"]), 2, read(8)).unwrap(), 8);
        assert_eq!(memory.or_read(key(["a", "b"]), 2, read(9)).unwrap(), 8);
        memory.keep(key(["c", ""]), 2, 1);
        memory.keep(key(["d", ""]), 2, 1);
        assert_eq!(memory.get(&key(["a", "b"]), 2), None, "there is an end to it");
    }
}
