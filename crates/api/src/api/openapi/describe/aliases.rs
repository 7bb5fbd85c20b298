//! Paths under which operations are known besides their own: clients of this interface family know
//! documents of any kind under the path of the beta.

use serde_json::{Map, Value, json};

/// The beginning of the paths, and that of their other names.
const ALIASES: &[(&str, &str)] = &[("/api/v1/{partyId}/generic", "/api/v1-beta/{partyId}/generic")];

/// Describes the other names beside the paths.
pub(super) fn add(paths: &mut Value) {
    let Some(paths) = paths.as_object_mut() else { return };
    let mut more = Map::new();
    for (path, operations) in paths.iter() {
        for (own, other) in ALIASES {
            if let Some(rest) = path.strip_prefix(own) {
                more.insert(format!("{other}{rest}"), other_name(operations, path));
            }
        }
    }
    paths.extend(more);
}

/// The same operations, which point to their own path.
fn other_name(operations: &Value, path: &str) -> Value {
    let mut operations = operations.clone();
    for (method, operation) in operations.as_object_mut().into_iter().flatten() {
        let name = operation["operationId"].as_str().unwrap_or_default();
        operation["operationId"] = json!(format!("{name}Beta"));
        operation["deprecated"] = json!(true);
        let method = method.to_uppercase();
        let text = operation["description"].as_str().map(|text| format!("\n\n{text}"));
        let text = text.unwrap_or_default();
        operation["description"] =
            json!(format!("Another name of `{method} {path}`, for clients of the beta.{text}"));
    }
    operations
}
