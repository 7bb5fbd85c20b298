//! What people read: refusals in their language, the pages of the codes, the page of the interface.

use reqwest::Method;
use serde_json::json;

use crate::world::{answer, world};

#[tokio::test]
async fn a_refusal_is_told_in_the_language_of_the_caller() {
    let world = world().await;
    let acme = world.acme().await;
    let path = "/api/v1/0106:12345678/salesInvoice/0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
    for (language, detail) in [
        ("en", "0106:12345678 has no document"),
        ("nl", "0106:12345678 heeft geen document"),
        ("de", "0106:12345678 hat kein Dokument"),
        ("fr", "0106:12345678 n'a pas de document"),
        ("pl", "0106:12345678 nie ma dokumentu"),
    ] {
        let request = acme.request(Method::GET, path).header("accept-language", language);
        let (status, body) = answer(request).await;
        let found = body["detail"].as_str().unwrap();
        assert!(status == 404 && found.starts_with(detail), "{language}: {body}");
        assert!(found.contains("0192f0c1"), "{language}: {body}");
    }
}

#[tokio::test]
async fn the_page_of_a_code_is_markdown_for_programs_and_html_for_people() {
    let world = world().await;
    let url = format!("{}/docs/errors/API409", world.base);
    let plain = world.http.get(&url).send().await.unwrap();
    assert_eq!(plain.headers()["content-type"], "text/markdown; charset=utf-8");
    let request = world.http.get(&url).header("accept", "text/html,*/*;q=0.8");
    let page = request.header("accept-language", "de").send().await.unwrap();
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let text = page.text().await.unwrap();
    assert!(text.contains("<h2>API409: The document was already taken</h2>"), "{text}");
    assert!(text.contains("Das Dokument wurde schon angenommen"), "{text}");
    let missing = world.http.get(format!("{}/docs/errors/API999", world.base));
    let (status, body) = answer(missing).await;
    assert_eq!((status, &body["code"]), (404, &json!("API404.Path")));
}

#[tokio::test]
async fn the_pages_of_the_rules_are_markdown_for_programs_and_html_for_people() {
    let world = world().await;
    let get = async |path: &str, accept: &str, language: &str| {
        let request = world.http.get(format!("{}/docs/{path}", world.base));
        let request = request.header("accept", accept).header("accept-language", language);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let media_type = response.headers()["content-type"].to_str().unwrap().to_owned();
        (media_type, response.text().await.unwrap())
    };
    let (media_type, rule) = get("rules/BR-CO-15", "*/*", "en").await;
    assert_eq!(media_type, "text/markdown; charset=utf-8");
    assert!(rule.starts_with("# BR-CO-15\n") && rule.contains("](sets/en16931-ubl)"), "{rule}");
    assert!(rule.contains("## Who can fix it\n\nThe program that made the document."), "{rule}");
    let (media_type, rule) = get("rules/br-co-15", "text/html", "de").await;
    assert_eq!(media_type, "text/html; charset=utf-8");
    assert!(rule.contains("<html lang=\"de\">") && rule.contains("<h2>BR-CO-15</h2>"), "{rule}");
    assert!(rule.contains("<h3>Wer es beheben kann</h3>"), "{rule}");
    assert!(rule.contains("href=\"../page.css\"") && rule.contains("href=\"../rules\""), "{rule}");

    let (_, index) = get("rules", "text/html", "en").await;
    for link in ["rules/BR-CO-15", "rules/QUOIN-DECIMAL", "rules/sets/en16931-ubl", "page.css"] {
        assert!(index.contains(&format!("href=\"{link}\"")), "{link}");
    }
    let (_, set) = get("rules/sets/en16931-ubl", "text/html", "nl").await;
    assert!(set.contains("<h2>en16931-ubl</h2>") && set.contains("../../page.css"), "{set}");
    assert!(set.contains("href=\"../BR-CO-15\"") && set.contains("<table>"), "{set}");
    // What a document has is shown as it is written, and never read as HTML.
    let safe = |text: &str| !text.contains("<cbc:") && !text.contains("<ram:");
    assert!(safe(&set) && safe(&rule) && safe(&index));
    let (_, tables) = get("rules/sets/peppol-bis3-ubl", "text/markdown", "en").await;
    assert!(tables.contains("| Rule | Weight | At | Asks |\n|---|---|---|---|\n"), "{tables}");
}

#[tokio::test]
async fn a_rule_that_there_is_not_is_told_with_those_that_are_near() {
    let world = world().await;
    let missing = async |path: &str, language: &str| {
        let request = world.http.get(format!("{}/docs/rules/{path}", world.base));
        answer(request.header("accept-language", language)).await
    };
    let (status, body) = missing("BR-CO-155", "en").await;
    assert_eq!((status, &body["code"]), (404, &json!("API404.Path")));
    let detail = body["detail"].as_str().unwrap();
    assert!(detail.contains("no rule BR-CO-155") && detail.contains("BR-CO-15,"), "{body}");
    let (_, body) = missing("BR-CO-155", "pl").await;
    assert!(body["detail"].as_str().unwrap().starts_with("nie ma reguły BR-CO-155"), "{body}");
    let (status, body) = missing("%3Cscript%3Eqqqqqqqqqqqqqqqqqqqq", "en").await;
    let detail = body["detail"].as_str().unwrap();
    assert!(status == 404 && detail.ends_with("all rules are at /docs/rules"), "{body}");
    let (status, body) = missing("sets/no-such-set", "en").await;
    let detail = body["detail"].as_str().unwrap();
    assert!(status == 404 && detail.starts_with("there is no set of rules no-such-set"), "{body}");
}

#[tokio::test]
async fn the_page_of_the_interface_loads_nothing_from_elsewhere() {
    let world = world().await;
    let get = async |path: &str| {
        let response = world.http.get(format!("{}{path}", world.base)).send().await.unwrap();
        let policy = response.headers().get("content-security-policy").cloned();
        (response.status().as_u16(), policy, response.text().await.unwrap())
    };
    let (status, policy, page) = get("/docs").await;
    assert!(status == 200 && policy.is_some());
    let quoted = |text: &str, mark: &str| -> Vec<String> {
        text.split(mark).skip(1).map(|part| part.split('"').next().unwrap().to_owned()).collect()
    };
    let mut files = quoted(&page, "src=\"");
    files.extend(quoted(&page, "href=\"").into_iter().filter(|name| name.starts_with("docs/")));
    assert_eq!(files.len(), 2, "{files:?}");
    for file in files {
        let (status, _, text) = get(&format!("/{file}")).await;
        assert_eq!(status, 200, "{file}");
        for import in quoted(&text, "from \"") {
            let name = import.strip_prefix("./").unwrap();
            assert_eq!(get(&format!("/docs/{name}")).await.0, 200, "{name}");
        }
        assert!(!text.contains("https://"), "{file} names another server");
    }
    assert_eq!(get("/docs/nothing.js").await.0, 404);
}
