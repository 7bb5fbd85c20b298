//! The delivery dossier: everything that proves the passage of one document, with a manifest that
//! its access point signed, so that anybody can check it without asking anybody.
//!
//! A dossier is a set of named parts. [`Manifest::of`] lists them with their digests in a chain;
//! [`verify`] holds a dossier against its manifest, the signatures in it against each other, and
//! the certificates against roots that the verifier trusts, each at the time at which its signature
//! was made by the maker of the dossier, or checked by it.

mod judges;
mod manifest;
mod times;
mod verdict;
mod verify;

#[cfg(test)]
mod tests;

pub use manifest::{About, DossierManifest, DossierPart, part};
pub use verdict::{DossierCheck, DossierVerdict, Holds};
pub use verify::{KNOWN_ROOTS, verify};

/// Names of the parts of a dossier.
pub mod names {
    /// The manifest.
    pub const MANIFEST: &str = "manifest.json";
    /// Its signature: RSASSA-PKCS1-v1_5 with SHA-256, in Base64.
    pub const SIGNATURE: &str = "manifest.sig";
    /// The certificate of the key that made it, PEM.
    pub const SIGNER: &str = "manifest.pem";
    /// The business document.
    pub const DOCUMENT: &str = "document.xml";
    /// The same as a page (PDF/A-3u), for people; made by the access point that signs the manifest.
    pub const PAGE: &str = "document.pdf";
    /// The envelope (SBDH) around it.
    pub const ENVELOPE: &str = "envelope.xml";
    /// The attachment of the AS4 message before its encryption: the envelope, compressed.
    pub const PAYLOAD: &str = "payload.gz";
    /// The signed SOAP envelope of the AS4 message.
    pub const MESSAGE: &str = "message.xml";
    /// The signed receipt, as it came or went.
    pub const RECEIPT: &str = "receipt.xml";
    /// What the receiver said instead of a receipt: that it had the message before.
    pub const WORD: &str = "answer.xml";
    /// The signed answer of the receiver's SMP.
    pub const SMP_ANSWER: &str = "smp-answer.xml";
    /// The signed answer to which that one redirected.
    pub const REDIRECTED_ANSWER: &str = "smp-redirected.xml";
    /// What became of a document that was converted for its receiver.
    pub const LOSSES: &str = "conversion.json";
    /// The document as another network had it, where it was converted for that.
    pub const CARRIED: &str = "carried.xml";
    /// What mail servers said of the mail that brought it, by number: `mail-report-1.eml`. The body
    /// of the mail that came back is not in it.
    pub const MAIL_REPORT: &str = "mail-report-";
    /// The reports to tax authorities about it, by number: `tax-report-1.xml`, and the signed
    /// receipt of the authority's access point, `tax-report-1-receipt.xml`.
    pub const TAX_REPORT: &str = "tax-report-";
    /// The steps in the life of the document.
    pub const TIMELINE: &str = "timeline.json";
    /// The attempts to deliver it.
    pub const ATTEMPTS: &str = "attempts.json";
    /// Folder of the authorities: `authorities/1/root.pem`, `access-point.pem`, `smp.pem`.
    pub const AUTHORITIES: &str = "authorities/";
    /// What all this is, for people.
    pub const README: &str = "README.txt";
}
