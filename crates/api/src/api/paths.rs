//! The parts of paths and queries that many operations have, described once for the description of
//! the interface. A shape given here is what the code checks.

use quoin_delivery::DOCUMENT_FAMILIES;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};

pub(crate) use quoin_access_point::enrolment::PartyId;

/// The document type of a Peppol BIS Billing 3 invoice, as an example.
pub(crate) const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:\
    Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
    ::2.1";
/// The process of a Peppol BIS Billing 3 invoice, as an example.
pub(crate) const BILLING_PROCESS: &str =
    "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

/// A certificate of an access point, as an example: one that nobody has, without a private key.
pub(crate) const CERTIFICATE: &str = "MIIDZjCCAk6gAwIBAgIBETANBgkqhkiG9w0BAQsFADBMMRIwEAYDVQQDDAlQT1AwMDAwMDAxFzAVBgNVBAsM\
    DlBFUFBPTCBURVNUIEFQMRAwDgYDVQQKDAdFeGFtcGxlMQswCQYDVQQGEwJOTDAeFw0yNjExMjIwODQyMTFa\
    Fw00NjExMTcwODQyMTFaMEwxEjAQBgNVBAMMCVBPUDAwMDAwMDEXMBUGA1UECwwOUEVQUE9MIFRFU1QgQVAx\
    EDAOBgNVBAoMB0V4YW1wbGUxCzAJBgNVBAYTAk5MMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\
    5M5mrmuNadybjrjBA6TtHcFE65Jc0paNb2BUFUBUZZsR41ieejOoaUeidx4q9pzfUC6q76c7MByscOxp6WKs\
    d6z/FaARKunWdC654iqkdvsGz3tb3HpW3GnuxbaRdhRvLLAsowISwv0a7oHxUkrFCKdrtXmj8yCvk7Qk3YEs\
    +YUKvmAx+Bh+rTQodGfzri3jmYTJWvFWk4seDRgswAm5xq+M32Zs8uiSgjrNvaoj/GVoxNwGlz7KxTS4th1g\
    VQUvXnfXLrZbvyymZlppZxthWy26bsn0GsjxofHQaRCOYXvUm2gme0yEDDtRFyexB12vD+QkN9YodlKaew9S\
    qN54HwIDAQABo1MwUTAdBgNVHQ4EFgQUC70yRtB9fAqLnZC6lgrpx02Rn78wHwYDVR0jBBgwFoAUC70yRtB9\
    fAqLnZC6lgrpx02Rn78wDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAQwYwdLruTRbue0A8\
    uhuBJ52DkyJ7WnNZFWZO0nMxeEsdRufoT78QtjkC/D3+WYYelWNHJy8z5E5yQIs4X2Tz2InQn/eki/ehoS6D\
    dl8k0aJ6oOcHCLFVS8E8wCj06Ep9yJMOAlyrYbPI51UThcl7tzw1IjxzyzyDpfXUlkqh0VNvU2jEFHSbmYYB\
    A7LWQOp4qgmUNYm/mrv6Zr5NxMNO+3HVc8toEqUgybclVdvzfnVHHWRZo488l5QQobaLp1KzzFgtEuTgeev2\
    c7TChr3cEhn+SiP8sFA8e0/rJMF/Vt3ysK+ttdJgEzNh3g3U/87AXkvk/J1zU/B0alk1E8lSxA==";

/// The id of a document: a UUID in its usual form, in either case.
#[derive(ToSchema)]
#[schema(
    value_type = String, example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
    pattern = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct DocumentIdText(String);

/// The id of a hook: letters, digits, `-`, `_` and `.`.
#[derive(ToSchema)]
#[schema(value_type = String, example = "erp", pattern = "^[A-Za-z0-9._-]{1,64}$")]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct HookIdText(String);

/// A document type of the network, `scheme::value`.
#[derive(ToSchema)]
#[schema(
    value_type = String, pattern = "^busdox-docid-qns::[!-~]+##[!-)+-~]+::[!-9;-~]+$|^peppol-doctype-wildcard::[!-~]+##[!-)+-?A-~]+(@[!-)+-?A-~]+){0,15}[*]?::[!-9;-~]+$",
    example = json!(BILLING)
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct DocumentTypeText(String);

/// What a document is: a document type, with its scheme or without it, or the customization that
/// the document carries.
#[derive(ToSchema)]
#[schema(
    value_type = String, pattern = "^(busdox-docid-qns::)?[!-~]+##[!-)+-~]+::[!-9;-~]+$|^(peppol-doctype-wildcard::)?[!-~]+##[!-)+-?A-~]+(@[!-)+-?A-~]+){0,15}[*]?::[!-9;-~]+$|^urn:[!-~]+$",
    example = json!(BILLING)
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct SourceFormatText(String);

/// What a document is to become: as for what it is, or `xml` for the document as it is.
#[derive(ToSchema)]
#[schema(
    value_type = String, pattern = "^(busdox-docid-qns::)?[!-~]+##[!-)+-~]+::[!-9;-~]+$|^(peppol-doctype-wildcard::)?[!-~]+##[!-)+-?A-~]+(@[!-)+-?A-~]+){0,15}[*]?::[!-9;-~]+$|^urn:[!-~]+$|^xml$",
    example = json!(BILLING)
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct TargetFormatText(String);

/// What a document is converted to: a format, a document type or a specification.
#[derive(ToSchema)]
#[schema(
    value_type = String, pattern = "^(busdox-docid-qns::)?[!-~]+##[!-)+-~]+::[!-9;-~]+$|^(peppol-doctype-wildcard::)?[!-~]+##[!-)+-?A-~]+(@[!-)+-?A-~]+){0,15}[*]?::[!-9;-~]+$|^urn:[!-~]+$|^[a-z]+$",
    example = "cii"
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct ConversionFormatText(String);

/// What a conversion may lose: terms and paths between commas.
#[derive(ToSchema)]
#[schema(
    value_type = String,
    pattern = "^([*]|B[TG]-[0-9-]+|/[^,]+)(,([*]|B[TG]-[0-9-]+|/[^,]+))*$",
    example = "BT-19,/Invoice/cbc:UUID"
)]
#[expect(dead_code, reason = "describes a text")]
pub(crate) struct AllowedLosses(String);

/// A document family of look-ups; any case is taken.
pub(crate) enum LookupFamily {}

impl PartialSchema for LookupFamily {
    fn schema() -> RefOr<Schema> {
        let names = DOCUMENT_FAMILIES.iter().map(|family| family.name);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

impl ToSchema for LookupFamily {}

/// The path of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct PartyPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", value_type = PartyId)]
    party_id: String,
}

/// The path of a document of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct DocumentPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", value_type = PartyId)]
    party_id: String,
    /// The document id.
    #[param(rename = "documentId", value_type = DocumentIdText)]
    document_id: String,
}

/// The path of an answer to a document of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct ResponsePath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", value_type = PartyId)]
    party_id: String,
    /// The document that is answered.
    #[param(rename = "documentId", value_type = DocumentIdText)]
    document_id: String,
    /// The answer.
    #[param(rename = "responseDocumentId", value_type = DocumentIdText)]
    response_document_id: String,
}

/// The path of a batch of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct BatchPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", value_type = PartyId)]
    party_id: String,
    /// The batch: `documentId` of its event.
    #[param(rename = "batchId", value_type = DocumentIdText)]
    batch_id: String,
}

/// The path of a hook of the environment.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct HookPath {
    /// The hook.
    #[param(rename = "hookId", value_type = HookIdText)]
    hook_id: String,
}

/// The path of a hook of a party.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct PartyHookPath {
    /// The party: `scheme:identifier`, or with a letter alias.
    #[param(rename = "partyId", value_type = PartyId)]
    party_id: String,
    /// The hook.
    #[param(rename = "hookId", value_type = HookIdText)]
    hook_id: String,
}

/// The path of a call of a hook.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct CallPath {
    /// The call: `id` in the delivery log.
    #[param(
        rename = "deliveryId",
        example = "0192f0c9-7a10-7b3e-8f21-5d0e9c4b1a72",
        min_length = 1
    )]
    delivery_id: String,
}

/// The path of a user.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct UserPath {
    /// The name of a user, or a client id.
    #[param(example = "alice@example.org", pattern = "^[^/]+$")]
    name: String,
}

/// The header by which a caller names a document.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header, whose prefix is configured")]
pub(crate) struct DocumentHeader {
    /// A UUID of the caller's choice, by which a repeat is recognised; a new one for every
    /// document. Left out, the service makes one. Also taken under the prefix of the specification,
    /// where another is configured; any other `*-DocumentId` is refused.
    #[param(
        rename = "X-Service-DocumentId",
        example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6",
        pattern = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
    )]
    document_id: Option<String>,
}

/// The header by which a change names the version that it changes.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header")]
pub(crate) struct VersionHeader {
    /// The version that was read: the `ETag` of the answer, or `*` for any.
    #[param(rename = "If-Match", example = "*")]
    if_match: Option<String>,
}
