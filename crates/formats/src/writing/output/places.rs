//! The schema that a document is held to while it is written: what it has no place for is not
//! written, and so is found by the ledger.

use quoin_model::en16931::ValueSource;
use quoin_xml::xsd::SchemaPlace;

use super::InvoiceOutput;
use crate::structure_tables;
use crate::writing::UnusedPlaces;

/// The elements that are open, as the schema has them.
pub(super) struct OpenPlaces {
    /// Prefixes of the document and what they stand for.
    namespaces: Vec<(String, String)>,
    open: Vec<OpenPlace>,
    /// What is not used of the schema.
    unused: &'static [UnusedPlaces],
}

struct OpenPlace {
    name: &'static str,
    place: SchemaPlace<'static>,
    /// How often each child was written.
    written: Vec<(&'static str, u32)>,
}

impl OpenPlaces {
    /// Begins with the document element.
    pub(super) fn new(
        root: SchemaPlace<'static>,
        declarations: &[(&str, &str)],
        unused: &'static [UnusedPlaces],
    ) -> OpenPlaces {
        let prefix = |name: &str| name.strip_prefix("xmlns:").unwrap_or_default().to_owned();
        let own = declarations.iter().map(|(name, own)| (prefix(name), (*own).to_owned()));
        OpenPlaces {
            namespaces: own.collect(),
            open: vec![OpenPlace { name: "", place: root, written: Vec::new() }],
            unused,
        }
    }

    /// The place of one more child in the element that is open.
    pub(super) fn find(&self, name: &str) -> Option<SchemaPlace<'static>> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let (_, namespace) = self.namespaces.iter().find(|(own, _)| own == prefix)?;
        let open = self.open.last()?;
        if self.is_unused(local) {
            return None;
        }
        let (place, max) = open.place.child(namespace, local)?;
        let known = open.written.iter().find(|(own, _)| *own == name);
        (known.map_or(0, |(_, count)| *count) < max).then_some(place)
    }

    /// Whether the element that is open may have an attribute that says this.
    pub(super) fn takes_attribute(&self, local: &str, source: ValueSource<'_>) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| {
            open.place.takes_attribute(local, &source.trimmed(), source.element())
        })
    }

    /// Whether an element of a name is not used in the one that is open.
    fn is_unused(&self, local: &str) -> bool {
        let is_open = |path: &str| {
            let bare = |open: &OpenPlace| open.name.rsplit(':').next().unwrap_or_default();
            let mut open = self.open.iter().rev().map(bare);
            path.rsplit('/').all(|step| open.next() == Some(step))
        };
        let of_name = self.unused.iter().filter(|own| own.names.contains(&local));
        of_name.flat_map(|own| own.within).any(|path| is_open(path))
    }

    /// Opens a child.
    pub(super) fn enter(&mut self, name: &'static str, place: SchemaPlace<'static>) {
        self.open.push(OpenPlace { name, place, written: Vec::new() });
    }

    /// Closes the element that is open.
    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// Counts a child that was written.
    pub(super) fn count(&mut self, name: &'static str) {
        let Some(open) = self.open.last_mut() else { return };
        match open.written.iter_mut().find(|(own, _)| *own == name) {
            Some((_, count)) => *count += 1,
            None => open.written.push((name, 1)),
        }
    }
}

impl InvoiceOutput<'_> {
    /// The schema of the profile that is written.
    pub(super) fn places_of(
        &self,
        name: &str,
        declarations: &[(&str, &str)],
    ) -> Option<OpenPlaces> {
        let profile = self.ledger.profile?;
        let structure = structure_tables::by_id(profile.structure?)?;
        let local = name.split_once(':').map_or(name, |(_, local)| local);
        let (namespace, _) = structure.roots.iter().find(|(_, root)| *root == local)?;
        let root = structure.schema()?.place(namespace, local)?;
        Some(OpenPlaces::new(root, declarations, profile.unused))
    }

    /// Whether the target has a place for one more element of a name in the one that is open.
    /// Without the schema of a profile everything has one that a writer writes.
    pub(crate) fn has_place(&self, name: &str) -> bool {
        self.places.as_ref().is_none_or(|places| places.find(name).is_some())
    }

    /// Whether a profile of Factur-X is written.
    pub(crate) fn is_of_factur_x(&self) -> bool {
        self.places.is_some()
    }

    /// Whether the target has lines that are the sum of others, and what comes with them (Factur-X
    /// EXTENDED).
    pub(crate) fn is_extended(&self) -> bool {
        self.ledger.profile.is_some_and(|profile| profile.is_extended)
    }

    /// Whether the target has several preceding invoices (BG-3).
    pub(crate) fn has_many_preceding(&self) -> bool {
        self.ledger.profile.is_some_and(|profile| profile.has_many_preceding)
    }

    /// Whether one more element of a name may say this.
    pub(super) fn takes(&self, name: &str, source: ValueSource<'_>) -> bool {
        self.places.as_ref().is_none_or(|places| {
            places.find(name).is_some_and(|own| own.takes(&source.trimmed(), source.element()))
        })
    }

    /// Opens the place of an element; `None` where there is none.
    pub(super) fn enter(&mut self, name: &'static str) -> Option<()> {
        if let Some(places) = &mut self.places {
            let place = places.find(name)?;
            places.enter(name, place);
        }
        Some(())
    }

    /// Closes it, and counts it where it was written.
    pub(super) fn leave(&mut self, name: &'static str, is_written: bool) {
        if let Some(places) = &mut self.places {
            places.leave();
            if is_written {
                places.count(name);
            }
        }
    }

    /// Counts an element that was written.
    pub(super) fn count(&mut self, name: &'static str) {
        if let Some(places) = &mut self.places {
            places.count(name);
        }
    }
}
