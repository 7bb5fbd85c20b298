//! The pages of the rules, at `/docs/rules`: an index, a page for each rule and each set, in the
//! reader's language; as Markdown for programs, as HTML for people.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use quoin_model::Language;
use quoin_rules::explain::near;
use quoin_rules::explain::pages::{Links, PageTopic, RulePage};
#[cfg(test)]
use utoipa::IntoParams;

use super::Api;
use crate::http::pages::{answer, wants_html};
#[cfg(test)]
use crate::http::refusals::{OfPage, Open};
use crate::http::{Problem, codes, sentences};

/// The turn of all readers among those who want a thread: they have one between them.
const READERS: &str = "";
/// Characters of a name that are repeated at most.
const SHOWN: usize = 80;

/// The routes of the pages.
pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/docs/rules", get(index))
        .route("/docs/rules/{rule}", get(rule))
        .route("/docs/rules/sets/{set}", get(set))
}

/// The path of a rule's page.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct RulePath {
    /// The rule, as findings name it.
    #[cfg_attr(test, param(example = "BR-CO-15"))]
    rule: String,
}

/// The path of a set's page.
#[cfg(test)]
#[cfg_attr(test, derive(IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Path))]
#[expect(dead_code, reason = "describes a path; its parts are read by position")]
pub(crate) struct RuleSetPath {
    /// The set, as the pages of rules name it.
    #[cfg_attr(test, param(example = "en16931-ubl"))]
    set: String,
}

/// The rules that have a sentence of their own, and the sets, in the form that the caller likes.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs/rules", tag = "about",
    responses(
        (status = 200, description = "The page.", content(
            (String = "text/markdown", example = "# Rules"),
            (String = "text/html", example = "<!doctype html>\n<h2>Rules</h2>"))),
        Open,
    )
))]
pub(crate) async fn index(
    State(api): State<Api>,
    language: Option<Extension<Language>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    page(&api, PageTopic::Index, language, &headers).await
}

/// The page of a rule: what it asks, where, in which sets, and who can fix what it finds.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs/rules/{rule}", tag = "about", params(RulePath),
    responses(
        (status = 200, description = "The page.", content(
            (String = "text/markdown", example = "# BR-CO-15"),
            (String = "text/html", example = "<!doctype html>\n<h2>BR-CO-15</h2>"))),
        Open,
        OfPage,
    )
))]
pub(crate) async fn rule(
    State(api): State<Api>,
    Path(id): Path<String>,
    language: Option<Extension<Language>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    page(&api, PageTopic::Rule(id), language, &headers).await
}

/// The page of a set: its releases and what its rules ask.
#[cfg_attr(test, utoipa::path(
    get, path = "/docs/rules/sets/{set}", tag = "about", params(RuleSetPath),
    responses(
        (status = 200, description = "The page.", content(
            (String = "text/markdown", example = "# en16931-ubl"),
            (String = "text/html", example = "<!doctype html>\n<h2>en16931-ubl</h2>"))),
        Open,
        OfPage,
    )
))]
pub(crate) async fn set(
    State(api): State<Api>,
    Path(id): Path<String>,
    language: Option<Extension<Language>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    page(&api, PageTopic::Set(id), language, &headers).await
}

/// Writes a page beside the threads that serve requests.
async fn page(
    api: &Api,
    topic: PageTopic,
    language: Option<Extension<Language>>,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let Extension(language) = language.unwrap_or_default();
    let html = wants_html(headers);
    let write = move || {
        let page = topic.page(language).ok_or_else(|| unknown(&topic))?;
        let text = if html { document(&page) } else { page.markdown(Links::Addresses) };
        Ok::<String, Problem>(text)
    };
    let text = api.settings.judges.run(READERS, write).await??;
    Ok(answer(html, text))
}

/// Says that there is no such page, and which ones may have been meant.
fn unknown(topic: &PageTopic) -> Problem {
    let shown = |id: &str| id.chars().take(SHOWN).collect::<String>();
    let detail = match topic {
        PageTopic::Index => sentences::NO_PATH.with([("path", &"/docs/rules")]),
        PageTopic::Set(id) => sentences::NO_RULE_SET.with([("set", &shown(id))]),
        PageTopic::Rule(id) => match near(id) {
            near if near.is_empty() => sentences::NO_RULE.with([("rule", &shown(id))]),
            near => {
                sentences::NO_RULE_NEAR.with([("rule", &shown(id)), ("near", &near.join(", "))])
            }
        },
    };
    Problem::new(&codes::NO_PATH, detail)
}

/// A page as a whole document.
fn document(page: &RulePage) -> String {
    let up = match page.topic {
        PageTopic::Index => "",
        PageTopic::Rule(_) => "../",
        PageTopic::Set(_) => "../../",
    };
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"{up}page.css\"></head>\n\
         <body class=\"page\"><main><article>\n{body}</article></main></body>\n</html>\n",
        language = page.language.code(),
        title = page.title_html(),
        body = page.html(Links::Addresses),
    )
}
