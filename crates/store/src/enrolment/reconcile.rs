//! What should be published against what is: the same functions that follow a change, run over
//! everything that is held and published, find what an earlier version or a lost step left out.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::registration::Register;

use super::publish;
use crate::configs;
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::parties;
use crate::registrations;
use crate::secrets::SecretBox;
use crate::writer::Tx;

/// Identifiers that are looked at in one commit.
const PAGE: i64 = 200;

const MISSING: &str = "SELECT h.identifier, i.organisation, i.party FROM holdings h
    JOIN party_identifiers i ON i.organisation = h.organisation AND i.identifier = h.identifier
    JOIN party_configs c ON c.organisation = i.organisation AND c.party = i.party
    WHERE h.identifier > ?1 AND c.enrolled = 1 AND (
        NOT EXISTS (SELECT 1 FROM service_groups g
            WHERE g.participant = h.identifier AND g.organisation = h.organisation)
        OR (c.in_sml = 1 AND NOT EXISTS (SELECT 1 FROM registrations r
            WHERE r.participant = h.identifier AND r.register = 'sml'
            AND r.organisation = h.organisation AND r.wish <> 'absent')))
    ORDER BY h.identifier LIMIT ?2";

/// An identifier of which something is not published that should be.
struct Missing {
    identifier: String,
    organisation: OrganisationId,
    party: String,
}

fn missing(db: &mut dyn Connection, after: &str) -> Result<Vec<Missing>, Fault> {
    let read = |mut row: SqlRow| {
        Ok(Missing {
            identifier: row.text("holdings.identifier")?,
            organisation: row.parsed("party_identifiers.organisation")?,
            party: row.text("party_identifiers.party")?,
        })
    };
    db.query(MISSING, &[after.into(), PAGE.into()])?.into_iter().map(read).collect()
}

fn fix(
    tx: &mut Tx<'_>,
    missing: &Missing,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<(), Error> {
    let owner = &missing.organisation;
    let Some(party) = parties::find(tx.connection(), owner, &missing.party)? else { return Ok(()) };
    let config = configs::of_party(tx.connection(), owner, &party.id)?;
    if !config.enrolled {
        return Ok(());
    }
    publish::services(tx, &party, &config, now)?;
    if config.in_sml {
        publish::sml(tx, &party, (None, false), now, secrets)?;
    }
    publish::directory(tx, &party, config.card.as_ref(), &config, now, secrets)
}

impl Store {
    /// Publishes what should be published and is not; answers of how many identifiers something
    /// was missing. A second run finds nothing.
    pub async fn reconcile(&self, now: Timestamp) -> Result<usize, Error> {
        let (mut after, mut found) = (String::new(), 0);
        loop {
            let page = self.read(move |db| Ok(missing(db, &after)?)).await?;
            let Some(last) = page.last() else { return Ok(found) };
            after = last.identifier.clone();
            found += page.len();
            let secrets = self.secrets.clone();
            self.write(move |tx| {
                page.iter().try_for_each(|missing| fix(tx, missing, &secrets, now))
            })
            .await?;
        }
    }

    /// Carries wishes out that were left alone as long as this installation had no such register.
    /// Answers how many there were.
    pub async fn revive_registrations(
        &self,
        register: Register,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let mut revived = 0;
        loop {
            let some =
                self.write(move |tx| Ok(registrations::revive(tx, register, PAGE, now)?)).await?;
            if some == 0 {
                return Ok(revived);
            }
            revived += some;
        }
    }
}
