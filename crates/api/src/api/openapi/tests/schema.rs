//! Whether a value fits a type of the description: the part of JSON Schema that the description
//! uses, without formats and patterns.

use serde_json::{Map, Value};

/// Checks a value against a type.
///
/// # Errors
/// Where the value does not fit, and why.
pub(super) fn check(value: &Value, schema: &Value, all: &Map<String, Value>) -> Result<(), String> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let (_, name) = name.rsplit_once('/').ok_or("a reference is broken")?;
        let schema = all.get(name).ok_or_else(|| format!("there is no type {name}"))?;
        return check(value, schema, all).map_err(|error| format!("{name}: {error}"));
    }
    for key in ["oneOf", "anyOf"] {
        let Some(choices) = schema.get(key).and_then(Value::as_array) else { continue };
        let fits = choices.iter().any(|choice| check(value, choice, all).is_ok());
        return fits.then_some(()).ok_or_else(|| format!("{value} fits none of {key}"));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.contains(value).then_some(()).ok_or_else(|| format!("{value} is not named"));
    }
    let Some(kind) = schema.get("type") else { return Ok(()) };
    let kinds: Vec<&str> = match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    if !kinds.iter().any(|kind| is(value, kind)) {
        return Err(format!("{value} is not of type {kinds:?}"));
    }
    match value {
        Value::Object(members) => members_fit(members, schema, all),
        Value::Array(items) => {
            let item = schema.get("items").unwrap_or(&Value::Bool(true));
            items.iter().try_for_each(|value| check(value, item, all))
        }
        Value::Number(number) => bounds(number.as_f64().unwrap_or_default(), schema),
        _ => Ok(()),
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn bounds(number: f64, schema: &Value) -> Result<(), String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let low = bound("minimum").is_some_and(|least| number < least);
    let high = bound("maximum").is_some_and(|most| number > most);
    if low || high { Err(format!("{number} is out of bounds")) } else { Ok(()) }
}

fn members_fit(
    members: &Map<String, Value>,
    schema: &Value,
    all: &Map<String, Value>,
) -> Result<(), String> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if !members.contains_key(name) {
            return Err(format!("{name} is missing"));
        }
    }
    for (name, value) in members {
        let known = schema.get("properties").and_then(|parts| parts.get(name));
        let other = schema.get("additionalProperties");
        match known.or(other) {
            Some(Value::Bool(false)) => return Err(format!("{name} is not known")),
            Some(part) => check(value, part, all).map_err(|error| format!("{name}: {error}"))?,
            None => {}
        }
    }
    Ok(())
}
