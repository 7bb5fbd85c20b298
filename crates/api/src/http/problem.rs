//! What a caller reads when a request is refused or failed: a problem of RFC 9457 that also
//! carries the five fields that clients of this API family know (conventions A14).

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{CONTENT_LANGUAGE, CONTENT_TYPE, HeaderName, HeaderValue, VARY};
use jiff::Timestamp;
use quoin_model::Language;
use quoin_model::text::cut;
use serde::Serialize;
use serde_json::{Map, Value};
#[cfg(test)]
use utoipa::ToSchema;

use super::codes::{self, ProblemCode};
use super::members::ProblemMember;
use super::sentences::{self, ProblemDetail};
use super::words::{Words, words};

/// The media type of a problem.
pub const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

/// Characters of a detail at most: what a caller sent may be told in it.
const DETAIL: usize = 4_000;

/// A refusal or a fault on its way out. [`super::frame`] turns it into a body, since only there
/// the request id is known.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Which one.
    pub code: &'static ProblemCode,
    /// What was expected and what was found, in this case.
    pub detail: ProblemDetail,
    /// Further members of the body.
    pub members: Box<Map<String, Value>>,
    /// Headers of the answer.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem with a detail.
    pub fn new(code: &'static ProblemCode, detail: impl Into<ProblemDetail>) -> Problem {
        Problem { code, detail: detail.into(), members: Box::default(), headers: Vec::new() }
    }

    /// A fault of ours. The cause goes to the log, not to the caller.
    pub fn fault(cause: impl std::fmt::Display) -> Problem {
        tracing::error!(%cause, "a request failed");
        Problem::new(&codes::FAULT, sentences::FAULT.with([]))
    }

    /// Adds a member to the body.
    pub fn with(mut self, member: &ProblemMember, value: impl Into<Value>) -> Problem {
        self.members.insert(member.name.to_owned(), value.into());
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

/// The body of every answer with a status of 400 or more, but for three: what is no request, or
/// has a head that is too large (431), is answered without a body before anybody reads it;
/// `/connect/token` answers in the form of OAuth 2.0; `/networks` in that of the network.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = Problem))]
pub struct ProblemBody {
    /// Address of the page about the code.
    #[cfg_attr(test, schema(example = "https://api.example.org/docs/errors/API404"))]
    pub r#type: String,
    /// Short sentence, the same for every occurrence of the code, in the language of the caller.
    #[cfg_attr(test, schema(example = "There is no such document"))]
    pub title: String,
    /// The HTTP status.
    #[cfg_attr(test, schema(example = 404))]
    pub status: u16,
    /// What was expected and what was found in this case.
    #[cfg_attr(
        test,
        schema(example = "0106:12345678 has no document 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6")
    )]
    pub detail: String,
    /// The path of the request.
    #[cfg_attr(
        test,
        schema(
            example = "/api/v1/0106:12345678/salesInvoice/0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"
        )
    )]
    pub instance: String,
    /// As `type`.
    #[cfg_attr(test, schema(example = "https://api.example.org/docs/errors/API404"))]
    pub help_link: String,
    /// As `detail`; in another language than English, what it is and what to do.
    #[cfg_attr(
        test,
        schema(example = "0106:12345678 has no document 0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6")
    )]
    pub message: String,
    /// Stable code, as in `API403`.
    #[cfg_attr(test, schema(example = "API404"))]
    pub code: String,
    /// Names this request in the log of the service.
    #[cfg_attr(test, schema(example = "0192f0c9-51aa-7c3b-9d20-6c1f0e7b8a94"))]
    pub request_id: String,
    /// When the problem arose.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub date_time: Timestamp,
    /// Members that only some codes have ([`super::members`]).
    #[serde(flatten)]
    #[cfg_attr(test, schema(ignore))]
    pub members: Map<String, Value>,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status();
        response.headers_mut().extend(self.headers.iter().cloned());
        response.extensions_mut().insert(self);
        response
    }
}

/// Where a problem arose, and in which language it is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProblemContext<'a> {
    /// Base address as customers see it.
    pub base: &'a str,
    /// The path of the request.
    pub instance: &'a str,
    /// The id of the request.
    pub request_id: &'a str,
    /// The language that the caller likes best.
    pub language: Language,
}

/// Writes the body of a problem into its response.
pub(super) fn render(
    problem: &Problem,
    mut response: Response,
    place: &ProblemContext<'_>,
    now: Timestamp,
) -> Response {
    let ProblemContext { base, instance, request_id, language } = *place;
    let page = format!("{base}/docs/errors/{}", problem.code.id);
    let words = words(language, problem.code.id);
    let title = words.map_or(problem.code.title, |words| words.title);
    let detail = cut(&problem.detail.text(language), DETAIL).into_owned();
    let message = match words {
        Some(Words { title, remedy }) => format!("{title}. {remedy}"),
        None => detail.clone(),
    };
    let spoken = if words.is_some() { language } else { Language::En };
    let body = ProblemBody {
        r#type: page.clone(),
        title: title.to_owned(),
        status: problem.code.status,
        detail,
        instance: instance.to_owned(),
        help_link: page,
        message,
        code: problem.code.id.to_owned(),
        request_id: request_id.to_owned(),
        date_time: now,
        members: (*problem.members).clone(),
    };
    let bytes = serde_json::to_vec(&body).unwrap_or_default();
    *response.body_mut() = Body::from(bytes);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, PROBLEM_JSON);
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(spoken.code()));
    headers.insert(VARY, HeaderValue::from_static("accept-language"));
    response
}

#[cfg(test)]
mod tests {
    use axum::body::HttpBody;

    use super::*;

    #[test]
    fn what_a_caller_sent_is_not_told_whole_however_long_it_is() {
        let problem = Problem::new(&codes::NO_CLIENT, format!("{} is none", "x".repeat(1 << 20)));
        let place = ProblemContext {
            base: "https://api.example.org",
            instance: "/api/v1/client",
            request_id: "1",
            language: Language::En,
        };
        let answer = render(&problem, Response::new(Body::empty()), &place, Timestamp::UNIX_EPOCH);
        let size = HttpBody::size_hint(answer.body()).exact().unwrap();
        assert!(size < 10_000, "{size}");
    }
}
