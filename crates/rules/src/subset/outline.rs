//! The places of a document: each distinct path of names from the root, once, with its elements.
//!
//! A document of a hundred thousand lines has as many places as one of a single line. What the
//! tables say about a place is therefore worked out once, whatever the number of its elements.

mod values;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use quoin_xml::tree::{Document, Element, NameId, NodeId, Tag};

use super::plan::Shape;
use values::{Few, Values};

/// Children of a place that are searched one by one; a place with more has a map for the rest.
const SIBLINGS_SEARCHED: u32 = 32;

/// Names of attributes of a place that are searched one by one; the rest has a set.
const ATTRIBUTES_SEARCHED: usize = 32;

/// A place of a document, dense from 0, which is the document itself above its root element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceId(pub(super) u32);

/// The place above the root element.
pub(super) const TOP: PlaceId = PlaceId(0);

const NONE: u32 = u32::MAX;

/// The places of one document.
#[derive(Debug)]
pub struct Outline<'d> {
    document: &'d Document,
    places: Vec<OutlinePlace>,
    /// The place of each node; `NONE` for what is no element.
    of_node: Vec<u32>,
    /// The elements by place, each place in document order.
    nodes: Vec<NodeId>,
    /// Where each place begins in `nodes`; one more than places.
    starts: Vec<u32>,
    /// The places of each name of an element, and those with each name of an attribute.
    named: PlaceGroups,
    with_attribute: PlaceGroups,
    /// The values of all places.
    values: OnceLock<Vec<Values<'d>>>,
    /// How many elements the fullest place has.
    most: usize,
    shape: OnceLock<Option<Shape>>,
    /// Those of attributes, by their place among all places with attributes.
    attribute_values: Vec<OnceLock<(usize, Few<'d>)>>,
}

/// Places in groups, one after the other.
#[derive(Debug, Default)]
struct PlaceGroups {
    places: Vec<PlaceId>,
    starts: Vec<u32>,
}

impl PlaceGroups {
    fn new(groups: usize, members: impl Iterator<Item = (NameId, PlaceId)> + Clone) -> PlaceGroups {
        let mut starts = vec![0u32; groups + 1];
        for (NameId(group), _) in members.clone() {
            if let Some(count) = starts.get_mut(group as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut next, mut places) = (starts.clone(), vec![TOP; sum as usize]);
        for (NameId(group), place) in members {
            let Some(at) = next.get_mut(group as usize) else { continue };
            if let Some(slot) = places.get_mut(*at as usize) {
                *slot = place;
            }
            *at += 1;
        }
        PlaceGroups { places, starts }
    }

    fn of(&self, NameId(group): NameId) -> &[PlaceId] {
        let bound = |at: u32| self.starts.get(at as usize).map_or(0, |&start| start as usize);
        self.places.get(bound(group)..bound(group.saturating_add(1))).unwrap_or_default()
    }
}

#[derive(Debug)]
struct OutlinePlace {
    /// Not meant at the top.
    name: NameId,
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    /// The place of the element that came last after one of this place.
    followed_by: u32,
    children: u32,
    count: u32,
    /// The parent of its last element, and whether some parent has two.
    last_parent: u32,
    repeats: bool,
    /// Where its attributes begin among those of all places.
    first_attribute: u32,
    attributes: Vec<NameId>,
}

impl OutlinePlace {
    fn new(name: NameId, parent: u32, next_sibling: u32) -> OutlinePlace {
        let (first_child, children, count, attributes) = (NONE, 0, 0, Vec::new());
        let (last_parent, followed_by, repeats, first_attribute) = (NONE, NONE, false, 0);
        OutlinePlace {
            name,
            parent,
            first_child,
            next_sibling,
            followed_by,
            children,
            count,
            last_parent,
            repeats,
            first_attribute,
            attributes,
        }
    }
}

impl<'d> Outline<'d> {
    /// Works out the places of a document, in one pass over its nodes.
    pub fn new(document: &'d Document) -> Outline<'d> {
        Outline::of(document.root())
    }

    /// Works out the places of the document at an element, which is then its document element:
    /// what stands around it, an envelope, is not there.
    pub fn of(root: Element<'d>) -> Outline<'d> {
        let document = root.document();
        let nodes = root.id().0..document.end_of(root.id()).0;
        let total = document.node_count();
        let mut outline = Outline {
            document,
            places: vec![OutlinePlace::new(NameId(0), NONE, NONE)],
            of_node: vec![NONE; total],
            nodes: Vec::new(),
            starts: Vec::new(),
            named: PlaceGroups::default(),
            with_attribute: PlaceGroups::default(),
            values: OnceLock::new(),
            most: 0,
            shape: OnceLock::new(),
            attribute_values: Vec::new(),
        };
        let mut seen = HashSet::new();
        let mut many: HashMap<(u32, NameId), u32> = HashMap::new();
        // The places that are open, and the node at which each ends.
        let mut open = vec![(u32::MAX, TOP.0, NONE)];
        let mut last = TOP.0;
        for id in nodes.map(NodeId) {
            let Some(tag) = document.tag(id) else { continue };
            while open.len() > 1 && open.last().is_some_and(|(end, ..)| *end <= id.0) {
                open.pop();
            }
            let (parent, above) = open.last().map_or((TOP.0, NONE), |open| (open.1, open.2));
            let place = outline.after(last, (parent, tag.name), &mut many);
            last = place;
            if let Some(slot) = outline.of_node.get_mut(id.0 as usize) {
                *slot = place;
            }
            open.push((tag.end.0, place, id.0));
            outline.add_element(place, tag, above, &mut seen);
        }
        outline.sort();
        outline.group();
        outline
    }

    /// The place of the element that comes after one of another place: mostly the same as the last
    /// time, for most of what a large document has is repeated.
    fn after(
        &mut self,
        last: u32,
        (parent, name): (u32, NameId),
        many: &mut HashMap<(u32, NameId), u32>,
    ) -> u32 {
        let guess = self.place(last).map_or(NONE, |last| last.followed_by);
        if self.place(guess).is_some_and(|own| own.parent == parent && own.name == name) {
            return guess;
        }
        let found = self.find_or_add(parent, name, many);
        if let Some(last) = self.places.get_mut(last as usize) {
            last.followed_by = found;
        }
        found
    }

    fn find_or_add(
        &mut self,
        parent: u32,
        name: NameId,
        many: &mut HashMap<(u32, NameId), u32>,
    ) -> u32 {
        let mut child = self.place(parent).map_or(NONE, |place| place.first_child);
        for _ in 0..SIBLINGS_SEARCHED {
            let Some(place) = self.place(child) else { break };
            if place.name == name {
                return child;
            }
            child = place.next_sibling;
        }
        if child != NONE
            && let Some(&known) = many.get(&(parent, name))
        {
            return known;
        }
        let added = self.places.len() as u32;
        let Some(above) = self.places.get_mut(parent as usize) else { return added };
        let next = std::mem::replace(&mut above.first_child, added);
        above.children += 1;
        if above.children > SIBLINGS_SEARCHED {
            // New children stand in front: this is when the first ones move out of reach.
            self.remember(parent, next, many);
            many.insert((parent, name), added);
        }
        self.places.push(OutlinePlace::new(name, parent, next));
        added
    }

    /// Puts the children of a place from one on into the map, up to the first that is there.
    fn remember(&self, parent: u32, from: u32, many: &mut HashMap<(u32, NameId), u32>) {
        let mut child = from;
        while let Some(place) = self.place(child) {
            if many.insert((parent, place.name), child).is_some() {
                return;
            }
            child = place.next_sibling;
        }
    }

    fn add_element(&mut self, place: u32, tag: Tag, above: u32, seen: &mut HashSet<(u32, NameId)>) {
        let document = self.document;
        let Some(own) = self.places.get_mut(place as usize) else { return };
        own.count += 1;
        own.repeats |= std::mem::replace(&mut own.last_parent, above) == above && above != NONE;
        for name in tag.attributes.filter_map(|at| document.attribute_name(at)) {
            let is_known = own.attributes.iter().take(ATTRIBUTES_SEARCHED).any(|&n| n == name);
            let is_full = own.attributes.len() >= ATTRIBUTES_SEARCHED;
            if !is_known && (!is_full || seen.insert((place, name))) {
                own.attributes.push(name);
            }
        }
    }

    /// Groups the places by their names and by the names of their attributes.
    fn group(&mut self) {
        let mut attributes = 0;
        for place in &mut self.places {
            place.first_attribute = attributes;
            attributes += place.attributes.len() as u32;
        }
        self.most = self.places.iter().map(|place| place.count as usize).max().unwrap_or(0);
        self.attribute_values.resize_with(attributes as usize, OnceLock::new);
        let names = self.document.name_count();
        let places = (0u32..).map(PlaceId).zip(&self.places);
        let named = places.clone().skip(1).map(|(id, place)| (place.name, id));
        self.named = PlaceGroups::new(names, named);
        let attributes =
            places.flat_map(|(id, place)| place.attributes.iter().map(move |&name| (name, id)));
        self.with_attribute = PlaceGroups::new(names, attributes);
    }

    /// Lays the elements out by place.
    fn sort(&mut self) {
        let mut sum = 0;
        self.starts = vec![0];
        for place in &self.places {
            sum += place.count;
            self.starts.push(sum);
        }
        let mut next = self.starts.clone();
        self.nodes = vec![NodeId(0); sum as usize];
        for (id, &place) in self.of_node.iter().enumerate() {
            let Some(at) = next.get_mut(place as usize) else { continue };
            if let Some(slot) = self.nodes.get_mut(*at as usize) {
                *slot = NodeId(id as u32);
            }
            *at += 1;
        }
    }

    fn place(&self, id: u32) -> Option<&OutlinePlace> {
        self.places.get(id as usize)
    }

    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The element above, inside the document.
    pub(super) fn above(&self, element: Element<'d>) -> Option<Element<'d>> {
        element.parent().filter(|up| self.place_of(up.id()).is_some())
    }

    /// Its shape, where a plan for it can be kept.
    pub(super) fn shape(&self) -> Option<&Shape> {
        self.shape.get_or_init(|| Shape::of(self)).as_ref()
    }

    /// Every place below the top.
    pub(super) fn places(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (1..self.places.len() as u32).map(PlaceId)
    }

    /// The name of a place; `None` at the top.
    pub(super) fn name(&self, place: PlaceId) -> Option<NameId> {
        self.place(place.0).filter(|_| place != TOP).map(|place| place.name)
    }

    /// The place above.
    pub(super) fn parent(&self, place: PlaceId) -> Option<PlaceId> {
        self.place(place.0).map(|place| place.parent).filter(|&id| id != NONE).map(PlaceId)
    }

    /// The places directly below.
    pub(super) fn children(&self, place: PlaceId) -> impl Iterator<Item = PlaceId> {
        let first = self.place(place.0).map_or(NONE, |place| place.first_child);
        let next = |child: &u32| self.place(*child).map(|place| place.next_sibling);
        std::iter::successors(Some(first), next).take_while(|&id| id != NONE).map(PlaceId)
    }

    /// The names of the attributes that some element of a place has.
    pub(super) fn attributes(&self, place: PlaceId) -> &[NameId] {
        self.place(place.0).map_or(&[], |place| &place.attributes)
    }

    /// The child of a place that has a name: there is one at most.
    pub(super) fn child(&self, place: PlaceId, name: NameId) -> Option<PlaceId> {
        // The shorter way round: all places of the name, or all children.
        let named = self.named.of(name);
        if named.len() <= 4 {
            return named.iter().copied().find(|&own| self.parent(own) == Some(place));
        }
        self.children(place).find(|&child| self.name(child) == Some(name))
    }

    /// The places of a name.
    pub(super) fn named(&self, name: NameId) -> &[PlaceId] {
        self.named.of(name)
    }

    /// The places at which some element has an attribute of a name.
    pub(super) fn with_attribute(&self, name: NameId) -> &[PlaceId] {
        self.with_attribute.of(name)
    }

    /// Whether a place is another or below it.
    pub(super) fn is_within(&self, place: PlaceId, above: PlaceId) -> bool {
        let up = |place: &PlaceId| self.parent(*place);
        above == TOP || std::iter::successors(Some(place), up).any(|own| own == above)
    }

    /// The place of an element.
    pub(super) fn place_of(&self, id: NodeId) -> Option<PlaceId> {
        self.of_node.get(id.0 as usize).filter(|&&place| place != NONE).map(|&id| PlaceId(id))
    }

    /// The elements of a place, in document order.
    pub(super) fn elements(&self, place: PlaceId) -> &[NodeId] {
        let bound = |at: u32| self.starts.get(at as usize).map_or(0, |&start| start as usize);
        self.nodes.get(bound(place.0)..bound(place.0 + 1)).unwrap_or_default()
    }
}

/// Nodes that are searched one by one before the search is cut in halves.
const NODES_SEARCHED: usize = 8;

/// Those of some nodes in document order that stand inside another.
pub(super) fn inside<'n>(document: &Document, nodes: &'n [NodeId], id: NodeId) -> &'n [NodeId] {
    let end = document.end_of(id);
    let first = match nodes.first() {
        Some(first) if *first > id => 0,
        _ => nodes.partition_point(|node| *node <= id),
    };
    let nodes = nodes.get(first..).unwrap_or_default();
    let last = match nodes.iter().take(NODES_SEARCHED).position(|node| *node >= end) {
        Some(last) => last,
        None if nodes.last().is_none_or(|last| *last < end) => nodes.len(),
        None => nodes.partition_point(|node| *node < end),
    };
    nodes.get(..last).unwrap_or_default()
}
