//! Where a document stands, in the headers of an answer: its status, and what it waits for.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use quoin_store::TransactionRecord;

use crate::api::Api;
use crate::http::Problem;

/// The current status as a header, with the configured prefix.
pub(super) fn status_header(api: &Api, status: &str) -> HeaderMap {
    own_header(api, "Status", status).into_iter().collect()
}

/// What a document on its way out waits for: how many steps of others come before it, and when its
/// own is expected.
pub(super) async fn waiting_headers(
    api: &Api,
    found: &TransactionRecord,
) -> Result<Vec<(HeaderName, HeaderValue)>, Problem> {
    let waits = api.store.outlook(&found.transaction.id, api.clock.now()).await?;
    let Some(waits) = waits else { return Ok(Vec::new()) };
    let ahead = own_header(api, "Ahead", &waits.ahead.to_string());
    let expected = waits.expected_on.and_then(|on| own_header(api, "Expected", &on.to_string()));
    Ok(ahead.into_iter().chain(expected).collect())
}

fn own_header(api: &Api, name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let name = format!("{}{name}", api.settings.header_prefix);
    let name = HeaderName::from_bytes(name.as_bytes()).ok();
    name.zip(HeaderValue::from_str(value).ok())
}
