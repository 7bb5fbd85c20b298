//! States of capabilities as a description of the interface has them, so that what is generated
//! from it can set them.

#[cfg(feature = "describe")]
use quoin_peppol::codelists::CAPABILITIES;
#[cfg(feature = "describe")]
use serde_json::json;
#[cfg(feature = "describe")]
use utoipa::openapi::schema::{AdditionalProperties, AnyOfBuilder, ObjectBuilder, Schema, Type};
#[cfg(feature = "describe")]
use utoipa::openapi::{Ref, RefOr};
#[cfg(feature = "describe")]
use utoipa::{PartialSchema, ToSchema};

/// What a state is written as; what is shown for an inherited one may be written back.
#[cfg(feature = "describe")]
const WORDS: &[&str] = &["on", "off", "inherited", "inherited => on", "inherited => off"];

/// A state of a capability: a word, or an object with it.
pub enum CapabilityState {}

#[cfg(feature = "describe")]
impl PartialSchema for CapabilityState {
    fn schema() -> RefOr<Schema> {
        let word = || {
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(WORDS.iter().copied()))
        };
        let unsaid = || ObjectBuilder::new().schema_type(Type::Null);
        let state = AnyOfBuilder::new().item(word()).item(unsaid());
        let shown = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("As it was read."))
            .read_only(Some(true));
        let object = ObjectBuilder::new()
            .property("state", state)
            .required("state")
            .property("description", shown)
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)));
        AnyOfBuilder::new()
            .item(word())
            .item(object)
            .item(unsaid())
            .description(Some(
                "`on`, `off` or `inherited` in any case, alone or as `{ \"state\": … }`; null leaves it \
                 as it is.",
            ))
            .examples([json!("on")])
            .into()
    }
}

#[cfg(feature = "describe")]
impl ToSchema for CapabilityState {}

/// States by capability.
pub enum CapabilityStates {}

#[cfg(feature = "describe")]
impl PartialSchema for CapabilityStates {
    fn schema() -> RefOr<Schema> {
        let state = || Ref::from_schema_name("CapabilityState");
        let all = CAPABILITIES.iter().fold(ObjectBuilder::new(), |object, capability| {
            object.property(capability.name, state())
        });
        all.description(Some("States by capability; names are taken in any case."))
            .examples([json!({ "invoices": "on", "invoiceResponse": "inherited" })])
            .into()
    }
}

#[cfg(feature = "describe")]
impl ToSchema for CapabilityStates {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((CapabilityState::name().into(), CapabilityState::schema()));
    }
}

/// A party: `scheme:identifier`, or with a letter alias of the scheme, as in `BE:EN:0123456749`.
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[cfg_attr(feature = "describe", schema(value_type = String, example = "0106:12345678"))]
#[expect(dead_code, reason = "describes a text; the description fills in its pattern")]
pub struct PartyId(String);
