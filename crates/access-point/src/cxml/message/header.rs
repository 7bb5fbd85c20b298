//! The header that an uploaded document has of its own. It does not travel; but a document that
//! names another buyer or another supplier than the hook does is somebody else's, and is not sent.

use quoin_xml::tree::Element;

use crate::cxml::{CxmlCredential, CxmlEnds};

/// What a message is asked to be for.
const ENDS: [&str; 2] = ["From", "To"];

/// Why a document is not for these ends, in the production or the test environment; none where its
/// header names them, or nobody.
pub(super) fn names_others(root: Element<'_>, ends: &[CxmlEnds]) -> Option<String> {
    let header = root.elements().find(|child| child.local() == "Header")?;
    let ours = |end: &str| -> Vec<&CxmlCredential> {
        ends.iter().map(|ends| if end == "From" { &ends.from } else { &ends.to }).collect()
    };
    ENDS.iter().find_map(|end| {
        let element = header.elements().find(|child| child.local() == *end)?;
        let named = CxmlCredential::all_of(element);
        let ours = ours(end);
        let is_ours = |named: &CxmlCredential| ours.iter().any(|own| own.is(named));
        if named.is_empty() || named.iter().any(is_ours) {
            return None;
        }
        let list = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<_>>().join(", ");
        let found = list(&mut named.iter().take(3).map(|one| format!("{one:.100}")));
        let expected = list(&mut ours.iter().map(ToString::to_string));
        Some(format!(
            "its header names {found} as {end}, and the hook {expected}: leave the credentials out \
             of the document, or send it by the hook that is for them"
        ))
    })
}
