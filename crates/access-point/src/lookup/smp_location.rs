//! Where the name of a participant leads: here, to another SMP, or nowhere.

use quoin_delivery::jobs::SmpLocation;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::{LookupError, NotRegistered, base};
use quoin_peppol::sml::{self, SmpBase};
use quoin_peppol::smp;

use super::{Lookup, LookupReport, ParticipantRegistrations};
use crate::net::NaptrAnswer;

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

    /// Whether the name leads to another SMP than a kept answer of the name server said, after a
    /// final no that follows from that: whoever moved is not refused from memory. What is kept is
    /// forgotten, and the report begins anew where it leads elsewhere.
    pub(super) async fn leads_elsewhere(
        &self,
        participant: &ParticipantId,
        report: &mut LookupReport,
        no: &LookupError,
    ) -> Result<bool, LookupError> {
        if no.is_temporary() {
            return Ok(false);
        }
        self.forget(participant);
        let base = self.smp_of(participant).await?;
        if report.smp.as_deref() == Some(base.as_str()) {
            return Ok(false);
        }
        let dns_name = std::mem::take(&mut report.dns_name);
        *report = LookupReport { dns_name, ..LookupReport::default() };
        Ok(true)
    }

    /// What the SMP that the name leads to has of a participant.
    pub(super) async fn group_of(
        &self,
        participant: &ParticipantId,
        report: &mut LookupReport,
    ) -> Result<ParticipantRegistrations, LookupError> {
        let base = self.smp_of(participant).await?;
        let smp = base.as_str().to_owned();
        report.smp = Some(smp.clone());
        let group = self.service_group(&base, participant).await?;
        let all = group.references.len();
        let document_types: Vec<DocumentTypeId> =
            group.references.into_iter().filter_map(|found| found.document_type).collect();
        let unreadable = all - document_types.len();
        Ok(ParticipantRegistrations { smp, document_types, unreadable })
    }

    pub(super) async fn smp_of(&self, participant: &ParticipantId) -> Result<SmpBase, LookupError> {
        let name = sml::dns_name(participant, &self.zone);
        let not_registered = |how| Err(LookupError::NotRegistered(how));
        if !participant.is_of_peppol() {
            // Nothing of it is in the network, and nobody is asked.
            return not_registered(NotRegistered::NoName);
        }
        match self.dns.naptr(&name, self.limit).await {
            NaptrAnswer::NotFound => not_registered(NotRegistered::NoName),
            NaptrAnswer::NoData => not_registered(NotRegistered::NoRecord),
            NaptrAnswer::DeadAlias => not_registered(NotRegistered::DeadAlias),
            NaptrAnswer::Temporary(what) => Err(LookupError::DnsTrouble { what }),
            NaptrAnswer::Records(records) => base(&records, &name, self.uris),
        }
    }

    pub(super) async fn service_group(
        &self,
        base: &SmpBase,
        participant: &ParticipantId,
    ) -> Result<smp::ServiceGroup, LookupError> {
        let url = smp::service_group_url(base, participant);
        let unknown = LookupError::NotRegistered(NotRegistered::UnknownToSmp);
        let answer = self.get(&url).await?.ok_or(unknown)?;
        let (of, bytes) = (participant.clone(), answer.bytes.clone());
        let read = self.apart(&url, move || smp::read_service_group(&bytes, &of)).await?;
        answer.judged(read)
    }
}
