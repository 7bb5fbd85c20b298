//! The parameters behind a path, with a code of our own for what is wrong with them.

use axum::extract::FromRequestParts;
use axum::extract::Query as Inner;
use axum::http::Uri;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::codes;
use super::problem::Problem;

/// The parameters of a request, read into a type.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned> Query<T> {
    /// Reads parameters as they stand behind a path.
    ///
    /// # Errors
    /// API400.Query.
    pub(crate) fn read(text: &str) -> Result<Query<T>, Problem> {
        let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
        let uri: Uri = format!("/?{text}").parse().map_err(|error| bad(format!("{error}")))?;
        let read = Inner::<T>::try_from_uri(&uri);
        // The framework's own words begin with what it tried to do; the cause stands behind.
        let cause = |text: &str| text.split_once(": ").map_or(text, |(_, cause)| cause).to_owned();
        read.map(|Inner(value)| Query(value)).map_err(|error| bad(cause(&error.body_text())))
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Problem> {
        Query::read(parts.uri.query().unwrap_or_default())
    }
}
