//! The key that a participant shows to the SML when it moves to another SMP.

use quoin_store::Secret;

use super::EnrolmentError;

/// Characters of a key (SML 1.2: 8 to 24).
const LENGTH: usize = 24;
/// The kinds of characters of which a key must have two each (SML 1.2).
const KINDS: [&[u8]; 4] =
    [b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz", b"0123456789", b"@#$%*-+="];

/// A random key. Each kind of character takes its turn, so that the rule of the SML holds.
///
/// # Errors
/// There are no random bytes.
pub fn new_key() -> Result<Secret, EnrolmentError> {
    let mut random = [0; LENGTH];
    aws_lc_rs::rand::fill(&mut random)
        .map_err(|_| EnrolmentError::Fault("no random bytes".to_owned()))?;
    let letter = |(place, byte): (usize, &u8)| {
        let kind = KINDS.get(place % KINDS.len())?;
        kind.get(usize::from(*byte) % kind.len()).map(|letter| char::from(*letter))
    };
    Ok(Secret::new(random.iter().enumerate().filter_map(letter).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_two_of_each_kind_and_no_key_comes_twice() {
        let key = new_key().unwrap();
        assert_eq!(key.reveal().len(), LENGTH);
        for kind in KINDS {
            let count = key.reveal().bytes().filter(|byte| kind.contains(byte)).count();
            assert!(count >= 2, "{}", key.reveal());
        }
        assert!(new_key().unwrap() != key);
    }
}
