//! The names that parameters of a page take, for the description of the interface.

use quoin_model::Language;
use quoin_render::{FacturXLevel, RenderForm};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $names:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some($names)).into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

names! {
    /// What a document becomes.
    PageFormName: RenderForm::ALL.iter().map(|form| form.as_str());
    /// A language of pages.
    PageLanguageName: Language::ALL.iter().map(|language| language.code());
    /// A profile of Factur-X.
    HybridProfileName: FacturXLevel::ALL.iter().map(|level| level.name());
}
