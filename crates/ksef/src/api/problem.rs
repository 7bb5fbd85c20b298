//! Errors of the interface, in both forms that it speaks: problem details, and the older one with
//! an
//! `exception`.

use quoin_model::text::{MAX_VALUE, cut};
use serde::Deserialize;

use super::SAID;

/// Errors of an answer that are kept.
const ERRORS: usize = 100;

/// One error of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemError {
    /// As in 21405.
    pub code: u32,
    /// Its text, in Polish.
    pub description: String,
    /// More about it, in Polish.
    pub details: Vec<String>,
}

/// What an answer that is no success says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KsefProblem {
    /// The errors of the request, in their order.
    pub errors: Vec<ProblemError>,
    /// What the problem says as a whole.
    pub detail: String,
    /// Of a 403: why, as in `missing-permissions`.
    pub reason: Option<String>,
    /// What the operators of the system want to know when they are asked.
    pub trace_id: Option<String>,
}

impl KsefProblem {
    /// Whether one of the errors has a code.
    pub fn has(&self, code: u32) -> bool {
        self.errors.iter().any(|error| error.code == code)
    }

    /// Everything as one line.
    pub fn line(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for error in &self.errors {
            parts.push(format!(
                "{} {}",
                error.code,
                super::line(&error.description, &error.details)
            ));
        }
        if parts.is_empty() && !self.detail.is_empty() {
            parts.push(self.detail.clone());
        }
        parts.extend(self.reason.clone());
        cut(&parts.join(" · "), SAID).into_owned()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KsefProblemBody {
    #[serde(default)]
    detail: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    errors: Option<Vec<ErrorBody>>,
    #[serde(default)]
    reason_code: Option<String>,
    #[serde(default)]
    trace_id: Option<String>,
    #[serde(default)]
    exception: Option<ExceptionBody>,
    #[serde(default)]
    status: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct ErrorBody {
    code: u32,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    details: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExceptionBody {
    #[serde(default)]
    exception_detail_list: Option<Vec<ExceptionDetail>>,
    #[serde(default)]
    service_code: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExceptionDetail {
    #[serde(default)]
    exception_code: u32,
    #[serde(default)]
    exception_description: Option<String>,
    #[serde(default)]
    details: Option<Vec<String>>,
}

/// How many characters are left of what is kept of an answer.
struct SaidRoom(usize);

impl SaidRoom {
    /// What is kept of a text.
    fn kept(&mut self, text: &str) -> String {
        if self.0 == 0 {
            return String::new();
        }
        let kept = cut(text, self.0);
        self.0 = self.0.saturating_sub(kept.chars().count());
        kept.into_owned()
    }
}

/// A word of the system, which is no longer than any that it has.
fn word(text: &str) -> String {
    cut(text, MAX_VALUE).into_owned()
}

/// Reads an error in either form; `None` where the body is in neither, or says nothing: it is not
/// the system's then.
pub fn read_problem(body: &[u8]) -> Option<KsefProblem> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let body: KsefProblemBody = serde_json::from_slice(body).ok()?;
    let new = body.errors.unwrap_or_default().into_iter().map(|error| ProblemError {
        code: error.code,
        description: error.description.unwrap_or_default(),
        details: error.details.unwrap_or_default(),
    });
    let mut errors: Vec<ProblemError> = new.take(ERRORS).collect();
    let (old, service_code) = match body.exception {
        Some(exception) => {
            (exception.exception_detail_list.unwrap_or_default(), exception.service_code)
        }
        None => (Vec::new(), None),
    };
    let old = old.into_iter().take(ERRORS).map(|error| ProblemError {
        code: error.exception_code,
        description: error.exception_description.unwrap_or_default(),
        details: error.details.unwrap_or_default(),
    });
    errors.extend(old);
    let mut room = SaidRoom(SAID);
    for error in &mut errors {
        error.description = room.kept(&error.description);
        error.details.retain_mut(|detail| {
            *detail = room.kept(detail);
            !detail.is_empty()
        });
    }
    // A 429 in the older form says what it says under `status`.
    let limited = body.status.as_ref().and_then(|status| status.get("details")?.get(0)?.as_str());
    let detail = body.detail.or(limited.map(str::to_owned)).or(body.title).unwrap_or_default();
    let problem = KsefProblem {
        errors,
        detail: room.kept(&detail),
        reason: body.reason_code.map(|reason| word(&reason)),
        trace_id: body.trace_id.or(service_code).map(|id| word(&id)),
    };
    (!problem.line().is_empty()).then_some(problem)
}
