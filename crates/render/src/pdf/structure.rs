//! The structure of the file: what each piece of the sheets is, for those who do not see them.
//!
//! Source: ISO 32000-1 section 14.7 (logical structure), 14.8 (tagged PDF); ISO 14289-1.

use pdf_writer::types::TableHeaderScope;
use pdf_writer::{Finish, Name, Pdf, Rect, Ref, TextStr};

use super::canvas::{Canvas, StructKid, StructNode, TableHead};
use super::file::ObjectNumbers;

/// Writes every element; the number of the root.
pub(super) fn write(
    pdf: &mut Pdf,
    numbers: &mut ObjectNumbers,
    canvas: &Canvas,
    sheets: &[Ref],
) -> Ref {
    let root = numbers.next();
    let ids: Vec<Ref> = canvas.nodes.iter().map(|_| numbers.next()).collect();
    let mut parents: Vec<Ref> = vec![root; ids.len()];
    for (node, id) in canvas.nodes.iter().zip(&ids) {
        for kid in &node.kids {
            if let StructKid::Node(kid) = kid
                && let Some(parent) = parents.get_mut(*kid)
            {
                *parent = *id;
            }
        }
    }
    for (place, node) in canvas.nodes.iter().enumerate() {
        let (Some(id), Some(parent)) = (ids.get(place), parents.get(place)) else { continue };
        let mut element = pdf.struct_element(*id);
        element.kind(node.role).parent(*parent);
        if let Some(alt) = &node.alt {
            element.alt(TextStr(alt));
        }
        if let Some(head) = node.head {
            let scope = match head {
                TableHead::Column => TableHeaderScope::Column,
                TableHead::Row => TableHeaderScope::Row,
            };
            element.attributes().push().table().scope(scope);
        }
        if let Some([left, low, right, high]) = node.bounds {
            element.attributes().push().layout().bbox(Rect::new(left, low, right, high));
        }
        let own = own_sheet(node);
        if let Some(sheet) = own.and_then(|page| sheets.get(page)) {
            element.page(*sheet);
        }
        let mut kids = element.children();
        for kid in &node.kids {
            match kid {
                StructKid::Node(kid) => {
                    if let Some(kid) = ids.get(*kid) {
                        kids.struct_element(*kid);
                    }
                }
                StructKid::Mark(_, id) if own.is_some() => {
                    kids.marked_content_id(*id);
                }
                StructKid::Mark(page, id) => {
                    if let Some(sheet) = sheets.get(*page) {
                        kids.marked_content_ref().page(*sheet).marked_content_id(*id);
                    }
                }
            }
        }
        kids.finish();
    }
    let tree = parent_tree(pdf, numbers, canvas, &ids);
    let mut written = pdf.indirect(root).dict();
    written.pair(Name(b"Type"), Name(b"StructTreeRoot"));
    if let Some(document) = ids.first() {
        written.insert(Name(b"K")).array().item(*document);
    }
    written.pair(Name(b"ParentTree"), tree);
    written.pair(Name(b"ParentTreeNextKey"), i32::try_from(sheets.len()).unwrap_or_default());
    written.finish();
    root
}

/// The one sheet that all content of an element is on.
fn own_sheet(node: &StructNode) -> Option<usize> {
    let mut pages = node.kids.iter().filter_map(|kid| match kid {
        StructKid::Mark(page, _) => Some(*page),
        StructKid::Node(_) => None,
    });
    let first = pages.next()?;
    pages.all(|page| page == first).then_some(first)
}

/// For each sheet, the element of each of its pieces.
fn parent_tree(pdf: &mut Pdf, numbers: &mut ObjectNumbers, canvas: &Canvas, ids: &[Ref]) -> Ref {
    let mut arrays = Vec::new();
    for sheet in &canvas.sheets {
        let id = numbers.next();
        let mut array = pdf.indirect(id).array();
        for owner in &sheet.marks {
            array.item(ids.get(*owner).copied().unwrap_or(Ref::new(1)));
        }
        array.finish();
        arrays.push(id);
    }
    let tree = numbers.next();
    let mut written = pdf.indirect(tree).dict();
    let mut list = written.insert(Name(b"Nums")).array();
    for (place, id) in arrays.iter().enumerate() {
        list.item(i32::try_from(place).unwrap_or_default()).item(*id);
    }
    list.finish();
    written.finish();
    tree
}
