//! JSON bodies, with our own words for what is wrong with them: one reader for all. A body is read
//! after the caller's rights are known, so that a refusal tells nothing about what is behind it.

use axum::extract::{FromRequest, Request};
use quoin_access_point::reading;
use serde::de::DeserializeOwned;

use crate::http::body::FullBody;
use crate::http::codes::ProblemCode;
use crate::http::{Problem, codes};

use super::Api;

/// Reads the JSON body of a request.
///
/// # Errors
/// API400.Json, and what reading a body can give.
pub(super) async fn read<T: DeserializeOwned>(api: &Api, request: Request) -> Result<T, Problem> {
    let FullBody(bytes) = FullBody::from_request(request, api).await?;
    parsed(&bytes)
}

/// Reads the bytes of a body.
///
/// # Errors
/// API400.Json.
pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    parsed_as(&codes::BAD_JSON, body)
}

/// The same, with a code of its own for an object that says something else than is expected.
///
/// # Errors
/// API400.Json where it is no object of JSON; else the code.
pub(super) fn parsed_as<T: DeserializeOwned>(
    code: &'static ProblemCode,
    body: &[u8],
) -> Result<T, Problem> {
    reading::json(body).map_err(|error| {
        let is_object = reading::without_mark(body).trim_ascii_start().first() == Some(&b'{');
        let code = if error.is_data() && is_object { code } else { &codes::BAD_JSON };
        Problem::new(code, reading::told("the body", &error))
    })
}
