//! Namespace names, roles and algorithm identifiers of AS4 as Peppol uses it.

pub(super) const SOAP: &str = "http://www.w3.org/2003/05/soap-envelope";
pub(super) const EB: &str = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/";
pub(super) const EBBP: &str = "http://docs.oasis-open.org/ebxml-bp/ebbp-signals-2.0";
pub(super) const WSSE: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
pub(super) const WSSE11: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
pub(super) const WSU: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

pub(super) const BASE64_BINARY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";
pub(super) const X509_V3: &str =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3";
pub(super) const ENCRYPTED_KEY_TOKEN: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKey";
pub(super) const SWA_CONTENT_SIGNATURE: &str = "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Signature-Transform";
pub(super) const SWA_CONTENT_ONLY: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Content-Only";
pub(super) const SWA_CIPHERTEXT: &str =
    "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-Ciphertext-Transform";

pub(super) const AES128_GCM: &str = "http://www.w3.org/2009/xmlenc11#aes128-gcm";
pub(super) const RSA_OAEP: &str = "http://www.w3.org/2009/xmlenc11#rsa-oaep";
pub(super) const MGF1_SHA256: &str = "http://www.w3.org/2009/xmlenc11#mgf1sha256";

pub(super) const PARTY_ID_TYPE: &str = "urn:fdc:peppol.eu:2017:identifiers:ap";
pub(super) const AGREEMENT: &str = "urn:fdc:peppol.eu:2017:agreements:tia:ap_provider";
pub(super) const PARTICIPANT_TYPE: &str = "iso6523-actorid-upis";
pub(super) const DEFAULT_MPC: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/defaultMPC";

/// The role of the sending access point (Peppol AS4 profile, section 5).
pub const INITIATOR: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/initiator";
/// The role of the receiving access point.
pub const RESPONDER: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/responder";
/// The service of a connection test (ebMS 3.0 core, section 5.2.2.8).
pub const PING_SERVICE: &str =
    "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/service";
/// The action of a connection test.
pub const PING_ACTION: &str = "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/test";
