//! What a document was found in.

use serde::{Deserialize, Serialize};

/// What a document was found in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Wrapper {
    /// A `StandardBusinessDocument`.
    Sbdh,
    /// `BinaryContent` or `TextContent` in a Peppol envelope.
    Content {
        /// The media type that is stated.
        mime_type: Option<String>,
    },
    /// A PDF with the document embedded (PDF/A-3).
    HybridPdf {
        /// The name of the embedded file.
        file_name: String,
        /// `AFRelationship`: `Alternative`, `Data`, `Source`.
        relationship: Option<String>,
        /// `ConformanceLevel` of the XMP metadata.
        level: Option<String>,
        /// What the metadata says and the document does not.
        mismatch: Option<String>,
    },
    /// A part of a MIME multipart body.
    Multipart {
        /// The position of the part, from 1.
        part: usize,
        /// The media type that is stated.
        content_type: Option<String>,
    },
    /// CMS or PKCS #7 signed data.
    Cms {
        /// How it is written.
        encoding: CmsEncoding,
    },
    /// An entry of a zip archive.
    Zip {
        /// The name of the entry, as the archive has it.
        entry: String,
    },
}

/// How a signed container is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CmsEncoding {
    /// Binary, DER or BER.
    Binary,
    /// Base64 without a frame.
    Base64,
    /// Base64 between `BEGIN` and `END` lines.
    Pem,
}
