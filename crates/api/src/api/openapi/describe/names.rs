//! Names of operations, made of method and path, so that each has one of its own: `GET
//! /api/v1/{partyId}/salesInvoice/{documentId}/status` is `getSalesInvoiceStatus`.

/// The parts of paths that say nothing about the operation.
const SILENT: &[&str] = &["", "api", "v1", "v1-beta", "connect"];

/// The name of an operation. What is named at the end of the path becomes `ByName`; an operation on
/// hooks says whether it is one of the party.
pub(super) fn operation(method: &str, path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !SILENT.contains(part)).collect();
    let mut name = method.to_owned();
    for (place, part) in parts.iter().enumerate() {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            None => name.push_str(&capital(part)),
            Some(_) if place == 0 && parts.get(1) == Some(&"hook") => name.push_str("Party"),
            Some(parameter) if place + 1 == parts.len() => {
                name.push_str("By");
                name.push_str(&capital(parameter));
            }
            Some(_) => {}
        }
    }
    name
}

/// A word with a capital, without the characters that names cannot have.
fn capital(word: &str) -> String {
    let mut upper = true;
    let mut made = String::new();
    for letter in word.chars() {
        if !letter.is_ascii_alphanumeric() {
            upper = true;
        } else if std::mem::take(&mut upper) {
            made.extend(letter.to_uppercase());
        } else {
            made.push(letter);
        }
    }
    made
}
