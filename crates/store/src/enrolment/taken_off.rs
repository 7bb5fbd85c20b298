//! An identifier that is taken off its party.

use jiff::Timestamp;

use super::{end, noted};
use crate::configs;
use crate::error::{Error, Refusal};
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::secrets::SecretBox;
use crate::writer::Tx;

/// The schemes of the Belgian enterprise number and of the VAT number, which is that number with
/// the letters of the country before it.
const ENTERPRISE: &str = "0208:";
const VAT: (&str, &str) = ("9925:", "be");

/// The Belgian VAT number among identifiers that an enterprise number is in.
fn vat_of<'i>(enterprise: &str, identifiers: &'i [String]) -> Option<&'i String> {
    let number = enterprise.strip_prefix(ENTERPRISE)?;
    identifiers.iter().find(|identifier| {
        let vat = identifier.strip_prefix(VAT.0);
        vat.is_some_and(|vat| vat.strip_prefix(VAT.1).unwrap_or(vat) == number)
    })
}

/// Demands that a party can be without an identifier, once it has the others only.
fn demand_free(tx: &mut Tx<'_>, party: &PartyRecord, identifier: &str) -> Result<(), Error> {
    let identifier = identifier.to_owned();
    if party.identifiers.is_empty() {
        return Err(Refusal::LastIdentifier { identifier }.into());
    }
    // Who is reached by VAT number has to be reached by enterprise number, too (interface
    // specification 2.1, rule 2).
    let Some(vat) = vat_of(&identifier, &party.identifiers).cloned() else { return Ok(()) };
    let config = configs::of_party(tx.connection(), &party.organisation, &party.id)?;
    match config.enrolled {
        true => Err(Refusal::EnterpriseNumber { identifier, vat }.into()),
        false => Ok(()),
    }
}

fn take_off(
    tx: &mut Tx<'_>,
    known: &PartyRecord,
    identifier: &str,
    (account, now): (&str, Timestamp),
    secrets: &SecretBox,
) -> Result<bool, Error> {
    let owner = &known.organisation;
    let Some(mut party) = parties::find(tx.connection(), owner, &known.id)? else {
        return Ok(false);
    };
    let mut gone = party.clone();
    gone.identifiers.retain(|known| *known == identifier);
    party.identifiers.retain(|known| *known != identifier);
    if gone.identifiers.is_empty() {
        return Ok(false);
    }
    demand_free(tx, &party, identifier)?;
    end(tx, &gone, true, now, secrets)?;
    parties::put(tx, &party)?;
    noted::taken_off(tx, &gone, (account, now))?;
    Ok(true)
}

impl Store {
    /// Takes an identifier off a party: it is no longer published, and free for whoever verifies
    /// it. The party keeps at least one, and a Belgian one that is enrolled with its VAT number its
    /// enterprise number. It is known by another identifier afterwards where it was known by this
    /// one. `by` says who asks, and when. Answers whether the party had it.
    ///
    /// Errors: [`Refusal::LastIdentifier`], [`Refusal::EnterpriseNumber`].
    pub async fn take_off(
        &self,
        party: &PartyRecord,
        identifier: &str,
        by: (&str, Timestamp),
    ) -> Result<bool, Error> {
        let (party, identifier) = (party.clone(), identifier.to_owned());
        let (account, now) = (by.0.to_owned(), by.1);
        let secrets = self.secrets.clone();
        self.write(move |tx| take_off(tx, &party, &identifier, (&account, now), &secrets)).await
    }
}
