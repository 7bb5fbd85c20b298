//! JSON pointers: where a value stands in the text, of the path of its element in the tree.
//!
//! Source: RFC 6901.

use std::fmt::Write;

/// Adds a step to a pointer.
pub(super) fn push(pointer: &mut String, step: &str) {
    pointer.push('/');
    for c in step.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}

/// The name of an element for a member that may be called anything: `_x0024_id` for `$id`, and
/// `_x_` for a name that is empty.
pub(super) fn element_name(member: &str) -> String {
    let mut name = String::with_capacity(member.len());
    let mut characters = member.chars().peekable();
    while let Some(c) = characters.next() {
        let begins = c.is_ascii_alphabetic() || c == '_' && characters.peek() != Some(&'x');
        let goes_on = !name.is_empty() && (c.is_ascii_digit() || c == '-' || c == '.');
        if begins || goes_on {
            name.push(c);
        } else {
            // Writing to a text does not fail.
            let _ = write!(name, "_x{:04X}_", u32::from(c));
        }
    }
    if name.is_empty() { "_x_".to_owned() } else { name }
}

/// The member of such a name.
fn member_name(element: &str) -> String {
    let (mut name, mut rest) = (String::new(), element);
    while let Some((before, after)) = rest.split_once("_x") {
        name.push_str(before);
        let (digits, after) = after.split_once('_').unwrap_or((after, ""));
        name.extend(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32));
        rest = after;
    }
    name.push_str(rest);
    name
}

/// The pointer of an element of the tree by its path: `/lines/0/netPrice` of
/// `/invoice[1]/a:lines[1]/netPrice[1]`.
pub(crate) fn of_path(path: &str) -> String {
    let mut pointer = String::new();
    for step in path.split('/').skip(2) {
        let (name, number) =
            step.strip_suffix(']').and_then(|step| step.rsplit_once('[')).unwrap_or((step, "1"));
        let index = || number.parse::<usize>().unwrap_or(1).saturating_sub(1).to_string();
        match name.split_once(':') {
            Some(("a", name)) => {
                push(&mut pointer, name);
                push(&mut pointer, &index());
            }
            Some((_, _)) => push(&mut pointer, &index()),
            None => push(&mut pointer, &member_name(name)),
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_the_tree_is_a_pointer_of_the_text() {
        for (path, pointer) in [
            ("/invoice[1]", ""),
            ("/invoice[1]/number[1]", "/number"),
            (
                "/invoice[1]/a:lines[2]/item[1]/a:classifications[1]/value[1]",
                "/lines/1/item/classifications/0/value",
            ),
            ("/invoice[1]/x[1]/n:i[3]/n:i[1]", "/x/2/0"),
            ("/invoice[1]/_x0024_a_x002F_b[1]", "/$a~1b"),
            ("/invoice[1]/_x_[1]", "/"),
        ] {
            assert_eq!(of_path(path), pointer, "{path}");
        }
    }

    #[test]
    fn any_name_is_a_name_of_an_element_and_back() {
        for name in ["a", "", "1a", "-", "_x0041_", "__x", "a b", "é", "😀", "a:b", "_"] {
            let element = element_name(name);
            assert!(element.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b)));
            assert_eq!(member_name(&element), name, "{element}");
        }
    }
}
