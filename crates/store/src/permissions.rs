//! What an account may do for a party (interface specification 2.7, 5).

use quoin_delivery::OrganisationId;

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::parties;
use crate::remembered::{KeptQuestion, key};
use crate::writer::Tx;

/// The rights of an account on a party.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permission {
    /// The account: a client id or the name of a user.
    pub account: String,
    /// The party's key.
    pub party: String,
    /// canSendDocument: send on its behalf.
    pub can_send: bool,
    /// canReceiveDocument: list and download what arrived for it.
    pub can_receive: bool,
    /// canRemoveDocument: delete what arrived for it.
    pub can_remove: bool,
    /// canManageHook: change its hooks.
    pub can_manage_hook: bool,
    /// canChangeDocumentStatus: answer what arrived for it.
    pub can_change_status: bool,
}

impl Permission {
    /// Every right of an account on a party.
    pub fn all(account: &str, party: &str) -> Permission {
        Permission {
            account: account.to_owned(),
            party: party.to_owned(),
            can_send: true,
            can_receive: true,
            can_remove: true,
            can_manage_hook: true,
            can_change_status: true,
        }
    }
}

const PUT: &str = "INSERT INTO permissions (organisation, account, party, can_send, can_receive,
    can_remove, can_manage_hook, can_change_status) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (organisation, account, party) DO UPDATE SET can_send = excluded.can_send,
    can_receive = excluded.can_receive, can_remove = excluded.can_remove,
    can_manage_hook = excluded.can_manage_hook, can_change_status = excluded.can_change_status";
const OF: &str = "SELECT account, party, can_send, can_receive, can_remove, can_manage_hook,
    can_change_status FROM permissions WHERE organisation = ?1 AND account = ?2 ORDER BY party";
const HELD: &str = "SELECT account, party, can_send, can_receive, can_remove, can_manage_hook,
    can_change_status FROM permissions WHERE organisation = ?1 AND account = ?2
    AND min(can_send, can_receive, can_remove, can_manage_hook, can_change_status) = 0
    ORDER BY party";
const ONE: &str = "SELECT account, party, can_send, can_receive, can_remove, can_manage_hook,
    can_change_status FROM permissions WHERE organisation = ?1 AND account = ?2 AND party = ?3";
const AFTER: &str = "SELECT account, party, can_send, can_receive, can_remove, can_manage_hook,
    can_change_status FROM permissions WHERE organisation = ?1 AND account = ?2 AND party > ?3
    ORDER BY party LIMIT ?4";
const OF_PARTY: &str = "SELECT account, party, can_send, can_receive, can_remove, can_manage_hook,
    can_change_status FROM permissions WHERE organisation = ?1 AND party = ?2 ORDER BY account";
const REMOVE: &str =
    "DELETE FROM permissions WHERE organisation = ?1 AND account = ?2 AND party = ?3";
const PERMISSION: KeptQuestion<Option<Permission>> =
    KeptQuestion::of("permission", &["permissions"], 10_000);
/// Who acts for all parties may do everything where no link says otherwise: a link that holds it
/// back from a party that is withdrawn takes the rest away as well, and stays.
const HOLD: &str = "UPDATE permissions SET can_send = 0, can_receive = 0, can_remove = 0,
    can_manage_hook = 0, can_change_status = 0 WHERE organisation = ?1 AND party = ?2
    AND min(can_send, can_receive, can_remove, can_manage_hook, can_change_status) = 0
    AND EXISTS (SELECT 1 FROM clients c WHERE c.client_id = permissions.account
        AND c.organisation = permissions.organisation AND c.all_parties = 1)";
const REMOVE_PARTY: &str = "DELETE FROM permissions WHERE organisation = ?1 AND party = ?2
    AND NOT (max(can_send, can_receive, can_remove, can_manage_hook, can_change_status) = 0
        AND EXISTS (SELECT 1 FROM clients c WHERE c.client_id = permissions.account
            AND c.organisation = permissions.organisation AND c.all_parties = 1))";
pub(crate) const REMOVE_ACCOUNT: &str =
    "DELETE FROM permissions WHERE organisation = ?1 AND account = ?2";
const KNOWN: &str = "SELECT 1 FROM parties WHERE organisation = ?1 AND id = ?2";
/// An active ApUser that is linked to a party, and no client of all parties that is held from it.
const USER: &str = "SELECT 1 FROM permissions m
    LEFT JOIN users u ON u.organisation = m.organisation AND u.name = m.account
    LEFT JOIN clients c ON c.organisation = m.organisation AND c.client_id = m.account
    WHERE m.organisation = ?1 AND m.party = ?2
    AND ((u.active = 1 AND u.role = 'ApUser')
        OR (c.active = 1 AND c.role = 'ApUser' AND (c.all_parties = 0 OR max(m.can_send,
            m.can_receive, m.can_remove, m.can_manage_hook, m.can_change_status) = 1)))
    LIMIT 1";

/// A party that is registered in the SML; one that the configuration declares is the operator's.
const REGISTERED: &str = "SELECT 1 FROM party_identifiers i
    JOIN holdings h ON h.identifier = i.identifier AND h.organisation = i.organisation
    JOIN registrations r ON r.participant = i.identifier AND r.organisation = i.organisation
    WHERE i.organisation = ?1 AND i.party = ?2 AND h.basis = 'verified'
    AND r.register = 'sml' AND r.wish <> 'absent' LIMIT 1";

/// A party of an account that is registered, and to which no active ApUser is linked.
const UNLINKED: &str = "SELECT p.party FROM permissions p
    WHERE p.organisation = ?1 AND p.account = ?2
    AND EXISTS (SELECT 1 FROM party_identifiers i
        JOIN holdings h ON h.identifier = i.identifier AND h.organisation = i.organisation
        JOIN registrations r ON r.participant = i.identifier AND r.organisation = i.organisation
        WHERE i.organisation = p.organisation AND i.party = p.party AND h.basis = 'verified'
        AND r.register = 'sml' AND r.wish <> 'absent')
    AND NOT EXISTS (SELECT 1 FROM permissions m
        LEFT JOIN users u ON u.organisation = m.organisation AND u.name = m.account
        LEFT JOIN clients c ON c.organisation = m.organisation AND c.client_id = m.account
        WHERE m.organisation = p.organisation AND m.party = p.party
        AND ((u.active = 1 AND u.role = 'ApUser')
            OR (c.active = 1 AND c.role = 'ApUser' AND (c.all_parties = 0 OR max(m.can_send,
                m.can_receive, m.can_remove, m.can_manage_hook, m.can_change_status) = 1))))
    LIMIT 1";

fn read(mut row: SqlRow) -> Result<Permission, Fault> {
    Ok(Permission {
        account: row.text("permissions.account")?,
        party: row.text("permissions.party")?,
        can_send: row.yes("permissions.can_send")?,
        can_receive: row.yes("permissions.can_receive")?,
        can_remove: row.yes("permissions.can_remove")?,
        can_manage_hook: row.yes("permissions.can_manage_hook")?,
        can_change_status: row.yes("permissions.can_change_status")?,
    })
}

pub(crate) fn put(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    permission: &Permission,
) -> Result<(), Error> {
    let p = permission;
    if tx.first(KNOWN, &[organisation.as_str().into(), (&p.party).into()])?.is_none() {
        return Err(Refusal::NotFound { what: "party", key: p.party.clone() }.into());
    }
    if crate::accounts::find(tx.connection(), organisation, &p.account)?.is_none() {
        return Err(Refusal::NotFound { what: "user", key: p.account.clone() }.into());
    }
    let row = [
        organisation.as_str().into(),
        (&p.account).into(),
        (&p.party).into(),
        p.can_send.into(),
        p.can_receive.into(),
        p.can_remove.into(),
        p.can_manage_hook.into(),
        p.can_change_status.into(),
    ];
    tx.execute(PUT, &row)?;
    Ok(())
}

/// Takes all rights on a party away; who acts for all parties and was held from it stays so.
pub(crate) fn remove_of_party(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    party: &str,
) -> Result<(), Fault> {
    for sql in [HOLD, REMOVE_PARTY] {
        tx.execute(sql, &[organisation.as_str().into(), party.into()])?;
    }
    Ok(())
}

pub(crate) fn of(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    account: &str,
) -> Result<Vec<Permission>, Fault> {
    let rows = db.query(OF, &[organisation.as_str().into(), account.into()])?;
    rows.into_iter().map(read).collect()
}

/// Whether an active ApUser is linked to a party.
pub(crate) fn has_user(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    party: &str,
) -> Result<bool, Fault> {
    Ok(tx.first(USER, &[organisation.as_str().into(), party.into()])?.is_some())
}

/// Demands that a party, where it is registered, has a linked user of role ApUser.
fn demand_link(tx: &mut Tx<'_>, organisation: &OrganisationId, party: &str) -> Result<(), Error> {
    let registered = tx.first(REGISTERED, &[organisation.as_str().into(), party.into()])?;
    if registered.is_some() && !has_user(tx, organisation, party)? {
        return Err(unlinked(tx, organisation, party)?);
    }
    Ok(())
}

/// Demands the same of every party that an account is linked to. To be asked where the account may
/// be no ApUser any more, while its links are there.
pub(crate) fn demand_links_of(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    account: &str,
) -> Result<(), Error> {
    let found = tx.first(UNLINKED, &[organisation.as_str().into(), account.into()])?;
    let Some(mut row) = found else { return Ok(()) };
    let party = row.text("permissions.party")?;
    Err(unlinked(tx, organisation, &party)?)
}

fn unlinked(tx: &mut Tx<'_>, organisation: &OrganisationId, party: &str) -> Result<Error, Fault> {
    let party = parties::main_of(tx.connection(), organisation, party)?;
    Ok(Refusal::Unlinked { party }.into())
}

impl Store {
    /// Whether a user of role ApUser is linked to a party.
    pub async fn has_linked_user(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<bool, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.read(move |db| {
            let key = [owner.as_str().into(), (&party).into()];
            Ok(db.first(USER, &key)?.is_some())
        })
        .await
    }

    /// Records the rights of an account on a party, in place of what they were.
    ///
    /// Errors: [`Refusal::NotFound`] where the organisation has no such party or account.
    pub async fn put_permission(
        &self,
        organisation: &OrganisationId,
        permission: Permission,
    ) -> Result<(), Error> {
        let owner = organisation.clone();
        self.write(move |tx| put(tx, &owner, &permission)).await
    }

    /// Takes an account's rights on a party away; answers whether there was a link. An account that
    /// acts for all parties has one without rights from then on, since without any it might do
    /// everything.
    ///
    /// Errors: [`Refusal::Unlinked`] where the party is enrolled and this was its last ApUser,
    /// [`Refusal::NotFound`] where the organisation has no such party.
    pub async fn remove_permission(
        &self,
        organisation: &OrganisationId,
        account: &str,
        party: &str,
    ) -> Result<bool, Error> {
        let (owner, account, party) = (organisation.clone(), account.to_owned(), party.to_owned());
        self.write(move |tx| {
            let key = [owner.as_str().into(), (&account).into(), (&party).into()];
            let found = tx.execute(REMOVE, &key)? > 0;
            if found {
                demand_link(tx, &owner, &party)?;
            }
            let known = crate::accounts::find(tx.connection(), &owner, &account)?;
            if known.is_some_and(|known| known.all_parties) {
                put(tx, &owner, &Permission { account, party, ..Permission::default() })?;
            }
            Ok(found)
        })
        .await
    }

    /// All rights of an account, by party.
    pub async fn permissions_of(
        &self,
        organisation: &OrganisationId,
        account: &str,
    ) -> Result<Vec<Permission>, Error> {
        let (owner, account) = (organisation.clone(), account.to_owned());
        self.read(move |db| Ok(of(db, &owner, &account)?)).await
    }

    /// Those links of an account that leave out a right, by party.
    pub async fn held_back(
        &self,
        organisation: &OrganisationId,
        account: &str,
    ) -> Result<Vec<Permission>, Error> {
        let (owner, account) = (organisation.clone(), account.to_owned());
        self.read(move |db| {
            let rows = db.query(HELD, &[owner.as_str().into(), (&account).into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The rights of an account on a party, if anything is recorded for the two.
    pub async fn permission(
        &self,
        organisation: &OrganisationId,
        account: &str,
        party: &str,
    ) -> Result<Option<Permission>, Error> {
        let key = key([organisation.as_str(), account, party]);
        let (owner, account, party) = (organisation.clone(), account.to_owned(), party.to_owned());
        self.recalled(&PERMISSION, key, move |db| {
            let key = [owner.as_str().into(), (&account).into(), (&party).into()];
            Ok(db.first(ONE, &key)?.map(read).transpose()?)
        })
        .await
    }

    /// The rights of an account on parties whose key comes after this one, by party, up to `limit`.
    pub async fn permissions_after(
        &self,
        organisation: &OrganisationId,
        account: &str,
        after: &str,
        limit: usize,
    ) -> Result<Vec<Permission>, Error> {
        let (owner, account, after) = (organisation.clone(), account.to_owned(), after.to_owned());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(move |db| {
            let key = [owner.as_str().into(), (&account).into(), (&after).into(), limit.into()];
            let rows = db.query(AFTER, &key)?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// All rights on a party, by account.
    pub async fn permissions_on(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<Vec<Permission>, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.read(move |db| {
            let rows = db.query(OF_PARTY, &[owner.as_str().into(), (&party).into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
