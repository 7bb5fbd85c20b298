//! A term of the model with every occurrence that the document has.

use std::borrow::Cow;
use std::fmt;

use super::value::ValueType;

/// All occurrences of a term or group, in document order.
///
/// The standard allows most terms once; a document may have none or several, and rules on
/// cardinality have to see them. One occurrence, by far the most frequent case, takes no
/// allocation.
#[derive(Clone)]
pub struct Field<T>(Occurrences<T>);

#[derive(Clone)]
enum Occurrences<T> {
    None,
    One(T),
    Many(Vec<T>),
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Field(Occurrences::None)
    }
}

impl<T: fmt::Debug> fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all()).finish()
    }
}

impl<T> Field<T> {
    /// Adds an occurrence after the others.
    pub fn push(&mut self, value: T) {
        self.0 = match std::mem::replace(&mut self.0, Occurrences::None) {
            Occurrences::None => Occurrences::One(value),
            Occurrences::One(first) => Occurrences::Many(vec![first, value]),
            Occurrences::Many(mut all) => {
                all.push(value);
                Occurrences::Many(all)
            }
        };
    }

    /// Moves the occurrences of another field behind those of this one.
    pub fn append(&mut self, other: &mut Field<T>) {
        match std::mem::replace(&mut other.0, Occurrences::None) {
            Occurrences::None => {}
            Occurrences::One(value) => self.push(value),
            Occurrences::Many(all) => self.extend(all),
        }
    }

    /// Every occurrence.
    pub fn all(&self) -> &[T] {
        match &self.0 {
            Occurrences::None => &[],
            Occurrences::One(value) => std::slice::from_ref(value),
            Occurrences::Many(all) => all,
        }
    }

    /// Every occurrence, to be changed.
    pub fn all_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Occurrences::None => &mut [],
            Occurrences::One(value) => std::slice::from_mut(value),
            Occurrences::Many(all) => all,
        }
    }

    /// Every occurrence, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.all().iter()
    }

    /// The first occurrence.
    pub fn first(&self) -> Option<&T> {
        self.all().first()
    }

    /// The occurrence, if there is exactly one.
    pub fn one(&self) -> Option<&T> {
        match &self.0 {
            Occurrences::One(value) => Some(value),
            _ => None,
        }
    }

    /// How many occurrences there are.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// Whether there is at least one occurrence, be it empty.
    pub fn is_present(&self) -> bool {
        !self.is_absent()
    }

    /// Whether there is no occurrence.
    pub fn is_absent(&self) -> bool {
        matches!(self.0, Occurrences::None)
    }

    /// Whether there is more than one occurrence.
    pub fn is_repeated(&self) -> bool {
        self.count() > 1
    }
}

impl<'d, T: ValueType<'d>> Field<T> {
    /// The first occurrence, be it empty.
    pub fn get(&self) -> Option<T> {
        self.first().copied()
    }

    /// The first occurrence that is more than white space.
    pub fn filled(&self) -> Option<T> {
        self.iter().copied().find(|value| !value.source().is_blank())
    }

    /// Whether some occurrence is more than white space.
    pub fn is_filled(&self) -> bool {
        self.filled().is_some()
    }

    /// The text of the first occurrence without the white space around it; `None` where the term
    /// is absent or empty.
    pub fn text(&self) -> Option<Cow<'d, str>> {
        let text = self.get()?.source().trimmed();
        (!text.is_empty()).then_some(text)
    }

    /// Whether the trimmed text of some occurrence is exactly this.
    pub fn is(&self, text: &str) -> bool {
        self.iter().any(|value| value.source().is(text))
    }
}

impl<'f, T> IntoIterator for &'f Field<T> {
    type Item = &'f T;
    type IntoIter = std::slice::Iter<'f, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Extend<T> for Field<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.push(value);
        }
    }
}

impl<T> FromIterator<T> for Field<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut field = Field::default();
        field.extend(values);
        field
    }
}
