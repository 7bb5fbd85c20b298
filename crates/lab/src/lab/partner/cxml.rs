//! A procurement network: messages of cXML, alone or with files, by credential and shared secret.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use quoin_xml::tree::Element;

use super::{PartnerAct, PartnerNetworks, PartnerPost, broken};

/// Takes a message.
pub(super) async fn take(
    State(networks): State<PartnerNetworks>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let act = networks.act().await;
    let secret = networks.secret();
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (document, files) = opened(kind, &body);
    let mut post = PartnerPost {
        network: "cxml",
        id: String::new(),
        ends: (String::new(), String::new()),
        mode: String::new(),
        files,
        problem: String::new(),
        taken: false,
        headers: headers.clone(),
        body: body.clone(),
    };
    let (mut code, mut text) = judged(&document, &secret, &mut post);
    match &act {
        PartnerAct::Status(own, why) => (code, text) = (*own, (*why).to_owned()),
        PartnerAct::Echo => (code, text) = (400, format!("no: {secret}")),
        _ => {}
    }
    let http = match act {
        PartnerAct::Http(status) => Some(status),
        _ => None,
    };
    post.taken = (200..300).contains(&code) && http.is_none();
    let id = format!("answer-{}", post.id);
    networks.remember(post, &act).await;
    match (act, http) {
        (_, Some(status)) => {
            StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY).into_response()
        }
        (PartnerAct::Lost, _) => broken(),
        (PartnerAct::Garbage, _) => "<html>welcome</html>".into_response(),
        _ => ([(CONTENT_TYPE, "text/xml")], response(&id, code, &text)).into_response(),
    }
}

fn response(id: &str, code: u16, text: &str) -> String {
    let mut said = [String::new(), String::new()];
    quoin_xml::write::escape_attribute(id, &mut said[0]);
    quoin_xml::write::escape_attribute(text, &mut said[1]);
    let [id, text] = said;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE cXML SYSTEM \
         \"http://xml.cxml.org/schemas/cXML/1.2.037/cXML.dtd\">\n<cXML payloadID=\"{id}\" \
         timestamp=\"2026-01-01T00:00:00+00:00\"><Response><Status code=\"{code}\" \
         text=\"{text}\"/></Response></cXML>"
    )
}

/// The document of a message, and how many files are beside it.
fn opened(kind: &str, body: &[u8]) -> (Vec<u8>, usize) {
    let Some(boundary) = kind.split("boundary=\"").nth(1).and_then(|rest| rest.split('"').next())
    else {
        return (body.to_vec(), 0);
    };
    let text = String::from_utf8_lossy(body);
    let parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    let first = parts.get(1).and_then(|part| part.split_once("\r\n\r\n"));
    let document = first.map(|(_, document)| document.trim().as_bytes().to_vec());
    (document.unwrap_or_default(), parts.len().saturating_sub(3))
}

/// The status for a message, as a network judges it.
fn judged(document: &[u8], secret: &str, post: &mut PartnerPost) -> (u16, String) {
    let mut no = |code: u16, why: &str| {
        why.clone_into(&mut post.problem);
        (code, why.to_owned())
    };
    let parsed = quoin_formats::read(document);
    let Some(root) = parsed.root().filter(|root| root.local() == "cXML") else {
        return no(400, "this is no cXML");
    };
    if !String::from_utf8_lossy(document).contains("<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/") {
        return no(400, "the document type declaration is missing");
    }
    let within = |element: Element<'_>, names: &[&str]| -> Option<String> {
        let mut at = Some(element.id());
        for name in names {
            let found = at.and_then(|id| element.document().element(id));
            at = found?.elements().find(|child| child.local() == *name).map(Element::id);
        }
        let found = at.and_then(|id| element.document().element(id));
        found.map(|found| found.string_value().trim().to_owned())
    };
    let identity = |end: &str| within(root, &["Header", end, "Credential", "Identity"]);
    let (from, to) = (identity("From"), identity("To"));
    let given = within(root, &["Header", "Sender", "Credential", "SharedSecret"]);
    let id = root.attribute("payloadID").unwrap_or_default().to_owned();
    let requests = root.elements().find(|child| child.local() == "Request");
    let mode = requests.and_then(|request| request.attribute("deploymentMode")).unwrap_or_default();
    let (Some(from), Some(to)) = (from, to) else { return no(400, "a credential is missing") };
    if given.as_deref() != Some(secret) {
        post.id = id;
        return no(401, "Unauthorized");
    }
    if id.is_empty() || root.attribute("timestamp").is_none_or(str::is_empty) {
        return no(400, "payloadID or timestamp is missing");
    }
    (post.id, post.ends, post.mode) = (id, (from, to), mode.to_owned());
    match requests.and_then(|request| request.elements().next()) {
        Some(_) => (200, "OK".to_owned()),
        None => no(406, "there is no request in it"),
    }
}
