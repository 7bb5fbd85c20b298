//! What the .NET client sends: party ids percent-encoded in lower case, `True` and `False`, members
//! that are null, and parts of forms whose names stand without quotes.

use quoin_formats::samples;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use serde_json::{Value, json};

use super::requests::{Row, hybrid_pdf};

/// The parties in its spelling.
const FROM: &str = "NL%3aKVK%3a12345678";
const TO: &str = "NL%3aKVK%3a87654321";
/// A document type without the scheme of document types, in a query.
const BIS: &str = "urn%3Aoasis%3Anames%3Aspecification%3Aubl%3Aschema%3Axsd%3AInvoice-2%3A%3AInvoice\
    %23%23urn%3Acen.eu%3Aen16931%3A2017%23compliant%23urn%3Afdc%3Apeppol.eu%3A2017%3Apoacc%3Abilling\
    %3A3.0%3A%3A2.1";
/// The customization of documents, in a query.
const CUSTOMIZATION: &str = "urn%3Acen.eu%3Aen16931%3A2017%23compliant%23urn%3Afdc%3Apeppol.eu%3A2017\
    %3Apoacc%3Abilling%3A3.0";

fn file(row: Row, content: &[u8], attributes: bool) -> Row {
    let head = "Content-Disposition: form-data; name=file; filename=bisv3; filename*=utf-8''bisv3";
    let mut parts = vec![(head.to_owned(), content)];
    if attributes {
        let head = "Content-Type: text/plain; charset=utf-8\r\n\
                    Content-Disposition: form-data; name=metaAttributes";
        parts.push((head.to_owned(), br#"{"key1":"value1"}"#));
    }
    row.form(&parts, true)
}

fn invoice(number: &str) -> Vec<u8> {
    samples::invoice(SENDER, RECEIVER, number).into_bytes()
}

fn hook(publish: Value, filter: Value, init: Value) -> Value {
    json!({
        "id": "1", "action": "mailto:books@example.org", "name": "mail hook",
        "topics": ["*Received", "*ReceivedError", "*Sent", "*SentRetry", "*SentError", "HookSent",
            "HookSentError", "HookSentRetry"],
        "publishTopics": publish, "init": init, "filter": filter, "isActive": true,
    })
}

fn config(id: Value, card: Value, verification: Value) -> Value {
    let capability = json!({ "state": "on", "description": "Invoices" });
    json!({ "id": id, "capabilities": { "invoices": capability }, "businessCard": card,
        "verification": verification })
}

/// Who it is, and its hooks.
fn hooks() -> Vec<Row> {
    let full =
        hook(json!(["*Received"]), json!("sender == \"0106:sender\""), json!({ "key1": "v" }));
    let bare = hook(Value::Null, Value::Null, Value::Null);
    let v1 = |rest: &str| format!("/api/v1/{FROM}/{rest}");
    vec![
        Row::get("/api/v1/me").answers(&["name"]),
        Row::get("/api/v1/me/party").answers(&[]),
        Row::put("/api/v1/hook").json(full.clone()).answers(&["id", "action", "isActive"]),
        Row::get("/api/v1/hook"),
        Row::delete("/api/v1/hook/1"),
        Row::put(&v1("hook")).json(full).answers(&["publishTopics", "filter", "init"]),
        Row::put(&v1("hook")).json(bare),
        Row::get(&v1("hook")),
        Row::get(&v1("hook/ping")).answers(&["id"]),
        Row::delete(&v1("hook/1")),
        Row::delete(&v1("hook/1")).status(404),
    ]
}

pub fn sender() -> Vec<Row> {
    let v1 = |rest: &str| format!("/api/v1/{FROM}/{rest}");
    let query = format!("senderId={FROM}&topic=SalesInvoiceReceived&channel=peppol");
    let documents = vec![
        Row::post(&v1(&format!("salesInvoice/queryRecipientParty?preferredDocumentTypeId={BIS}")))
            .json(json!([RECEIVER]))
            .answers(&["id"]),
        Row::post(&v1("purchaseOrder/queryRecipientParty"))
            .json(json!([RECEIVER]))
            .answers(&["id"]),
        file(Row::post(&v1("salesInvoice/send")), &invoice("NET-1"), false).answers(&["id"]),
        file(
            Row::post(&v1("salesInvoice/send?receiverId=NL%3AKVK%3A87654321&channel=peppol")),
            &invoice("NET-2"),
            false,
        )
        .answers(&["id"]),
        file(
            Row::post(&v1("salesInvoice/recognize?channel=peppol")),
            &hybrid_pdf(&String::from_utf8(invoice("NET-3")).unwrap()),
            false,
        )
        .answers(&["id"]),
        file(Row::post(&v1("salesInvoice/recognize")), b"%PDF-1.7\nscan", false).status(400),
        file(
            Row::post(&v1("purchaseOrder/send")),
            samples::order(SENDER, RECEIVER, "NET-4").as_bytes(),
            false,
        )
        .answers(&["id"]),
        Row::post(&v1("purchaseOrder/{order}/cancel"))
            .json(json!({ "cancellationNote": "Ordered twice.", "note": "Sorry." }))
            .answers(&["id"]),
        file(
            Row::post(&format!(
                "/api/v1-beta/{FROM}/generic/send?receiverId={TO}&topic=SalesInvoiceReceived\
                 &channel=peppol&disablePlugins=True&sourceFormat={CUSTOMIZATION}\
                 &targetFormat={CUSTOMIZATION}"
            )),
            &invoice("NET-5"),
            true,
        )
        .answers(&["id"]),
        file(
            Row::post(&format!("/api/v1-beta/{FROM}/generic/receive?{query}")),
            &invoice("NET-6"),
            true,
        )
        .answers(&["id"]),
        Row::get(&format!("/api/v1-beta/{FROM}/generic/{{sent}}/download?targetFormat=xml")),
        Row::get(&format!(
            "/api/v1/peppol/deliveryOption?partyIds={TO}&preferredDocumentTypeId={BIS}\
             &documentTypeIds={BIS}&documentFamily=Invoice&isCredit=False"
        )),
    ];
    [hooks(), documents].concat()
}

pub fn receiver() -> Vec<Row> {
    let property = |value: &str| json!({ "state": "on", "value": value, "description": null });
    let card = json!({ "names": property("Lab BV"), "address": property("Dam 1, Amsterdam, NL"),
        "emailAddress": property("card@example.org"), "state": "on" });
    let verified = json!({ "notes": "Contract", "verifiedOn": "2026-01-02T03:04:05+01:00" });
    let v1 = |rest: &str| format!("/api/v1/{TO}/{rest}");
    let permissions = json!({ "canSendDocument": true, "canReceiveDocument": true,
        "canRemoveDocument": false, "canManageHook": false, "canChangeDocumentStatus": false });
    let new = "NL%3aKVK%3a00000001";
    vec![
        Row::get(&v1("purchaseInvoice/{arrived}/download")),
        Row::post(&v1("purchaseInvoice/{arrived}/response"))
            .json(json!({ "status": "RE", "reasons": { "REF": "No order." },
                "actions": { "NIN": "Send a new one." }, "note": "See our terms." }))
            .answers(&["id"]),
        file(
            Row::post(&v1("purchaseInvoice/recognize?channel=peppol")),
            &hybrid_pdf(&String::from_utf8(invoice("NET-7")).unwrap()),
            false,
        )
        .answers(&["id"]),
        Row::delete(&v1("purchaseInvoice/{arrived}")),
        Row::get(&v1("purchaseInvoice/{arrived}/download")).status(404),
        Row::get(&v1("salesOrder/{arrivedOrder}/download")),
        Row::post(&v1("salesOrder/{arrivedOrder}/response"))
            .json(json!({ "status": "AP", "note": "Thank you." }))
            .answers(&["id"]),
        Row::delete(&v1("salesOrder/{arrivedOrder}")),
        Row::get("/api/v1/peppol/config").answers(&["capabilities"]),
        Row::put("/api/v1/peppol/config")
            .json(config(Value::Null, Value::Null, Value::Null))
            .answers(&["capabilities"]),
        Row::get("/api/v1/peppol/config/party").answers(&["items"]),
        Row::put("/api/v1/user")
            .json(json!({ "name": "bob@example.org", "password": "long enough" })),
        Row::put("/api/v1/user").json(json!({ "name": "bob@example.org", "password": null })),
        Row::get("/api/v1/user"),
        Row::put(&format!("/api/v1/peppol/config/party/{new}"))
            .json(config(json!("0106:00000001"), card, verified))
            .answers(&["id", "capabilities", "businessCard", "verification", "createdOn"]),
        Row::get(&format!("/api/v1/peppol/config/party/{new}")).answers(&["id", "capabilities"]),
        Row::put("/api/v1/user/bob%40example.org/party")
            .json(json!({ "id": "NL:KVK:00000001", "name": "Lab BV", "permissions": permissions }))
            .answers(&["id", "name", "permissions"]),
        Row::get("/api/v1/user/bob%40example.org/party"),
        Row::delete(&format!("/api/v1/user/bob%40example.org/party/{new}")),
        Row::delete("/api/v1/user/bob%40example.org"),
        Row::delete(&format!("/api/v1/peppol/config/party/{new}")),
    ]
}
