//! Makes the description of the interface of its types and handlers. Only tests do so: what the
//! service shows is the file that they write.

mod aliases;
mod beside;
pub(super) mod examples;
mod headers;
mod names;
mod refused;
pub(super) mod webhooks;
mod wording;

use quoin_peppol::schemes::SCHEMES;
use serde_json::{Map, Value, json};
use utoipa::openapi::security::{
    ClientCredentials, Flow, HttpAuthScheme, HttpBuilder, OAuth2, Password, Scopes, SecurityScheme,
};
use utoipa::{Modify, OpenApi};

use crate::http::token::SCOPE;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quoin",
        description = "Sends and receives business documents over the Peppol network.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    paths(
        crate::http::connect::token,
        crate::http::connect::openid_configuration,
        crate::http::connect::authorization_server,
        crate::http::connect::jwks,
        crate::api::upload::send,
        crate::api::sales::list,
        crate::api::sales::document,
        crate::api::sales::status,
        crate::api::purchase::list,
        crate::api::purchase::document,
        crate::api::purchase::status,
        crate::api::purchase::download,
        crate::api::purchase::remove,
        crate::api::dry_run::send_dry_run,
        crate::api::recognize::sales,
        crate::api::recognize::purchase,
        crate::api::options::of_sales_invoice,
        crate::api::response::received,
        crate::api::response::download,
        crate::api::options::of_purchase_invoice,
        crate::api::response::respond,
        crate::api::response::given,
        crate::api::response::given_status,
        crate::api::orders::send,
        crate::api::orders::list,
        crate::api::orders::document,
        crate::api::orders::status,
        crate::api::orders::cancel,
        crate::api::orders::responses,
        crate::api::orders::response_download,
        crate::api::options::of_purchase_order,
        crate::api::orders::sales::list,
        crate::api::orders::sales::document,
        crate::api::orders::sales::status,
        crate::api::orders::sales::download,
        crate::api::orders::sales::remove,
        crate::api::orders::sales::respond,
        crate::api::orders::sales::given,
        crate::api::orders::sales::given_status,
        crate::api::options::of_sales_order,
        crate::api::exchange::send,
        crate::api::exchange::receive,
        crate::api::exchange::list,
        crate::api::exchange::status,
        crate::api::exchange::download,
        crate::api::message_statuses::of_document,
        crate::api::exchange::remove,
        crate::api::recipient::query,
        crate::api::options::delivery_option,
        crate::api::usage::usage,
        crate::api::service_levels::of_month,
        crate::api::reports::list,
        crate::api::reports::show,
        crate::api::reports::send,
        crate::api::hooks::list_environment,
        crate::api::hooks::put_environment,
        crate::api::hooks::get_environment,
        crate::api::hooks::remove_environment,
        crate::api::hooks::list_party,
        crate::api::hooks::put_party,
        crate::api::hooks::get_party,
        crate::api::hooks::remove_party,
        crate::api::hook_log::environment,
        crate::api::hook_log::party,
        crate::api::hook_replay::environment_call,
        crate::api::hook_replay::party_call,
        crate::api::hook_replay::environment,
        crate::api::hook_replay::party,
        crate::api::hook_secret::environment,
        crate::api::hook_secret::party,
        crate::api::ping::ping,
        crate::api::batch::download,
        crate::api::events::list,
        crate::api::events::stream,
        crate::api::conversion::convert,
        crate::api::shown::render,
        crate::api::generic::validate,
        crate::api::generic::options,
        crate::api::me::me,
        crate::api::me::parties,
        crate::api::users::list,
        crate::api::users::put,
        crate::api::users::remove,
        crate::api::users::linked::parties,
        crate::api::users::link,
        crate::api::users::unlink,
        crate::api::clients::list,
        crate::api::clients::create,
        crate::api::clients::client,
        crate::api::clients::change,
        crate::api::clients::rotate,
        crate::api::clients::remove,
        crate::api::peppol::config::organisation,
        crate::api::peppol::config::put_organisation,
        crate::api::peppol::config::parties,
        crate::api::peppol::config::party,
        crate::api::peppol::config::put_party,
        crate::api::peppol::removal::remove_party,
        crate::api::peppol::removal::take_off,
        crate::api::peppol::migration::prepare,
        crate::api::peppol::migration::take_back,
        crate::api::peppol::enrol::enrol,
        crate::api::peppol::enrol::withdraw,
        crate::api::tax::list,
        crate::api::tax::read,
        crate::api::tax::document,
        crate::api::tax::changes::resubmit,
        crate::api::tax::changes::disregard,
        crate::api::tax::changes::switched,
        crate::api::tax::changes::switch,
        crate::api::clearance::read,
        crate::api::clearance::form,
        crate::api::clearance::upo,
        crate::api::clearance::page,
        crate::api::dossier::of_sales_invoice,
        crate::api::dossier::of_purchase_invoice,
        crate::api::dossier::of_received,
        crate::api::dossier::of_sent,
        crate::api::network::endpoints,
        crate::api::network::trust,
        crate::api::channel_list::meta,
        crate::api::channel_list::list,
        crate::api::channel_list::destinations,
        crate::api::partner_inbound::take,
        crate::api::platform_inbound::take,
        crate::api::dico_inbound::take,
        crate::api::smp::list,
        crate::api::smp::group,
        crate::api::smp::put_group,
        crate::api::smp::remove_group,
        crate::api::smp::changes,
        crate::api::smp::complete,
        crate::api::smp::record,
        crate::api::smp::put_record,
        crate::api::smp::remove_record,
        crate::api::smp::card,
        crate::api::smp::put_card,
        crate::api::smp::remove_card,
        crate::api::smp::push,
        crate::api::jobs::create,
        crate::api::jobs::list,
        crate::api::jobs::job,
        crate::api::jobs::items,
        crate::api::jobs::command,
        crate::api::me::health,
        crate::api::me::live,
        crate::api::me::ready,
        super::serve,
        crate::api::reader::page,
        crate::api::reader::part,
        crate::http::pages::page,
        crate::api::rule_pages::index,
        crate::api::rule_pages::rule,
        crate::api::rule_pages::set,
    ),
    components(schemas(
        crate::api::paths::PartyId,
        crate::api::paths::DocumentIdText,
        crate::api::paths::HookIdText,
        crate::api::paths::DocumentTypeText,
        crate::api::paths::SourceFormatText,
        crate::api::paths::ConversionFormatText,
        crate::api::paths::TargetFormatText,
        crate::api::paths::AllowedLosses,
        crate::api::paths::LookupFamily,
        crate::api::documents::StatusName,
        crate::api::exchange::DirectionName,
        crate::api::exchange::FamilyName,
        crate::api::generic::FormatName,
        crate::api::jobs::JobCommandName,
        crate::api::jobs::JobItemStateName,
        crate::api::reader::PartName,
        crate::api::shown::PageFormName,
        crate::api::shown::PageLanguageName,
        crate::api::shown::HybridProfileName,
        crate::http::pages::CodeName,
    )),
    tags(
        (name = "token", description = "Access tokens. Each other operation needs one."),
        (name = "about", description = "This description, and pages to read. Nobody needs a token."),
        (name = "me", description = "Who calls, what was used, and how the service is."),
        (name = "salesInvoice", description = "Invoices and credit notes that a party sends."),
        (name = "purchaseInvoice", description = "Invoices and credit notes that arrived."),
        (name = "purchaseOrder", description = "Orders that a party sends."),
        (name = "salesOrder", description = "Orders that arrived."),
        (name = "taxReport", description = "Reports to tax authorities about invoices."),
        (name = "generic", description = "Documents of any type, and validation."),
        (name = "recipient", description = "Who can be reached, how, and with what."),
        (name = "hook", description = "Where events go: web hooks, mail, batches, channels."),
        (name = "event", description = "The same events, to be pulled or followed."),
        (name = "peppol", description = "What parties can receive and how they are found."),
        (name = "enrollment", description = "Parties, published with users and hooks at once."),
        (name = "user", description = "The users of the organisation and their rights."),
        (name = "client", description = "The machines of the organisation, with their secrets."),
        (name = "jobs", description = "One change for many parties, with a preview."),
        (name = "smp", description = "What our SMP publishes; with a token or by HTTP basic."),
        (name = "channel", description = "The ways in which documents leave, and how they do."),
        (name = "network", description = "Access points and certificates, and how they do."),
        (name = "provider", description = "The statistics reports of the provider."),
    ),
    modifiers(&TokenScheme),
)]
struct ApiDescription;

struct TokenScheme;

impl Modify for TokenScheme {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scopes = || Scopes::one(SCOPE, "The whole interface.");
        let flows = [
            Flow::ClientCredentials(ClientCredentials::new("/connect/token", scopes())),
            Flow::Password(Password::new("/connect/token", scopes())),
        ];
        let scheme = SecurityScheme::OAuth2(OAuth2::with_description(
            flows,
            "A token of this service, for a client or a user; valid for an hour.",
        ));
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("token", scheme);
        let text = "The id and secret of a client: at /connect/token instead of client_id and \
                    client_secret of the form, percent-encoded (RFC 6749 section 2.3.1); at /smp \
                    instead of a token, where a user can sign in the same way.";
        let basic =
            HttpBuilder::new().scheme(HttpAuthScheme::Basic).description(Some(text)).build();
        components.add_security_scheme("basic", SecurityScheme::Http(basic));
    }
}

/// The description, with what the types and handlers alone do not tell: names of operations,
/// refusals by status, examples.
pub(super) fn description() -> Value {
    let mut document = serde_json::to_value(ApiDescription::openapi()).unwrap_or_default();
    let mut kept = refused::examples();
    let mut schemas = match &mut document["components"]["schemas"] {
        Value::Object(schemas) => std::mem::take(schemas),
        _ => Map::new(),
    };
    if let Some(party) = schemas.get_mut("PartyId") {
        party["pattern"] = json!(party_pattern());
    }
    beside::capabilities(&mut schemas);
    beside::as_read(&mut schemas);
    beside::closed(&mut schemas);
    beside::channels(&mut schemas);
    refused::members(&mut schemas);
    schemas.insert(webhooks::EVENT.to_owned(), webhooks::event());
    schemas.sort_keys();
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, operations) in paths {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            operation["operationId"] = json!(names::operation(method, path));
            if operation["security"].is_null() {
                // Said, so that nobody takes it for forgotten.
                operation["security"] = json!([]);
            }
            wording::head(operation);
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            parameters.into_iter().flatten().for_each(wording::present);
            if let Some(responses) = operation["responses"].as_object_mut() {
                refused::sort(responses);
            }
            headers::give((method, path), operation);
            examples::give(operation, &schemas, &mut kept);
        }
    }
    aliases::add(&mut document["paths"]);
    document["webhooks"] = webhooks::calls();
    for (name, schema) in &mut schemas {
        // It stands among the examples now.
        if let Some(schema) = schema.as_object_mut().filter(|_| kept.contains_key(name)) {
            schema.shift_remove("example");
        }
    }
    kept.sort_keys();
    document["servers"] = json!([{ "url": "/", "description": "The service that shows this." }]);
    document["components"]["schemas"] = Value::Object(schemas);
    document["components"]["examples"] = Value::Object(kept);
    document["components"]["headers"] = Value::Object(headers::components());
    document
}

/// What a party identifier looks like, as `ParticipantId` reads it: four digits or a letter alias
/// in any case, and a value.
fn party_pattern() -> String {
    let any_case = |alias: &str| -> String {
        let letter = |c: char| match c.is_ascii_alphabetic() {
            true => format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase()),
            false => c.to_string(),
        };
        alias.chars().map(letter).collect()
    };
    let aliases: Vec<String> = SCHEMES.iter().map(|scheme| any_case(scheme.alias)).collect();
    let aliases = aliases.join("|");
    format!("^((iso6523-actorid-upis::)?[0-9]{{4}}|{aliases}):[A-Za-z0-9._~-]{{1,130}}$")
}

/// The description as it is written: indented, with a line end.
pub(super) fn text() -> String {
    format!("{:#}\n", description())
}
