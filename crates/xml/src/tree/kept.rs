//! Values that who reads a tree keeps beside it, for as long as the tree lives.
//!
//! A reader that makes a text of two elements needs a place for it that lives as long as what it
//! borrows from the tree. The store only grows, so what it gives out never moves.

use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Document;

/// The place of a kept value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeptId(pub u32);

/// Shelves of 1, 2, 4, … places: 134 million of them.
const SHELVES: usize = 27;

type KeptPlace = OnceLock<Box<dyn Any + Send + Sync>>;

/// What was kept. A shelf is made when its first place is used.
#[derive(Debug, Default)]
pub(super) struct KeptValues {
    shelves: [OnceLock<Box<[KeptPlace]>>; SHELVES],
    count: AtomicU32,
}

/// The shelf of the place with this number, and where it is on the shelf.
fn place(number: u32) -> (usize, usize) {
    let from_one = number.saturating_add(1);
    let shelf = from_one.ilog2();
    (shelf as usize, (from_one - (1 << shelf)) as usize)
}

impl Document {
    /// Keeps a value; `None` where there is no place any more.
    pub fn keep<T: Any + Send + Sync>(&self, value: T) -> Option<KeptId> {
        let number = self.kept.count.fetch_add(1, Ordering::Relaxed);
        let (shelf, at) = place(number);
        let empty = || std::iter::repeat_with(OnceLock::new).take(1 << shelf).collect();
        let places = self.kept.shelves.get(shelf)?.get_or_init(empty);
        places.get(at)?.set(Box::new(value)).ok()?;
        Some(KeptId(number))
    }

    /// A kept value; `None` where nothing or a value of another type is kept.
    pub fn kept<T: Any>(&self, id: KeptId) -> Option<&T> {
        let (shelf, at) = place(id.0);
        self.kept.shelves.get(shelf)?.get()?.get(at)?.get()?.downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    #[test]
    fn kept_values_stay_where_they_are() {
        let document = Document::parse(b"<a/>", &Limits::default()).unwrap();
        let ids: Vec<_> = (0..1000).map(|n| document.keep(n.to_string()).unwrap()).collect();
        let first: &String = document.kept(ids[0]).unwrap();
        let other = document.keep(7_u8).unwrap();
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(document.kept::<String>(*id), Some(&n.to_string()));
        }
        assert_eq!(first, "0");
        assert_eq!((document.kept::<u8>(other), document.kept::<u8>(ids[0])), (Some(&7), None));
        assert_eq!(document.kept::<u8>(KeptId(5000)), None);
    }

    #[test]
    fn places_are_on_shelves_of_doubling_length() {
        let places: Vec<_> = (0..7).map(place).collect();
        assert_eq!(places, [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3)]);
        assert_eq!(place(u32::MAX).0, 31);
    }
}
