//! The page on which people read the interface and try it, at `/docs`: our own HTML, style and
//! script, kept in the program. It asks nothing of any other server, and its policy forbids it.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
#[cfg(test)]
use utoipa::openapi::RefOr;
#[cfg(test)]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(test)]
use utoipa::{IntoParams, PartialSchema, ToSchema};

#[cfg(test)]
use crate::http::refusals::{OfPage, Open};
use crate::http::{Problem, codes};

use super::Api;

/// What the page may load and call: its own server, and nothing inline.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// A file of the page.
struct PageFile {
    name: &'static str,
    media_type: &'static str,
    text: &'static str,
}

macro_rules! file {
    ($name:literal, $media_type:literal) => {
        PageFile {
            name: $name,
            media_type: concat!($media_type, "; charset=utf-8"),
            text: include_str!(concat!("reader/", $name)),
        }
    };
}

static PAGE: PageFile = file!("page.html", "text/html");
/// What the page loads.
static PARTS: &[PageFile] = &[
    file!("page.css", "text/css"),
    file!("page.js", "text/javascript"),
    file!("elements.js", "text/javascript"),
    file!("operation.js", "text/javascript"),
    file!("types.js", "text/javascript"),
    file!("attempt.js", "text/javascript"),
];

/// The routes of the page.
pub(super) fn routes() -> Router<Api> {
    Router::new().route("/docs", get(page)).route("/docs/{file}", get(part))
}

/// The name of a file that the page loads, for the description of the interface.
#[cfg(test)]
pub(crate) enum PartName {}

#[cfg(test)]
impl PartialSchema for PartName {
    fn schema() -> RefOr<Schema> {
        let names = PARTS.iter().map(|file| file.name);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

#[cfg(test)]
impl ToSchema for PartName {}

/// The path of a file.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct PartPath {
    /// The file.
    #[cfg_attr(test, param(value_type = PartName))]
    file: String,
}

/// The page on which people read the interface and try it.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs", tag = "about",
    responses(
        (status = 200, description = "The page.", content_type = "text/html", body = String,
            example = "<!doctype html>\n<html lang=\"en\">\n<title>Quoin</title>\n</html>"),
        Open,
    )
))]
pub(crate) async fn page() -> Response {
    answer(&PAGE)
}

/// A file that the page loads.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs/{file}", tag = "about", params(PartPath),
    responses(
        (status = 200, description = "The file.", content(
            (String = "text/css", example = "body { margin: 0 }"),
            (String = "text/javascript", example = "export const PAGE = 1;"))),
        Open,
        OfPage,
    )
))]
pub(crate) async fn part(Path(name): Path<String>) -> Result<Response, Problem> {
    let found = PARTS.iter().find(|file| file.name == name);
    let missing = || Problem::new(&codes::NO_PATH, format!("there is nothing at /docs/{name:.80}"));
    found.map(answer).ok_or_else(missing)
}

fn answer(file: &'static PageFile) -> Response {
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(file.media_type)),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ]);
    (headers, file.text).into_response()
}
