//! Documents as pages: for anyone with a token, and where a stored document is downloaded by
//! somebody who would rather read it. A page is made on the threads that judge documents.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use bytes::Bytes;
use jiff::tz::TimeZone;
use quoin_access_point::budget::Deadline;
use quoin_formats::ParsedDocument;
use quoin_model::text::quoted;
use quoin_model::{Finding, Language};
use quoin_render::{FacturXLevel, RenderForm, RenderRequest, Rendered};
use quoin_rules::{Options, Until, validate_with};
use quoin_store::TransactionRecord;
use serde::Deserialize;
#[cfg(test)]
use utoipa::IntoParams;

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, DocumentBody, Packaged, Shown};
use crate::http::words::language;
use crate::http::{Caller, Problem, codes, sentences};

use super::Api;
#[cfg(test)]
use super::bodies::{AnyXml, Container, PageHtml, PagePdf};
use super::conversion::{counted, read};
use super::generic::CONTAINERS;
#[cfg(test)]
use super::upload::UploadForm;
use super::upload::content;

#[cfg(test)]
mod names;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use names::{HybridProfileName, PageFormName, PageLanguageName};

/// A page has its own style and nothing else: no script, nothing fetched, nothing sent, no frame.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'; sandbox",
);

/// How to show a document.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct RenderQuery {
    /// What it becomes: a page, a PDF, or a PDF with the invoice as data inside (Factur-X,
    /// ZUGFeRD). `html` unless told otherwise.
    #[serde(rename = "as")]
    #[cfg_attr(test, param(value_type = Option<PageFormName>, example = "factur-x"))]
    form: Option<String>,
    /// The language of the page; without it the one of `X-Service-Language` or `Accept-Language`.
    #[cfg_attr(test, param(value_type = Option<PageLanguageName>, example = "de"))]
    language: Option<String>,
    /// The profile of the data in a hybrid PDF; without it the one that the document names (BT-24).
    #[cfg_attr(test, param(value_type = Option<HybridProfileName>, example = "basic"))]
    profile: Option<String>,
    /// Whether to validate it first, and show what was found where it is.
    #[serde(default, deserialize_with = "super::bool_param::given")]
    findings: bool,
}

/// What is asked of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AskedPage {
    form: RenderForm,
    language: Language,
    level: Option<FacturXLevel>,
}

/// Shows a document without keeping it. Of a hybrid PDF, a header counts what the data inside have
/// otherwise than the document; the page has all of it.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/document/render", tag = "generic",
    params(RenderQuery),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (Container = "application/octet-stream"), (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "The page.",
         content((PageHtml = "text/html"), (PagePdf = "application/pdf"))),
        Called,
        DocumentBody,
        Shown,
        Packaged,
    ),
    security(("token" = []))
))]
pub(crate) async fn render(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<RenderQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let spoken = language(request.headers(), &api.settings.header_prefix);
    let asked = AskedPage::of(&query, spoken)?;
    if asked.form == RenderForm::FacturX {
        super::usage::check_package(&api, &caller.organisation).await?;
    }
    let bytes = content(&api, request, CONTAINERS).await?;
    let own = api.clone();
    let work = move || {
        let parsed = read(&bytes);
        let found =
            if query.findings { findings(&own, &parsed, asked.language) } else { Vec::new() };
        shown(&parsed, asked, &found)
    };
    let page = api.settings.judges.run(&caller.organisation, work).await??;
    Ok(answer(&api, page, asked, "document"))
}

impl AskedPage {
    /// What the parameters ask for.
    ///
    /// # Errors
    /// API400.Query for what names nothing.
    fn of(query: &RenderQuery, spoken: Language) -> Result<AskedPage, Problem> {
        let forms = || RenderForm::ALL.iter().map(|form| form.as_str());
        let form = named("as", query.form.as_deref(), RenderForm::named, forms)?;
        let languages = || Language::ALL.iter().map(|language| language.code());
        let language = named("language", query.language.as_deref(), Language::of, languages)?;
        let levels = || FacturXLevel::ALL.iter().map(|level| level.name());
        let level = named("profile", query.profile.as_deref(), FacturXLevel::named, levels)?;
        let form = form.unwrap_or(RenderForm::Html);
        if level.is_some() && form != RenderForm::FacturX {
            let detail = format!("profile goes with as=factur-x, and as is {}", form.as_str());
            return Err(Problem::new(&codes::PAGE, detail));
        }
        Ok(AskedPage { form, language: language.unwrap_or(spoken), level })
    }
}

/// What a parameter names, where it is there.
fn named<T, N: Iterator<Item = &'static str>>(
    name: &str,
    value: Option<&str>,
    read: impl Fn(&str) -> Option<T>,
    expected: impl Fn() -> N,
) -> Result<Option<T>, Problem> {
    let Some(value) = value else { return Ok(None) };
    read(value).map(Some).ok_or_else(|| {
        let (found, expected) = (quoted(value, 40), expected().collect::<Vec<_>>().join(", "));
        let values: [(_, &dyn std::fmt::Display); 3] =
            [("name", &name), ("found", &found), ("expected", &expected)];
        Problem::new(&codes::BAD_QUERY, sentences::ONE_OF.with(values))
    })
}

/// What the rules of today say of a document, by the policy of the service.
fn findings(api: &Api, document: &ParsedDocument, language: Language) -> Vec<Finding> {
    let deadline = Deadline::after(api.settings.validation);
    let is_over = || deadline.passed();
    let library = api.rules.library();
    let now = api.clock.now();
    let options = Options {
        library: Some(&library),
        policies: Some(api.rules.policies()),
        language,
        at: Some(now),
        until: Until::of(&is_over),
        ..Options::default()
    };
    let today = now.to_zoned(TimeZone::UTC).date();
    let report = validate_with(document, today, &options);
    api.rules.judged(&report, None);
    report.findings
}

fn shown(
    document: &ParsedDocument,
    asked: AskedPage,
    findings: &[Finding],
) -> Result<Rendered, Problem> {
    let AskedPage { form, language, level } = asked;
    let request = RenderRequest { language, form, level, findings };
    quoin_render::render(document, &request)
        .map_err(|refusal| Problem::new(&codes::PAGE, refusal.to_string()))
}

/// The form in which a caller would rather have a stored document; `None` for the document as it
/// is.
pub(super) fn wanted(headers: &HeaderMap) -> Option<RenderForm> {
    let best = liked(headers)?;
    let is = |name: &str| best.eq_ignore_ascii_case(name);
    match () {
        () if is("text/html") => Some(RenderForm::Html),
        () if is("application/pdf") => Some(RenderForm::Pdf),
        () => None,
    }
}

/// Whether `Accept` takes XML or JSON as well as a page.
pub(super) fn takes_data(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut names = lines
        .flat_map(|line| line.split(','))
        .filter_map(|range| range.split(';').next())
        .map(|name| name.trim().to_ascii_lowercase());
    names.any(|name| {
        let is_open = matches!(name.as_str(), "*/*" | "application/*" | "text/*");
        is_open || name.ends_with("/xml") || name.ends_with("/json")
    })
}

/// The media range that `Accept` likes best, the first of equals (RFC 9110, section 12.5.1).
pub(super) fn liked(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut best: (f32, Option<&str>) = (0.0, None);
    for range in lines.flat_map(|line| line.split(',')).take(32) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| {
            let (key, value) = part.split_once('=')?;
            key.trim().eq_ignore_ascii_case("q").then_some(value.trim())
        });
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        if weight > best.0 {
            best = (weight, Some(name));
        }
    }
    best.1
}

/// A stored document as a page. It does not count as downloaded: who looks at a document has not
/// taken it over, and a program that asks for what was not downloaded shall still find it.
///
/// # Errors
/// API400.Page, and what the pool of threads says.
pub(super) async fn download(
    api: &Api,
    found: &TransactionRecord,
    (bytes, form): (Bytes, RenderForm),
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let language = language(headers, &api.settings.header_prefix);
    let asked = AskedPage { form, language, level: None };
    let owner = found.transaction.organisation.as_str();
    let work = move || shown(&read(&bytes), asked, &[]);
    let page = api.settings.judges.run(owner, work).await??;
    Ok(answer(api, page, asked, found.transaction.document_id.as_str()))
}

/// The page with everything that keeps it from doing anything.
fn answer(api: &Api, page: Rendered, asked: AskedPage, name: &str) -> Response {
    let mut response = Response::new(Body::from(page.bytes));
    let headers = response.headers_mut();
    let manner = match asked.form {
        RenderForm::Html => "inline",
        RenderForm::Pdf | RenderForm::FacturX => "attachment",
    };
    let file = format!("{manner}; filename=\"{name}.{}\"", asked.form.extension());
    headers.extend(HeaderValue::from_str(&file).map(|file| (CONTENT_DISPOSITION, file)));
    headers.extend([
        (CONTENT_TYPE, HeaderValue::from_static(page.media_type)),
        (CONTENT_LANGUAGE, HeaderValue::from_static(asked.language.code())),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (VARY, HeaderValue::from_static("accept, accept-language")),
    ]);
    match asked.form {
        RenderForm::Html => drop(headers.insert(CONTENT_SECURITY_POLICY, POLICY)),
        RenderForm::Pdf => {}
        RenderForm::FacturX => headers.extend(counted(api, &page.losses)),
    }
    response
}
