//! The little of DER that PKCS#12 needs: items of definite length, one after the other.

/// One item.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DerItem<'d> {
    /// Its tag, of one byte.
    pub(crate) tag: u8,
    /// What is in it.
    pub(crate) content: &'d [u8],
}

/// INTEGER.
pub(crate) const INTEGER: u8 = 0x02;
/// OCTET STRING.
pub(crate) const OCTETS: u8 = 0x04;
/// OBJECT IDENTIFIER.
pub(crate) const OID: u8 = 0x06;
/// SEQUENCE.
pub(crate) const SEQUENCE: u8 = 0x30;
/// `[0]` around another item.
pub(crate) const EXPLICIT_0: u8 = 0xA0;
/// `[0]` in place of the tag of an OCTET STRING.
pub(crate) const IMPLICIT_0: u8 = 0x80;

/// Reads items one after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PfxReader<'d> {
    rest: &'d [u8],
}

impl<'d> PfxReader<'d> {
    pub(crate) fn new(bytes: &'d [u8]) -> PfxReader<'d> {
        PfxReader { rest: bytes }
    }

    /// The next item of any kind; `None` at the end and where none can be read.
    pub(crate) fn item(&mut self) -> Option<DerItem<'d>> {
        let (tag, length, header) = match *self.rest {
            [tag, length, ..] if length < 0x80 => (tag, usize::from(length), 2),
            [tag, form, ..] => {
                let count = usize::from(form & 0x7F);
                if count == 0 || count > 4 {
                    return None;
                }
                let digits = self.rest.get(2..2 + count)?;
                let length = digits.iter().fold(0, |sum, &one| (sum << 8) | usize::from(one));
                (tag, length, 2 + count)
            }
            _ => return None,
        };
        let end = header.checked_add(length)?;
        let content = self.rest.get(header..end)?;
        self.rest = self.rest.get(end..)?;
        Some(DerItem { tag, content })
    }

    /// The content of the next item, which must have this tag.
    pub(crate) fn take(&mut self, tag: u8) -> Option<&'d [u8]> {
        self.item().filter(|item| item.tag == tag).map(|item| item.content)
    }

    /// A reader of what is in the next item, which must have this tag.
    pub(crate) fn inside(&mut self, tag: u8) -> Option<PfxReader<'d>> {
        self.take(tag).map(PfxReader::new)
    }

    /// The next item as a number that is not negative.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let digits = self.take(INTEGER)?;
        if digits.len() > 8 || digits.first().is_none_or(|first| first & 0x80 != 0) {
            return None;
        }
        Some(digits.iter().fold(0, |sum, &one| (sum << 8) | u64::from(one)))
    }

    /// Whether nothing follows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    //! Lengths that lie.

    use super::*;

    #[test]
    fn lengths_that_lie_are_refused() {
        for bytes in [&[0x30][..], &[0x30, 0x05, 0x00], &[0x30, 0x80], &[0x30, 0x85, 1, 1, 1, 1, 1]]
        {
            assert!(PfxReader::new(bytes).item().is_none(), "{bytes:?}");
            assert!(!PfxReader::new(bytes).is_empty(), "{bytes:?}");
        }
        assert!(PfxReader::new(&[]).is_empty());
    }
}
