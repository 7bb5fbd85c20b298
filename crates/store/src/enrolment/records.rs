//! What is published record by record, as the tools that manage an SMP do it: a group, the metadata
//! of a document type, a redirect, a business card. Each is one commit with its line in the log.

use quoin_delivery::OrganisationId;
use quoin_delivery::registration::{DesiredState, Register};

use super::publish;
use super::{PartyChange, PartyProfile, Withdrawal, change_party, withdraw};
use crate::configs;
use crate::error::{Error, Refusal};
use crate::holdings;
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::publications::{
    self, GroupRecord, PublicationNote, PublishedService, RedirectRecord, ServiceEndpoint, services,
};
use crate::registrations::{self, NewWish};
use crate::secrets::SecretBox;
use crate::writer::Tx;

/// What a document type of a participant is registered with.
#[derive(Debug, Clone)]
pub enum MetadataRecord {
    /// Processes, in the form `scheme::value`, with their endpoints; `None` for our access point.
    Services(Vec<(String, Option<Vec<ServiceEndpoint>>)>),
    /// The record is at another SMP, at this address, signed by this subject.
    Redirect {
        /// Full address of the record there.
        href: String,
        /// Subject of the certificate that the other SMP signs with.
        certificate_uid: String,
    },
}

/// The group, which must be the organisation's.
fn own_group(tx: &mut Tx<'_>, note: &PublicationNote) -> Result<GroupRecord, Error> {
    publications::group(tx.connection(), &note.participant)?
        .filter(|group| group.organisation == note.organisation)
        .ok_or_else(|| missing("service group", &note.participant))
}

fn missing(what: &'static str, key: &str) -> Error {
    Refusal::NotFound { what, key: key.to_owned() }.into()
}

fn party_of(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    key: &str,
) -> Result<Option<PartyRecord>, Error> {
    Ok(parties::of_identifier(tx.connection(), owner, key)?)
}

/// Publishes again what the capabilities of the party stand for.
fn recompute(tx: &mut Tx<'_>, note: &PublicationNote) -> Result<(), Error> {
    let Some(party) = party_of(tx, &note.organisation, &note.participant)? else { return Ok(()) };
    let config = configs::of_party(tx.connection(), &note.organisation, &party.id)?;
    if config.enrolled {
        publish::services(tx, &party, &config, note.now)?;
    }
    Ok(())
}

/// Takes away what was registered by itself for a document type; answers whether there was any.
fn clear(tx: &mut Tx<'_>, note: &PublicationNote) -> Result<bool, Error> {
    let mut removed =
        publications::remove_redirect(tx, &note.participant, &note.subject, note.now)?;
    for service in services::of_participant(tx.connection(), &note.participant)? {
        if service.explicit && service.document_type == note.subject {
            let pair = (service.document_type, service.process);
            services::remove_one(tx, &note.participant, &pair, note.now)?;
            removed = true;
        }
    }
    Ok(removed)
}

fn put_record(
    tx: &mut Tx<'_>,
    note: &PublicationNote,
    record: MetadataRecord,
) -> Result<(), Error> {
    let group = own_group(tx, note)?;
    clear(tx, note)?;
    match record {
        MetadataRecord::Redirect { href, certificate_uid } => {
            let document_type = note.subject.clone();
            let redirect =
                RedirectRecord { document_type, href, certificate_uid, created_on: note.now };
            publications::put_redirect(tx, &note.participant, &redirect)?;
        }
        MetadataRecord::Services(processes) => {
            for (process, endpoints) in processes {
                let service = PublishedService {
                    participant: note.participant.clone(),
                    document_type: note.subject.clone(),
                    process,
                    organisation: group.organisation.clone(),
                    explicit: true,
                    endpoints,
                    created_on: note.now,
                };
                services::replace(tx, &service)?;
            }
        }
    }
    recompute(tx, note)?;
    Ok(publications::note(tx, note)?)
}

fn remove_record(tx: &mut Tx<'_>, note: &PublicationNote) -> Result<(), Error> {
    own_group(tx, note)?;
    if !clear(tx, note)? {
        let all = services::of_participant(tx.connection(), &note.participant)?;
        if all.iter().any(|service| service.document_type == note.subject) {
            return Err(Refusal::Held { what: "document type", key: note.subject.clone() }.into());
        }
        return Err(missing("document type", &note.subject));
    }
    recompute(tx, note)?;
    Ok(publications::note(tx, note)?)
}

fn remove_group(
    tx: &mut Tx<'_>,
    note: &PublicationNote,
    in_sml: bool,
    secrets: &SecretBox,
) -> Result<(), Error> {
    own_group(tx, note)?;
    let Some(party) = party_of(tx, &note.organisation, &note.participant)? else {
        publications::remove_group(tx, &note.participant)?;
        holdings::release(tx, &note.organisation, &note.participant)?;
        return Ok(publications::note(tx, note)?);
    };
    if party.identifiers.len() > 1 {
        let key = party.identifiers.join(", ");
        return Err(Refusal::Held { what: "participant", key }.into());
    }
    let withdrawal = if in_sml { Withdrawal::Config } else { Withdrawal::Here };
    withdraw(tx, &party, withdrawal, note.now, secrets)?;
    // Also where the party was not enrolled and only the group was there.
    publications::remove_own(tx, &note.organisation, &note.participant)?;
    Ok(publications::note(tx, note)?)
}

fn push(tx: &mut Tx<'_>, note: &PublicationNote, secrets: &SecretBox) -> Result<(), Error> {
    own_group(tx, note)?;
    let party = party_of(tx, &note.organisation, &note.participant)?;
    let card = match &party {
        Some(party) => configs::of_party(tx.connection(), &note.organisation, &party.id)?.card,
        None => None,
    };
    if !card.is_some_and(|card| card.is_public()) {
        return Err(missing("business card", &note.participant));
    }
    let wish = NewWish {
        register: Register::Directory,
        participant: &note.participant,
        organisation: &note.organisation,
        wish: DesiredState::Present,
        migration_key: None,
    };
    registrations::wish(tx, &wish, secrets, note.now)?;
    Ok(publications::note(tx, note)?)
}

impl Store {
    /// Changes a party as [`Store::change_party`] does, with a line in the log.
    ///
    /// Errors: those of [`Store::change_party`].
    pub async fn put_group(
        &self,
        change: PartyChange,
        note: PublicationNote,
    ) -> Result<PartyProfile, Error> {
        let secrets = self.secrets.clone();
        let change = PartyChange { account: None, ..change };
        self.write(move |tx| {
            let profile = change_party(tx, &change, &secrets)?;
            publications::note(tx, &note)?;
            Ok(profile)
        })
        .await
    }

    /// Ends the group of a participant with everything in it; with `in_sml`, its name in the SML
    /// too.
    ///
    /// Errors: [`Refusal::NotFound`] where the organisation does not publish it, and
    /// [`Refusal::Held`] where its party has other identifiers as well, with which it is enrolled.
    pub async fn remove_group(&self, note: PublicationNote, in_sml: bool) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| remove_group(tx, &note, in_sml, &secrets)).await
    }

    /// Registers a document type of a participant (the subject of the note), in place of what it
    /// was registered with by itself.
    ///
    /// Errors: [`Refusal::NotFound`] where the organisation has no such group.
    pub async fn put_record(
        &self,
        note: PublicationNote,
        record: MetadataRecord,
    ) -> Result<(), Error> {
        self.write(move |tx| put_record(tx, &note, record)).await
    }

    /// Takes a document type away that was registered by itself.
    ///
    /// Errors: [`Refusal::NotFound`], and [`Refusal::Held`] where a capability of the party stands
    /// for it.
    pub async fn remove_record(&self, note: PublicationNote) -> Result<(), Error> {
        self.write(move |tx| remove_record(tx, &note)).await
    }

    /// Asks that the Directory fetches the business card of a participant again.
    ///
    /// Errors: [`Refusal::NotFound`] where there is no group, or no card that is shown.
    pub async fn push_card(&self, note: PublicationNote) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| push(tx, &note, &secrets)).await
    }

    /// The party and configuration of a participant that the organisation publishes.
    pub async fn profile_of(
        &self,
        organisation: &OrganisationId,
        participant: &str,
    ) -> Result<Option<PartyProfile>, Error> {
        match self.party_of_identifier(organisation, participant).await? {
            Some(party) => Ok(Some(self.party_profile(party).await?)),
            None => Ok(None),
        }
    }
}
