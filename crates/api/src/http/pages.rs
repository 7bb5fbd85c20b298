//! The pages of the codes, of refusals and of causes, at `/docs/errors/CODE`: as Markdown for
//! programs, as HTML for people, with the title and what to do in the language of the reader
//! first.

use std::fmt::Write;

use axum::Extension;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use quoin_delivery::channel::{CHANNELS, NETWORK};
use quoin_delivery::hook::{KindRow, kinds, listed};
use quoin_model::Language;
#[cfg(test)]
use utoipa::openapi::RefOr;
#[cfg(test)]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(test)]
use utoipa::{IntoParams, PartialSchema, ToSchema};

#[cfg(test)]
use super::codes::CODES;
use super::codes::{self, find};
use super::problem::Problem;
#[cfg(test)]
use super::refusals::{OfPage, Open};
use super::words::{Words, cause_page, words};

/// The pages load a style of our own and nothing else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'",
);

/// The name of a code, for the description of the interface.
#[cfg(test)]
pub(crate) enum CodeName {}

#[cfg(test)]
impl PartialSchema for CodeName {
    fn schema() -> RefOr<Schema> {
        let causes = quoin_delivery::CAUSES.iter().map(|row| row.code);
        let names = CODES.iter().map(|code| code.id).chain(causes);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

#[cfg(test)]
impl ToSchema for CodeName {}

/// The path of a page.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct CodePath {
    /// The code.
    #[cfg_attr(test, param(value_type = CodeName))]
    code: String,
}

/// The page of a code: what it means and what to do, in the form that the caller likes.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs/errors/{code}", tag = "about", params(CodePath),
    responses(
        (status = 200, description = "The page.", content(
            (String = "text/markdown", example = "# API405: The method is not allowed here"),
            (String = "text/html", example = "<!doctype html>\n<h2>API405</h2>"))),
        Open,
        OfPage,
    )
))]
pub(crate) async fn page(
    Path(id): Path<String>,
    language: Option<Extension<Language>>,
    headers: HeaderMap,
) -> Response {
    let (people, language) = (wants_html(&headers), language.unwrap_or_default().0);
    let text = match (find(&id), people) {
        (Some(code), true) => {
            Some(html(code.id, &filled(code.page), words(language, code.id), language))
        }
        (Some(code), false) => Some(filled(code.page)),
        (None, true) => cause_page(&id, language).map(|page| html(&id, &page, None, language)),
        (None, false) => cause_page(&id, language),
    };
    match text {
        Some(text) => answer(people, text),
        None => Problem::new(&codes::NO_PATH, format!("there is no code {id:.80}")).into_response(),
    }
}

/// A page with how actions of hooks begin: of all, and of the channels among them.
fn filled(page: &str) -> String {
    let others = CHANNELS.iter().filter(|channel| !channel.network).map(|channel| &channel.hook);
    let others = listed(others, "or", KindRow::quoted);
    let channels = format!("{}, {others}", NETWORK.hook.quoted());
    let actions = listed(kinds(), "or", KindRow::quoted);
    page.replace("{actions}", &actions).replace("{channels}", &channels)
}

/// Whether the caller is a browser: programs get Markdown.
pub(crate) fn wants_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.contains("text/html")
}

/// A page as an answer: HTML, or Markdown.
pub(crate) fn answer(is_html: bool, text: String) -> Response {
    let media_type = match is_html {
        true => "text/html; charset=utf-8",
        false => "text/markdown; charset=utf-8",
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().extend([
        (CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (CACHE_CONTROL, HeaderValue::from_static("max-age=3600")),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (VARY, HeaderValue::from_static("accept, accept-language")),
    ]);
    response
}

/// A page as HTML, with words in the language of the reader below its title. Our pages have
/// headings, paragraphs and code between backticks.
fn html(id: &str, page: &str, spoken: Option<Words>, reader: Language) -> String {
    let mut body = String::new();
    for (place, block) in page.split("\n\n").enumerate() {
        let (element, text) = match block.trim_end().strip_prefix("## ") {
            Some(heading) => ("h3", heading),
            None => match block.trim_end().strip_prefix("# ") {
                Some(heading) => ("h2", heading),
                None => ("p", block.trim_end()),
            },
        };
        let _ = writeln!(body, "<{element}>{}</{element}>", inline(text));
        if let (0, Some(Words { title, remedy })) = (place, spoken) {
            let (title, remedy, tongue) = (inline(title), inline(remedy), reader.code());
            let _ = writeln!(body, "<p lang=\"{tongue}\"><strong>{title}.</strong> {remedy}</p>");
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{id}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"../page.css\"></head>\n\
         <body class=\"page\"><main><article>\n{body}\
         <p><a href=\"../../docs\">The interface</a></p>\n</article></main></body>\n</html>\n"
    )
}

/// A line of text as HTML.
fn inline(text: &str) -> String {
    let plain = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let part = |(place, part): (usize, &str)| match place % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    };
    plain.split('`').enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_list_how_actions_begin() {
        let said = |code: &str| {
            let page = filled(find(code).unwrap().page);
            assert!(!page.contains("{actions}") && !page.contains("{channels}"), "{page}");
            page.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let hook = said("API400.Hook");
        let first = "The action is not an https address, `mailto:`, `sftp://`, `sftpfrom://`, \
                     `mailfrom://`, `cxml://`, `tradingnetwork://`, `dico://`, `collaboration://`, ";
        assert!(hook.contains(first), "{hook}");
        assert!(hook.contains(", `batch://zip`, `ksef` or `peppol`; the address"), "{hook}");
        assert!(kinds().all(|row| hook.contains(&row.quoted())), "{hook}");
        let channel = said("API400.Channel");
        let first = "that sends documents (`peppol`, an https address, `mailto:`, `sftp://`, \
                     `cxml://`, `tradingnetwork://`, `dico://`";
        assert!(channel.contains(first), "{channel}");
        assert!(CHANNELS.iter().all(|row| channel.contains(&row.hook.quoted())), "{channel}");
    }
}
