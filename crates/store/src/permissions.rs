//! What a client may do for a party (interface specification 2.7, 5).

use crate::engine::Row;
use crate::error::{Error, Fault};
use crate::open::Store;

/// The rights of a client on a party.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    /// The client.
    pub client_id: String,
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
}

const PUT: &str = "INSERT INTO permissions
    (client_id, party, can_send, can_receive, can_remove, can_manage_hook)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (client_id, party) DO UPDATE SET can_send = excluded.can_send,
    can_receive = excluded.can_receive, can_remove = excluded.can_remove,
    can_manage_hook = excluded.can_manage_hook";
const OF: &str = "SELECT client_id, party, can_send, can_receive, can_remove, can_manage_hook
    FROM permissions WHERE client_id = ?1 ORDER BY party";

fn read(mut row: Row) -> Result<Permission, Fault> {
    Ok(Permission {
        client_id: row.text("permissions.client_id")?,
        party: row.text("permissions.party")?,
        can_send: row.yes("permissions.can_send")?,
        can_receive: row.yes("permissions.can_receive")?,
        can_remove: row.yes("permissions.can_remove")?,
        can_manage_hook: row.yes("permissions.can_manage_hook")?,
    })
}

impl Store {
    /// Records the rights of a client on a party, in place of what they were. Client and party must
    /// be on record.
    pub async fn put_permission(&self, permission: Permission) -> Result<(), Error> {
        self.write(move |tx| {
            let p = &permission;
            let row = [
                (&p.client_id).into(),
                (&p.party).into(),
                p.can_send.into(),
                p.can_receive.into(),
                p.can_remove.into(),
                p.can_manage_hook.into(),
            ];
            tx.execute(PUT, &row)?;
            Ok(())
        })
        .await
    }

    /// All rights of a client, by party.
    pub async fn permissions_of(&self, client_id: &str) -> Result<Vec<Permission>, Error> {
        let key = client_id.to_owned();
        self.read(move |db| {
            let rows = db.query(OF, &[(&key).into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
