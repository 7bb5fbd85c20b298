//! Places found in bulk are the places that each element gives of itself.

use super::*;
use quoin_xml::tree::{Document, Limits};

#[test]
fn agrees_with_each_element_alone() {
    let text = "<a xmlns:p='u'>\n  <p:b/><b/>é<p:b><c/></p:b>\r\n<p:b>\n\n<c/><c/></p:b></a>";
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut all: Vec<_> = document.root().descendants().map(Some).collect();
    all.reverse();
    all.insert(2, None);
    let places = locate(&all);
    assert_eq!(places.len(), 9);
    for (element, place) in all.iter().zip(&places) {
        let (Some(element), Some(place)) = (element, place) else {
            assert_eq!((element.is_none(), place.is_none()), (true, true));
            continue;
        };
        assert_eq!(place.xpath, element.path());
        let position = element.position();
        assert_eq!((place.line, place.column), (position.line, position.column), "{element:?}");
    }
}
