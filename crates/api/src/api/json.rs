//! A JSON body, with our own words for what is wrong with it. It is read after the caller's rights
//! are known, so that a refusal tells nothing about what is behind it.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::http::body::FullBody;
use crate::http::{Problem, codes};

use super::Api;

/// Reads the JSON body of a request.
///
/// # Errors
/// API400.Json, and what reading a body can give.
pub(super) async fn read<T: DeserializeOwned>(api: &Api, request: Request) -> Result<T, Problem> {
    let FullBody(bytes) = FullBody::from_request(request, api).await?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Problem::new(&codes::BAD_JSON, format!("the body: {error}")))
}
