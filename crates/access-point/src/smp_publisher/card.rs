//! The business card of a participant as the SMP shows it.

use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::smp::{self, BusinessCard, BusinessContact, BusinessEntity};

/// A card with what it inherits, and without what is not shown.
pub(super) fn shown(
    participant: ParticipantId,
    card: quoin_store::CardRecord,
    contact: Option<String>,
) -> BusinessCard {
    let submitted = card.submitted.as_deref().map(str::as_bytes).map(smp::read_business_card);
    if let Some(Ok(whole)) = submitted {
        return BusinessCard { participant, ..whole };
    }
    let [_, address, email] = card.shown;
    let technical = |email| BusinessContact {
        kind: Some("technical".to_owned()),
        email: Some(email),
        ..BusinessContact::default()
    };
    let entity = BusinessEntity {
        geographical_information: (address && !card.address.is_empty())
            .then(|| card.address.join(", ")),
        contacts: card.email.or(contact).filter(|_| email).map(technical).into_iter().collect(),
        names: card.names.into_iter().map(Into::into).collect(),
        country: card.country,
        ..BusinessEntity::default()
    };
    BusinessCard { participant, entities: vec![entity] }
}
