//! The parties of the configuration. A party that is known by one of its identifiers is that party,
//! whatever comes first now.

use std::collections::BTreeSet;

use quoin_access_point::config::PartySeed;
use quoin_access_point::declared::{identifiers_said, party, said_of_party, same_party, states};
use quoin_store::{
    CONFIGURATION, Expected, HookScope, PartyChange, PartyProfile, PartyRecord, Publish, Refusal,
    Secret,
};

use super::{SeedError, TakeOver};

/// What to do about a party that somebody else has.
const ADVICE: &str = "Its organisation has to give the identifier up first (withdraw the party over \
                      the interface, or prepare its migration), or it must not be declared here; \
                      then start again.";

impl TakeOver<'_> {
    /// Takes over the parties, in the order of the file.
    pub(super) async fn parties(&mut self, seeds: &[PartySeed]) -> Result<(), SeedError> {
        let mut declared = Vec::new();
        for seed in seeds {
            let record = party(&self.id, seed, self.now).map_err(|problem| self.wrong(problem))?;
            declared.push((seed, record));
        }
        for (seed, record) in &declared {
            self.party(seed, record, &declared).await?;
        }
        Ok(())
    }

    async fn party(
        &mut self,
        seed: &PartySeed,
        record: &PartyRecord,
        all: &[(&PartySeed, PartyRecord)],
    ) -> Result<(), SeedError> {
        let known = self.known(record, all).await?;
        let key = match &known {
            Some(known) => known.id.clone(),
            None => self.store.new_party_key(&self.id, &record.id).await?,
        };
        for hook in &seed.hooks {
            self.hook(HookScope::Party(key.clone()), hook).await?;
        }
        let before = self.store.party_said(&self.id, &key).await?;
        let left = self.left(known.as_ref(), record, before.as_ref());
        let said = Some(Secret::new(said_of_party(seed, &left)));
        let place = (self.id.clone(), key.clone());
        let is_again = before.is_some_and(|before| same_party(before.reveal(), seed));
        if known.is_some() && is_again {
            self.keep(known, left);
            self.taken.declared.parties.insert(place, said);
            return Ok(());
        }
        let taken = match self.moved(record, &key).await {
            Ok(()) => self.declare(seed, record, &key).await?,
            Err(error) => Err(error),
        };
        let said = match taken {
            Ok(profile) => {
                self.keep(Some(profile.party), left);
                said
            }
            Err(error) => {
                self.refused(format!("party {}", record.id), error, ADVICE)?;
                None
            }
        };
        self.taken.declared.parties.insert(place, said);
        Ok(())
    }

    /// The party that it is: the one that was declared by its first identifier, whatever that has
    /// become since, or the one that has one of its identifiers and is not declared itself.
    async fn known(
        &self,
        record: &PartyRecord,
        all: &[(&PartySeed, PartyRecord)],
    ) -> Result<Option<PartyRecord>, SeedError> {
        let main = record.identifiers.first();
        let names =
            |said: Secret| main.is_some_and(|main| identifiers_said(said.reveal()).contains(main));
        if let Some(known) = self.store.party(&self.id, &record.id).await?
            && (record.identifiers.iter().any(|one| has(&known, one))
                || self.store.party_said(&self.id, &known.id).await?.is_some_and(names))
        {
            return Ok(Some(known));
        }
        for identifier in &record.identifiers {
            let Some(known) = self.store.party_of_identifier(&self.id, identifier).await? else {
                continue;
            };
            let other = |(_, other): &(&PartySeed, PartyRecord)| {
                other.id != record.id && other.identifiers.iter().any(|id| has(&known, id))
            };
            if !all.iter().any(other) {
                return Ok(Some(known));
            }
        }
        Ok(None)
    }

    /// The identifiers that were said of a party, are not any more, and that it still has.
    fn left(
        &self,
        known: Option<&PartyRecord>,
        record: &PartyRecord,
        before: Option<&Secret>,
    ) -> BTreeSet<String> {
        let Some((known, before)) = known.zip(before) else { return BTreeSet::new() };
        let said = identifiers_said(before.reveal()).into_iter();
        said.filter(|one| has(known, one) && !has(record, one)).collect()
    }

    fn keep(&mut self, party: Option<PartyRecord>, left: BTreeSet<String>) {
        if let Some(party) = party {
            let left = left.into_iter().map(|identifier| (party.clone(), identifier));
            self.taken.left.extend(left);
        }
    }

    /// Takes identifiers off other parties of the organisation for which they were declared before.
    async fn moved(&self, record: &PartyRecord, key: &str) -> Result<(), quoin_store::Error> {
        for identifier in &record.identifiers {
            let Some(other) = self.store.party_of_identifier(&self.id, identifier).await? else {
                continue;
            };
            let ended = self.store.party_profile(other.clone()).await?.config.version == 0;
            if other.id == key || ended {
                continue;
            }
            let said = self.store.party_said(&self.id, &other.id).await?;
            let was = said.is_some_and(|said| identifiers_said(said.reveal()).contains(identifier));
            if !was {
                let what = "identifier of another party of the organisation";
                return Err(Refusal::Taken { what, key: identifier.clone() }.into());
            }
            self.store.take_off(&other, identifier, (CONFIGURATION, self.now)).await?;
        }
        Ok(())
    }

    /// What the configuration says of a party: it is published with what is on. A capability that
    /// is not named is off for a party that is new, and stays as it is for one that is known.
    async fn declare(
        &self,
        seed: &PartySeed,
        record: &PartyRecord,
        key: &str,
    ) -> Result<Result<PartyProfile, quoin_store::Error>, SeedError> {
        let party = PartyRecord { id: key.to_owned(), ..record.clone() };
        let known = self.store.party_profile(party.clone()).await?.config.version > 0;
        let capabilities = states(seed, known).map_err(|problem| self.wrong(problem))?;
        let change = PartyChange {
            organisation: self.id.clone(),
            id: party.id.clone(),
            identifiers: party.identifiers.clone(),
            name: None,
            country: party.country.clone(),
            capabilities,
            card: None,
            verification: None,
            links: Vec::new(),
            hooks: Vec::new(),
            migration_key: None,
            publish: Publish::Declared,
            expected: Expected::Any,
            account: Some(CONFIGURATION.to_owned()),
            now: self.now,
        };
        Ok(self.store.declare_party(party, change).await)
    }
}

fn has(party: &PartyRecord, identifier: &str) -> bool {
    party.identifiers.iter().any(|known| known == identifier)
}
