//! A caller of the system in this process: it signs in, packs and asks as the product does.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use quoin_access_point::clock::Clock;
use quoin_ksef::api::{AuthStarted, AuthTokens, BatchOpened, RefreshedToken};
use quoin_ksef::auth::{AuthContext, signed_token_request};
use quoin_ksef::certificate::{KsefCertificate, KsefUse};
use quoin_ksef::package::{PackageInvoice, SessionKey, batch_request, pack};
use serde_json::Value;

use super::super::answers::{LabAnswer, LabRequest};
use super::super::{KsefLab, KsefLabSettings};

/// The company.
pub(super) const NIP: &str = "5265877635";

/// An FA(3) with as much as the system reads.
pub(super) fn invoice(number: &str, day: &str) -> Vec<u8> {
    format!(
        "<Faktura xmlns=\"http://crd.gov.pl/wzor/2025/06/25/13775/\"><Naglowek/><Podmiot1>\
         <DaneIdentyfikacyjne><NIP>{NIP}</NIP><Nazwa>Sprzedawca</Nazwa></DaneIdentyfikacyjne>\
         </Podmiot1><Podmiot2><DaneIdentyfikacyjne><NIP>1111111111</NIP><Nazwa>Nabywca</Nazwa>\
         </DaneIdentyfikacyjne></Podmiot2><Fa><KodWaluty>PLN</KodWaluty><P_1>{day}</P_1>\
         <P_2>{number}</P_2><P_15>123.00</P_15><Adnotacje><P_17>2</P_17></Adnotacje>\
         <RodzajFaktury>VAT</RodzajFaktury></Fa></Faktura>"
    )
    .into_bytes()
}

#[derive(Clone)]
pub(super) struct Caller {
    pub(super) lab: KsefLab,
    pub(super) clock: Clock,
    nip: String,
    pub(super) token: String,
    pub(super) renewing: String,
}

impl Caller {
    pub(super) async fn open(settings: KsefLabSettings) -> Caller {
        let clock = Clock::default();
        let lab = KsefLab::open(0, clock.clone(), settings).await.unwrap();
        let (token, renewing) = (String::new(), String::new());
        Caller { lab, clock, nip: NIP.to_owned(), token, renewing }
    }

    /// The same system, another company.
    pub(super) fn of(&self, nip: &str) -> Caller {
        Caller { nip: nip.to_owned(), token: String::new(), ..self.clone() }
    }

    pub(super) fn call(&self, method: &str, path: &str, body: &[u8]) -> Option<LabAnswer> {
        self.send(method, path, body, &[("authorization", format!("Bearer {}", self.token))])
    }

    /// A call of an address that lets in by itself.
    pub(super) fn without_token(&self, method: &str, path: &str) -> Option<LabAnswer> {
        self.send(method, path, &[], &[])
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
        more: &[(&'static str, String)],
    ) -> Option<LabAnswer> {
        let mut headers = HeaderMap::new();
        headers.insert("x-error-format", HeaderValue::from_static("problem-details"));
        for (name, value) in more {
            headers.insert(*name, HeaderValue::from_str(value).ok()?);
        }
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let query = query.split('&').filter_map(|pair| pair.split_once('='));
        Some(self.lab.exchange(&LabRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            headers,
            body: Bytes::copy_from_slice(body),
        }))
    }

    pub(super) fn get(&self, path: &str) -> Value {
        let answer = self.call("GET", path, &[]).unwrap();
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }

    pub(super) fn refused(&self, method: &str, path: &str, body: &[u8]) -> Value {
        let answer = self.call(method, path, body).unwrap();
        assert_eq!(answer.status, 400, "{}", String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }

    pub(super) fn certificate(&self, use_: KsefUse, days: i64) -> KsefCertificate {
        let issued = self.lab.authority().issue_for_days(&self.nip, use_, days).unwrap();
        KsefCertificate::open(&issued.pkcs12, &issued.password).unwrap()
    }

    pub(super) fn signed(&self, nip: &str, certificate: &KsefCertificate) -> String {
        let answer = self.call("POST", "auth/challenge", &[]).unwrap();
        let told: Value = serde_json::from_slice(&answer.body).unwrap();
        let context = AuthContext::Nip(nip.to_owned());
        let challenge = told["challenge"].as_str().unwrap();
        signed_token_request(challenge, &context, certificate, self.clock.now()).unwrap()
    }

    /// How a signing in stands.
    pub(super) fn operation(&mut self, signed: &str) -> Value {
        let answer = self.call("POST", "auth/xades-signature", signed.as_bytes()).unwrap();
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        let started: AuthStarted = serde_json::from_slice(&answer.body).unwrap();
        self.token = started.authentication_token.token;
        self.get(&format!("auth/{}", started.reference_number))
    }

    pub(super) fn sign_in(&mut self) {
        let certificate = self.certificate(KsefUse::Authentication, 100);
        let signed = self.signed(&self.nip.clone(), &certificate);
        assert_eq!(self.operation(&signed)["status"]["code"], 200);
        let answer = self.call("POST", "auth/token/redeem", &[]).unwrap();
        let tokens: AuthTokens = serde_json::from_slice(&answer.body).unwrap();
        self.token = tokens.access_token.token;
        self.renewing = tokens.refresh_token.token;
    }

    pub(super) fn refresh(&mut self) {
        self.token = self.renewing.clone();
        let answer = self.call("POST", "auth/token/refresh", &[]).unwrap();
        let told: RefreshedToken = serde_json::from_slice(&answer.body).unwrap();
        self.token = told.access_token.token;
    }

    /// The body that opens a session for files, and their parts.
    pub(super) fn batch_body(&self, files: &[(String, Vec<u8>)]) -> (Value, Vec<Vec<u8>>) {
        self.body(files, 1_000_000, false)
    }

    fn body(
        &self,
        files: &[(String, Vec<u8>)],
        part: usize,
        offline: bool,
    ) -> (Value, Vec<Vec<u8>>) {
        let key = SessionKey::from_random([9; 48]);
        let invoices: Vec<_> =
            files.iter().map(|(name, xml)| PackageInvoice { name, xml }).collect();
        let package = pack(&invoices, &key, part).unwrap();
        let keys = self.lab.authority().public_keys();
        let encryption = key.wrapped(&keys[0]).unwrap();
        let request = batch_request(&package, encryption, offline);
        (serde_json::to_value(&request).unwrap(), package.parts)
    }

    pub(super) fn batch(&self, files: &[(String, Vec<u8>)], part: usize, offline: bool) -> String {
        let (body, parts) = self.body(files, part, offline);
        self.upload(&body, parts)
    }

    /// A batch of which something is changed on the way.
    pub(super) fn batch_with(
        &self,
        files: &[(String, Vec<u8>)],
        change: &dyn Fn(&mut Value, &mut Vec<u8>),
    ) -> String {
        let (mut body, mut parts) = self.batch_body(files);
        change(&mut body, &mut parts[0]);
        self.upload(&body, parts)
    }

    fn upload(&self, body: &Value, parts: Vec<Vec<u8>>) -> String {
        let answer = self.call("POST", "sessions/batch", body.to_string().as_bytes()).unwrap();
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let opened: BatchOpened = serde_json::from_slice(&answer.body).unwrap();
        for (upload, part) in opened.part_upload_requests.iter().zip(parts) {
            let path = upload.url.splitn(4, '/').nth(3).unwrap();
            let headers = [("x-ms-blob-type", "BlockBlob".to_owned())];
            // A token has no place there.
            assert_eq!(self.call("PUT", path, &part).unwrap().status, 401);
            assert_eq!(self.send("PUT", path, &part, &headers).unwrap().status, 201);
        }
        let session = opened.reference_number;
        let closed = self.call("POST", &format!("sessions/batch/{session}/close"), &[]).unwrap();
        assert_eq!(closed.status, 204, "{}", String::from_utf8_lossy(&closed.body));
        session
    }

    /// What became of each invoice of a session, page by page.
    pub(super) fn rows(&self, session: &str) -> Vec<Value> {
        let (mut rows, mut token) = (Vec::new(), None);
        loop {
            let mut headers = vec![("authorization", format!("Bearer {}", self.token))];
            headers.extend(token.take().map(|token| ("x-continuation-token", token)));
            let path = format!("sessions/{session}/invoices?pageSize=10");
            let answer = self.send("GET", &path, &[], &headers).unwrap();
            let page: Value = serde_json::from_slice(&answer.body).unwrap();
            rows.extend(page["invoices"].as_array().unwrap().iter().cloned());
            match page["continuationToken"].as_str() {
                Some(next) => token = Some(next.to_owned()),
                None => return rows,
            }
        }
    }
}
