//! Examples in the description: each body has one, composed of the examples of its type and kept
//! once among the components.

use serde_json::{Map, Value, json};

/// How deep types may lie in each other.
const DEPTH: usize = 16;
/// Media types whose bytes are no text.
pub(in crate::api::openapi) const BINARY: &[&str] = &[
    "application/zip",
    "application/octet-stream",
    "application/pdf",
    "application/edifact",
    "application/edi-x12",
];

/// The bodies of an operation, each with its media type.
pub(in crate::api::openapi) fn bodies(operation: &mut Value) -> Vec<(String, &mut Value)> {
    let Some(members) = operation.as_object_mut() else { return Vec::new() };
    let mut places = Vec::new();
    for (name, member) in members {
        match (name.as_str(), member) {
            ("requestBody", body) => places.push(body),
            ("responses", Value::Object(responses)) => places.extend(responses.values_mut()),
            _ => {}
        }
    }
    let contents = places.into_iter().filter_map(|place| place.get_mut("content")?.as_object_mut());
    contents.flatten().map(|(kind, body)| (kind.clone(), body)).collect()
}

/// Gives each body without an example that of its type, by reference into what is kept.
pub(in crate::api::openapi) fn give(
    operation: &mut Value,
    schemas: &Map<String, Value>,
    kept: &mut Map<String, Value>,
) {
    for (kind, body) in bodies(operation) {
        let known = body.get("example").is_some() || body.get("examples").is_some();
        if known || BINARY.contains(&kind.as_str()) {
            continue;
        }
        let Some(example) = body.get("schema").and_then(|schema| compose(schema, schemas, 0))
        else {
            continue;
        };
        match name(&body["schema"]) {
            Some(name) => {
                let reference = format!("#/components/examples/{name}");
                body["examples"] = json!({ &name: { "$ref": reference } });
                kept.entry(name).or_insert_with(|| json!({ "value": example }));
            }
            None => body["example"] = example,
        }
    }
}

/// The name of a type, or of a list of it.
fn name(schema: &Value) -> Option<String> {
    let named = |schema: &Value| {
        let (_, name) = schema.get("$ref")?.as_str()?.rsplit_once('/')?;
        Some(name.to_owned())
    };
    named(schema).or_else(|| Some(format!("{}List", named(schema.get("items")?)?)))
}

/// An example of a type: its own, or one made of those of its parts. `None` where a part has none
/// and cannot do without.
pub(in crate::api::openapi) fn compose(
    schema: &Value,
    all: &Map<String, Value>,
    depth: usize,
) -> Option<Value> {
    if depth > DEPTH {
        return None;
    }
    let listed = schema.get("examples").and_then(|examples| examples.get(0));
    if let Some(example) = schema.get("example").or(listed) {
        return Some(example.clone());
    }
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let (_, name) = name.rsplit_once('/')?;
        return compose(all.get(name)?, all, depth + 1);
    }
    if let Some(choices) = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(key)?.as_array()) {
        let real = choices.iter().find(|choice| kind(choice) != Some("null"));
        return compose(real?, all, depth + 1);
    }
    if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
        return Some(first.clone());
    }
    match kind(schema)? {
        "object" => object(schema, all, depth),
        "array" => {
            let item = compose(schema.get("items")?, all, depth + 1)?;
            Some(json!([item]))
        }
        "string" => text(schema.get("format").and_then(Value::as_str)?),
        "boolean" => Some(json!(true)),
        _ => None,
    }
}

fn object(schema: &Value, all: &Map<String, Value>, depth: usize) -> Option<Value> {
    let mut made = Map::new();
    for (name, part) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        made.insert(name.clone(), compose(part, all, depth + 1)?);
    }
    Some(Value::Object(made))
}

/// What a type is besides null.
fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        _ => None,
    }
}

/// A text of a format; other texts need an example of their own.
fn text(format: &str) -> Option<Value> {
    match format {
        "date-time" => Some(json!("2026-11-22T09:30:00Z")),
        "date" => Some(json!("2026-11-22")),
        _ => None,
    }
}
