//! Validation for anyone with a token: what is wrong with a document, without sending it
//! (interface specification 4.12; conventions A13).

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_rules::official::{OfficialSet, Policies};
use quoin_rules::{Options, Until, ValidationPolicy, validate_file};
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, DocumentBody, Queried};
use crate::http::words::language;
use crate::http::{Caller, Problem, codes};
use quoin_access_point::budget::{Deadline, Pool, Purpose};
use quoin_access_point::reading::time;

use super::Api;
#[cfg(test)]
use super::bodies::{AnyXml, Container};
#[cfg(test)]
use super::upload::UploadForm;
use super::upload::content;

mod answer;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use answer::FormatName;
pub use answer::{Assertion, Source, Validation, ValidationOption};

/// What may be sent besides XML: the containers that documents come in.
pub(super) const CONTAINERS: &[&str] = &[
    "application/json",
    "application/octet-stream",
    "application/pdf",
    "application/zip",
    "application/pkcs7-mime",
    "application/x-pkcs7-mime",
];

/// The policies, as options.
const POLICIES: &[(&str, &str, ValidationPolicy)] = &[
    ("builtin", "The built-in rules", ValidationPolicy::Builtin),
    ("official", "The official rule files that are installed", ValidationPolicy::Official),
    ("both", "The official rule files, compared with the built-in rules", ValidationPolicy::Both),
];

/// The threads that look at documents for requests: organisations take turns.
#[derive(Debug, Clone, Default)]
pub struct ValidatorPool(pub Pool);

impl ValidatorPool {
    /// Does a piece of work beside the threads that serve requests.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        organisation: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        Ok(self.0.run(Purpose::ValidateNow, organisation, work).await?)
    }
}

/// How to validate.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ValidateQuery {
    /// An option of `/api/v1/generic/validate/options`; without one, the policy of the service.
    #[cfg_attr(test, param(example = "builtin"))]
    option_id: Option<String>,
    /// The format that the document should have, as in `ublInvoice` (or `ubl-invoice`, its id in
    /// the reference). Another one is an error in the answer.
    #[cfg_attr(test, param(value_type = Option<FormatName>, example = "ublInvoice"))]
    source_format: Option<String>,
    /// The day whose rules apply, as the day of sending: today unless told otherwise, whatever day
    /// the document claims.
    #[serde(default, deserialize_with = "time::optional_day")]
    #[cfg_attr(test, param(value_type = Option<String>, format = Date, example = "2026-11-22"))]
    on: Option<Date>,
    /// Whether to tell, as warnings, what the next release of the rules will refuse.
    #[serde(default, deserialize_with = "super::bool_param::given")]
    coming: bool,
}

/// Validates a document without sending it. What is wrong with it is in the answer; only a request
/// that is wrong itself is refused.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/generic/validate", tag = "generic",
    params(
        ValidateQuery,
        ("X-Service-Language" = Option<String>, Header, example = "nl",
         description = "The language of the texts; English where it is not there."),
    ),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (Container = "application/octet-stream"), (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "It was judged; `isValid` tells how.", body = Validation),
        Called,
        Queried,
        DocumentBody,
    ),
    security(("token" = []))
))]
pub(crate) async fn validate(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<ValidateQuery>,
    request: Request,
) -> Result<(HeaderMap, Json<Validation>), Problem> {
    let choice = choice(&api, query.option_id.as_deref())?;
    let wanted = query.source_format.as_deref().map(answer::format).transpose()?;
    let language = language(request.headers(), &api.settings.header_prefix);
    let bytes = content(&api, request, CONTAINERS).await?;
    let at = query.on.is_none().then(|| api.clock.now());
    let on = query.on.unwrap_or_else(|| today(&api));
    let deadline = Deadline::after(api.settings.validation);
    let (desk, coming) = (api.rules.clone(), query.coming);
    let judged = api.settings.judges.run(&caller.organisation, move || {
        let library = desk.library();
        let policies = match (&choice.policy, &choice.sets) {
            (Some(policies), _) => Some(policies),
            (None, None) => Some(desk.policies()),
            (None, Some(_)) => None,
        };
        let exactly = choice.sets.as_deref();
        let is_over = || deadline.passed();
        let until = Until::of(&is_over);
        let library = Some(&library);
        let more = Options::default();
        let options = Options { library, policies, exactly, coming, language, at, until, ..more };
        let judged = validate_file(&bytes, on, &options);
        judged.iter().for_each(|judged| desk.judged(&judged.report, None));
        judged
    });
    let answer = Validation::of(&judged.await?, wanted);
    let name = axum::http::header::CONTENT_LANGUAGE;
    let headers = [(name, HeaderValue::from_static(language.code()))].into_iter().collect();
    Ok((headers, Json(answer)))
}

/// Lists the rules that a document can be validated by.
#[cfg_attr(test, utoipa::path(
    get, path = "/api/v1/generic/validate/options", tag = "generic",
    responses(
        (status = 200, description = "The options.", body = [ValidationOption]),
        Called,
    ),
    security(("token" = []))
))]
pub(crate) async fn options(
    State(api): State<Api>,
    _caller: Caller,
) -> Result<Json<Vec<ValidationOption>>, Problem> {
    let (library, on) = (api.rules.library(), today(&api));
    let policies = POLICIES.iter().map(|(id, name, _)| ValidationOption::policy(id, name));
    let sets = library.sets().iter().map(|set| ValidationOption::of(set, &library, on));
    Ok(Json(policies.chain(sets).collect()))
}

/// What an option stands for.
#[derive(Default)]
struct OptionMeaning {
    policy: Option<Policies>,
    sets: Option<Vec<Arc<OfficialSet>>>,
}

fn choice(api: &Api, option: Option<&str>) -> Result<OptionMeaning, Problem> {
    let Some(option) = option else { return Ok(OptionMeaning::default()) };
    if let Some((_, _, policy)) = POLICIES.iter().find(|(id, ..)| *id == option) {
        return Ok(OptionMeaning { policy: Some(Policies::all(*policy)), sets: None });
    }
    let library = api.rules.library();
    let sets: Vec<_> = library.named(option).cloned().collect();
    if sets.is_empty() {
        let named: String = option.chars().take(200).collect();
        let detail =
            format!("optionId is {named:?}, which is none of /api/v1/generic/validate/options");
        return Err(Problem::new(&codes::BAD_QUERY, detail));
    }
    Ok(OptionMeaning { policy: None, sets: Some(sets) })
}

fn today(api: &Api) -> Date {
    let now: Timestamp = api.clock.now();
    now.to_zoned(TimeZone::UTC).date()
}
