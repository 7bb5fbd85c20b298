//! What a change of a party claims: the identifiers that it names, as far as somebody verified
//! them or answers for them; and whether the party can be published with what it holds.

use quoin_delivery::ownership::{Holder, HoldingBasis};

use super::{PartyChange, Publish};
use crate::configs::{self, PartyConfig, Verification};
use crate::error::{Error, Refusal};
use crate::holdings::{self, Claimant};
use crate::parties::PartyRecord;
use crate::permissions;
use crate::secrets::SecretBox;
use crate::writer::Tx;

/// Records the verification in a change: of the identifiers that it names, or of all that the
/// change names.
///
/// Errors: [`Refusal::Foreign`] where it names one that the party does not have.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    change: &PartyChange,
) -> Result<(), Error> {
    let Some(verification) = &change.verification else { return Ok(()) };
    let mut verified = verification.clone();
    if verified.identifiers.is_empty() {
        verified.identifiers.clone_from(&change.identifiers);
    }
    if let Some(foreign) = verified.identifiers.iter().find(|id| !party.identifiers.contains(id)) {
        return Err(Refusal::Foreign(foreign.clone()).into());
    }
    configs::verify(tx, &party.organisation, &party.id, &verified)
}

/// Claims the identifiers that a change names. `known` are those that the party had before.
///
/// Errors: [`Refusal::Taken`] where another organisation holds one that is new to the party, or
/// that is to be verified or published.
pub(super) fn claim(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    change: &PartyChange,
    known: &[String],
    secrets: &SecretBox,
) -> Result<(), Error> {
    let owner = &change.organisation;
    let asker = Claimant {
        organisation: owner,
        key: change.migration_key.as_ref(),
        secrets,
        now: change.now,
    };
    for identifier in &change.identifiers {
        if let Some(basis) = basis(tx, party, change, identifier)? {
            holdings::claim(tx, &asker, identifier, basis)?;
            continue;
        }
        let asks = change.publish != Publish::Unchanged || !known.contains(identifier);
        let holder = holdings::seen_by(tx.connection(), &asker, identifier)?;
        if asks && matches!(holder, Holder::Other { .. }) {
            return Err(holdings::taken(identifier));
        }
    }
    Ok(())
}

/// Why the organisation may claim an identifier, if it may.
fn basis(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    change: &PartyChange,
    identifier: &str,
) -> Result<Option<HoldingBasis>, Error> {
    let covers = |verification: &Verification| {
        let named = &verification.identifiers;
        named.is_empty() || named.iter().any(|named| named == identifier)
    };
    Ok(match change.publish {
        Publish::Provider => Some(HoldingBasis::Provider),
        Publish::Declared => Some(HoldingBasis::Declared),
        _ if change.verification.as_ref().is_some_and(covers) => Some(HoldingBasis::Verified),
        // One that was verified before is claimed again when it is to be published again.
        Publish::Unchanged => None,
        _ => {
            let owner = &party.organisation;
            holdings::is_verified(tx.connection(), owner, &party.id, identifier)?
                .then_some(HoldingBasis::Verified)
        }
    })
}

/// Whether the party is to be published now. Nothing is published of an identifier that nobody
/// verified: a change that would, by naming one, is refused.
///
/// Errors: [`Refusal::Unverified`], [`Refusal::Unlinked`].
pub(super) fn ready(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    change: &PartyChange,
    (before, known): (&PartyConfig, &[String]),
) -> Result<bool, Error> {
    let owner = &party.organisation;
    if matches!(change.publish, Publish::Declared | Publish::Provider) {
        return Ok(true);
    }
    let (mut held, mut bare) = (false, None);
    for identifier in &change.identifiers {
        let holds = holdings::holds(tx.connection(), owner, identifier)?;
        held |= holds;
        let counts = change.publish != Publish::Unchanged || !known.contains(identifier);
        if !holds && counts && bare.is_none() {
            bare = Some(identifier.clone());
        }
    }
    let demanded = matches!(change.publish, Publish::Demanded | Publish::Here);
    let publishes = before.enrolled || demanded || (change.publish == Publish::IfReady && held);
    if let Some(party) = bare {
        return if publishes { Err(Refusal::Unverified { party }.into()) } else { Ok(false) };
    }
    if change.publish == Publish::Unchanged {
        return Ok(false);
    }
    let linked = permissions::has_user(tx, owner, &party.id)?;
    if demanded && !linked {
        return Err(Refusal::Unlinked { party: party.main() }.into());
    }
    Ok(linked)
}
