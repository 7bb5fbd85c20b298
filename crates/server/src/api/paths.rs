//! The parts of paths, described once for the description of the interface.

use utoipa::IntoParams;

/// The path of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct PartyPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", example = "0106:12345678")]
    party_id: String,
}

/// The path of a document of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct DocumentPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", example = "0106:12345678")]
    party_id: String,
    /// The document id.
    #[param(rename = "documentId")]
    document_id: String,
}

/// The path of an answer to a document of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct ResponsePath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", example = "0106:12345678")]
    party_id: String,
    /// The document that is answered.
    #[param(rename = "documentId")]
    document_id: String,
    /// The answer.
    #[param(rename = "responseDocumentId")]
    response_document_id: String,
}

/// The path of a hook of the environment.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct HookPath {
    /// The hook.
    #[param(rename = "hookId", example = "erp")]
    hook_id: String,
}

/// The path of a hook of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct PartyHookPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", example = "0106:12345678")]
    party_id: String,
    /// The hook.
    #[param(rename = "hookId", example = "erp")]
    hook_id: String,
}
