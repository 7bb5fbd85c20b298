//! A service with two organisations, its door open on a port that the system chose.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use jiff::SignedDuration;
use quoin_access_point::budget::BodyLimits;
use quoin_access_point::budget::Budgets;
use quoin_access_point::channels::Allowed;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, EndUserVerification, package_table};
use quoin_access_point::health::Health;
use quoin_access_point::lookup::{OfferFilter, ParticipantOffers};
use quoin_access_point::net::client_tls;
use quoin_access_point::rules::RuleLibrary;
use quoin_access_point::tls::{Door, DoorLimits, Shutdown};
use quoin_api::api::{
    AccessPointInfo, Api, ApiSettings, NetworkService, Recipient, RecipientLookup, StoredClients,
    router,
};
use quoin_api::http::auth::Auth;
use quoin_api::http::issuers::Issuers;
use quoin_api::http::password::Passwords;
use quoin_api::http::rate::RateLimits;
use quoin_api::http::throttle::Throttle;
use quoin_api::http::token::Tokens;
use quoin_delivery::TaskKind;
use quoin_delivery::registration::{RegistrationOutcome, RegistrationProgress};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};
use quoin_peppol::lookup::{LookupError, NotRegistered};
use quoin_store::{OpenOptions, Store, StoreKey, Work};
use reqwest::{Method, RequestBuilder};
use rusqlite::types::ValueRef;
use serde_json::Value;

const SEEDS: &str = r##"
[rate.clients]
other-slow = 3

[[organisation]]
id = "acme"
name = "Acme BV"
clients = [
    { id = "acme-erp", secret = "acme-secret" },
    { id = "acme-boss", secret = "boss-secret", role = "ApManager" },
]
hooks = [{ id = "events", action = "https://erp.example.org/e#hook-secret", topics = ["Invoice*"] }]
[[organisation.parties]]
identifiers = ["0106:12345678", "9944:NL123456782B01"]
name = "Acme BV"
country = "NL"
capabilities = { invoices = "on" }

[[organisation]]
id = "other"
name = "Other NV"
clients = [
    { id = "other-erp", secret = "other-secret" },
    { id = "other-slow", secret = "slow-secret" },
]
[[organisation.parties]]
identifiers = ["0208:0123456749"]
name = "Other NV"
country = "BE"
"##;

/// The document type of an invoice.
const BILLING: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::\
    Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

/// The largest request of the test service.
pub const REQUEST_BYTES: u64 = 24 * 1024 * 1024;

pub struct World {
    pub base: String,
    pub http: reqwest::Client,
    pub store: Store,
    pub clock: Clock,
    pub passwords: Passwords,
    pub shutdown: Shutdown,
    folder: PathBuf,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.now();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

struct Network;

impl RecipientLookup for Network {
    fn lookup<'a>(
        &'a self,
        participant: &'a ParticipantId,
        _document_type: Option<&'a DocumentTypeId>,
    ) -> BoxFuture<'a, Result<Recipient, LookupError>> {
        let answer = match participant.value() {
            "11111111" => Err(LookupError::NotRegistered(NotRegistered::NoName)),
            "22222222" => Err(LookupError::DnsTrouble { what: "SERVFAIL".into() }),
            "33333333" => return std::future::pending().boxed(),
            value => Ok(Recipient {
                // One that takes invoices; of the others it is not told what they take.
                document_types: match value {
                    "44444444" => vec![BILLING.parse().unwrap()],
                    _ => Vec::new(),
                },
                unreadable: 0,
                access_point: Some(AccessPointInfo {
                    url: "https://ap.example.org/as4".into(),
                    seat_id: "POP000001".into(),
                    protocol: "As4".into(),
                }),
            }),
        };
        std::future::ready(answer).boxed()
    }

    fn offers<'a>(
        &'a self,
        _participant: &'a ParticipantId,
        _wanted: &'a OfferFilter,
    ) -> BoxFuture<'a, Result<ParticipantOffers, LookupError>> {
        std::future::ready(Ok(ParticipantOffers::default())).boxed()
    }

    fn conversion_offers<'a>(
        &'a self,
        _participant: &'a ParticipantId,
        _source: &'a quoin_formats::Detection,
    ) -> BoxFuture<'a, Result<Vec<quoin_identity::ProcessOffer>, LookupError>> {
        std::future::ready(Ok(Vec::new())).boxed()
    }

    fn reach<'a>(&'a self, _url: &'a str) -> BoxFuture<'a, Result<u16, String>> {
        std::future::ready(Err("nobody is there".to_owned())).boxed()
    }
}

pub async fn world() -> World {
    world_with(Issuers::default()).await
}

/// The same, with issuers besides our own.
pub async fn world_with(issuers: Issuers) -> World {
    open(issuers, EndUserVerification::Recorded).await
}

/// The same, with organisations that answer for their end users themselves.
pub async fn declaring_world() -> World {
    open(Issuers::default(), EndUserVerification::Declared).await
}

/// The same, with settings of its own.
pub async fn world_where(differ: impl FnOnce(&mut ApiSettings)) -> World {
    open_where(Issuers::default(), EndUserVerification::Recorded, differ).await
}

async fn open(issuers: Issuers, verification: EndUserVerification) -> World {
    open_where(issuers, verification, |_| ()).await
}

async fn open_where(
    issuers: Issuers,
    verification: EndUserVerification,
    differ: impl FnOnce(&mut ApiSettings),
) -> World {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("quoin-it-{}-{number}", std::process::id()));
    let store = Store::open(OpenOptions::new(&folder, StoreKey([7; 32]))).await.unwrap();
    let clock = Clock::default();
    let config = Config::parse(SEEDS).unwrap();
    let allowed = Allowed::default();
    quoin_server::seeds::apply(&store, &config.organisation, &allowed, clock.now()).await.unwrap();
    let key = Tokens::generate_key().unwrap();
    let public_url = "https://api.example.org".to_owned();
    let passwords = Passwords::default();
    let auth = Auth {
        tokens: Arc::new(Tokens::new(&key, public_url.clone(), 3600).unwrap()),
        clients: Arc::new(StoredClients(store.clone())),
        throttle: Arc::new(Throttle::new(5)),
        passwords: passwords.clone(),
        issuers: Arc::new(issuers),
        clock: clock.clone(),
    };
    let mut settings = ApiSettings {
        public_url,
        header_prefix: "X-Service-".into(),
        as4_domain: "ap.example.org".into(),
        body: BodyLimits { bytes: REQUEST_BYTES, time: Duration::from_secs(10) },
        lookup_timeout: Duration::from_millis(300),
        hook_guard: allowed,
        verification,
        health: Health::of(&store, &Budgets::default()),
        disk: Default::default(),
        smp_users: [("acme-boss".to_owned(), "boss@acme.example".to_owned())].into(),
        validation: Duration::from_secs(60),
        uploads: Default::default(),
        judges: Default::default(),
        response_order: Default::default(),
        rates: RateLimits::new(&config.rate),
        provider: None,
        conversion: quoin_access_point::config::ConversionSection::default().policy(),
        packages: package_table(&config.packages),
        followers: Budgets::default().followers,
    };
    differ(&mut settings);
    let api = Api {
        rules: Arc::new(RuleLibrary::builtin()),
        store: store.clone(),
        auth,
        lookup: Arc::new(Network),
        clock: clock.clone(),
        network: NetworkService::default(),
        settings: Arc::new(settings),
    };
    let shutdown = Shutdown::default();
    let address = "127.0.0.1:0".parse().unwrap();
    let door = Door { name: "api", address, tls: None, limits: DoorLimits::default() };
    let open = door.open(router(api), shutdown.clone()).await.unwrap();
    World { base: open.url(), http: plain_client(), store, clock, passwords, shutdown, folder }
}

pub fn plain_client() -> reqwest::Client {
    reqwest::Client::builder()
        .tls_backend_preconfigured(client_tls(&[]).unwrap())
        .no_proxy()
        .timeout(Duration::from_secs(30))
        .build()
        .unwrap()
}

impl World {
    /// Every row of every table that is an organisation's, as text, and the document it is about.
    pub fn rows(&self, organisation: &str) -> Vec<String> {
        let db = rusqlite::Connection::open(self.folder.join("quoin.db")).unwrap();
        let tables = "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.name = 'organisation' ORDER BY 1";
        let mut tables = db.prepare(tables).unwrap();
        let names: Vec<String> =
            tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        let mut found = Vec::new();
        for name in names {
            let query = format!("SELECT * FROM {name} WHERE organisation = ?1 ORDER BY 1, 2");
            let mut statement = db.prepare(&query).unwrap();
            let columns = statement.column_count();
            let mut rows = statement.query([organisation]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let values = (0..columns).map(|at| match row.get_ref(at).unwrap() {
                    ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    ValueRef::Blob(bytes) => format!("{:02x?}", quoin_xmldsig::keys::sha256(bytes)),
                    other => format!("{other:?}"),
                });
                found.push(format!("{name}: {}", values.collect::<Vec<_>>().join(" | ")));
            }
        }
        found
    }
}

/// A caller with its token.
pub struct As {
    base: String,
    http: reqwest::Client,
    token: String,
}

impl As {
    /// A caller with a token that it has already.
    pub fn with_token(base: &str, token: &str) -> As {
        As { base: base.to_owned(), http: plain_client(), token: token.to_owned() }
    }

    /// Fetches a token at a service.
    pub async fn fetch(base: &str, id: &str, secret: &str) -> As {
        let http = plain_client();
        let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
        let request = http
            .post(format!("{base}/connect/token"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form);
        let (status, body) = answer(request).await;
        assert_eq!(status, 200, "{body}");
        let token = body["access_token"].as_str().unwrap().to_owned();
        As { base: base.to_owned(), http, token }
    }
}

impl World {
    /// Every register holds what it is asked to hold.
    pub async fn registered(&self) {
        let (now, lease) = (self.clock.now(), SignedDuration::from_secs(60));
        for claim in self.store.claim(&[TaskKind::Register], now, lease, 100).await.unwrap() {
            let Work::Registration(found) = self.store.load(&claim).await.unwrap() else {
                panic!("{claim:?}")
            };
            let done = RegistrationOutcome {
                progress: RegistrationProgress::Done,
                message: "It is there.".to_owned(),
                next_on: None,
                left: false,
            };
            self.store.finish_registration(claim, *found, done, now).await.unwrap();
        }
    }

    pub async fn client(&self, id: &str, secret: &str) -> As {
        As::fetch(&self.base, id, secret).await
    }

    pub async fn acme(&self) -> As {
        self.client("acme-erp", "acme-secret").await
    }
}

impl As {
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.base))
            .header("authorization", format!("Bearer {}", self.token))
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        answer(self.request(Method::GET, path)).await
    }

    pub fn xml(&self, party: &str, body: &str) -> RequestBuilder {
        self.request(Method::POST, &format!("/api/v1/{party}/salesInvoice/send"))
            .header("content-type", "application/xml")
            .body(body.to_owned())
    }

    pub async fn send(&self, request: RequestBuilder) -> (u16, Value) {
        answer(request).await
    }

    pub async fn json(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let request = self.request(method, path).header("content-type", "application/json");
        answer(request.body(body.to_string())).await
    }
}

/// Status and JSON body of an answer; null where the body is none.
pub async fn answer(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.bytes().await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}
