//! The interface as OpenAPI 3.1: `docs/reference/openapi.json`, which is made of the types and
//! handlers by a test, and is part of the program.

#[cfg(test)]
mod describe;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

use crate::http::headers::PREFIX;
#[cfg(test)]
use crate::http::refusals::Open;

/// The document as indented JSON, with a line end.
pub const JSON: &str = include_str!("../../../../docs/reference/openapi.json");

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
        self.text.get_or_init(|| JSON.replace(PREFIX, &self.prefix).into()).clone()
    }
}

/// This description.
#[cfg_attr(test, utoipa::path(
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
))]
pub(crate) async fn serve(Extension(served): Extension<Served>) -> Response {
    ([(CONTENT_TYPE, "application/json")], served.text()).into_response()
}
