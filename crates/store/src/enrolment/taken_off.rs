//! An identifier that is taken off its party.

use jiff::Timestamp;

use super::end;
use crate::error::{Error, Refusal};
use crate::open::Store;
use crate::parties::{self, PartyRecord};

impl Store {
    /// Takes an identifier off a party: it is no longer published, and free for whoever verifies
    /// it. The party keeps at least one. Answers whether the party had it.
    ///
    /// Errors: [`Refusal::Held`] where it is the last one.
    pub async fn take_off(
        &self,
        party: &PartyRecord,
        identifier: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (owner, id) = (party.organisation.clone(), party.id.clone());
        let (identifier, secrets) = (identifier.to_owned(), self.secrets.clone());
        self.write(move |tx| {
            let Some(mut party) = parties::find(tx.connection(), &owner, &id)? else {
                return Ok(false);
            };
            let before = party.identifiers.len();
            let mut gone = party.clone();
            gone.identifiers.retain(|known| *known == identifier);
            party.identifiers.retain(|known| *known != identifier);
            if party.identifiers.len() == before {
                return Ok(false);
            }
            if party.identifiers.is_empty() {
                let key = identifier.clone();
                return Err(Refusal::Held { what: "identifier", key }.into());
            }
            end(tx, &gone, true, now, &secrets)?;
            parties::put(tx, &party)?;
            Ok(true)
        })
        .await
    }
}
