//! Everything that a receiver offers: which document types it takes, in which processes, and where.

use quoin_delivery::DocumentFamily;
use quoin_formats::Detection;
use quoin_identity::{ProcessOffer, keeps_course, targets};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, best_match};
use quoin_peppol::lookup::LookupError;

use super::{Lookup, LookupReport};

/// Registrations of a participant that are looked at in one look-up, at most.
const REGISTRATIONS: usize = 64;
/// How often the time of one look-up all of them together may take.
const TIMES: u32 = 3;

/// Which document types are wanted.
#[derive(Debug, Clone, Default)]
pub struct OfferFilter {
    /// These, exactly or by a pattern that stands for them; any where there is none.
    pub types: Vec<DocumentTypeId>,
    /// Those of a family.
    pub family: Option<&'static DocumentFamily>,
    /// Only what can be a credit note, or only what can be something else.
    pub credit: Option<bool>,
    /// A document that would become one of them: what it may not become is no reason to wait.
    pub source: Option<Detection>,
}

impl OfferFilter {
    /// Whether a registration that cannot be used counts.
    fn counts(&self, document_type: &DocumentTypeId, process: &ProcessId) -> bool {
        let keeps = |source| keeps_course(source, None, (document_type, process));
        self.source.as_ref().is_none_or(keeps)
    }

    /// The document types to ask for, given what is registered.
    pub fn among(&self, registered: &[DocumentTypeId]) -> Vec<DocumentTypeId> {
        let of_family = |id: &DocumentTypeId| match self.family {
            Some(family) => family.has(id, self.credit),
            None => self.credit.is_none_or(|wanted| is_credit_or_not(id, wanted)),
        };
        if self.types.is_empty() {
            return registered.iter().filter(|id| of_family(id)).cloned().collect();
        }
        let known = |id: &&DocumentTypeId| best_match(id, registered).is_some() && of_family(id);
        self.types.iter().filter(known).cloned().collect()
    }
}

/// Whether a document of a type can be a credit note, or can be something else: a document in CII
/// can be either, and one that bills nothing is no credit note.
fn is_credit_or_not(id: &DocumentTypeId, wanted: bool) -> bool {
    let can_be = |credit: bool| {
        DocumentFamily::named("Invoice").is_some_and(|family| family.has(id, Some(credit)))
    };
    match wanted {
        true => can_be(true),
        false => can_be(false) || !can_be(true),
    }
}

/// An offer: a document type in a process, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The document type.
    pub document_type: DocumentTypeId,
    /// The process.
    pub process: ProcessId,
    /// The address of the access point.
    pub url: String,
    /// The seat id of its certificate.
    pub seat_id: String,
    /// The certificate, Base64 of DER.
    pub certificate: String,
    /// Until when it is valid.
    pub certificate_until: jiff::Timestamp,
    /// What was seen on the way.
    pub report: LookupReport,
}

/// What a participant offers.
#[derive(Debug, Clone, Default)]
pub struct ParticipantOffers {
    /// What can be delivered now.
    pub usable: Vec<Offer>,
    /// Why a registration of what is wanted has no usable endpoint: of the first that has none,
    /// before others of one that begins later.
    pub refused: Option<LookupError>,
}

impl ParticipantOffers {
    fn refuse(&mut self, error: LookupError) {
        let is_better =
            error.is_not_yet() && !self.refused.as_ref().is_some_and(LookupError::is_not_yet);
        if self.refused.is_none() || is_better {
            self.refused = Some(error);
        }
    }
}

impl Lookup {
    /// What a participant offers of what is wanted. A registration without a usable endpoint, or
    /// with one that begins later, is no offer.
    ///
    /// # Errors
    /// [`LookupError`] where the participant is not registered, or where a registration is not
    /// answered for, or all of them not in [`TIMES`] the time of a look-up: what is offered is not
    /// known then.
    pub async fn offers(
        &self,
        participant: &ParticipantId,
        wanted: &OfferFilter,
    ) -> Result<ParticipantOffers, LookupError> {
        let limit = self.limit * TIMES;
        let asked = tokio::time::timeout(limit, self.all_offers(participant, wanted));
        asked.await.unwrap_or_else(|_| {
            let what = format!("no answer about every registration within {limit:?}");
            Err(LookupError::SmpTrouble { what })
        })
    }

    async fn all_offers(
        &self,
        participant: &ParticipantId,
        wanted: &OfferFilter,
    ) -> Result<ParticipantOffers, LookupError> {
        let registered = self.registrations(participant).await?.document_types;
        let mut offers = ParticipantOffers::default();
        for document_type in wanted.among(&registered).into_iter().take(REGISTRATIONS) {
            match self.offers_of(participant, (&document_type, wanted), &mut offers).await {
                Ok(()) => {}
                Err(error) if error.is_temporary() => return Err(error),
                // It is registered no more.
                Err(LookupError::UnsupportedDocumentType) => {}
                Err(error) => {
                    tracing::debug!(%participant, %document_type, %error, "no offer");
                    offers.refuse(error);
                }
            }
        }
        Ok(offers)
    }

    /// What a participant takes that a document could become, the best first, be it in the course
    /// that the document is of or in another one ([`quoin_identity::by_course`]); `asked` is the
    /// format that its sender asks for.
    ///
    /// # Errors
    /// As [`Lookup::offers`], and where all of it begins later.
    pub async fn conversion_offers(
        &self,
        participant: &ParticipantId,
        (source, asked): (&Detection, Option<&str>),
    ) -> Result<Vec<ProcessOffer>, LookupError> {
        let registered = self.registrations(participant).await?.document_types;
        let wanted = targets(&registered, source, asked);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let types = wanted.iter().map(|offer| offer.document_type.clone()).collect();
        let filter = OfferFilter { types, source: Some(source.clone()), ..OfferFilter::default() };
        let offer_of = |found: Offer| {
            let offer = wanted.iter().find(|own| own.document_type == found.document_type)?;
            Some(ProcessOffer { offer: offer.clone(), process: found.process })
        };
        let ParticipantOffers { usable, refused } = self.offers(participant, &filter).await?;
        match refused.filter(|error| usable.is_empty() && error.is_not_yet()) {
            Some(later) => Err(later),
            None => Ok(usable.into_iter().filter_map(offer_of).collect()),
        }
    }

    async fn offers_of(
        &self,
        participant: &ParticipantId,
        (document_type, wanted): (&DocumentTypeId, &OfferFilter),
        offers: &mut ParticipantOffers,
    ) -> Result<(), LookupError> {
        let dns_name = quoin_peppol::sml::dns_name(participant, &self.zone);
        let mut report = LookupReport { dns_name, ..LookupReport::default() };
        let information = self.metadata(participant, document_type, &mut report).await?;
        for process in &information.processes {
            match self.usable(&information, &process.id).await {
                Ok(endpoint) => offers.usable.push(Offer {
                    document_type: document_type.clone(),
                    process: process.id.clone(),
                    url: endpoint.address,
                    seat_id: endpoint.certificate.seat().to_string(),
                    certificate: endpoint.certificate.certificate().base64(),
                    certificate_until: endpoint.certificate.certificate().not_after(),
                    report: report.clone(),
                }),
                Err(refusal) if refusal.is_temporary() && !refusal.is_not_yet() => {
                    return Err(refusal.into());
                }
                Err(refusal) => {
                    tracing::debug!(%participant, %document_type, %refusal, "no usable endpoint");
                    if wanted.counts(document_type, &process.id) {
                        offers.refuse(refusal.into());
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One type that can be both, and types that bill nothing.
    #[test]
    fn what_can_be_either_is_in_both_and_what_bills_nothing_is_no_credit_note() {
        let core = "urn:cen.eu:en16931:2017";
        let ubl = |local: &str, customization: &str| -> DocumentTypeId {
            let prefix = quoin_formats::ubl::UBL_PREFIX;
            DocumentTypeId::of_document(&format!("{prefix}{local}-2"), local, customization, "2.1")
                .unwrap()
        };
        let cii = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
        let cii = DocumentTypeId::of_document(cii, "CrossIndustryInvoice", core, "D16B").unwrap();
        let order = ubl("Order", "urn:fdc:peppol.eu:poacc:trns:order:3");
        let file = "busdox-docid-qns::urn:peppol:doctype:pdf+xml##urn:x::1".parse().unwrap();
        let all = [ubl("Invoice", core), ubl("CreditNote", core), cii, order, file];
        let [invoice, credit, cii, order, file] = &all;
        let family = DocumentFamily::named("Invoice");
        for (family, credit, expected) in [
            (None, Some(true), vec![credit, cii]),
            (None, Some(false), vec![invoice, cii, order, file]),
            (None, None, all.iter().collect()),
            (family, Some(true), vec![credit, cii]),
            (family, Some(false), vec![invoice, cii]),
        ] {
            let wanted = OfferFilter { family, credit, ..OfferFilter::default() };
            let found = wanted.among(&all);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{credit:?}");
        }
    }
}
