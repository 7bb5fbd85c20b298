//! The list of the parts, each with its digest and with a link of a chain over all before it.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use quoin_xmldsig::keys::sha256;
use serde::{Deserialize, Serialize};

/// The version of the form of dossiers.
pub(super) const VERSION: u32 = 1;
/// What the chain begins with.
const BEGINNING: &[u8] = b"quoin dossier 1";

/// What a dossier is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// The document's id at the service that made the dossier.
    pub document_id: String,
    /// `outgoing` or `incoming`, seen from there.
    pub direction: String,
    /// Who sent it, `scheme:identifier`.
    pub sender: Option<String>,
    /// Who received it, `scheme:identifier`.
    pub receiver: Option<String>,
    /// Its number.
    pub number: Option<String>,
    /// The document type that travelled, `scheme::value`.
    pub document_type: Option<String>,
    /// The process, `scheme::value`.
    pub process: Option<String>,
    /// The AS4 message id.
    pub message_id: Option<String>,
    /// The SBDH instance identifier.
    pub instance_id: Option<String>,
    /// When it was recorded.
    pub recorded_on: Timestamp,
    /// When the dossier was made.
    pub made_on: Timestamp,
}

/// The list of parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DossierManifest {
    /// The version of this form.
    pub dossier: u32,
    /// What it is about.
    pub about: About,
    /// The parts, in the order of the chain.
    pub parts: Vec<DossierPart>,
    /// The last link of the chain, in hexadecimal.
    pub head: String,
}

/// A part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DossierPart {
    /// Its name in the archive.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of it, in hexadecimal.
    pub sha256: String,
    /// SHA-256 over the link before, the name, a zero byte and the digest, in hexadecimal.
    pub chain: String,
}

/// A part with the link that follows `before`.
pub fn part(before: &[u8], name: &str, bytes: &[u8]) -> (DossierPart, [u8; 32]) {
    let digest = sha256(bytes);
    let link = link(before, name, &digest);
    let part = DossierPart {
        name: name.to_owned(),
        size: bytes.len() as u64,
        sha256: HEXLOWER.encode(&digest),
        chain: HEXLOWER.encode(&link),
    };
    (part, link)
}

fn link(before: &[u8], name: &str, digest: &[u8]) -> [u8; 32] {
    sha256(&[before, name.as_bytes(), &[0], digest].concat())
}

impl DossierManifest {
    /// The manifest of these parts, in this order.
    pub fn of<'a>(
        about: About,
        parts: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> DossierManifest {
        let mut before = sha256(BEGINNING);
        let mut listed = Vec::new();
        for (name, bytes) in parts {
            let (part, link) = part(&before, name, bytes);
            listed.push(part);
            before = link;
        }
        DossierManifest { dossier: VERSION, about, parts: listed, head: HEXLOWER.encode(&before) }
    }

    /// The bytes that are signed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    pub fn read(bytes: &[u8]) -> Result<DossierManifest, String> {
        let read: DossierManifest =
            serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match read.dossier {
            VERSION => Ok(read),
            other => Err(format!("it has the form {other}, expected {VERSION}")),
        }
    }

    /// The first part at which the chain does not hold; nothing where it holds to its head.
    pub fn broken_link(&self) -> Option<String> {
        let mut before = sha256(BEGINNING);
        for part in &self.parts {
            let digest = HEXLOWER.decode(part.sha256.as_bytes()).unwrap_or_default();
            before = link(&before, &part.name, &digest);
            if HEXLOWER.encode(&before) != part.chain {
                return Some(part.name.clone());
            }
        }
        (HEXLOWER.encode(&before) != self.head).then(|| "the head".to_owned())
    }
}
