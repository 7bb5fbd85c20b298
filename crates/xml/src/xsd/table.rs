//! A compiled schema as a compact table of bytes, and back.
//!
//! Layout: the mark `QXSD`, a version, a checksum of the body, and the body: the arrays of the
//! schema one after the other, numbers in seven bits a byte. A table is facts only: names, order,
//! cardinality, types and facets. Every index is checked when a table is read, so that a damaged
//! one is an error and nothing else.

mod check;
mod read;
mod write;

use super::schema::Schema;

const MARK: &[u8; 4] = b"QXSD";
/// The version of the layout.
const VERSION: u8 = 1;
/// Bytes before the body: mark, version, checksum.
pub(super) const HEAD: usize = 4 + 1 + 8;

/// Why a table cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It does not begin as a table does.
    #[error("this is no structure table")]
    Mark,
    /// It was written by another version.
    #[error("expected a structure table of version {expected}, found {found}")]
    Version {
        /// What this program reads.
        expected: u8,
        /// What the table is.
        found: u8,
    },
    /// It ends early, or the checksum or an index is wrong.
    #[error("the structure table is damaged: {0}")]
    Damaged(&'static str),
}

impl Schema {
    /// Writes the schema as a table. The same schema always gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(64 << 10);
        write::schema(self, &mut body);
        sealed(body)
    }

    /// Reads a table that [`Schema::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`TableError`] for anything else; never a panic, and no more memory than a few times the
    /// size of the table.
    pub fn from_bytes(bytes: &[u8]) -> Result<Schema, TableError> {
        let (head, body) = bytes.split_at_checked(HEAD).ok_or(TableError::Mark)?;
        let (mark, head) = head.split_at_checked(MARK.len()).ok_or(TableError::Mark)?;
        let (&found, sum) = head.split_first().ok_or(TableError::Mark)?;
        if mark != MARK {
            return Err(TableError::Mark);
        }
        if found != VERSION {
            return Err(TableError::Version { expected: VERSION, found });
        }
        if checksum(body).to_le_bytes() != sum {
            return Err(TableError::Damaged("the checksum differs"));
        }
        let mut schema = read::schema(body)?;
        check::indices(&schema)?;
        schema.prepare();
        Ok(schema)
    }
}

/// A body behind its head.
pub(super) fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + HEAD);
    out.extend_from_slice(MARK);
    out.push(VERSION);
    out.extend_from_slice(&checksum(&body).to_le_bytes());
    out.append(&mut body);
    out
}

/// FNV-1a over words of eight bytes: quick, and any damaged byte changes it.
fn checksum(body: &[u8]) -> u64 {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
    let mut chunks = body.chunks_exact(8);
    let mut sum = body.len() as u64 ^ 0xCBF2_9CE4_8422_2325;
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        sum = mix(sum, u64::from_le_bytes(word));
    }
    chunks.remainder().iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
}
