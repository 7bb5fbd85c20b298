//! What the PHP client sends: quoted parts with a length, members left out instead of null, a
//! target format in the query, and identifiers that are numbered instead of named.

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use serde_json::json;

use super::requests::{Row, hybrid_pdf};

/// A document type in its spelling, with the scheme of document types left out.
const BIS: &str = "urn%3Aoasis%3Anames%3Aspecification%3Aubl%3Aschema%3Axsd%3AInvoice-2%3A%3AInvoice\
    %23%23urn%3Acen.eu%3Aen16931%3A2017%23compliant%23urn%3Afdc%3Apeppol.eu%3A2017%3Apoacc%3Abilling\
    %3A3.0%3A%3A2.1";
const FROM: &str = "0106%3A12345678";
const TO: &str = "0106%3A87654321";

fn file(row: Row, name: &str, content: &[u8]) -> Row {
    let kind = if name.ends_with(".pdf") { "application/pdf" } else { "application/xml" };
    let head = format!(
        "Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Length: {}\r\nContent-Type: {kind}",
        content.len()
    );
    Row { numbered: false, ..row }.form(&[(head, content)], false)
}

fn invoice(number: &str) -> String {
    samples::invoice(SENDER, RECEIVER, number)
}

pub fn sender() -> Vec<Row> {
    let v1 = |rest: &str| format!("/api/v1/{FROM}/{rest}");
    let hook = json!({ "id": "php", "name": "php", "action": "https://127.0.0.1:9443/hook#secret",
        "topics": ["InvoiceSent"], "isActive": true });
    let options = "/api/v1/peppol/deliveryOption";
    vec![
        Row::get("/api/v1/me").answers(&["name"]),
        Row::get("/api/v1/me/party"),
        Row::get("/api/v1/hook"),
        Row::put("/api/v1/hook").json(hook.clone()).answers(&["createdOn"]),
        Row::delete("/api/v1/hook/php"),
        Row::put(&v1("hook")).json(hook).answers(&["changedOn"]),
        Row::get(&v1("hook")),
        Row::get(&v1("hook/ping")).answers(&["id"]),
        Row::delete(&v1("hook/php")),
        file(Row::post(&v1("salesInvoice/send")), "a.xml", invoice("PHP-1").as_bytes())
            .answers(&["id"]),
        file(
            Row::post(&v1(&format!("salesInvoice/send?receiverId={TO}&channel=peppol"))),
            "b.xml",
            invoice("PHP-2").as_bytes(),
        )
        .answers(&["id"]),
        file(Row::post(&v1("salesInvoice/recognize")), "c.pdf", &hybrid_pdf(&invoice("PHP-3")))
            .answers(&["id"]),
        Row::get(&v1("salesInvoice/{sent}/status")),
        Row::post(&v1(&format!("salesInvoice/queryRecipientParty?preferredDocumentTypeId={BIS}")))
            .json(json!([RECEIVER, "NL:KVK:40440404"]))
            .answers(&["id", "channel", "description"]),
        file(
            Row::post(&v1("purchaseOrder/send")),
            "d.xml",
            samples::order(SENDER, RECEIVER, "PHP-4").as_bytes(),
        )
        .answers(&["id"]),
        Row::get(&v1("purchaseOrder/{order}/status")),
        Row::post(&v1("purchaseOrder/queryRecipientParty?documentFamily=OrderChange"))
            .json(json!([RECEIVER]))
            .answers(&["id"]),
        Row::post(&v1("purchaseOrder/{order}/cancel"))
            .json(json!({ "cancellationNote": "Ordered twice." }))
            .answers(&["id"]),
        Row::get(&format!("{options}?partyIds={TO}&documentFamily=Invoice&isCredit=1")),
        Row::get(&format!("{options}?0={TO}&1=0106%3A40440404&preferredDocumentTypeId={BIS}")),
        Row::get("/api/v1/peppol/config/party").answers(&["items"]),
        Row::get(&format!("/api/v1/peppol/{FROM}/prepareToMigrate")).answers(&["migrationKey"]),
    ]
}

pub fn receiver() -> Vec<Row> {
    let v1 = |rest: &str| format!("/api/v1/{TO}/{rest}");
    vec![
        Row::get(&v1(&format!("purchaseInvoice/{{arrived}}/download?targetFormat={BIS}"))),
        Row::get(&v1("purchaseInvoice/{arrived}/status")),
        Row::post(&v1("purchaseInvoice/queryRecipientParty"))
            .json(json!([SENDER]))
            .answers(&["id"]),
        Row::post(&v1("purchaseInvoice/{arrived}/response"))
            .json(json!({ "status": "Accept" }))
            .answers(&["id"]),
        file(Row::post(&v1("purchaseInvoice/recognize")), "e.pdf", &hybrid_pdf(&invoice("PHP-5")))
            .answers(&["id"]),
        Row::delete(&v1("purchaseInvoice/{arrived}")),
        Row::get(&v1("salesOrder/{arrivedOrder}/download")),
        Row::get(&v1("salesOrder/{arrivedOrder}/status")),
        Row::post(&v1("salesOrder/queryRecipientParty")).json(json!([SENDER])).answers(&["id"]),
        Row::post(&v1("salesOrder/{arrivedOrder}/response"))
            .json(json!({ "status": "AP" }))
            .answers(&["id"]),
        Row::delete(&v1("salesOrder/{arrivedOrder}")),
        Row::get("/api/v1/user"),
        Row::put("/api/v1/user").json(json!({ "name": "carol", "password": "long enough" })),
        Row::put("/api/v1/user/carol/party")
            .json(json!({ "id": RECEIVER, "permissions": { "canSendDocument": true } })),
        Row::get("/api/v1/user/carol/party"),
        Row::delete(&format!("/api/v1/user/carol/party/{TO}")),
        Row::delete("/api/v1/user/carol"),
        Row::get("/api/v1/peppol/config").answers(&["capabilities"]),
        Row::put("/api/v1/peppol/config").json(json!({ "capabilities": null })),
        Row::put(&format!("/api/v1/peppol/config/party/{TO}"))
            .json(json!({ "capabilities": { "orders": { "state": "off" } } }))
            .answers(&["capabilities"]),
        Row::get(&format!("/api/v1/peppol/config/party/{TO}")).answers(&["capabilities"]),
        Row::delete(&format!("/api/v1/peppol/config/party/{TO}")),
    ]
}
