//! The operations by who may do them. One that is described and not here fails a test.

use quoin_store::Permission;

use super::PARTY;

/// Operations without a token.
pub const OPEN: &[&str] = &[
    "/connect/token",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/.well-known/jwks.json",
    "/health",
    "/health/live",
    "/health/ready",
    "/openapi.json",
    "/docs",
    "/docs/{file}",
    "/docs/errors/{code}",
    "/docs/rules",
    "/docs/rules/{rule}",
    "/docs/rules/sets/{set}",
    // Other networks, which the secret of a hook lets in: their stories are in `networks`.
    "/networks/{organisation}/{hookId}",
    "/networks/{organisation}/{hookId}/documents",
    "/networks/{organisation}/{hookId}/statuses",
];
/// Operations for the role ApManager only: method, path.
pub const MANAGED: &[(&str, &str)] = &[
    ("get", "/api/v1/user"),
    ("put", "/api/v1/user"),
    ("delete", "/api/v1/user/{name}"),
    ("get", "/api/v1/user/{name}/party"),
    ("put", "/api/v1/user/{name}/party"),
    ("delete", "/api/v1/user/{name}/party/{partyId}"),
    ("get", "/api/v1/client"),
    ("post", "/api/v1/client"),
    ("get", "/api/v1/client/{clientId}"),
    ("put", "/api/v1/client/{clientId}"),
    ("delete", "/api/v1/client/{clientId}"),
    ("post", "/api/v1/client/{clientId}/rotate"),
    ("put", "/api/v1/peppol/config"),
    ("get", "/api/v1/peppol/config/party"),
    ("put", "/api/v1/peppol/config/party/{partyId}"),
    ("delete", "/api/v1/peppol/config/party/{partyId}"),
    ("delete", "/api/v1/peppol/config/party/{partyId}/identifier/{identifier}"),
    ("get", "/api/v1/peppol/{partyId}/prepareToMigrate"),
    ("delete", "/api/v1/peppol/{partyId}/prepareToMigrate"),
    ("post", "/api/v1/jobs"),
    ("get", "/api/v1/jobs"),
    ("get", "/api/v1/jobs/{jobId}"),
    ("get", "/api/v1/jobs/{jobId}/items"),
    ("post", "/api/v1/jobs/{jobId}/{command}"),
    ("put", "/api/v1/{partyId}/taxReporting"),
    ("put", "/api/v1-beta/{partyId}/enroll"),
    ("delete", "/api/v1-beta/{partyId}/enroll"),
    ("get", "/api/v1/service/trust"),
    ("get", "/api/v1/reports"),
    ("get", "/api/v1/reports/{month}/{kind}"),
    ("post", "/api/v1/reports/{month}/{kind}/send"),
    ("get", "/smp/list"),
    ("get", "/smp/{partyId}"),
    ("put", "/smp/{partyId}"),
    ("delete", "/smp/{partyId}"),
    ("get", "/smp/{partyId}/changes"),
    ("get", "/smp/complete/{partyId}"),
    ("get", "/smp/{partyId}/services/{documentTypeId}"),
    ("put", "/smp/{partyId}/services/{documentTypeId}"),
    ("delete", "/smp/{partyId}/services/{documentTypeId}"),
    ("get", "/smp/businesscard/{partyId}"),
    ("put", "/smp/businesscard/{partyId}"),
    ("delete", "/smp/businesscard/{partyId}"),
    ("post", "/smp/businesscard/{partyId}/push"),
];
/// Operations of any account, about itself or about nobody's party.
pub const OWN: &[(&str, &str)] = &[
    ("get", "/api/v1/me"),
    ("get", "/api/v1/me/party"),
    ("get", "/api/v1/channels"),
    ("get", "/meta"),
    ("get", "/api/v1/events"),
    ("get", "/api/v1/events/stream"),
    ("get", "/api/v1/peppol/config"),
    ("get", "/api/v1/peppol/deliveryOption"),
    ("get", "/api/v1/queryRecipientParty"),
    ("post", "/api/v1/document/convert"),
    ("post", "/api/v1/document/render"),
    ("post", "/api/v1/generic/validate"),
    ("get", "/api/v1/generic/validate/options"),
];
/// Operations on hooks of the environment, and figures of the organisation: for who acts for every
/// party.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("get", "/api/v1/usage"),
    ("get", "/api/v1/serviceLevels"),
    ("get", "/api/v1/hook"),
    ("post", "/api/v1/hook"),
    ("put", "/api/v1/hook"),
    ("get", "/api/v1/hook/{hookId}"),
    ("delete", "/api/v1/hook/{hookId}"),
    ("get", "/api/v1/hook/{hookId}/deliveries"),
    ("post", "/api/v1/hook/{hookId}/deliveries/{deliveryId}/replay"),
    ("post", "/api/v1/hook/{hookId}/replay"),
    ("post", "/api/v1/hook/{hookId}/rotate"),
];
/// Operations on documents of either way: to send or to receive is enough.
pub const EITHER: &[(&str, &str)] = &[
    ("get", "/api/v1/{partyId}/generic/{documentId}/status"),
    ("get", "/api/v1/{partyId}/generic/{documentId}/download"),
    ("get", "/api/v1/{partyId}/generic/{documentId}/messageLevelStatus"),
    ("get", "/api/v1/{partyId}/taxReport"),
    ("get", "/api/v1/{partyId}/taxReport/{reportId}"),
    ("get", "/api/v1/{partyId}/taxReport/{reportId}/document"),
];
/// Operations that any linked user may do, whatever its permissions.
pub const LINKED: &[(&str, &str)] =
    &[("get", "/api/v1/peppol/config/party/{partyId}"), ("get", "/api/v1/{partyId}/taxReporting")];
/// The permission that an operation needs.
pub const NEEDS: &[(&str, &str, Right)] = &[
    ("post", "/api/v1/{partyId}/salesInvoice/send", Right::Send),
    ("post", "/api/v1/{partyId}/salesInvoice/recognize", Right::Send),
    ("post", "/api/v1/{partyId}/purchaseInvoice/recognize", Right::Receive),
    ("get", "/api/v1/{partyId}/salesInvoice", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/status", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseInvoice", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/status", Right::Receive),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/download", Right::Receive),
    ("delete", "/api/v1/{partyId}/purchaseInvoice/{documentId}", Right::Remove),
    ("get", "/api/v1/{partyId}/endpoint", Right::Send),
    ("get", "/api/v1/{partyId}/destination", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/dossier", Right::Send),
    ("post", "/api/v1/{partyId}/taxReport/{reportId}/resubmit", Right::Send),
    ("post", "/api/v1/{partyId}/taxReport/{reportId}/disregard", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/clearance", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/clearance/form", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/clearance/upo", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/clearance/page", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/dossier", Right::Receive),
    ("get", "/api/v1/{partyId}/generic/{documentId}/dossier", Right::Receive),
    ("get", "/api/v1/{partyId}/generic/{documentId}/sentDossier", Right::Send),
    ("post", "/api/v1/{partyId}/salesInvoice/sendDryRun", Right::Send),
    ("post", "/api/v1/{partyId}/salesInvoice/queryRecipientParty", Right::Send),
    ("get", "/api/v1/{partyId}/salesInvoice/{documentId}/response", Right::Send),
    (
        "get",
        "/api/v1/{partyId}/salesInvoice/{documentId}/response/{responseDocumentId}/download",
        Right::Send,
    ),
    ("post", "/api/v1/{partyId}/purchaseInvoice/queryRecipientParty", Right::Receive),
    ("post", "/api/v1/{partyId}/purchaseInvoice/{documentId}/response", Right::ChangeStatus),
    ("get", "/api/v1/{partyId}/purchaseInvoice/{documentId}/response", Right::Receive),
    (
        "get",
        "/api/v1/{partyId}/purchaseInvoice/{documentId}/response/{responseDocumentId}/status",
        Right::Receive,
    ),
    ("post", "/api/v1/{partyId}/purchaseOrder/send", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}/status", Right::Send),
    ("post", "/api/v1/{partyId}/purchaseOrder/{documentId}/cancel", Right::Send),
    ("get", "/api/v1/{partyId}/purchaseOrder/{documentId}/response", Right::Send),
    (
        "get",
        "/api/v1/{partyId}/purchaseOrder/{documentId}/response/{responseDocumentId}/download",
        Right::Send,
    ),
    ("post", "/api/v1/{partyId}/purchaseOrder/queryRecipientParty", Right::Send),
    ("get", "/api/v1/{partyId}/salesOrder", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/status", Right::Receive),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/download", Right::Receive),
    ("delete", "/api/v1/{partyId}/salesOrder/{documentId}", Right::Remove),
    ("post", "/api/v1/{partyId}/salesOrder/{documentId}/response", Right::ChangeStatus),
    ("get", "/api/v1/{partyId}/salesOrder/{documentId}/response", Right::Receive),
    (
        "get",
        "/api/v1/{partyId}/salesOrder/{documentId}/response/{responseDocumentId}/status",
        Right::Receive,
    ),
    ("post", "/api/v1/{partyId}/salesOrder/queryRecipientParty", Right::Receive),
    ("post", "/api/v1/{partyId}/generic/send", Right::Send),
    ("post", "/api/v1/{partyId}/generic/receive", Right::Receive),
    ("get", "/api/v1/{partyId}/generic", Right::Receive),
    ("delete", "/api/v1/{partyId}/generic/{documentId}", Right::Remove),
    ("get", "/api/v1/{partyId}/hook", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook", Right::ManageHook),
    ("put", "/api/v1/{partyId}/hook", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/{hookId}", Right::ManageHook),
    ("delete", "/api/v1/{partyId}/hook/{hookId}", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/{hookId}/deliveries", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/deliveries/{deliveryId}/replay", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/replay", Right::ManageHook),
    ("post", "/api/v1/{partyId}/hook/{hookId}/rotate", Right::ManageHook),
    ("get", "/api/v1/{partyId}/hook/ping", Right::ManageHook),
    ("get", "/api/v1/{partyId}/batch/{batchId}/download", Right::Receive),
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Right {
    Send,
    Receive,
    Remove,
    ManageHook,
    ChangeStatus,
}

impl Right {
    pub const ALL: [Right; 5] =
        [Right::Send, Right::Receive, Right::Remove, Right::ManageHook, Right::ChangeStatus];

    /// This right alone, or all others.
    pub fn permission(self, alone: bool) -> Permission {
        let set = |right: Right| (right == self) == alone;
        let [can_send, can_receive, can_remove, can_manage_hook, can_change_status] =
            Right::ALL.map(set);
        let link = Permission::all("alice", PARTY);
        Permission { can_send, can_receive, can_remove, can_manage_hook, can_change_status, ..link }
    }
}
