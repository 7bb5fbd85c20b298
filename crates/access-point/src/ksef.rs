//! The Polish national system as this service speaks to it: its calls within its limits, the
//! signing in of parties, what a hook `ksef` is given, the document as the system takes it, and the
//! page with its codes. What follows from each answer is decided in `quoin-ksef`; the steps of a
//! batch are walked by `worker::clearing`.

mod account;
mod calls;
mod coded;
mod counting;
mod form;
mod init;
mod registering;
mod session;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::AuthTokens;
use quoin_ksef::limits::{CallGroup, CallWindow};
use quoin_peppol::pki::Certificate;
use quoin_store::Store;
use rustls::pki_types::CertificateDer;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::clock::Clock;
use crate::config::{KsefSection, PurchaseSubject};
use crate::net::{Guard, HttpClient, HttpSettings, RootsError, host};

pub use account::KsefAccount;
pub(crate) use calls::KsefSessionCalls;
pub(crate) use coded::{CodedLinks, coded_page, offline_links, online_links};
pub(crate) use form::{FormRefusal, KsefForm, has_attachment};
pub use init::{INIT_FIELDS, InitError, KsefInit};
pub use registering::{clearing_hook, not_registered};
pub(crate) use registering::{explained_own, form_by, registers};
pub(crate) use session::{RowEnd, SessionMemory, SessionRow};

/// How the system is named in sentences.
pub const NAME: &str = "KSeF";

/// Where the system is, and how it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KsefSettings {
    /// The base of its interface.
    pub base: String,
    /// What codes lead to.
    pub codes: String,
    /// The service that says whether it runs.
    pub lighthouse: Option<String>,
    /// How long invoices are collected.
    pub collect: SignedDuration,
    /// How long before midnight nothing of the day is handed over any more.
    pub cut_off: SignedDuration,
    /// Time for one call.
    pub timeout: Duration,
    /// How long there is between two questions for purchase invoices.
    pub purchases: SignedDuration,
    /// As what parties are named in the invoices that are asked for.
    pub subjects: Vec<PurchaseSubject>,
    /// Up to how many invoices go in an online session.
    pub online_up_to: usize,
}

/// Invoices of an online session at most: it is of one minute of the published limit.
const ONLINE: u32 = 30;
/// How often purchase invoices are asked for at most, in seconds: 20 times an hour by the published
/// limit, which all questions for a taxpayer share.
const PURCHASES: u64 = 180;

impl KsefSettings {
    /// Those of a configuration; none where it names no system.
    pub fn of(section: &KsefSection) -> Option<KsefSettings> {
        let trimmed = |url: &String| url.trim_end_matches('/').to_owned();
        let seconds = |count: u64| SignedDuration::from_secs(i64::try_from(count).unwrap_or(3_600));
        let subjects = subjects(section);
        Some(KsefSettings {
            base: trimmed(section.url.as_ref()?),
            codes: trimmed(section.codes_url.as_ref()?),
            lighthouse: section.lighthouse_url.as_ref().map(trimmed),
            collect: seconds(section.collect_seconds),
            cut_off: seconds(section.cut_off_minutes.saturating_mul(60)),
            timeout: Duration::from_secs(section.timeout_seconds.max(1)),
            purchases: seconds(section.purchases_seconds.max(least_between(&subjects))),
            subjects,
            online_up_to: usize::try_from(section.online_up_to.min(ONLINE)).unwrap_or(0),
        })
    }
}

/// As what purchase invoices are asked for, each once.
fn subjects(section: &KsefSection) -> Vec<PurchaseSubject> {
    let mut subjects = section.purchases_as.clone();
    let mut seen = BTreeSet::new();
    subjects.retain(|subject| seen.insert(subject.word()));
    subjects
}

/// Seconds at least between two rounds of questions, one for each subject.
fn least_between(subjects: &[PurchaseSubject]) -> u64 {
    PURCHASES * u64::try_from(subjects.len()).unwrap_or(1).max(1)
}

/// What a section asks for beyond what the system allows: setting and sentence.
pub fn problems(section: &KsefSection) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    if section.purchases_as.is_empty() {
        let text = "is empty: expected at least one of \"buyer\", \"third-party\" and \
                    \"authorised\". Hooks that take no purchase invoices ask for none";
        found.push(("ksef.purchases_as", text.to_owned()));
    }
    let (seconds, least) = (section.purchases_seconds, least_between(&subjects(section)));
    if seconds < least {
        let why = format!("{PURCHASES} for each row of ksef.purchases_as");
        found.push((
            "ksef.purchases_seconds",
            format!("expected at least {least} ({why}), found {seconds}"),
        ));
    }
    let most = section.online_up_to;
    if most > ONLINE {
        let text = format!("expected {ONLINE} at most, found {most}");
        found.push(("ksef.online_up_to", text));
    }
    found
}

/// The client of the system. Cheap to clone; clones share tokens and counts.
#[derive(Clone)]
pub struct KsefClient(Arc<KsefClientParts>);

struct KsefClientParts {
    http: HttpClient,
    settings: KsefSettings,
    clock: Clock,
    /// Certificates of which one has issued the signer of receipts, or is it; none where that is
    /// not asked.
    anchors: Vec<Certificate>,
    /// Tokens by hook; they end with the process.
    tokens: Mutex<HashMap<String, AuthTokens>>,
    /// Calls by context and group.
    windows: Mutex<HashMap<(String, CallGroup), CallWindow>>,
    /// Where calls are counted over a restart.
    store: Store,
    /// Packages of invoices that lie in memory: one at a time.
    packages: Semaphore,
}

impl KsefClient {
    /// A client with these settings. The hosts that the operator names are called as they are
    /// named; what the system answers with leads to public addresses only.
    ///
    /// # Errors
    /// [`RootsError`].
    pub fn new(
        settings: KsefSettings,
        extra_roots: Vec<CertificateDer<'static>>,
        anchors: Vec<Certificate>,
        (clock, store): (Clock, Store),
    ) -> Result<KsefClient, RootsError> {
        let named = [Some(&settings.base), Some(&settings.codes), settings.lighthouse.as_ref()];
        let hosts: BTreeSet<String> = named
            .into_iter()
            .flatten()
            .map(|url| host(url).split(':').next().unwrap_or_default().to_owned())
            .collect();
        let guard = Guard { hosts_allowed: hosts, ..Guard::default() };
        let http =
            HttpClient::new(&HttpSettings { extra_roots, guard, ..HttpSettings::default() })?;
        let (tokens, windows) = (Mutex::default(), Mutex::default());
        let packages = Semaphore::new(1);
        let parts =
            KsefClientParts { http, settings, clock, anchors, tokens, windows, store, packages };
        Ok(KsefClient(Arc::new(parts)))
    }

    /// Where the system is.
    pub fn settings(&self) -> &KsefSettings {
        &self.0.settings
    }

    /// Whether a certificate may have signed a receipt at a time: it is one of those that are
    /// trusted, or issued by one, and was good then. Where none is named, any may.
    pub(crate) fn is_sealed_by(&self, signer: &[u8], at: Timestamp) -> bool {
        if self.0.anchors.is_empty() {
            return true;
        }
        let Ok(signer) = Certificate::from_der(signer) else { return false };
        let was_good = signer.not_before() <= at && at <= signer.not_after();
        let is_of = |anchor: &Certificate| *anchor == signer || signer.is_issued_by(anchor);
        was_good && self.0.anchors.iter().any(is_of)
    }

    /// A place for a package of invoices in memory.
    pub(crate) async fn package_place(&self) -> Option<SemaphorePermit<'_>> {
        // Nobody closes it.
        self.0.packages.acquire().await.ok()
    }

    fn tokens(&self) -> MutexGuard<'_, HashMap<String, AuthTokens>> {
        self.0.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
