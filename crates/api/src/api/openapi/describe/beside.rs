//! Members that the bodies of requests may have besides those that change something.

use quoin_delivery::channel::CHANNELS;
use quoin_delivery::hook::{KindRow, listed};
use quoin_peppol::codelists::CAPABILITIES;
use serde_json::{Map, Value, json};

/// Types in which each capability also stands under its own name, and the type of its state.
const CONFIGS: &[(&str, &str)] = &[
    ("PeppolConfig", "CapabilityView"),
    ("PeppolConfigRequest", "CapabilityState"),
    ("PeppolOrganisationRequest", "CapabilityState"),
];
/// Bodies of requests that take back what was read, and what was read.
const READ_BACK: &[(&str, &str)] =
    &[("HookRequest", "HookView"), ("UserRequest", "UserView"), ("ClientRequest", "ClientView")];
/// Objects that are read by hand, or forms of them.
const CLOSED: &[&str] = &["CardText", "CodeItem", "OutputRow"];
/// The capability that the interface spells otherwise beside `capabilities` (specification 4.9).
const SPELLED: (&str, &str) = ("selfbilling", "selfBilling");

/// Names the capabilities where they stand beside `capabilities` (specification 2.2, 4.9).
pub(super) fn capabilities(schemas: &mut Map<String, Value>) {
    for (name, state) in CONFIGS {
        let Some(properties) = properties(schemas, name) else { continue };
        for capability in CAPABILITIES {
            let name = if capability.name == SPELLED.0 { SPELLED.1 } else { capability.name };
            let state = json!({ "$ref": format!("#/components/schemas/{state}") });
            properties.insert(name.to_owned(), state);
        }
    }
}

/// Names what only the service sets, which a body that was read may have.
pub(super) fn as_read(schemas: &mut Map<String, Value>) {
    for (request, view) in READ_BACK {
        let shown = properties(schemas, view).cloned().unwrap_or_default();
        let Some(properties) = properties(schemas, request) else { continue };
        for (name, mut schema) in shown {
            if !properties.contains_key(&name) {
                schema["readOnly"] = json!(true);
                properties.insert(name, schema);
            }
        }
    }
}

/// Says of objects that are read by hand that they have no other members.
pub(super) fn closed(schemas: &mut Map<String, Value>) {
    for name in CLOSED {
        let Some(schema) = schemas.get_mut(*name) else { continue };
        match schema.get_mut("oneOf").and_then(Value::as_array_mut) {
            Some(forms) => forms.iter_mut().for_each(close),
            None => close(schema),
        }
    }
}

fn close(schema: &mut Value) {
    if schema["type"] == "object" && schema.get("properties").is_some() {
        schema["additionalProperties"] = json!(false);
    }
}

/// Names the channels that the text about actions of hooks does not name itself.
pub(super) fn channels(schemas: &mut Map<String, Value>) {
    let action = properties(schemas, "HookRequest").and_then(|all| all.get_mut("action"));
    let Some(text) = action.and_then(|action| action.get_mut("description")) else { return };
    let words = text.as_str().unwrap_or_default().to_owned();
    let named = words.to_lowercase();
    let others = CHANNELS.iter().map(|channel| &channel.hook);
    let others = others.filter(|hook| !named.contains(hook.told));
    *text = json!(words.replace("{others}", &listed(others, "and", KindRow::quoted)));
}

fn properties<'s>(
    schemas: &'s mut Map<String, Value>,
    name: &str,
) -> Option<&'s mut Map<String, Value>> {
    schemas.get_mut(name)?.get_mut("properties")?.as_object_mut()
}
