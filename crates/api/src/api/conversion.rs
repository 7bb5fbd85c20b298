//! Documents in another format: for anyone with a token, and where a document is downloaded. What
//! could not be carried is told with it.

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use jiff::civil::Date;
use quoin_access_point::enrolment::day;
use quoin_access_point::rules::RuleLibrary;
use quoin_formats::ParsedDocument;
use quoin_formats::convert::{
    ConversionProfile, ConversionRefusal, ConversionRequest, ConversionTarget, Converted,
    InvoiceFile, Loss, LossKind, convert_at,
};
use quoin_formats::profiles::Profile;
use quoin_identity::target_of;
use quoin_peppol::identifiers::DocumentTypeId;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use utoipa::{IntoParams, ToSchema};

use crate::http::query::Query;
#[cfg(test)]
use crate::http::refusals::{Called, Converted as ConvertedRefusals, DocumentBody, Queried};
use crate::http::{Caller, Problem, codes};

use super::Api;
#[cfg(test)]
use super::bodies::{AnyXml, Container};
use super::format;
use super::generic::CONTAINERS;
#[cfg(test)]
use super::paths::ConversionFormatText;
#[cfg(test)]
use super::upload::UploadForm;
use super::upload::content;

mod checked;

/// The header that counts what is not in a converted document as it was, behind the prefix.
const LOSSES: &str = "Losses";

/// What a document is to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WantedFormat {
    target: ConversionTarget,
    profile: Option<ConversionProfile>,
    specification: Option<String>,
    /// The document type, where one was named.
    document_type: Option<DocumentTypeId>,
}

/// How to convert.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(IntoParams))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct ConvertQuery {
    /// What the document becomes: a format (`ubl`, `cii`), a document type identifier, or a
    /// specification identifier (BT-24).
    #[cfg_attr(test, param(value_type = ConversionFormatText))]
    to: String,
    /// Which invoice of a file that holds several, the first is 1. A FatturaPA has one header and
    /// any number of invoices.
    #[cfg_attr(test, param(minimum = 1, example = 1))]
    invoice: Option<usize>,
}

/// A document in another format.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConvertedDocument {
    /// The format: `ubl`, `cii`.
    #[cfg_attr(test, schema(example = "cii"))]
    pub format: String,
    /// The document.
    #[cfg_attr(test, schema(example = "<rsm:CrossIndustryInvoice/>"))]
    pub document: String,
    /// How many values of the source are in it as they were, or follow from what is.
    #[cfg_attr(test, schema(example = 112))]
    pub carried: usize,
    /// Everything that is not in it as it was, in the order of the source.
    pub losses: Vec<LossView>,
}

/// One difference between a document and what it was converted to.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LossView {
    /// The XPath in the source.
    #[cfg_attr(test, schema(example = "/Invoice[1]/cbc:UUID[1]"))]
    pub source_path: String,
    /// The business term, where it is one.
    #[cfg_attr(test, schema(example = "BT-19"))]
    pub term: Option<String>,
    /// What the source says there; of what is derived, what the target says.
    #[cfg_attr(test, schema(example = "4711"))]
    pub value: String,
    /// `lost`, `changed`, `derived`, `merged`, `carried-as-text` or `missing`.
    #[cfg_attr(test, schema(example = "lost"))]
    pub kind: String,
    /// Where it is in the target.
    #[cfg_attr(test, schema(example = "/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:ID"))]
    pub target_path: Option<String>,
    /// Why.
    #[cfg_attr(
        test,
        schema(example = "the target has no place for it, or holds another value there")
    )]
    pub reason: String,
}

/// Converts a document without keeping it. What could not be carried is listed beside it; where
/// XML is asked for (`Accept`), it is counted in a header.
#[cfg_attr(test, utoipa::path(
    post, path = "/api/v1/document/convert", tag = "generic",
    params(ConvertQuery),
    request_body(content((AnyXml = "application/xml"), (AnyXml = "text/xml"),
        (Container = "application/octet-stream"), (UploadForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "The document in the other format.", body = ConvertedDocument),
        Called,
        Queried,
        DocumentBody,
        ConvertedRefusals,
    ),
    security(("token" = []))
))]
pub(crate) async fn convert(
    State(api): State<Api>,
    caller: Caller,
    Query(query): Query<ConvertQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let headers = request.headers().clone();
    super::usage::check_package(&api, &caller.organisation).await?;
    let bytes = content(&api, request, CONTAINERS).await?;
    let (today, rules) = (day(api.clock.now()), api.rules.clone());
    let work = move || {
        let parsed = read(&bytes);
        let parsed = alone(parsed, query.invoice)?;
        let wanted = WantedFormat::named(&query.to, Some(&parsed))?;
        Ok((converted(&parsed, &wanted, (today, &rules))?, wanted))
    };
    let done: Result<_, Problem> = api.settings.judges.run(&caller.organisation, work).await?;
    let (converted, wanted) = done?;
    let as_json = asked_first(&headers) != Some(AnswerForm::Xml);
    Ok(answer(&api, as_json, converted, &wanted))
}

/// The invoice of a file that is asked for, where one is.
fn alone(parsed: ParsedDocument, wanted: Option<usize>) -> Result<ParsedDocument, Problem> {
    let Some(number) = wanted else { return Ok(parsed) };
    let (count, found) = match parsed.root().and_then(InvoiceFile::of) {
        Some(file) => (file.count(), file.alone(number)),
        None => (1, None),
    };
    match (count, number, found) {
        (1, 1, _) => Ok(parsed),
        (_, _, Some(text)) => Ok(quoin_formats::read(text.as_bytes())),
        _ => {
            let detail = format!("invoice is {number}, and the file holds {count}");
            Err(Problem::new(&codes::CONVERSION, detail))
        }
    }
}

/// The document in a file: the one inside of a container.
pub(super) fn read(bytes: &[u8]) -> ParsedDocument {
    quoin_formats::opened(bytes)
}

/// A stored document in another format, as an answer: the document, or with its list where JSON is
/// all that is asked for.
///
/// # Errors
/// API400.Conversion, and what the pool of threads says.
pub(super) async fn download(
    api: &Api,
    organisation: &str,
    (bytes, wanted): (Bytes, WantedFormat),
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let also = wanted.clone();
    let (today, rules) = (day(api.clock.now()), api.rules.clone());
    let work = move || converted(&read(&bytes), &also, (today, &rules));
    let converted = api.settings.judges.run(organisation, work).await??;
    Ok(answer(api, wants_json_alone(headers), converted, &wanted))
}

/// The document in a format; one that is not what was asked for is none.
fn converted(
    parsed: &ParsedDocument,
    wanted: &WantedFormat,
    (on, rules): (Date, &RuleLibrary),
) -> Result<Converted, Problem> {
    let refused = |why: &str| Problem::new(&codes::CONVERSION, why);
    let Some(root) = parsed.root() else {
        return Err(refused("it is no XML, and has none inside that could be converted"));
    };
    let source = parsed.detection();
    let specification = wanted.specification.as_deref();
    let process = specification.map(|wanted| checked::process(wanted, source)).transpose();
    let process = process.map_err(|reason| refused(&reason))?.flatten();
    let request = ConversionRequest {
        target: wanted.target,
        profile: wanted.profile,
        specification,
        process: process.as_deref(),
        ends_follow: false,
        files_beside: false,
    };
    let converted = convert_at(root, request).map_err(|refusal| match refusal {
        ConversionRefusal::SeveralInvoices { .. } => {
            refused(&format!("{refusal} (POST /api/v1/document/convert with invoice=1 and so on)"))
        }
        refusal => refused(&refusal.to_string()),
    })?;
    if let Some(specification) = specification {
        let asked = (specification, wanted.document_type.as_ref());
        let document = read(converted.document.as_bytes());
        checked::is_asked(&document, asked, on).map_err(|reason| refused(&reason))?;
        checked::is_alike(&document, source, specification).map_err(|reason| refused(&reason))?;
        checked::keeps_rules(&document, (source, specification), (on, rules))
            .map_err(|reason| refused(&reason))?;
    }
    Ok(converted)
}

/// The document with its list, as JSON or with the count in a header.
fn answer(api: &Api, as_json: bool, converted: Converted, wanted: &WantedFormat) -> Response {
    let losses = counted(api, &converted.losses);
    if as_json {
        let view = ConvertedDocument {
            format: wanted.name().to_owned(),
            carried: converted.tally.carried + converted.tally.derived,
            losses: converted.losses.iter().map(LossView::of).collect(),
            document: converted.document,
        };
        return (losses, Json(view)).into_response();
    }
    let mut response = Response::new(Body::from(converted.document));
    let media_type = HeaderValue::from_static(wanted.target.media_type());
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response.headers_mut().extend(losses);
    response
}

impl LossView {
    pub(super) fn of(loss: &Loss) -> LossView {
        LossView {
            source_path: loss.source_path.clone(),
            term: loss.term.map(str::to_owned),
            value: loss.value.clone(),
            kind: loss.kind.as_str().to_owned(),
            target_path: loss.target_path.clone(),
            reason: loss.reason.to_owned(),
        }
    }
}

/// `X-Service-Losses: lost=1, changed=2`; `none` where nothing is other than it was.
pub(super) fn counted(api: &Api, losses: &[Loss]) -> HeaderMap {
    let count = |kind: LossKind| losses.iter().filter(|loss| loss.kind == kind).count();
    let told = LossKind::ALL.into_iter().filter(|kind| count(*kind) > 0);
    let told: Vec<String> = told.map(|kind| format!("{}={}", kind.as_str(), count(kind))).collect();
    let text = if told.is_empty() { "none".to_owned() } else { told.join(", ") };
    let name = format!("{}{LOSSES}", api.settings.header_prefix);
    let name = HeaderName::from_bytes(name.as_bytes()).ok();
    name.zip(HeaderValue::from_str(&text).ok()).into_iter().collect()
}

/// Whether JSON is the one type that is asked for: a client that takes anything besides gets the
/// document itself.
fn wants_json_alone(headers: &HeaderMap) -> bool {
    let ranges = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut names = ranges
        .flat_map(|value| value.split(','))
        .map(|range| range.split(';').next().unwrap_or_default().trim())
        .filter(|name| !name.is_empty())
        .peekable();
    names.peek().is_some() && names.all(|name| name.eq_ignore_ascii_case("application/json"))
}

/// How an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerForm {
    /// The document and its list.
    Json,
    /// The document.
    Xml,
}

/// Which of the two is asked for first (`Accept`), if one is.
fn asked_first(headers: &HeaderMap) -> Option<AnswerForm> {
    let accept = headers.get(ACCEPT)?.to_str().ok()?;
    let forms = [("json", AnswerForm::Json), ("xml", AnswerForm::Xml)];
    let found = forms.into_iter().filter_map(|(name, form)| Some((accept.find(name)?, form)));
    found.min_by_key(|(at, _)| *at).map(|(_, form)| form)
}

impl WantedFormat {
    /// The name of the profile, else of the syntax.
    fn name(&self) -> &'static str {
        self.profile.map_or_else(|| self.target.as_str(), ConversionProfile::as_str)
    }

    /// What a text names: a format, a document type, or a specification in the syntax of the
    /// document or in the first one that it is published in.
    ///
    /// # Errors
    /// API400.Query for what names nothing, API400.Conversion where no writer makes it.
    pub(super) fn named(
        text: &str,
        document: Option<&ParsedDocument>,
    ) -> Result<WantedFormat, Problem> {
        if let Some(ConversionRequest { target, profile, .. }) = ConversionRequest::named(text) {
            return Ok(WantedFormat { target, profile, specification: None, document_type: None });
        }
        let none = || {
            let known: Vec<&str> = ConversionRequest::names().map(|(name, _)| name).collect();
            let detail = format!(
                "a conversion to {text:.500} is not available; there are {}, and the document \
                 types and specifications in them",
                known.join(", ")
            );
            Problem::new(&codes::CONVERSION, detail)
        };
        if format::is_customization(text) {
            let (profile, _) = Profile::of_chain(text).ok_or_else(none)?;
            let own = document.and_then(|document| document.detection().syntax);
            let own = own.filter(|own| profile.syntaxes.contains(own));
            let syntax = own.or(profile.syntaxes.first().copied()).ok_or_else(none)?;
            let target = match syntax.is_ubl() {
                true => ConversionTarget::UBL,
                false => ConversionTarget::CII,
            };
            let specification = Some(text.to_owned());
            return Ok(WantedFormat { target, profile: None, specification, document_type: None });
        }
        if !text.contains("##") {
            return Err(none());
        }
        let named = format::document_type(text)
            .map_err(|error| Problem::new(&codes::BAD_QUERY, format!("the format: {error}")))?;
        let specification = named.parts().customization.trim_end_matches('*').to_owned();
        let target = target_of(&named).ok_or_else(none)?;
        let document_type = DocumentTypeId::new(named.scheme(), &named.plain()).ok();
        let specification = Some(specification);
        Ok(WantedFormat { target, profile: None, specification, document_type })
    }
}
