//! Every outcome of the system, by calls that its rooms answer in this process.

mod caller;
mod exports;

use jiff::SignedDuration;
use quoin_ksef::certificate::KsefUse;
use quoin_ksef::package::digest;
use quoin_ksef::upo::{check_upo, read_upo};
use quoin_xmldsig::keys::sha256;
use serde_json::{Value, json};

use super::{KsefFault, KsefLabSettings};
use caller::{Caller, NIP, invoice};

fn code(answer: &Value) -> u64 {
    answer["errors"][0]["code"].as_u64().unwrap_or_default()
}

async fn quick() -> Caller {
    let settings =
        KsefLabSettings { auth_polls: 0, session_polls: 0, limits: false, ..Default::default() };
    Caller::open(settings).await
}

#[tokio::test]
async fn a_batch_is_registered_once_and_receipted() {
    let mut caller = quick().await;
    caller.sign_in();
    let files: Vec<(String, Vec<u8>)> = (0..25)
        .map(|at| (format!("{at}.xml"), invoice(&format!("FV/{at}"), "2026-02-02")))
        .collect();
    let session = caller.batch(&files, 1_000, false);
    let status = caller.get(&format!("sessions/{session}"));
    assert_eq!(status["status"]["code"], 200);
    assert_eq!((&status["invoiceCount"], &status["failedInvoiceCount"]), (&json!(25), &json!(0)));
    let rows = caller.rows(&session);
    assert_eq!(rows.len(), 25);
    for (row, (name, xml)) in rows.iter().zip(&files) {
        assert_eq!(row["invoiceFileName"], json!(name));
        assert_eq!(row["invoiceHash"], json!(digest(xml)));
        let number = row["ksefNumber"].as_str().unwrap();
        quoin_ksef::number::KsefNumber::parse(number).unwrap();
        let path =
            format!("sessions/{session}/invoices/{}/upo", row["referenceNumber"].as_str().unwrap());
        let upo = caller.call("GET", &path, &[]).unwrap();
        check_upo(&upo.body, &sha256(xml), number).unwrap();
        assert_eq!(upo.headers, [("x-ms-meta-hash", digest(&upo.body))]);
    }
    // The same again: every one a duplicate of itself, nothing new in the register.
    let again = caller.batch(&files, 1_000, false);
    assert_eq!(caller.get(&format!("sessions/{again}"))["status"]["code"], 445);
    for (row, first) in caller.rows(&again).iter().zip(&rows) {
        assert_eq!(row["status"]["code"], 440);
        assert_eq!(row["status"]["extensions"]["originalKsefNumber"], first["ksefNumber"]);
    }
    assert_eq!(caller.lab.registered().len(), 25);
}

#[tokio::test]
async fn who_signs_in() {
    let mut caller = quick().await;
    // No signature, a wrong challenge, a challenge twice.
    assert_eq!(
        code(&caller.refused("POST", "auth/xades-signature", b"<AuthTokenRequest/>")),
        21_401
    );
    let own = caller.signed(NIP, &caller.certificate(KsefUse::Authentication, 100));
    let unsigned = own[..own.find("<ds:Signature").unwrap()].to_owned() + "</AuthTokenRequest>";
    assert_eq!(code(&caller.refused("POST", "auth/xades-signature", unsigned.as_bytes())), 9_102);
    let changed = own.replace("<Nip>5", "<Nip>6");
    assert_eq!(code(&caller.refused("POST", "auth/xades-signature", changed.as_bytes())), 9_105);
    let taken = caller.call("POST", "auth/xades-signature", own.as_bytes()).unwrap();
    assert_eq!(taken.status, 202);
    assert_eq!(code(&caller.refused("POST", "auth/xades-signature", own.as_bytes())), 21_111);
    // Another company; an ended certificate.
    for (nip, days, expected) in [("1111111111", 100, 415), (NIP, -1, 460), (NIP, 100, 200)] {
        let certificate = caller.certificate(KsefUse::Authentication, days);
        let signed = caller.signed(nip, &certificate);
        assert_eq!(caller.operation(&signed)["status"]["code"], expected, "{nip} {days}");
    }
    caller.lab.grant(NIP, "1111111111");
    let certificate = caller.certificate(KsefUse::Authentication, 100);
    let signed = caller.signed("1111111111", &certificate);
    assert_eq!(caller.operation(&signed)["status"]["code"], 200);
}

#[tokio::test]
async fn tokens_end() {
    let mut caller = quick().await;
    caller.sign_in();
    assert_eq!(caller.call("GET", "rate-limits", &[]).unwrap().status, 200);
    caller.clock.advance(SignedDuration::from_mins(15));
    assert_eq!(caller.call("GET", "rate-limits", &[]).unwrap().status, 401);
    caller.refresh();
    assert_eq!(caller.call("GET", "rate-limits", &[]).unwrap().status, 200);
    assert_eq!(caller.call("DELETE", "auth/sessions/current", &[]).unwrap().status, 204);
    // The access token lives on, the other does not.
    assert_eq!(caller.call("GET", "rate-limits", &[]).unwrap().status, 200);
    caller.token = caller.renewing.clone();
    assert_eq!(caller.call("POST", "auth/token/refresh", &[]).unwrap().status, 401);
}

#[tokio::test]
async fn what_was_damaged_on_the_way() {
    let mut caller = quick().await;
    caller.sign_in();
    let files = vec![("a.xml".to_owned(), invoice("FV/1", "2026-02-02"))];
    let ending = |caller: &mut Caller, change: &dyn Fn(&mut Value, &mut Vec<u8>)| {
        let session = caller.batch_with(&files, change);
        caller.get(&format!("sessions/{session}"))["status"]["code"].as_u64().unwrap()
    };
    assert_eq!(ending(&mut caller, &|_, part| part[20] ^= 1), 405);
    let key = data_encoding::BASE64.encode(&[7; 256]);
    assert_eq!(
        ending(&mut caller, &|body, _| body["encryption"]["encryptedSymmetricKey"] = json!(key)),
        415
    );
    let iv = data_encoding::BASE64.encode(&[7; 16]);
    assert_eq!(
        ending(&mut caller, &|body, _| body["encryption"]["initializationVector"] = json!(iv)),
        430
    );
    let unchanged = ending(&mut caller, &|_, _| {});
    assert_eq!(unchanged, 200);
    // Before anything is uploaded.
    let mut many = caller.batch_body(&files).0;
    let part = many["batchFile"]["fileParts"][0].clone();
    many["batchFile"]["fileParts"] = json!(vec![part; 51]);
    let refused = caller.refused("POST", "sessions/batch", many.to_string().as_bytes());
    assert_eq!(code(&refused), 21_161);
    let mut withdrawn = caller.batch_body(&files).0;
    withdrawn["encryption"]["publicKeyId"] = json!("A".repeat(44));
    let refused = caller.refused("POST", "sessions/batch", withdrawn.to_string().as_bytes());
    assert_eq!(code(&refused), 21_470);
}

#[tokio::test]
async fn what_is_wrong_with_an_invoice() {
    let mut caller = quick().await;
    caller.sign_in();
    caller.lab.plan(KsefFault::Invoice { number: "FV/550".to_owned(), code: 550 });
    let other =
        String::from_utf8(invoice("FV/410", "2026-02-02")).unwrap().replace(NIP, "1111111111");
    let day = |clock: &quoin_access_point::clock::Clock, days: i64| {
        let then = clock.now() + SignedDuration::from_hours(24 * days);
        quoin_ksef::offline::warsaw(then).date().to_string()
    };
    let (today, later) = (day(&caller.clock, 0), day(&caller.clock, 2));
    let files: Vec<(String, Vec<u8>)> = vec![
        ("online.xml".to_owned(), invoice("FV/1", &today)),
        ("offline.xml".to_owned(), invoice("FV/2", &day(&caller.clock, -2))),
        ("later.xml".to_owned(), invoice("FV/450", &later)),
        ("other.xml".to_owned(), other.into_bytes()),
        ("none.xml".to_owned(), b"<Faktura/>".to_vec()),
        ("bom.xml".to_owned(), [b"\xEF\xBB\xBF".as_slice(), &invoice("FV/3", &today)].concat()),
        ("planned.xml".to_owned(), invoice("FV/550", &today)),
    ];
    let session = caller.batch(&files, 1_000_000, false);
    let codes: Vec<u64> =
        caller.rows(&session).iter().map(|row| row["status"]["code"].as_u64().unwrap()).collect();
    assert_eq!(codes, [200, 200, 450, 410, 430, 430, 550]);
    let rows = caller.rows(&session);
    assert_eq!(
        (&rows[0]["invoicingMode"], &rows[1]["invoicingMode"]),
        (&json!("Online"), &json!("Offline"))
    );
    // A batch that says that it is of the offline mode.
    let again = caller.batch(&[("x.xml".to_owned(), invoice("FV/9", &today))], 1_000_000, true);
    assert_eq!(caller.rows(&again)[0]["invoicingMode"], "Offline");
}

#[tokio::test]
async fn limits_and_faults() {
    let settings = KsefLabSettings { auth_polls: 0, session_polls: 0, ..Default::default() };
    let mut caller = Caller::open(settings).await;
    caller.sign_in();
    // Five a second, ten a minute.
    let list = "sessions?sessionType=Batch";
    let statuses: Vec<u16> =
        (0..6).map(|_| caller.call("GET", list, &[]).unwrap().status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    let limited = caller.call("GET", list, &[]).unwrap();
    assert_eq!(limited.headers[0].0, "Retry-After");
    caller.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(caller.call("GET", list, &[]).unwrap().status, 200);
    // Planned refusals, and an answer that is lost.
    let call = "GET rate-limits".to_owned();
    caller.lab.plan(KsefFault::Refuse { call, status: 503, times: 2 });
    let statuses: Vec<u16> =
        (0..3).map(|_| caller.call("GET", "rate-limits", &[]).unwrap().status).collect();
    assert_eq!(statuses, [503, 503, 200]);
    let call = "POST sessions/batch".to_owned();
    caller.lab.plan(KsefFault::Lose { call, times: 1 });
    let files = vec![("a.xml".to_owned(), invoice("FV/1", "2026-02-02"))];
    let body = caller.batch_body(&files).0.to_string();
    assert_eq!(caller.call("POST", "sessions/batch", body.as_bytes()).unwrap().status, 502);
    caller.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(caller.get(list)["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_asked_for_by_who_bought() {
    let mut caller = quick().await;
    caller.sign_in();
    let files: Vec<(String, Vec<u8>)> = (0..12)
        .map(|at| (format!("{at}.xml"), invoice(&format!("FV/{at}"), "2026-02-02")))
        .collect();
    caller.batch(&files, 1_000_000, false);
    let from = caller.clock.now() - SignedDuration::from_hours(1);
    let query = |subject: &str| {
        json!({"subjectType": subject, "dateRange": {"dateType": "PermanentStorage", "from": from}})
            .to_string()
    };
    let ask = |caller: &Caller, subject: &str, page: usize| {
        let path = format!("invoices/query/metadata?pageSize=10&pageOffset={page}");
        let answer = caller.call("POST", &path, query(subject).as_bytes()).unwrap();
        serde_json::from_slice::<Value>(&answer.body).unwrap()
    };
    let first = ask(&caller, "Subject1", 0);
    assert_eq!(
        (first["invoices"].as_array().unwrap().len(), &first["hasMore"]),
        (10, &json!(true))
    );
    assert_eq!(ask(&caller, "Subject1", 1)["invoices"].as_array().unwrap().len(), 2);
    assert_eq!(ask(&caller, "Subject2", 0)["invoices"], json!([]));
    // The buyer finds them, and reads them.
    let mut buyer = caller.of("1111111111");
    buyer.sign_in();
    let found = ask(&buyer, "Subject2", 0);
    let number = found["invoices"][0]["ksefNumber"].as_str().unwrap();
    let back = buyer.call("GET", &format!("invoices/ksef/{number}"), &[]).unwrap();
    assert_eq!(back.body, files[0].1);
    let mut stranger = caller.of("2222222222");
    stranger.sign_in();
    let refused = stranger.refused("GET", &format!("invoices/ksef/{number}"), &[]);
    assert_eq!(code(&refused), 21_164);
}

#[tokio::test]
async fn the_receipt_of_a_session_has_pages() {
    let settings = KsefLabSettings {
        auth_polls: 0,
        session_polls: 2,
        limits: false,
        upo_page: 10,
        ..Default::default()
    };
    let mut caller = Caller::open(settings).await;
    caller.sign_in();
    let files: Vec<(String, Vec<u8>)> = (0..25)
        .map(|at| (format!("{at}.xml"), invoice(&format!("FV/{at}"), "2026-02-02")))
        .collect();
    let session = caller.batch(&files, 1_000_000, false);
    let path = format!("sessions/{session}");
    assert_eq!(caller.get(&path)["status"]["code"], 150);
    assert_eq!(caller.get(&path)["status"]["code"], 150);
    let done = caller.get(&path);
    let pages = done["upo"]["pages"].as_array().unwrap();
    let sizes: Vec<usize> = pages
        .iter()
        .map(|page| {
            let own = page["referenceNumber"].as_str().unwrap();
            let document = caller.call("GET", &format!("{path}/upo/{own}"), &[]).unwrap().body;
            let upo = read_upo(&document).unwrap();
            assert_eq!(upo.page.unwrap().1, 3);
            upo.documents.len()
        })
        .collect();
    assert_eq!(sizes, [10, 10, 5]);
}
