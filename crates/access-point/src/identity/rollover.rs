//! What holds now, and what takes over at a time.

use jiff::Timestamp;

/// A value that another one follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollover<T> {
    present: T,
    next: Option<(Timestamp, T)>,
}

impl<T> Rollover<T> {
    /// A value that nothing follows.
    pub fn of(present: T) -> Rollover<T> {
        Rollover { present, next: None }
    }

    /// The same, followed by another value from a time on.
    #[must_use]
    pub fn then(self, from: Timestamp, next: T) -> Rollover<T> {
        Rollover { next: Some((from, next)), ..self }
    }

    /// The same with something made of each value.
    ///
    /// # Errors
    /// The first value of which it cannot be made.
    pub fn made<U, E>(&self, make: impl Fn(&T) -> Result<U, E>) -> Result<Rollover<U>, E> {
        let next = self.next.as_ref().map(|(from, next)| Ok((*from, make(next)?)));
        Ok(Rollover { present: make(&self.present)?, next: next.transpose()? })
    }

    /// The value at a time.
    pub fn at(&self, now: Timestamp) -> &T {
        match &self.next {
            Some((from, next)) if *from <= now => next,
            _ => &self.present,
        }
    }

    /// When the next value takes over, if there is one.
    pub fn next_from(&self) -> Option<Timestamp> {
        self.next.as_ref().map(|(from, _)| *from)
    }

    /// Since when the value at a time holds, where it took over from another.
    pub fn since(&self, now: Timestamp) -> Option<Timestamp> {
        self.next_from().filter(|from| *from <= now)
    }

    /// Both values, the present one first.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.present).chain(self.next.as_ref().map(|(_, next)| next))
    }
}
