//! The rights of an account on a party, as they are written and shown (interface specification
//! 2.7).

use quoin_store::Permission;
use serde::{Deserialize, Serialize};
#[cfg(feature = "describe")]
use utoipa::ToSchema;

use super::null_is_default;

/// What an account may do for a party; what is not named is not allowed. Who may receive documents
/// may also answer them, unless `canChangeDocumentStatus` says otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields, from = "PermissionFlags")]
pub struct PartyPermissions {
    /// Send on its behalf.
    pub can_send_document: bool,
    /// List and download what arrived for it.
    pub can_receive_document: bool,
    /// Delete what arrived for it.
    pub can_remove_document: bool,
    /// See and change its hooks.
    pub can_manage_hook: bool,
    /// Answer what arrived with a status for its sender; as `canReceiveDocument` where it is left
    /// out.
    pub can_change_document_status: bool,
}

/// Permissions as they are written. The interface has four (specification 2.7); the fifth, which
/// clients of this interface family know, follows from them where it is not named.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct PermissionFlags {
    #[serde(deserialize_with = "null_is_default")]
    can_send_document: bool,
    #[serde(deserialize_with = "null_is_default")]
    can_receive_document: bool,
    #[serde(deserialize_with = "null_is_default")]
    can_remove_document: bool,
    #[serde(deserialize_with = "null_is_default")]
    can_manage_hook: bool,
    can_change_document_status: Option<bool>,
}

impl From<PermissionFlags> for PartyPermissions {
    fn from(written: PermissionFlags) -> PartyPermissions {
        let answers = written.can_change_document_status;
        PartyPermissions {
            can_send_document: written.can_send_document,
            can_receive_document: written.can_receive_document,
            can_remove_document: written.can_remove_document,
            can_manage_hook: written.can_manage_hook,
            can_change_document_status: answers.unwrap_or(written.can_receive_document),
        }
    }
}

impl PartyPermissions {
    /// Everything.
    pub const ALL: PartyPermissions = PartyPermissions {
        can_send_document: true,
        can_receive_document: true,
        can_remove_document: true,
        can_manage_hook: true,
        can_change_document_status: true,
    };

    /// As the store keeps it.
    pub fn of(self, account: &str, party: &str) -> Permission {
        Permission {
            account: account.to_owned(),
            party: party.to_owned(),
            can_send: self.can_send_document,
            can_receive: self.can_receive_document,
            can_remove: self.can_remove_document,
            can_manage_hook: self.can_manage_hook,
            can_change_status: self.can_change_document_status,
        }
    }
}

impl From<&Permission> for PartyPermissions {
    fn from(permission: &Permission) -> PartyPermissions {
        PartyPermissions {
            can_send_document: permission.can_send,
            can_receive_document: permission.can_receive,
            can_remove_document: permission.can_remove,
            can_manage_hook: permission.can_manage_hook,
            can_change_document_status: permission.can_change_status,
        }
    }
}
