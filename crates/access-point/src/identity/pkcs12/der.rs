//! The little of DER that a PKCS#12 file needs: definite lengths, one byte of tag.

use super::Pkcs12Error;

pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const INTEGER: u8 = 0x02;
const OCTETS: u8 = 0x04;
const OID: u8 = 0x06;

/// The tag of an explicitly tagged value.
pub(super) const fn explicit(number: u8) -> u8 {
    0xA0 | number
}

/// A value with its tag.
pub(super) struct DerValue<'a> {
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
}

impl<'a> DerValue<'a> {
    pub(super) fn inside(self, tag: u8) -> Result<DerReader<'a>, Pkcs12Error> {
        match self.tag == tag {
            true => Ok(DerReader(self.content)),
            false => Err(Pkcs12Error::Shape("a part has another type than expected")),
        }
    }
}

/// Reads one value after the other.
#[derive(Clone)]
pub(super) struct DerReader<'a>(&'a [u8]);

impl<'a> DerReader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> DerReader<'a> {
        DerReader(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next value, if there is one.
    pub(super) fn next(&mut self) -> Result<Option<DerValue<'a>>, Pkcs12Error> {
        let cut = Pkcs12Error::Shape("it ends too early, or is not DER");
        let Some((tag, rest)) = self.0.split_first() else { return Ok(None) };
        let (first, rest) = rest.split_first().ok_or(cut.clone())?;
        let (length, rest) = match *first {
            short @ 0..=0x7F => (usize::from(short), rest),
            long @ 0x81..=0x84 => {
                let bytes = usize::from(long & 0x7F);
                let (length, rest) = rest.split_at_checked(bytes).ok_or(cut.clone())?;
                (length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
            }
            _ => return Err(cut),
        };
        let (content, rest) = rest.split_at_checked(length).ok_or(cut)?;
        self.0 = rest;
        Ok(Some(DerValue { tag: *tag, content }))
    }

    /// Goes into the next value.
    pub(super) fn enter(&mut self, tag: u8) -> Result<DerReader<'a>, Pkcs12Error> {
        let missing = Pkcs12Error::Shape("a part is missing");
        self.next()?.ok_or(missing)?.inside(tag)
    }

    pub(super) fn octets(&mut self) -> Result<&'a [u8], Pkcs12Error> {
        Ok(self.enter(OCTETS)?.0)
    }

    pub(super) fn oid(&mut self) -> Result<&'a [u8], Pkcs12Error> {
        Ok(self.enter(OID)?.0)
    }

    /// Demands this object identifier.
    pub(super) fn require(&mut self, expected: &str) -> Result<(), Pkcs12Error> {
        match self.oid()? {
            found if found == oid(expected) => Ok(()),
            other => Err(Pkcs12Error::Algorithm(dotted(other))),
        }
    }

    /// A small number that is not negative.
    pub(super) fn integer(&mut self) -> Result<u64, Pkcs12Error> {
        let bytes = self.enter(INTEGER)?.0;
        match bytes {
            [first, ..] if bytes.len() <= 8 && first & 0x80 == 0 => {
                Ok(bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
            }
            _ => Err(Pkcs12Error::Shape("a number is out of bounds")),
        }
    }
}

/// The content of an object identifier, from its dotted form.
pub(super) fn oid(dotted: &str) -> Vec<u8> {
    let mut arcs = dotted.split('.').filter_map(|arc| arc.parse::<u32>().ok());
    let (first, second) = (arcs.next().unwrap_or(0), arcs.next().unwrap_or(0));
    let mut out = Vec::new();
    for arc in std::iter::once(first * 40 + second).chain(arcs) {
        let groups = (0..5).rev().map(|group| (arc >> (7 * group)) & 0x7F);
        let mut groups = groups.skip_while(|group| *group == 0).peekable();
        if groups.peek().is_none() {
            out.push(0);
        }
        while let Some(group) = groups.next() {
            let more = if groups.peek().is_some() { 0x80 } else { 0 };
            out.push(u8::try_from(group).unwrap_or(0) | more);
        }
    }
    out
}

/// The dotted form of the content of an object identifier.
pub(super) fn dotted(content: &[u8]) -> String {
    let mut arcs: Vec<u64> = Vec::new();
    let mut arc: u64 = 0;
    for byte in content {
        arc = arc.wrapping_shl(7) | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            match arcs.is_empty() {
                true => arcs.extend([(arc / 40).min(2), arc - 40 * (arc / 40).min(2)]),
                false => arcs.push(arc),
            }
            arc = 0;
        }
    }
    arcs.iter().map(u64::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    //! Object identifiers there and back; lengths that lie.

    use super::*;

    #[test]
    fn object_identifiers_are_written_as_they_are_read() {
        for id in ["1.2.840.113549.1.7.1", "2.16.840.1.101.3.4.1.42", "1.3.14.3.2.26", "0.0"] {
            assert_eq!(dotted(&oid(id)), id);
        }
        assert_eq!(oid("1.2.840.113549"), [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D]);
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        for bytes in [&[0x30][..], &[0x30, 0x05, 0x00], &[0x30, 0x80], &[0x30, 0x85, 1, 1, 1, 1, 1]]
        {
            assert!(DerReader::of(bytes).next().is_err(), "{bytes:?}");
        }
        assert!(DerReader::of(&[]).next().unwrap().is_none());
    }
}
