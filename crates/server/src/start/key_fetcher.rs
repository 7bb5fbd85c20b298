//! Fetches the key sets of other issuers with the client of the network.

use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};

use quoin_access_point::net::{HttpCall, HttpClient};
use quoin_api::http::issuers::KeySource;

/// Time for a key set.
const TIME: Duration = Duration::from_secs(10);
/// The largest key set that is read, in bytes.
const LARGEST: usize = 256 * 1024;

/// Fetches key sets.
pub(super) struct KeyFetcher(pub(super) HttpClient);

impl KeySource for KeyFetcher {
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>> {
        async move {
            let call = self.0.call(HttpCall::get(url, TIME, LARGEST)).await;
            let answer = call.map_err(|error| error.to_string())?;
            match answer.status {
                200 => Ok(answer.body.to_vec()),
                other => Err(format!("the answer has the status {other}, expected 200")),
            }
        }
        .boxed()
    }
}
