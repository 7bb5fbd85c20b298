//! The interface as OpenAPI 3.1, generated from the types and handlers. The file
//! `docs/reference/openapi.json` is this very text; a test compares.

mod aliases;
mod examples;
mod names;
mod refused;
mod wording;

use std::sync::{Arc, LazyLock, OnceLock};

use axum::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use quoin_peppol::codelists::SCHEMES;
use serde_json::{Map, Value, json};
use utoipa::openapi::security::{
    ClientCredentials, Flow, HttpAuthScheme, HttpBuilder, OAuth2, Password, Scopes, SecurityScheme,
};
use utoipa::{Modify, OpenApi};

use crate::http::headers::PREFIX;
use crate::http::refusals::Open;
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
        super::upload::send,
        super::sales::list,
        super::sales::document,
        super::sales::status,
        super::purchase::list,
        super::purchase::document,
        super::purchase::status,
        super::purchase::download,
        super::purchase::remove,
        super::dry_run::send_dry_run,
        super::recognize::sales,
        super::recognize::purchase,
        super::options::of_sales_invoice,
        super::response::received,
        super::response::download,
        super::options::of_purchase_invoice,
        super::response::respond,
        super::response::given,
        super::response::given_status,
        super::orders::send,
        super::orders::list,
        super::orders::document,
        super::orders::status,
        super::orders::cancel,
        super::orders::responses,
        super::orders::response_download,
        super::options::of_purchase_order,
        super::orders::sales::list,
        super::orders::sales::document,
        super::orders::sales::status,
        super::orders::sales::download,
        super::orders::sales::remove,
        super::orders::sales::respond,
        super::orders::sales::given,
        super::options::of_sales_order,
        super::exchange::send,
        super::exchange::receive,
        super::exchange::list,
        super::exchange::status,
        super::exchange::download,
        super::message_statuses::of_document,
        super::exchange::remove,
        super::recipient::query,
        super::options::delivery_option,
        super::usage::usage,
        super::service_levels::of_month,
        super::reports::list,
        super::reports::show,
        super::reports::send,
        super::hooks::list_environment,
        super::hooks::put_environment,
        super::hooks::get_environment,
        super::hooks::remove_environment,
        super::hooks::list_party,
        super::hooks::put_party,
        super::hooks::get_party,
        super::hooks::remove_party,
        super::hook_log::environment,
        super::hook_log::party,
        super::hook_replay::environment_call,
        super::hook_replay::party_call,
        super::hook_replay::environment,
        super::hook_replay::party,
        super::hook_secret::environment,
        super::hook_secret::party,
        super::ping::ping,
        super::batch::download,
        super::events::list,
        super::events::stream,
        super::generic::validate,
        super::generic::options,
        super::me::me,
        super::me::parties,
        super::users::list,
        super::users::put,
        super::users::remove,
        super::users::parties,
        super::users::link,
        super::users::unlink,
        super::clients::list,
        super::clients::create,
        super::clients::client,
        super::clients::change,
        super::clients::rotate,
        super::clients::remove,
        super::peppol::config::organisation,
        super::peppol::config::put_organisation,
        super::peppol::config::parties,
        super::peppol::config::party,
        super::peppol::config::put_party,
        super::peppol::removal::remove_party,
        super::peppol::removal::take_off,
        super::peppol::migration::prepare,
        super::peppol::migration::take_back,
        super::peppol::enrol::enrol,
        super::peppol::enrol::withdraw,
        super::dossier::of_sales_invoice,
        super::dossier::of_purchase_invoice,
        super::dossier::of_received,
        super::dossier::of_sent,
        super::network::endpoints,
        super::network::trust,
        super::smp::list,
        super::smp::group,
        super::smp::put_group,
        super::smp::remove_group,
        super::smp::changes,
        super::smp::complete,
        super::smp::record,
        super::smp::put_record,
        super::smp::remove_record,
        super::smp::card,
        super::smp::put_card,
        super::smp::remove_card,
        super::smp::push,
        super::jobs::create,
        super::jobs::list,
        super::jobs::job,
        super::jobs::items,
        super::jobs::command,
        super::me::health,
        super::me::live,
        super::me::ready,
        serve,
        super::reader::page,
        super::reader::part,
        crate::http::pages::page,
        super::rule_pages::index,
        super::rule_pages::rule,
        super::rule_pages::set,
    ),
    components(schemas(
        super::paths::PartyId,
        super::paths::DocumentIdText,
        super::paths::HookIdText,
        super::paths::DocumentTypeText,
        super::paths::SourceFormatText,
        super::paths::TargetFormatText,
        super::paths::LookupFamily,
        super::documents::StatusName,
        super::exchange::DirectionName,
        super::exchange::FamilyName,
        super::generic::FormatName,
        super::jobs::JobCommandName,
        super::jobs::JobItemStateName,
        super::reader::PartName,
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
        (name = "network", description = "Access points and certificates, and how they do."),
        (name = "provider", description = "The statistics reports of the provider."),
    ),
    modifiers(&Token),
)]
struct Document;

struct Token;

impl Modify for Token {
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
fn description() -> Value {
    let mut document = serde_json::to_value(Document::openapi()).unwrap_or_default();
    let mut kept = refused::examples();
    let mut schemas = match &mut document["components"]["schemas"] {
        Value::Object(schemas) => std::mem::take(schemas),
        _ => Map::new(),
    };
    if let Some(party) = schemas.get_mut("PartyId") {
        party["pattern"] = json!(party_pattern());
    }
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
            examples::give(operation, &schemas, &mut kept);
        }
    }
    aliases::add(&mut document["paths"]);
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

/// The document as indented JSON, with a line end.
pub fn json() -> String {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", description()));
    TEXT.clone()
}

/// The document as a service shows it: with its own prefix of headers. Made when it is asked for.
#[derive(Clone)]
pub(crate) struct Served {
    prefix: Arc<str>,
    text: Arc<OnceLock<Bytes>>,
}

impl Served {
    /// The document of a service with a prefix.
    pub(super) fn with(prefix: &str) -> Served {
        Served { prefix: prefix.into(), text: Arc::default() }
    }

    fn text(&self) -> Bytes {
        self.text.get_or_init(|| json().replace(PREFIX, &self.prefix).into()).clone()
    }
}

/// This description.
#[utoipa::path(
    get, path = "/openapi.json", tag = "about",
    responses(
        (
            status = 200,
            description = "The description of the interface, OpenAPI 3.1.",
            content_type = "application/json",
            body = Object,
            example = json!({
                "openapi": "3.1.0", "info": { "title": "Quoin", "version": "0.1.0" }, "paths": {}
            })
        ),
        Open,
    )
)]
pub(crate) async fn serve(Extension(served): Extension<Served>) -> Response {
    ([(CONTENT_TYPE, "application/json")], served.text()).into_response()
}

#[cfg(test)]
mod tests;
