//! Every code once, with a number, and a hash over all of them.

/// A slot without a code.
const EMPTY: u16 = u16::MAX;
/// Slots of the table: a power of two, at least twice the codes that there are.
const SLOTS: usize = 1 << 15;

/// The codes of all lists.
pub(super) struct CodePool {
    codes: Vec<&'static str>,
    /// The number of the code of each hash, or of the next slot that was free.
    slots: Vec<u16>,
}

impl CodePool {
    /// Without a code.
    pub(super) fn new() -> CodePool {
        CodePool { codes: Vec::with_capacity(SLOTS / 2), slots: vec![EMPTY; SLOTS] }
    }

    /// The number of a code, spelled exactly so.
    pub(super) fn find(&self, text: &str) -> Option<u16> {
        self.slot(text).ok()
    }

    /// The number of a code, which gets one where it has none. `None` where the table is half full,
    /// which a test keeps from happening.
    pub(super) fn number(&mut self, code: &'static str) -> Option<u16> {
        match self.slot(code) {
            Ok(number) => Some(number),
            Err(free) => {
                let number = u16::try_from(self.codes.len()).ok()?;
                let slot = self.slots.get_mut(free).filter(|_| self.codes.len() < SLOTS / 2)?;
                *slot = number;
                self.codes.push(code);
                Some(number)
            }
        }
    }

    /// The number of a code, or the slot where it would be. The table is at most half full, so that
    /// a free slot ends every search.
    fn slot(&self, text: &str) -> Result<u16, usize> {
        let mask = SLOTS - 1;
        let mut at = hash(text) as usize & mask;
        loop {
            match self.slots.get(at) {
                None | Some(&EMPTY) => return Err(at),
                Some(&number) => {
                    if self.codes.get(usize::from(number)).is_some_and(|code| *code == text) {
                        return Ok(number);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// How many codes there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }
}

/// FNV-1a of 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// How many codes there may be.
#[cfg(test)]
pub(super) const MOST: usize = SLOTS / 2;
