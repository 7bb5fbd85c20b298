//! Identifiers of a party that is to be published: shape and check digits, registers that take new
//! entries, and the Belgian rule (interface specification 2.1).

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_peppol::identifiers::ParticipantId;

use super::EnrolmentError;

/// Identifiers of one party at most.
const MOST: usize = 32;
/// The Belgian VAT number and enterprise number.
const BELGIAN: (&str, &str) = ("9925", "0208");

/// The day of an instant in UTC.
pub fn day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

/// All identifiers of a party: the one in the path, those in the body, and for a Belgian VAT number
/// the enterprise number in it, which is the primary identifier and must be reachable.
///
/// # Errors
/// API400.PartyId.
pub(super) fn of_party(
    main: &ParticipantId,
    more: &[String],
) -> Result<Vec<ParticipantId>, EnrolmentError> {
    if more.len() > MOST {
        let detail = format!("a party has at most {MOST} identifiers, found {}", more.len());
        return Err(EnrolmentError::Identifier(detail));
    }
    let mut all = vec![main.clone()];
    for text in more {
        all.push(super::participant(text)?);
    }
    let enterprises: Vec<ParticipantId> = all.iter().filter_map(enterprise).collect();
    all.extend(enterprises);
    let mut seen = BTreeSet::new();
    all.retain(|id| seen.insert(id.folded()));
    all.sort_by_key(|id| id.icd() != BELGIAN.1);
    Ok(all)
}

/// The enterprise number in a Belgian VAT number: the same without `BE`, where that is there.
fn enterprise(id: &ParticipantId) -> Option<ParticipantId> {
    let value = Some(id.value()).filter(|_| id.icd() == BELGIAN.0)?;
    let (land, rest) = value.split_at_checked(2).unwrap_or_default();
    let number = if land.eq_ignore_ascii_case("BE") { rest } else { value };
    ParticipantId::new(BELGIAN.1, number).ok()
}

/// Checks identifiers that a party does not have yet.
///
/// # Errors
/// API400.PartyId.
pub(super) fn check_new(
    all: &[ParticipantId],
    known: &[String],
    now: Timestamp,
) -> Result<(), EnrolmentError> {
    let new = all.iter().filter(|id| !known.contains(&id.folded()));
    // What was written is named before the number that is made of it.
    let (vat, others): (Vec<_>, Vec<_>) = new.partition(|id| id.icd() == BELGIAN.0);
    vat.into_iter().chain(others).try_for_each(|id| registrable(id, day(now)))
}

fn registrable(id: &ParticipantId, day: Date) -> Result<(), EnrolmentError> {
    id.check().map_err(|error| EnrolmentError::Identifier(error.to_string()))?;
    if id.scheme().is_some_and(|scheme| scheme.may_register(day)) {
        return Ok(());
    }
    let detail = format!("scheme {} of {id} takes no new registrations", id.icd());
    Err(EnrolmentError::Identifier(detail))
}

#[cfg(test)]
mod tests;
