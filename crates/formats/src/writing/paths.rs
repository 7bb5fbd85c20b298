//! The XPaths of many elements of a document in one walk, so that a long list costs no more than
//! the document.

use std::collections::HashMap;

use quoin_model::text::shortened;
use quoin_xml::tree::Element;

/// Calls back with the path of each element of `nodes`, which are in document order, until the
/// callback says no. A path is as `Element::path` has it, with long names cut.
pub(super) fn paths(root: Element<'_>, nodes: &[u32], found: &mut dyn FnMut(u32, &str) -> bool) {
    let document = root.document();
    let mut wanted = nodes.iter().copied().peekable();
    let mut path = root.parent().map(Element::path).unwrap_or_default();
    // The elements that are open: where each ends, how long the path was before, its number.
    let mut open: Vec<(u32, usize, u32)> = Vec::new();
    let mut twins: HashMap<(u32, u32), u32> = HashMap::new();
    for element in root.descendants() {
        let id = element.id().0;
        while wanted.next_if(|node| *node < id).is_some() {}
        if wanted.peek().is_none() {
            return;
        }
        while let Some((_, length, _)) = open.pop_if(|(end, ..)| *end <= id) {
            path.truncate(length);
        }
        let Some(tag) = document.tag(element.id()) else { continue };
        let parent = open.last().map_or(u32::MAX, |(.., parent)| *parent);
        let twin = twins.entry((parent, tag.name.0)).or_default();
        *twin += 1;
        open.push((tag.end.0, path.len(), id));
        path.push_str(&format!("/{}[{twin}]", shortened(&element.qualified_name())));
        if wanted.peek() == Some(&id) && !found(id, &path) {
            return;
        }
    }
}
