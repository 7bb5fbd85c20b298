//! A JSON body, with our own words for what is wrong with it.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::http::body::read;
use crate::http::{Problem, codes};

use super::Api;

/// The JSON body of a request.
pub(crate) struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Api> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Body<T>, Problem> {
        let bytes = read(request.into_body(), api.settings.body).await?;
        serde_json::from_slice(&bytes)
            .map(Body)
            .map_err(|error| Problem::new(&codes::BAD_JSON, format!("the body: {error}")))
    }
}
