//! Taking OAEP padding off by ourselves, for hardware modules that do no more than the RSA
//! operation: many know OAEP with SHA-1 only.
//!
//! Source: RFC 8017, sections 7.1.2 and B.2.1; SHA-256, MGF1 with SHA-256, no label.

use super::{KeyError, sha256};

/// Length of SHA-256 in bytes.
const HASH: usize = 32;

/// The message in an encoded block of the length of the modulus.
///
/// Every failure looks the same and takes the same time, so that no oracle arises.
///
/// # Errors
/// [`KeyError::Decryption`].
pub fn unpad_oaep(encoded: &[u8]) -> Result<Vec<u8>, KeyError> {
    if encoded.len() < 2 * HASH + 2 {
        return Err(KeyError::Decryption);
    }
    let (first, rest) = encoded.split_at(1);
    let (masked_seed, masked_block) = rest.split_at(HASH);
    let seed = masked(masked_seed, masked_block);
    let block = masked(masked_block, &seed);
    let (label, message) = block.split_at(HASH);
    let mut wrong = first.iter().fold(0, |all, byte| all | byte);
    for (found, expected) in label.iter().zip(sha256(b"")) {
        wrong |= found ^ expected;
    }
    // The message begins after zeros and one 0x01; each byte is looked at, wherever that one is.
    let (mut begun, mut start) = (0_u8, 0_usize);
    for (index, byte) in message.iter().enumerate() {
        let (is_one, is_zero) = (equal(*byte, 1), equal(*byte, 0));
        let here = !begun & is_one;
        start |= index & usize::from(here & 1).wrapping_neg();
        wrong |= !begun & !is_one & !is_zero;
        begun |= is_one;
    }
    wrong |= !begun;
    match (wrong, message.get(start + 1..)) {
        (0, Some(message)) => Ok(message.to_vec()),
        _ => Err(KeyError::Decryption),
    }
}

/// 0xFF where both are the same, else 0.
fn equal(a: u8, b: u8) -> u8 {
    let differ = u16::from(a ^ b);
    u8::try_from(((differ.wrapping_sub(1)) >> 8) & 0xFF).unwrap_or(0)
}

/// `bytes` with the mask that MGF1 makes of `seed`.
fn masked(bytes: &[u8], seed: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut material = seed.to_vec();
    for (counter, chunk) in (0_u32..).zip(bytes.chunks(HASH)) {
        material.truncate(seed.len());
        material.extend_from_slice(&counter.to_be_bytes());
        out.extend(chunk.iter().zip(sha256(&material)).map(|(byte, mask)| byte ^ mask));
    }
    out
}

#[cfg(test)]
mod tests {
    //! Blocks that are padded by hand, whole and damaged.

    use super::*;

    /// Pads as RFC 8017, section 7.1.1, says.
    fn pad(message: &[u8], length: usize, seed: [u8; HASH]) -> Vec<u8> {
        let mut block = sha256(b"").to_vec();
        block.resize(length - HASH - 1 - message.len() - 1, 0);
        block.push(1);
        block.extend_from_slice(message);
        let block = masked(&block, &seed);
        let mut out = vec![0];
        out.extend(masked(&seed, &block));
        out.extend(block);
        out
    }

    #[test]
    fn what_is_padded_is_read_again() {
        for message in [&b""[..], b"k", &[1; 16], &[0; 16], &[0xFF; 190]] {
            let block = pad(message, 256, [9; HASH]);
            assert_eq!(block.len(), 256);
            assert_eq!(unpad_oaep(&block).unwrap(), message);
        }
    }

    #[test]
    fn a_damaged_block_is_refused() {
        let block = pad(&[7; 16], 256, [3; HASH]);
        for index in 0..256 {
            let mut damaged = block.clone();
            damaged[index] ^= 0x40;
            let read = unpad_oaep(&damaged);
            // Only the message itself is not protected by padding.
            assert!(read.is_err() || index >= 240, "byte {index}: {read:?}");
        }
        assert!(unpad_oaep(&[0; 65]).is_err());
        assert!(unpad_oaep(&[]).is_err());
        assert!(unpad_oaep(&pad(&[7; 16], 256, [3; HASH])[..255]).is_err());
    }
}
