//! Where the name of a participant leads: here, to another SMP, or nowhere.

use quoin_delivery::jobs::SmpLocation;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::lookup::{LookupError, NotRegistered};
use quoin_peppol::sml::SmpBase;

use super::Lookup;

impl Lookup {
    /// Where the name of a participant leads, and whether another SMP that it leads to knows it;
    /// `own` is the address of ours. Answers within the limit of a look-up.
    pub async fn whereabouts(
        &self,
        participant: &ParticipantId,
        own: Option<&SmpBase>,
    ) -> SmpLocation {
        let asked = tokio::time::timeout(self.limit, self.leads(participant, own));
        asked.await.unwrap_or_else(|_| SmpLocation::Unknown(format!("nothing in {:?}", self.limit)))
    }

    async fn leads(&self, participant: &ParticipantId, own: Option<&SmpBase>) -> SmpLocation {
        let base = match self.smp_of(participant).await {
            Ok(base) if own == Some(&base) => return SmpLocation::Here,
            Ok(base) => base,
            Err(LookupError::NotRegistered(_)) => return SmpLocation::Nowhere,
            Err(error) => return SmpLocation::Unknown(error.to_string()),
        };
        let other = base.as_str();
        SmpLocation::Elsewhere(match self.service_group(&base, participant).await {
            Ok(_) => other.to_owned(),
            Err(LookupError::NotRegistered(NotRegistered::UnknownToSmp)) => {
                format!("{other}, which does not know it")
            }
            Err(error) => format!("{other}, which could not be asked ({error})"),
        })
    }
}
