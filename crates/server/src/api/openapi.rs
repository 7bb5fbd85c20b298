//! The interface as OpenAPI 3.1, generated from the types and handlers. The file
//! `docs/reference/openapi.json` is this very text; a test compares.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::security::{ClientCredentials, Flow, OAuth2, Scopes, SecurityScheme};
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
        super::orders::sent_list,
        super::orders::sent,
        super::orders::sent_status,
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
        super::peppol::config::remove_party,
        super::peppol::migration::prepare,
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
    ),
    modifiers(&Token),
)]
struct Document;

struct Token;

impl Modify for Token {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scopes = Scopes::one(SCOPE, "The whole interface.");
        let flow = Flow::ClientCredentials(ClientCredentials::new("/connect/token", scopes));
        let scheme = SecurityScheme::OAuth2(OAuth2::new([flow]));
        openapi.components.get_or_insert_default().add_security_scheme("token", scheme);
    }
}

/// The document as indented JSON, with a line end.
pub fn json() -> String {
    let text = Document::openapi().to_pretty_json().unwrap_or_default();
    format!("{text}\n")
}

pub(crate) async fn serve() -> Response {
    ([(CONTENT_TYPE, "application/json")], json()).into_response()
}

#[cfg(test)]
mod tests;
