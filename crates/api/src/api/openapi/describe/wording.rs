//! What readers see first of an operation, and what a parameter can be.

use serde_json::{Value, json};

/// Keeps the first sentence of a summary; the rest goes before the description.
pub(super) fn head(operation: &mut Value) {
    let Some(summary) = operation["summary"].as_str() else { return };
    let plain = summary.replace('\n', " ");
    let Some((first, rest)) = plain.split_once(". ") else {
        operation["summary"] = json!(plain);
        return;
    };
    let more = operation["description"].as_str().map(|text| format!("\n\n{text}"));
    let description = format!("{rest}{}", more.unwrap_or_default());
    operation["summary"] = json!(format!("{first}."));
    operation["description"] = json!(description);
}

/// A parameter is there or not there; it is never null.
pub(super) fn present(parameter: &mut Value) {
    let schema = &mut parameter["schema"];
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            schema["type"] = kind.clone();
        }
    }
    let choices = schema.get("oneOf").and_then(Value::as_array);
    let real = choices.and_then(|choices| choices.iter().find(|choice| choice["type"] != "null"));
    if let Some(real) = real.cloned() {
        *schema = real;
    }
}
