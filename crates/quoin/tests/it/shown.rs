//! Documents as pages: over the interface, in mails, in dossiers.

use axum::http::HeaderMap;
use bytes::Bytes;
use quoin_access_point::dossier::unzip;
use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER, UNREGISTERED};
use quoin_peppol::dossier::{Holds, names, verify};
use quoin_peppol::pki::Certificate;
use reqwest::Method;
use serde_json::json;

use crate::stage::caller::{Answered, Caller};
use crate::stage::{PATIENCE, Play, until};

async fn render(caller: &Caller, query: &str, body: &str) -> Answered {
    let headers = [("content-type", "application/xml")];
    let path = format!("/api/v1/document/render?{query}");
    caller.call(Method::POST, &path, &headers, Some(body.to_owned())).await.unwrap()
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The page is one of a language, and can do nothing.
fn is_page(answer: &Answered, language: &str) -> String {
    assert_eq!(answer.status, 200, "{}", answer.json);
    let headers = &answer.headers;
    assert_eq!(header(headers, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(headers, "content-language"), language);
    assert_eq!(header(headers, "x-content-type-options"), "nosniff");
    assert!(header(headers, "content-disposition").starts_with("inline; filename="));
    let policy = header(headers, "content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline';"), "{policy}");
    assert!(policy.contains("sandbox") && !policy.contains("script"), "{policy}");
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(text.contains(&format!("<html lang=\"{language}\">")), "{text}");
    text
}

/// A PDF with a name.
fn is_pdf(answer: &Answered, name: &str) {
    assert_eq!(answer.status, 200, "{}", answer.json);
    assert_eq!(header(&answer.headers, "content-type"), "application/pdf");
    let file = format!("attachment; filename=\"{name}.pdf\"");
    assert_eq!(header(&answer.headers, "content-disposition"), file);
    assert_eq!(header(&answer.headers, "x-content-type-options"), "nosniff");
    assert!(answer.body.starts_with(b"%PDF-1.7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_shown_without_being_sent() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "SHOWN-1");
    let page = is_page(&render(&sender, "", &invoice).await, "en");
    assert!(page.contains("SHOWN-1"), "{page}");
    is_page(&render(&sender, "as=html&language=pl", &invoice).await, "pl");
    is_pdf(&render(&sender, "as=pdf&language=de", &invoice).await, "document");
    // A hybrid in the profile that is asked for, with the count of what is not in its data.
    let hybrid = render(&sender, "as=factur-x&profile=basic-wl", &invoice).await;
    is_pdf(&hybrid, "document");
    assert!(header(&hybrid.headers, "x-service-losses").contains("lost="), "{:?}", hybrid.headers);
    let inside = quoin_formats::inside(&hybrid.body).expect("it is a hybrid");
    let guideline = "urn:factur-x.eu:1p0:basicwl";
    assert!(inside.detection().customization_id.as_deref() == Some(guideline), "{inside:?}");
    // A hybrid is a document, too.
    let headers = [("content-type", "application/pdf"), ("accept-language", "nl")];
    let path = "/api/v1/document/render";
    let again = sender.call(Method::POST, path, &headers, Some(hybrid.body.clone())).await;
    let again = is_page(&again.unwrap(), "nl");
    assert!(again.contains("SHOWN-1") && again.contains("Factuur"), "{again}");
    // What is wrong with a document is told in its place.
    let wrong = invoice.replacen("<cbc:IssueDate>", "<cbc:IssueDate>x", 1);
    let found = is_page(&render(&sender, "findings=true&language=en", &wrong).await, "en");
    assert!(found.contains("class=\"mark\""), "{found}");
    let plain = is_page(&render(&sender, "language=en", &wrong).await, "en");
    assert!(!plain.contains("class=\"mark\""), "nobody asked for findings");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_shown_so_is_refused_with_the_reason() {
    let play = Play::begin().await;
    let sender = play.sender().await;
    let invoice = samples::invoice(SENDER, RECEIVER, "SHOWN-2");
    for (query, body, code, why) in [
        ("as=word", invoice.as_str(), "API400.Query", "html, pdf, factur-x"),
        ("language=es", &invoice, "API400.Query", "en, nl, de, fr, pl"),
        ("as=factur-x&profile=best", &invoice, "API400.Query", "basic-wl"),
        ("as=pdf&profile=basic", &invoice, "API400.Page", "profile goes with"),
        ("page=1", &invoice, "API400.Query", "page"),
        ("", "not XML", "API400.Page", "no XML"),
        ("as=factur-x", "<a xmlns='urn:x'/>", "API400.Page", "neither"),
        ("", "", "API400.EmptyBody", ""),
    ] {
        render(&sender, query, body).await.is_problem(400, code, why);
    }
    // Only data inside a PDF are a conversion.
    let owner = play.stage.sender.organisation.parse().unwrap();
    play.one.parts.store.put_package(&owner, Some("1K")).await.unwrap();
    render(&sender, "as=factur-x", &invoice).await.is_problem(403, "API403.Package", "10K");
    is_pdf(&render(&sender, "as=pdf", &invoice).await, "document");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_document_is_shown_to_who_would_rather_read_it() {
    let play = Play::begin().await;
    let id = play.send("SHOWN-3").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let get = async |caller: &Caller, path: &str, accept: &str| {
        let headers = [("accept", accept), ("x-service-language", "de")];
        caller.call(Method::GET, path, &headers, None::<Bytes>).await.unwrap()
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let sender = play.sender().await;
    let path = format!("/api/v1/{SENDER}/generic/{id}/download");
    assert!(is_page(&get(&sender, &path, browser).await, "de").contains("SHOWN-3"));
    is_pdf(&get(&sender, &path, "application/pdf").await, &id);
    let receiver = play.receiver().await;
    let arrived = until("it arrived", async || {
        receiver.purchases(RECEIVER).await.unwrap().into_iter().next()
    })
    .await;
    let id = arrived["id"].as_str().unwrap();
    let path = format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}/download");
    assert!(is_page(&get(&receiver, &path, browser).await, "de").contains("Rechnung"));
    is_pdf(&get(&receiver, &path, "application/pdf;q=0.9, */*;q=0.1").await, id);
    // Who looks at it has not taken it over.
    let record = receiver.get(&format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}")).await;
    assert_eq!(record.json["downloadedOn"], json!(null), "{}", record.json);
    let plain = receiver.download(RECEIVER, id).await;
    assert_eq!(header(&plain.headers, "content-type"), "application/xml");
    let record = receiver.get(&format!("/api/v1/{RECEIVER}/purchaseInvoice/{id}")).await;
    assert!(record.json["downloadedOn"].is_string(), "{}", record.json);
    // A conversion that is asked for is what the caller gets.
    let converted = get(&receiver, &format!("{path}?targetDocumentTypeId=cii"), browser).await;
    assert_eq!(header(&converted.headers, "content-type"), "application/xml");
    // Of another party there is nothing to see.
    assert_eq!(get(&sender, &path, browser).await.status, 403);
}

async fn mail_hook(play: &Play, action: &str) {
    let hook = json!({ "id": "late", "action": action, "topics": ["Send*Fallback"] });
    let headers = [("content-type", "application/json")];
    let sender = play.sender().await;
    let made = sender.call(Method::POST, "/api/v1/hook", &headers, Some(hook.to_string())).await;
    let made = made.unwrap();
    assert_eq!(made.status, 200, "{}", made.json);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_goes_by_mail_can_be_read_in_it() {
    let play = Play::begin().await;
    mail_hook(&play, "mailto:page@example.org?language=nl&filename=in-{{number}}{{extension}}")
        .await;
    let document = samples::invoice(SENDER, UNREGISTERED, "SHOWN-4");
    let id = play.send_document(document.clone()).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let holds = |mail: &quoin_lab::lab::mailbox::ReceivedMail| {
        mail.to.contains(&"page@example.org".to_owned())
    };
    let mail = play.stage.around.mailbox.wait_for(PATIENCE, holds).await.expect("a mail");
    assert!(mail.text.contains("multipart/alternative"), "{}", mail.text);
    assert!(mail.text.contains("Content-Type: text/html"), "{}", mail.text);
    let files = mail.files();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["in-SHOWN-4.xml", "in-SHOWN-4.pdf"]);
    assert_eq!(String::from_utf8_lossy(&files[0].1), document);
    assert!(files[1].1.starts_with(b"%PDF-1.7"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_without_a_page_goes_and_the_timeline_says_so() {
    let play = Play::begin().await;
    mail_hook(&play, "mailto:plain@example.org?excludeAdditionalAttachments=true").await;
    let document = samples::invoice(SENDER, UNREGISTERED, "SHOWN-5");
    let embedded = "A".repeat(13 << 20);
    let attached = format!(
        "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment>\
         <cbc:EmbeddedDocumentBinaryObject mimeCode=\"application/pdf\" filename=\"a.pdf\">\
         {embedded}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>\
         </cac:AdditionalDocumentReference><cac:AccountingSupplierParty>"
    );
    let large = document.replacen("<cac:AccountingSupplierParty>", &attached, 1);
    let id = play.send_document(large).await;
    let told = play.ending(&id).await;
    assert_eq!(told.text("topic"), "InvoiceSent", "{told:#?}");
    assert!(told.text("message").contains("It went without a page: with it"), "{told:#?}");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/status");
    let lines = play.sender().await.get(&path).await.json.to_string();
    assert!(lines.contains("It went without a page"), "{lines}");
    let mails = play.stage.around.mailbox.mails();
    let files = mails.last().expect("a mail").files();
    assert_eq!(files.len(), 1);
    assert!(files[0].0.ends_with(".xml"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dossier_shows_its_document_the_same_each_time() {
    let play = Play::begin().await;
    let id = play.send("SHOWN-6").await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/dossier");
    let sender = play.sender().await;
    let parts = async || unzip(&sender.get(&path).await.body).unwrap();
    let mut first = parts().await;
    assert!(first[names::PAGE].starts_with(b"%PDF-1.7"));
    assert_eq!(first[names::PAGE], parts().await[names::PAGE]);
    let root = Certificate::from_der(play.stage.around.pki.root.der()).unwrap();
    let verdict = verify(&first, std::slice::from_ref(&root));
    assert!(verdict.holds(), "{:#?}", verdict.checks);
    assert_eq!(verdict.check("page").map(|check| check.holds), Some(Holds::Yes));
    // Another page than the one that was signed is noticed.
    first.insert(names::PAGE.to_owned(), b"%PDF-1.7 another".to_vec());
    let verdict = verify(&first, &[root]);
    let failing: Vec<_> = verdict.failing().map(|check| check.name.as_str()).collect();
    assert_eq!(failing, ["part document.pdf"]);
}
