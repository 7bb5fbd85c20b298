//! Dice that fall the same way again: a test that found something finds it with the same seed.

/// Numbers that look random and are the same for a seed (xorshift64*).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice of a seed; one that is even is the odd one behind it.
    pub fn new(seed: u64) -> Dice {
        Dice(seed | 1)
    }

    /// A number from 0 to below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }
}
