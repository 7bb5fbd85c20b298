//! Which operations take no parameters behind their path: those that the description of the interface
//! names none of. Any that is given is refused, so that nobody takes an answer for one that heeds it.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;

use super::openapi;
use crate::http::query::NoParameters;

/// Methods by path, as the router names paths.
type OperationSet = HashMap<String, HashSet<Method>>;

/// What is read of the description.
#[derive(Default, Deserialize)]
struct DescribedPaths {
    paths: HashMap<String, HashMap<String, DescribedOperation>>,
}

#[derive(Deserialize)]
struct DescribedOperation {
    #[serde(default)]
    parameters: Vec<DescribedParameter>,
}

#[derive(Deserialize)]
struct DescribedParameter {
    #[serde(rename = "in")]
    place: String,
}

/// The operations without parameters.
fn without() -> &'static OperationSet {
    static WITHOUT: OnceLock<OperationSet> = OnceLock::new();
    WITHOUT.get_or_init(|| {
        // It is part of the program, and a test reads it.
        let read: DescribedPaths = serde_json::from_str(openapi::JSON).unwrap_or_default();
        let method = |name: &String| name.to_ascii_uppercase().parse::<Method>().ok();
        let bare = |(name, operation): (&String, &DescribedOperation)| {
            let has_some = operation.parameters.iter().any(|one| one.place == "query");
            method(name).filter(|_| !has_some)
        };
        let path = |(path, all): (String, HashMap<String, DescribedOperation>)| {
            (path, all.iter().filter_map(bare).collect())
        };
        read.paths.into_iter().map(path).collect()
    })
}

/// Notes of a request that its operation takes no parameters.
pub(super) async fn note(mut request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    // The router marks what stands for several steps of a path.
    let path = path.map(|path| path.as_str().replace("{*", "{"));
    let method =
        if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    let bare = path.and_then(|path| without().get(&path)).is_some_and(|all| all.contains(&method));
    if bare {
        request.extensions_mut().insert(NoParameters);
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_says_what_takes_parameters() {
        let takes_none = |method: Method, path: &str| {
            without().get(path).is_some_and(|all| all.contains(&method))
        };
        let response = "/api/v1/{partyId}/purchaseInvoice/{documentId}/response";
        assert!(takes_none(Method::POST, response) && takes_none(Method::GET, response));
        assert!(takes_none(Method::GET, "/smp/{partyId}/services/{documentTypeId}"));
        assert!(takes_none(Method::DELETE, "/api/v1-beta/{partyId}/generic/{documentId}"));
        assert!(!takes_none(Method::GET, "/api/v1/{partyId}/salesInvoice"));
        assert!(!takes_none(Method::POST, "/api/v1/{partyId}/salesInvoice/sendDryRun"));
        assert!(!takes_none(Method::PUT, "/smp/{partyId}"));
    }
}
