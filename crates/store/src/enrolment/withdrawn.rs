//! The end of enrolments: of one party that somebody asks for, and of many.

use jiff::Timestamp;

use super::{Expected, Withdrawal, noted, withdraw};
use crate::configs;
use crate::error::Error;
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::secrets::SecretBox;
use crate::writer::Tx;

/// Parties that are withdrawn in one commit: few, since other work waits for it.
const PIECE: usize = 50;

fn withdrawn(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    (withdrawal, expected): (Withdrawal, Expected),
    (account, now): (&str, Timestamp),
    secrets: &SecretBox,
) -> Result<bool, Error> {
    // What it has may have changed since it was looked up, and be another party's by now.
    let found = parties::find(tx.connection(), &party.organisation, &party.id)?;
    let Some(party) = found else { return Ok(false) };
    let before = configs::of_party(tx.connection(), &party.organisation, &party.id)?;
    expected.demand("the configuration of the party", Some(before.version))?;
    let known = withdraw(tx, &party, withdrawal, now, secrets)?;
    if known {
        noted::withdrawn(tx, &party, (account, now))?;
    }
    Ok(known)
}

impl Store {
    /// Ends an enrolment: the party is no longer published. Its documents stay, and so does the
    /// record of who verified it. `by` says who asks, and when. Answers whether there was a
    /// configuration.
    ///
    /// Errors: [`Refusal::Changed`](crate::Refusal::Changed).
    pub async fn withdraw_party(
        &self,
        party: PartyRecord,
        withdrawal: Withdrawal,
        expected: Expected,
        by: (&str, Timestamp),
    ) -> Result<bool, Error> {
        let (secrets, account, now) = (self.secrets.clone(), by.0.to_owned(), by.1);
        let how = (withdrawal, expected);
        self.write(move |tx| withdrawn(tx, &party, how, (&account, now), &secrets)).await
    }

    /// The same of many parties, whatever their configuration is: a piece a commit, in their order.
    pub async fn withdraw_parties(
        &self,
        parties: &[PartyRecord],
        withdrawal: Withdrawal,
        by: (&str, Timestamp),
    ) -> Result<(), Error> {
        for piece in parties.chunks(PIECE) {
            let (piece, secrets) = (piece.to_vec(), self.secrets.clone());
            let (account, now) = (by.0.to_owned(), by.1);
            let work = move |tx: &mut Tx<'_>| {
                for party in &piece {
                    let how = (withdrawal, Expected::Any);
                    withdrawn(tx, party, how, (&account, now), &secrets)?;
                }
                Ok(())
            };
            self.write(work).await?;
        }
        Ok(())
    }
}
