//! The headers of our own under another prefix (item 23).

use reqwest::Method;
use serde_json::json;

use crate::world::{World, answer, world, world_where};

const PARTY: &str = "0106:12345678";
const ID: &str = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";

async fn configured() -> World {
    world_where(|settings| settings.header_prefix = "X-EConnect-".to_owned()).await
}

#[tokio::test]
async fn c_23_the_served_description_names_the_headers_that_are_read() {
    let world = configured().await;
    let request = world.http.get(format!("{}/openapi.json", world.base));
    let (status, served) = answer(request).await;
    assert_eq!(status, 200);
    let text = served.to_string();
    assert!(text.matches("X-EConnect-DocumentId").count() > 8 && !text.contains("X-Service-"));
    assert!(text.contains("X-EConnect-Status") && text.contains("X-EConnect-Language"));
}

#[tokio::test]
async fn c_23_both_prefixes_name_the_same_document() {
    let world = configured().await;
    let acme = world.acme().await;
    for (name, status) in [
        ("X-Service-DocumentId", 200),
        ("X-Service-DocumentId", 409),
        ("X-EConnect-DocumentId", 409),
    ] {
        let (found, body) = acme.send(acme.xml(PARTY, "<Invoice/>").header(name, ID)).await;
        assert_eq!((found, body["id"].as_str()), (status, Some(ID)), "{name}: {body}");
    }
    let both = acme.xml(PARTY, "<Invoice/>").header("X-Service-DocumentId", ID);
    let (status, body) = acme.send(both.header("X-EConnect-DocumentId", ID)).await;
    assert_eq!((status, &body["code"]), (400, &json!("API400.DocumentId")), "{body}");
    let request = acme.request(Method::GET, &format!("/api/v1/{PARTY}/salesInvoice/{ID}/status"));
    let headers = request.send().await.unwrap().headers().clone();
    assert!(headers.contains_key("x-econnect-status"), "{headers:?}");
    let path = format!("/api/v1/{PARTY}/salesInvoice/{}", ID.replace('0', "1"));
    let dutch = acme.request(Method::GET, &path).header("X-Service-Language", "nl");
    assert!(answer(dutch).await.1["detail"].as_str().unwrap().contains("heeft geen"));
}

#[tokio::test]
async fn c_23_a_foreign_document_id_is_refused_and_not_ignored() {
    let (plain, other) = (world().await, configured().await);
    for (world, name, expected) in [
        (&plain, "X-EConnect-DocumentId", "X-Service-DocumentId"),
        (&plain, "X-Service-Document-Id", "X-Service-DocumentId"),
        (&other, "X-Other-DocumentId", "X-EConnect-DocumentId"),
    ] {
        let acme = world.acme().await;
        let handed_in = acme
            .request(Method::POST, &format!("/api/v1/{PARTY}/generic/receive"))
            .header("content-type", "application/xml")
            .body("<Invoice/>");
        for request in [acme.xml(PARTY, "<Invoice/>"), handed_in] {
            let (status, body) = acme.send(request.header(name, ID)).await;
            assert_eq!((status, &body["code"]), (400, &json!("API400.DocumentId")), "{body}");
            let detail = body["detail"].as_str().unwrap();
            assert!(detail.contains(expected), "{detail}");
            assert!(detail.contains(&name.to_ascii_lowercase()), "{detail}");
        }
        let (_, list) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice")).await;
        assert_eq!(list["items"], json!([]), "nothing was stored");
    }
}

#[tokio::test]
async fn c_23_a_document_id_that_is_none_is_told_under_the_name_that_was_sent() {
    let world = configured().await;
    let acme = world.acme().await;
    let request = acme.xml(PARTY, "<Invoice/>").header("X-EConnect-DocumentId", "INV-1");
    let detail = acme.send(request).await.1["detail"].as_str().unwrap().to_owned();
    assert!(
        detail.starts_with("in the header x-econnect-documentid, a document id must be a UUID")
    );
    assert!(!detail.contains("X-Service"), "{detail}");
    let (_, body) = acme.get(&format!("/api/v1/{PARTY}/salesInvoice/INV-1")).await;
    assert!(!body["detail"].as_str().unwrap().contains("X-Service"), "{body}");
}

#[tokio::test]
async fn c_30_whoever_opens_the_address_alone_gets_to_the_page() {
    let world = world().await;
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(quoin_access_point::net::client_tls(&[]).unwrap())
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let answer = client.get(format!("{}/", world.base)).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 307);
    assert_eq!(answer.headers()["location"], "docs");
}
