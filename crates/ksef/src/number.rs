//! The number that the system gives to an invoice: `NIP-YYYYMMDD-HHHHHHHHHHHH-CC`, the last two
//! being
//! a CRC-8 of what stands before them.
//!
//! Source: documentation of KSeF, "numer KSeF".

use std::fmt;

use jiff::civil::Date;

/// A number whose shape and checksum are right.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KsefNumber(String);

/// Why a text is no such number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Another shape.
    #[error(
        "{0:?} is no KSeF number: expected NIP-YYYYMMDD-12 hexadecimal digits-2 hexadecimal digits"
    )]
    Shape(String),
    /// The last two digits are others.
    #[error("{found:?} is no KSeF number: its last two digits should be {expected}")]
    Checksum {
        /// The text.
        found: String,
        /// What they should be.
        expected: String,
    },
}

impl KsefNumber {
    /// Reads a number of 35 characters.
    ///
    /// # Errors
    /// [`NumberError`].
    pub fn parse(text: &str) -> Result<KsefNumber, NumberError> {
        let shape = || NumberError::Shape(text.chars().take(60).collect());
        let parts: Vec<&str> = text.splitn(5, '-').collect();
        let [nip, day, digits, check] = parts.as_slice() else { return Err(shape()) };
        let hex = |part: &str, length: usize| {
            part.len() == length
                && part.bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b))
        };
        let is_day = day.len() == 8
            && day.bytes().all(|b| b.is_ascii_digit())
            && Date::strptime("%Y%m%d", day).is_ok();
        if !is_nip(nip) || !is_day || !hex(digits, 12) || !hex(check, 2) {
            return Err(shape());
        }
        let expected = checksum(text.get(..32).unwrap_or_default());
        if expected != *check {
            return Err(NumberError::Checksum { found: text.to_owned(), expected });
        }
        Ok(KsefNumber(text.to_owned()))
    }

    /// The number of a seller, a day and twelve hexadecimal digits: what the laboratory gives.
    pub fn compose(nip: &str, day: Date, digits: u64) -> KsefNumber {
        let head = format!("{nip}-{}-{:012X}", day.strftime("%Y%m%d"), digits & 0xFFFF_FFFF_FFFF);
        let check = checksum(&head);
        KsefNumber(format!("{head}-{check}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The NIP of the seller.
    pub fn nip(&self) -> &str {
        self.0.get(..10).unwrap_or_default()
    }
}

impl fmt::Display for KsefNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// CRC-8 with the polynomial 0x07, from zero, in two digits.
fn checksum(text: &str) -> String {
    let crc = text.bytes().fold(0u8, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc, _| if crc & 0x80 == 0 { crc << 1 } else { (crc << 1) ^ 0x07 })
    });
    format!("{crc:02X}")
}

/// Whether a text has the shape of a NIP: ten digits, the second or the third not zero.
pub fn is_nip(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [first, second, third, ..] = bytes else { return false };
    bytes.len() == 10
        && bytes.iter().all(u8::is_ascii_digit)
        && *first != b'0'
        && (*second != b'0' || *third != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_are_numbers() {
        for text in [
            "5265877635-20250916-010040741B3E-46",
            "5265877635-20250626-010080DD2B5E-26",
            "5451824119-20251202-0100A0E87267-21",
        ] {
            let number = KsefNumber::parse(text).unwrap();
            assert_eq!(number.as_str(), text);
            assert_eq!(number.nip(), &text[..10]);
        }
        let day = jiff::civil::date(2025, 9, 16);
        let made = KsefNumber::compose("5265877635", day, 0x0100_4074_1B3E);
        assert_eq!(made.as_str(), "5265877635-20250916-010040741B3E-46");
    }

    #[test]
    fn other_texts_are_not() {
        let wrong = KsefNumber::parse("5265877635-20250916-010040741B3E-47").unwrap_err();
        assert!(wrong.to_string().contains("46"), "{wrong}");
        for text in [
            "",
            "5265877635",
            "5265877635-20250916-010040741b3e-46",
            "5265877635-20250931-010040741B3E-46",
            "5265877635-20250916-010040741B3E-46-1",
            "0265877635-20250916-010040741B3E-46",
            "5265877635-20250916-010040741B3-46",
            "526587763ż-20250916-010040741B3E-46",
        ] {
            assert!(KsefNumber::parse(text).is_err(), "{text}");
        }
        assert!(is_nip("5265877635") && is_nip("1010000000") && is_nip("1100000000"));
        assert!(!is_nip("1000000000") && !is_nip("526587763") && !is_nip("0265877635"));
    }
}
