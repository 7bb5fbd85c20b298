//! Codes of answers to documents as the description of the interface has them: each with its long
//! name.

use quoin_delivery::jobs::JOB_KINDS;
use quoin_formats::routing::CLARIFICATIONS;
use quoin_formats::ubl::write::{ACTIONS, ORDER_STATUSES, REASONS, STATUSES};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::response::CodeItem;

macro_rules! code_names {
    ($($(#[$doc:meta])* $name:ident: $list:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let codes = $list.iter().map(|row| row.code);
                let all = codes.chain($list.iter().map(|row| row.name));
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .enum_values(Some(all))
                    .description(Some("A code or its long name; taken in any case."))
                    .into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

code_names! {
    /// The state of an invoice.
    ResponseStatusName: STATUSES;
    /// Why it has it.
    ReasonName: REASONS;
    /// What is to be done.
    ActionName: ACTIONS;
    /// The state of an order.
    OrderStatusName: ORDER_STATUSES;
}

/// Reasons or actions, one after the other.
pub(crate) enum CodeNames {}

impl PartialSchema for CodeNames {
    fn schema() -> RefOr<Schema> {
        let one = Ref::from_schema_name("CodeItem");
        ArrayBuilder::new().items(one).max_items(Some(CLARIFICATIONS)).into()
    }
}

impl ToSchema for CodeNames {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((CodeItem::name().into(), CodeItem::schema()));
    }
}

/// What a bulk job does.
pub(crate) enum JobKindName {}

impl PartialSchema for JobKindName {
    fn schema() -> RefOr<Schema> {
        let words = JOB_KINDS.iter().map(|row| row.word);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).into()
    }
}

impl ToSchema for JobKindName {}
