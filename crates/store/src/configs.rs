//! What parties can receive and how they are shown: the configuration of an organisation, which its
//! parties inherit, that of a party, its business card and who verified it (interface
//! specification 2.2, 2.3, 4.9).

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::States;
use serde::{Deserialize, Serialize};

use crate::engine::json;
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

/// The configuration of an organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrganisationConfig {
    /// What its parties inherit.
    pub capabilities: States,
    /// The technical contact of business cards that have none, a mail address.
    pub contact: Option<String>,
    /// Counts its changes; 0 before the first.
    pub version: u64,
    /// When it was first set.
    pub created_on: Timestamp,
    /// When it last changed.
    pub changed_on: Timestamp,
}

/// The configuration of a party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyConfig {
    /// States of its own.
    pub capabilities: States,
    /// Its business card.
    pub card: Option<CardRecord>,
    /// Whether it is published.
    pub enrolled: bool,
    /// Whether the SML is to lead here; else its names there are somebody else's work.
    pub in_sml: bool,
    /// Counts its changes; 0 before the first.
    pub version: u64,
    /// When it was first set.
    pub created_on: Timestamp,
    /// When it last changed.
    pub changed_on: Timestamp,
}

/// An entry of the Directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRecord {
    /// Names of the business, at least one.
    pub names: Vec<String>,
    /// ISO 3166-1 alpha-2 code.
    pub country: String,
    /// Address parts without the country.
    pub address: Vec<String>,
    /// Technical contact, a mail address.
    pub email: Option<String>,
    /// Whether names, address and contact are shown, in this order.
    pub shown: [bool; 3],
    /// Whether it is published at all.
    pub published: bool,
    /// The whole card in the form of the Directory, where it was given so and says more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<String>,
}

impl CardRecord {
    /// Whether the Directory shows it: it is published, and with its names.
    pub fn is_public(&self) -> bool {
        self.published && self.shown[0]
    }
}

/// Who verified that a party is whom it says, what of it, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Who did it.
    pub verified_by: String,
    /// When.
    pub verified_on: Timestamp,
    /// The identifiers that were verified.
    pub identifiers: Vec<String>,
    /// What was looked at.
    pub notes: String,
    /// The account that recorded it.
    pub recorded_by: String,
    /// When it was recorded.
    pub recorded_on: Timestamp,
}

const ORGANISATION: &str = "SELECT capabilities, contact, version, created_on, changed_on
    FROM organisation_configs WHERE organisation = ?1";
const PUT_ORGANISATION: &str = "INSERT INTO organisation_configs
    (organisation, capabilities, contact, version, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (organisation) DO UPDATE SET capabilities = excluded.capabilities,
    contact = excluded.contact, version = excluded.version, changed_on = excluded.changed_on";
const PARTY: &str = "SELECT capabilities, card, enrolled, in_sml, version, created_on,
    changed_on FROM party_configs WHERE organisation = ?1 AND party = ?2 AND version > 0";
const LAST_VERSION: &str =
    "SELECT abs(version) FROM party_configs WHERE organisation = ?1 AND party = ?2";
const PUT_PARTY: &str = "INSERT INTO party_configs
    (organisation, party, capabilities, card, enrolled, in_sml, version, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (organisation, party) DO UPDATE SET capabilities = excluded.capabilities,
    card = excluded.card, enrolled = excluded.enrolled, in_sml = excluded.in_sml,
    version = excluded.version, created_on = excluded.created_on,
    changed_on = excluded.changed_on";
// The row stays with its version below zero: the next configuration counts on from there.
const REMOVE_PARTY: &str =
    "UPDATE party_configs SET capabilities = '{}', card = NULL, enrolled = 0,
    in_sml = 0, version = -version WHERE organisation = ?1 AND party = ?2 AND version > 0";
const ENROLLED: &str =
    "SELECT party FROM party_configs WHERE organisation = ?1 AND party > ?2 AND enrolled = 1
    ORDER BY party LIMIT ?3";
const LEFT: &str = "UPDATE party_configs SET enrolled = 0, version = version + 1
    WHERE organisation = ?1 AND enrolled = 1 AND party IN (SELECT party FROM party_identifiers
        WHERE organisation = ?1 AND identifier = ?2)
    AND NOT EXISTS (SELECT 1 FROM party_identifiers i CROSS JOIN service_groups g
        ON g.participant = i.identifier AND g.organisation = i.organisation
        WHERE i.organisation = party_configs.organisation AND i.party = party_configs.party)";
const VERIFICATION: &str = "SELECT verified_by, verified_on, identifiers, notes, recorded_by,
    recorded_on FROM verifications WHERE organisation = ?1 AND party = ?2 ORDER BY id DESC LIMIT 1";
const VERIFY: &str = "INSERT INTO verifications (organisation, party, verified_by, verified_on,
    identifiers, notes, recorded_by, recorded_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

const CARD: &str = "SELECT g.card, o.contact FROM party_identifiers i
    JOIN service_groups s ON s.participant = i.identifier AND s.organisation = i.organisation
    JOIN party_configs g ON g.organisation = i.organisation AND g.party = i.party
    LEFT JOIN organisation_configs o ON o.organisation = i.organisation
    WHERE i.identifier = ?1 AND g.enrolled = 1 AND g.card IS NOT NULL";

fn read_organisation(mut row: SqlRow) -> Result<OrganisationConfig, Fault> {
    Ok(OrganisationConfig {
        capabilities: row.json("organisation_configs.capabilities")?,
        contact: row.text_or_none("organisation_configs.contact")?,
        version: row.count("organisation_configs.version")?,
        created_on: row.time("organisation_configs.created_on")?,
        changed_on: row.time("organisation_configs.changed_on")?,
    })
}

fn read_party(mut row: SqlRow) -> Result<PartyConfig, Fault> {
    let capabilities = row.json("party_configs.capabilities")?;
    let card = row.text_or_none("party_configs.card")?;
    let card = card
        .map(|text| serde_json::from_str(&text).map_err(|_| Fault::record("party_configs", text)))
        .transpose()?;
    Ok(PartyConfig {
        capabilities,
        card,
        enrolled: row.yes("party_configs.enrolled")?,
        in_sml: row.yes("party_configs.in_sml")?,
        version: row.count("party_configs.version")?,
        created_on: row.time("party_configs.created_on")?,
        changed_on: row.time("party_configs.changed_on")?,
    })
}

fn read_verification(mut row: SqlRow) -> Result<Verification, Fault> {
    Ok(Verification {
        verified_by: row.text("verifications.verified_by")?,
        verified_on: row.time("verifications.verified_on")?,
        identifiers: row.json("verifications.identifiers")?,
        notes: row.text("verifications.notes")?,
        recorded_by: row.text("verifications.recorded_by")?,
        recorded_on: row.time("verifications.recorded_on")?,
    })
}

/// The configuration of an organisation; an empty one where none was set.
pub(crate) fn of_organisation(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
) -> Result<OrganisationConfig, Fault> {
    let row = db.first(ORGANISATION, &[organisation.as_str().into()])?;
    let empty = OrganisationConfig {
        capabilities: States::new(),
        contact: None,
        version: 0,
        created_on: Timestamp::UNIX_EPOCH,
        changed_on: Timestamp::UNIX_EPOCH,
    };
    Ok(row.map(read_organisation).transpose()?.unwrap_or(empty))
}

/// The configuration of a party; an empty one where none was set.
pub(crate) fn of_party(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    party: &str,
) -> Result<PartyConfig, Fault> {
    let row = db.first(PARTY, &[organisation.as_str().into(), party.into()])?;
    let empty = PartyConfig {
        capabilities: States::new(),
        card: None,
        enrolled: false,
        in_sml: false,
        version: 0,
        created_on: Timestamp::UNIX_EPOCH,
        changed_on: Timestamp::UNIX_EPOCH,
    };
    Ok(row.map(read_party).transpose()?.unwrap_or(empty))
}

/// Records the configuration of a party, with a new version, unless it is what it was, and so is
/// what else is shown with it. A version that was another one's before it was removed does not come
/// again.
pub(crate) fn put_party(
    tx: &mut Tx<'_>,
    (organisation, party): (&OrganisationId, &str),
    before: &PartyConfig,
    (mut config, is_other): (PartyConfig, bool),
    now: Timestamp,
) -> Result<PartyConfig, Error> {
    if config == *before && before.version > 0 && !is_other {
        return Ok(config);
    }
    let known = [organisation.as_str().into(), party.into()];
    let last = match tx.first(LAST_VERSION, &known)?.filter(|_| before.version == 0) {
        Some(mut row) => row.count("party_configs.version")?,
        None => before.version,
    };
    config.version = last + 1;
    config.created_on = if before.version == 0 { now } else { before.created_on };
    config.changed_on = now;
    let capabilities = json(&config.capabilities)?;
    let card = config.card.as_ref().map(json).transpose()?;
    let row = [
        organisation.as_str().into(),
        party.into(),
        (&capabilities).into(),
        card.as_ref().into(),
        config.enrolled.into(),
        config.in_sml.into(),
        Param::Integer(i64::try_from(config.version).unwrap_or(i64::MAX)),
        config.created_on.into(),
        config.changed_on.into(),
    ];
    tx.execute(PUT_PARTY, &row)?;
    Ok(config)
}

/// Records the configuration of an organisation, with a new version, unless it is what it was.
pub(crate) fn put_organisation(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    before: &OrganisationConfig,
    mut config: OrganisationConfig,
    now: Timestamp,
) -> Result<OrganisationConfig, Error> {
    if config == *before && before.version > 0 {
        return Ok(config);
    }
    config.version = before.version + 1;
    config.created_on = if before.version == 0 { now } else { before.created_on };
    config.changed_on = now;
    let capabilities = json(&config.capabilities)?;
    let row = [
        organisation.as_str().into(),
        (&capabilities).into(),
        config.contact.as_ref().into(),
        Param::Integer(i64::try_from(config.version).unwrap_or(i64::MAX)),
        config.created_on.into(),
        config.changed_on.into(),
    ];
    tx.execute(PUT_ORGANISATION, &row)?;
    // Cards show the contact of the organisation.
    tx.touch_all();
    Ok(config)
}

pub(crate) fn remove_party(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    party: &str,
) -> Result<bool, Fault> {
    Ok(tx.execute(REMOVE_PARTY, &[organisation.as_str().into(), party.into()])? > 0)
}

/// A party that has no services any more, since its participant left, is no longer published.
pub(crate) fn left(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
) -> Result<(), Fault> {
    tx.execute(LEFT, &[organisation.as_str().into(), participant.into()])?;
    tx.touch(participant);
    Ok(())
}

/// The parties of an organisation that are published: so many after one.
pub(crate) fn enrolled(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    after: &str,
    most: usize,
) -> Result<Vec<String>, Fault> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = tx.query(ENROLLED, &[organisation.as_str().into(), after.into(), most.into()])?;
    rows.into_iter().map(|mut row| row.text("party_configs.party")).collect()
}

/// The newest verification of a party.
pub(crate) fn verification(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    party: &str,
) -> Result<Option<Verification>, Fault> {
    let found = db.first(VERIFICATION, &[organisation.as_str().into(), party.into()])?;
    found.map(read_verification).transpose()
}

/// Records a verification, unless the newest one says the same.
pub(crate) fn verify(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    party: &str,
    v: &Verification,
) -> Result<(), Error> {
    let newest = verification(tx.connection(), organisation, party)?;
    let facts = |v: &Verification| {
        (v.verified_by.clone(), v.verified_on, v.identifiers.clone(), v.notes.clone())
    };
    if newest.is_some_and(|newest| facts(&newest) == facts(v)) {
        return Ok(());
    }
    let identifiers = json(&v.identifiers)?;
    let row = [
        organisation.as_str().into(),
        party.into(),
        (&v.verified_by).into(),
        v.verified_on.into(),
        (&identifiers).into(),
        (&v.notes).into(),
        (&v.recorded_by).into(),
        v.recorded_on.into(),
    ];
    tx.execute(VERIFY, &row)?;
    Ok(())
}

impl Store {
    /// The configuration of an organisation; an empty one where none was set.
    pub async fn organisation_config(
        &self,
        organisation: &OrganisationId,
    ) -> Result<OrganisationConfig, Error> {
        let owner = organisation.clone();
        self.read(move |db| Ok(of_organisation(db, &owner)?)).await
    }

    /// The business card that is published for a participant, with the contact of its
    /// organisation.
    pub async fn published_card(
        &self,
        participant: &str,
    ) -> Result<Option<(CardRecord, Option<String>)>, Error> {
        let key = participant.to_owned();
        self.read(move |db| {
            for mut row in db.query(CARD, &[(&key).into()])? {
                let card: CardRecord = row.json("party_configs.card")?;
                if card.is_public() {
                    return Ok(Some((card, row.text_or_none("organisation_configs.contact")?)));
                }
            }
            Ok(None)
        })
        .await
    }

    /// The newest verification of a party.
    pub async fn newest_verification(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<Option<Verification>, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.read(move |db| Ok(verification(db, &owner, &party)?)).await
    }
}
