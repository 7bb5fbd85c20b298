//! What a caller reads when a request is refused or failed: a problem of RFC 9457 that also
//! carries the five fields that clients of this API family know (conventions A14).

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::{IntoResponses, ToSchema};

use super::codes::{self, Code};

/// The media type of a problem.
pub const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// A refusal or a fault on its way out. [`super::frame`] turns it into a body, since only there
/// the request id is known.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Which one.
    pub code: &'static Code,
    /// What was expected and what was found, in this case.
    pub detail: String,
    /// Further members of the body.
    pub members: Box<Map<String, Value>>,
    /// Headers of the answer.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem with a detail.
    pub fn new(code: &'static Code, detail: impl Into<String>) -> Problem {
        Problem { code, detail: detail.into(), members: Box::default(), headers: Vec::new() }
    }

    /// A fault of ours. The cause goes to the log, not to the caller.
    pub fn fault(cause: impl std::fmt::Display) -> Problem {
        tracing::error!(%cause, "a request failed");
        Problem::new(&codes::FAULT, "the request could not be completed and may be repeated")
    }

    /// Adds a member to the body.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Problem {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a header to the answer; a value that is no header value is left out.
    pub fn header(mut self, name: HeaderName, value: &str) -> Problem {
        self.headers.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        self
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The body of every answer with a status of 400 or more.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Address of the page about the code.
    pub r#type: String,
    /// Short sentence, the same for every occurrence of the code.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What was expected and what was found in this case.
    pub detail: String,
    /// The path of the request.
    pub instance: String,
    /// As `type`.
    pub help_link: String,
    /// As `detail`.
    pub message: String,
    /// Stable code, as in `API403`.
    pub code: String,
    /// Names this request in the log of the service.
    pub request_id: String,
    /// When the problem arose.
    #[schema(value_type = String, format = DateTime)]
    pub date_time: Timestamp,
    /// Members that only some codes have, such as `id` for API409.
    #[serde(flatten)]
    #[schema(ignore)]
    pub members: Map<String, Value>,
}

/// The refusals that any request can get, for the description of the interface.
#[derive(IntoResponses)]
#[response(
    status = "4XX",
    description = "Refused; `code` and `detail` tell why.",
    content_type = "application/problem+json"
)]
#[expect(dead_code, reason = "describes an answer")]
pub(crate) struct Refused(ProblemBody);

/// A fault of the service, for the description of the interface.
#[derive(IntoResponses)]
#[response(
    status = "5XX",
    description = "Failed; the request may be repeated, unless it was larger than 24 MB.",
    content_type = "application/problem+json"
)]
#[expect(dead_code, reason = "describes an answer")]
pub(crate) struct Failed(ProblemBody);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status();
        response.headers_mut().extend(self.headers.iter().cloned());
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the body of a problem into its response.
pub(super) fn render(
    problem: &Problem,
    mut response: Response,
    base: &str,
    instance: &str,
    request_id: &str,
    now: Timestamp,
) -> Response {
    let page = format!("{base}/docs/errors/{}", problem.code.id);
    let body = ProblemBody {
        r#type: page.clone(),
        title: problem.code.title.to_owned(),
        status: problem.code.status,
        detail: problem.detail.clone(),
        instance: instance.to_owned(),
        help_link: page,
        message: problem.detail.clone(),
        code: problem.code.id.to_owned(),
        request_id: request_id.to_owned(),
        date_time: now,
        members: (*problem.members).clone(),
    };
    let bytes = serde_json::to_vec(&body).unwrap_or_default();
    *response.body_mut() = Body::from(bytes);
    response.headers_mut().insert(CONTENT_TYPE, PROBLEM_JSON);
    response
}
