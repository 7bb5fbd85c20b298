//! What a procurement network sends to us: statuses of an invoice that was sent, and orders.

use bytes::Bytes;
use quoin_access_point::net::HttpCall;
use quoin_delivery::Direction;
use quoin_store::ListFilter;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde_json::json;

use super::*;

const BUYER: &str = "0208:0123456749";

/// A message of the network, with its secret.
fn message(id: &str, secret: &str, request: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE cXML SYSTEM \
         \"http://xml.cxml.org/schemas/cXML/1.2.050/cXML.dtd\">\n<cXML payloadID=\"{id}\" \
         timestamp=\"2026-02-03T04:05:06-08:00\"><Header><From><Credential domain=\"NetworkID\">\
         <Identity>AN-B</Identity></Credential></From><To><Credential domain=\"NetworkID\">\
         <Identity>AN-S</Identity></Credential></To><Sender><Credential domain=\"NetworkID\">\
         <Identity>AN-N</Identity><SharedSecret>{secret}</SharedSecret></Credential><UserAgent>N\
         </UserAgent></Sender></Header><Request>{request}</Request></cXML>"
    )
}

fn update(about: &str, code: &str, kind: &str) -> String {
    format!(
        "<StatusUpdateRequest><DocumentReference payloadID=\"{about}\"/><Status code=\"{code}\" \
         text=\"OK\" xml:lang=\"en\">from the buyer</Status><InvoiceStatus type=\"{kind}\"/>\
         </StatusUpdateRequest>"
    )
}

fn order(number: &str) -> String {
    format!(
        "<OrderRequest><OrderRequestHeader orderID=\"{number}\" orderDate=\"2026-02-03T00:00:00+00:00\" \
         type=\"new\"><Total><Money currency=\"EUR\">20.00</Money></Total><BillTo><Address>\
         <Name xml:lang=\"en\">Buyer</Name></Address></BillTo></OrderRequestHeader>\
         <ItemOut quantity=\"2\" lineNumber=\"1\"><ItemID><SupplierPartID>7</SupplierPartID></ItemID>\
         <ItemDetail><UnitPrice><Money currency=\"EUR\">10.00</Money></UnitPrice>\
         <Description xml:lang=\"en\">brick</Description><UnitOfMeasure>EA</UnitOfMeasure>\
         <Classification domain=\"custom\">0</Classification></ItemDetail></ItemOut></OrderRequest>"
    )
}

/// Posts a message to the door of a hook; the answer.
async fn post(play: &Play, path: &str, body: impl Into<Bytes>) -> (u16, String) {
    let url = format!("{}/networks/{path}", play.stage.one.api_url);
    let call = HttpCall {
        method: Method::POST,
        headers: vec![(CONTENT_TYPE, HeaderValue::from_static("text/xml"))],
        body: Some(body.into()),
        ..HttpCall::get(&url, std::time::Duration::from_secs(30), 1 << 20)
    };
    let answer = play.stage.around.client().unwrap().call(call).await.unwrap();
    (answer.status, String::from_utf8(answer.body.to_vec()).unwrap())
}

/// Registers the hook `net` of the party that sends.
async fn of_party(play: &Play) {
    let action = cxml(play, &format!("&buyer={BUYER}"));
    let hook = json!({ "id": "net", "action": action, "topics": ["Send*"] }).to_string();
    let headers = [("content-type", "application/json")];
    let path = format!("/api/v1/{SENDER}/hook");
    let sender = play.sender().await;
    let answer = sender.call(Method::PUT, &path, &headers, Some(hook)).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json);
}

async fn incoming(play: &Play) -> Vec<quoin_store::TransactionRecord> {
    let owner = play.stage.sender.organisation.parse().unwrap();
    let filter = ListFilter { limit: 100, ..ListFilter::new(owner, Direction::Incoming) };
    play.one.parts.store.list(filter).await.unwrap().items
}

#[tokio::test(flavor = "multi_thread")]
async fn statuses_of_the_network_answer_the_invoice() {
    let play = play().await;
    of_party(&play).await;
    let id = send(&play, &invoice("IN-1")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let about = partner(&play).posts().remove(0).id;
    let (door, secret) = ("sender/net", play.stage.around.partner_secret.clone());
    for (at, (kind, state)) in
        [("processing", "IP"), ("reconciled", "AP"), ("rejected", "RE")].into_iter().enumerate()
    {
        let text = message(&format!("{at}@net"), &secret, &update(&about, "200", kind));
        // The network did not hear the first answer, and sends it again.
        for _ in 0..2 {
            let (status, answer) = post(&play, door, text.clone()).await;
            assert!(status == 200 && answer.contains("code=\"200\""), "{answer}");
        }
        let heard = |told: &quoin_lab::lab::sink::ReceivedCall| {
            let details = &told.payload["details"];
            told.text("topic") == "InvoiceResponseReceived" && details["statusCode"] == state
        };
        let sink = &play.stage.around.sink;
        let told = sink.wait_for(crate::stage::PATIENCE, heard).await.unwrap();
        assert_eq!(told.text("documentId"), id, "{told:#?}");
        let response = told.text("responseDocumentId").to_owned();
        let sender = play.sender().await;
        let path = format!("/api/v1/{SENDER}/salesInvoice/{id}/response/{response}/download");
        let got = sender.get(&path).await;
        let text = String::from_utf8_lossy(&got.body).into_owned();
        assert!(text.contains("ApplicationResponse") && text.contains("from the buyer"), "{text}");
    }
    assert_eq!(incoming(&play).await.len(), 3, "a repeat is not kept again");
    let sender = play.sender().await;
    let list = sender.get(&format!("/api/v1/{SENDER}/salesInvoice/{id}/response")).await.json;
    assert_eq!(list.as_array().unwrap().len(), 3, "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_of_the_network_is_received_and_can_be_had_as_ubl() {
    let play = play().await;
    of_party(&play).await;
    let secret = play.stage.around.partner_secret.clone();
    let text = message("o1@net", &secret, &order("PO-77"));
    let again = format!("<Identity>AN-B</Identity><SharedSecret>{secret}</SharedSecret>");
    let text = text.replace("<Identity>AN-B</Identity>", &again);
    for _ in 0..2 {
        let (status, answer) = post(&play, "sender/net", text.clone()).await;
        assert!(status == 200 && answer.contains("code=\"200\""), "{answer}");
    }
    let heard = |told: &quoin_lab::lab::sink::ReceivedCall| told.text("topic") == "OrderReceived";
    let told = play.stage.around.sink.wait_for(crate::stage::PATIENCE, heard).await.unwrap();
    let details = &told.payload["details"];
    assert_eq!((&details["id"], &details["sender"]), (&json!("PO-77"), &json!(BUYER)), "{told:#?}");
    let kept = incoming(&play).await;
    let [order] = &kept[..] else { panic!("{kept:#?}") };
    let bytes = play.one.parts.store.document(order).await.unwrap().unwrap();
    let kept = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(kept.contains("PO-77") && !kept.contains(&secret), "{kept}");
    let path = format!("/api/v1/{SENDER}/salesOrder/{}/download", order.transaction.document_id);
    let got = play.sender().await.get(&format!("{path}?targetDocumentTypeId=ubl")).await;
    let text = String::from_utf8_lossy(&got.body).into_owned();
    assert!(got.status == 200 && text.contains("Order-2") && text.contains("PO-77"), "{text}");
    // Another message under the same id is not taken for it.
    let other = message("o1@net", &secret, &self::order("PO-78"));
    let (_, answer) = post(&play, "sender/net", other).await;
    assert!(answer.contains("code=\"409\""), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_what_is_wrong_are_told_and_leave_nothing() {
    let play = play().await;
    of_party(&play).await;
    let id = send(&play, &invoice("IN-2")).await;
    assert_eq!(play.ending(&id).await.text("topic"), "InvoiceSent");
    let about = partner(&play).posts().remove(0).id;
    let secret = play.stage.around.partner_secret.clone();
    let good = message("1@net", &secret, &update(&about, "200", "paid"));
    let bomb = "<!DOCTYPE cXML [<!ENTITY a \"b\">]><cXML payloadID=\"1\"><Header/></cXML>";
    for (path, text, code) in [
        ("sender/net", good.replace(&secret, "guess"), "401"),
        ("sender/net", good.replace(&format!("<SharedSecret>{secret}</SharedSecret>"), ""), "401"),
        // What is tried settles nothing that counts.
        ("sender/net", good.replace("<Request>", "<Request deploymentMode=\"test\">"), "401"),
        ("sender/net", message("5@net", &secret, &order(&"7".repeat(101))), "400"),
        ("sender/net", good.replace(">AN-B<", &format!(">{}<", "B".repeat(101))), "400"),
        ("sender/other", good.clone(), "401"),
        ("nobody/net", good.clone(), "401"),
        ("receiver/net", good.clone(), "401"),
        ("sender/net", bomb.to_owned(), "400"),
        ("sender/net", "<cXML>".repeat(50_000), "400"),
        ("sender/net", message("2@net", &secret, "<ProfileRequest/>"), "450"),
        ("sender/net", message("3@net", &secret, &update("x@y", "200", "paid")), "406"),
        ("sender/net", message("4@net", &secret, &update(&about, "200", "lost")), "400"),
    ] {
        let (status, answer) = post(&play, path, text).await;
        let code = format!("code=\"{code}\"");
        assert!(status == 200 && answer.contains(&code), "{path} {code}: {answer}");
        assert!(!answer.contains(&secret));
    }
    let (status, answer) = post(&play, "sender/net", String::new()).await;
    assert!(status == 400 && answer.contains("API400.EmptyBody"), "{answer}");
    let many = vec![b'x'; 26 << 20];
    let url = format!("{}/networks/sender/net", play.stage.one.api_url);
    let call = HttpCall {
        method: Method::POST,
        body: Some(many.into()),
        ..HttpCall::get(&url, std::time::Duration::from_secs(60), 1 << 20)
    };
    if let Ok(answer) = play.stage.around.client().unwrap().call(call).await {
        assert!(answer.status >= 400, "{}", answer.status);
    }
    assert!(incoming(&play).await.is_empty());
}

/// Whoever shows no secret yet is a stranger, whatever hook it names: it takes no memory from those
/// who are known, and what is larger than any message is refused.
#[tokio::test(flavor = "multi_thread")]
async fn strangers_at_the_door_have_the_part_of_strangers() {
    let stage = Stage::set().await;
    let play = stage.play_with(|one, _| one.limits.memory_megabytes = 64).await;
    let (status, answer) = post(&play, "none/none", vec![b' '; (1 << 20) + 1]).await;
    assert!(status == 500 && answer.contains("API500.TooLarge"), "{status}: {answer}");
    let bytes = play.one.parts.budgets.bytes.clone();
    let highest = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let (seen, watched) = (highest.clone(), bytes.clone());
    let watch = tokio::spawn(async move {
        loop {
            seen.fetch_max(watched.used(), std::sync::atomic::Ordering::Relaxed);
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    });
    let large = format!("<cXML>{}</cXML>", "<a/>".repeat(200_000));
    let posts = (0..20).map(|_| post(&play, "none/none", large.clone()));
    let answers = futures::future::join_all(posts).await;
    watch.abort();
    for (status, answer) in &answers {
        let told = answer.contains("code=\"40") || *status == 503;
        assert!(told, "{status}: {answer}");
    }
    assert!(answers.iter().any(|(status, _)| *status == 200), "{answers:?}");
    let highest = highest.load(std::sync::atomic::Ordering::Relaxed);
    assert!(highest <= bytes.total() / 4, "{highest} of {} bytes were held", bytes.total());
}
