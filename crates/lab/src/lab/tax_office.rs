//! The provider of tax authorities (corner 5), one authority for each regime: an access point of
//! its own that takes reports over the network, judges them by the official rules where they are
//! installed, keeps what it got, and answers each with a Message Level Status.
//!
//! ```text
//! corner 2, corner 3 ── AS4 ──► service POP000005 ── judged ──► kept ── MLS ──► corner 2, corner 3
//! ```
//! What it does to the reports of an invoice can be planned by the invoice's number.

mod answers;
mod faults;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, stream};
use jiff::Timestamp;
use quoin_delivery::{Direction, Status};
use quoin_store::{ListFilter, PartyRecord, PublishedService, TransactionRecord};
use quoin_taxdata::regime::{DOCUMENT_TYPE_SCHEME, PROCESS, PROCESS_SCHEME};
use quoin_taxdata::{Regime, TaxReport, read_report};
use tokio::task::JoinHandle;

use super::network::{Customer, LabAccessPoint, LabError, Surroundings};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, TaxProfileRow};
use quoin_access_point::tls::Shutdown;
use quoin_server::start::{Running, start};

pub use faults::OfficeFault;
use faults::OfficePlan;

/// The provider of the authorities, as a participant.
pub const PROVIDER: &str = "0242:000005";
/// Its seat.
const SEAT: &str = "POP000005";
/// How long to wait between two looks at what came.
const PAUSE: Duration = Duration::from_millis(25);
/// Reports that are answered side by side.
const AT_ONCE: usize = 16;

/// A report that came.
#[derive(Debug, Clone)]
pub struct KeptReport {
    /// What it says.
    pub report: TaxReport,
    /// The instance identifier of the envelope in which it came.
    pub envelope: String,
    /// The provider that brought it: its seat id.
    pub provider: String,
    /// When.
    pub came_on: Timestamp,
    /// What was answered: `AP`, `RE`; none where it kept silent.
    pub answer: Option<&'static str>,
    /// The document.
    pub document: Bytes,
}

impl KeptReport {
    /// What tells it from other reports: its UUID; of the Emirates, whose reports have none, a
    /// fingerprint of the document, which is the same in each message that carries it.
    fn own_name(&self) -> String {
        own_name(&self.report, &self.document)
    }
}

fn own_name(report: &TaxReport, document: &[u8]) -> String {
    let fingerprint = || {
        let mut hasher = DefaultHasher::new();
        hasher.write(document);
        format!("{:016x}", hasher.finish())
    };
    report.uuid.clone().unwrap_or_else(fingerprint)
}

/// What it works with.
struct OfficeDesk {
    service: Running,
    kept: Mutex<Vec<KeptReport>>,
    unreadable: Mutex<Vec<String>>,
    plan: Mutex<OfficePlan>,
}

/// The provider of the authorities.
pub struct TaxOffice {
    desk: Arc<OfficeDesk>,
    shutdown: Shutdown,
    looking: JoinHandle<()>,
    /// Its ports are claimed for as long as it is open.
    _place: LabAccessPoint,
}

/// The participant of the authority of a regime.
pub fn authority(regime: Regime) -> String {
    let name = match regime {
        Regime::Vida10 => "VIDA.1",
        Regime::Vida11 => "VIDA.2",
        Regime::Slovakia => "TAX.SK",
        Regime::Emirates => "TAX.AE",
        Regime::Oman => "TAX.OM",
    };
    format!("{PROVIDER}-{name}")
}

/// The row of a configuration by which reports of a country go to the authority of a regime.
pub fn profile(country: &str, regime: Regime, roles: &[&str]) -> TaxProfileRow {
    TaxProfileRow {
        country: country.to_owned(),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        regime: regime.as_str().to_owned(),
        authority: authority(regime),
        channel: None,
        platform: None,
        platform_name: None,
        lines: false,
        period: None,
        authority_id: None,
        authority_name: None,
        document_type: None,
        from: None,
        scopes: Vec::new(),
        term_hours: None,
        active: true,
        chosen_parties: false,
    }
}

/// The rows of the lab's two corners: Dutch and Belgian numbers by the pilot of the EU, those of
/// the other regimes by theirs.
pub fn profiles(role: &str) -> Vec<TaxProfileRow> {
    let rows = [
        ("NL", Regime::Vida11),
        ("BE", Regime::Vida10),
        ("SK", Regime::Slovakia),
        ("AE", Regime::Emirates),
        ("OM", Regime::Oman),
    ];
    let mut rows = rows.map(|(country, regime)| profile(country, regime, &[role])).to_vec();
    rows.extend(FRENCH_TEXTS.map(|text| french_profile(text, &[role])));
    rows
}

/// What is told in France.
const FRENCH_TEXTS: [&str; 2] = ["flux1", "flux10"];

/// The row of a configuration by which a text of France goes to a registered platform, by the hook
/// `platform`.
pub fn french_profile(text: &str, roles: &[&str]) -> TaxProfileRow {
    TaxProfileRow {
        regime: text.to_owned(),
        authority: String::new(),
        channel: Some("platform".to_owned()),
        platform: Some("QUOI".to_owned()),
        platform_name: Some("The platform of the lab".to_owned()),
        ..profile("FR", Regime::Vida11, roles)
    }
}

/// Has the parties of a configuration take invoices in PINT, as those of the Emirates and Oman are.
pub fn take_pint(config: &mut Config) {
    for party in config.organisation.iter_mut().flat_map(|owner| owner.parties.iter_mut()) {
        party.capabilities.insert("pint".to_owned(), "on".to_owned());
    }
}

fn other(error: impl std::fmt::Display) -> LabError {
    LabError::Other(format!("the lab's tax office: {error}"))
}

impl TaxOffice {
    /// Opens the office: its service, its authorities, and their names in the SML.
    ///
    /// # Errors
    /// [`LabError`].
    pub async fn open(around: &Surroundings, clock: Clock) -> Result<TaxOffice, LabError> {
        let place = LabAccessPoint::new(around, "office", SEAT)?;
        let names: Vec<String> = Regime::ALL.map(authority).to_vec();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let owner = Customer::new("office", &[])?;
        let mut config = place.config(around, &owner);
        // The authorities answer, not their access point.
        config.provider.give_statuses = false;
        config.retry.delivery_seconds = vec![0.1; 200];
        // An access point that was away is answered as soon as it is back.
        config.breaker.rest_seconds = 0.25;
        config.breaker.longest_rest_seconds = 1.0;
        around.register(PROVIDER, &place.smp_url)?;
        let service = start(config, clock.clone())
            .await
            .map_err(|source| LabError::Service { name: "office", source: Box::new(source) })?;
        for name in names {
            around.register(name, &place.smp_url)?;
        }
        publish(&service, &owner, clock.now()).await?;
        let desk = Arc::new(OfficeDesk {
            service,
            kept: Mutex::default(),
            unreadable: Mutex::default(),
            plan: Mutex::default(),
        });
        let shutdown = Shutdown::default();
        let looking = tokio::spawn(look(desk.clone(), owner, shutdown.clone()));
        Ok(TaxOffice { desk, shutdown, looking, _place: place })
    }

    /// Plans what is done to the reports about an invoice of a number.
    pub fn plan(&self, number: &str, fault: OfficeFault) {
        lock(&self.desk.plan).plan(number, fault);
    }

    /// Everything that came, in its order; a report that was repeated is there each time.
    pub fn kept(&self) -> Vec<KeptReport> {
        lock(&self.desk.kept).clone()
    }

    /// What came about an invoice.
    pub fn about(&self, number: &str) -> Vec<KeptReport> {
        let kept = lock(&self.desk.kept);
        let of_number = |kept: &&KeptReport| kept.report.invoice_number.as_deref() == Some(number);
        kept.iter().filter(of_number).cloned().collect()
    }

    /// How many different reports came about each invoice, by what the authority calls it, role and
    /// kind: what is told twice counts once.
    pub fn counted(&self) -> BTreeMap<(String, String, String), usize> {
        let mut told: BTreeMap<(String, String, String), BTreeSet<String>> = BTreeMap::new();
        for kept in lock(&self.desk.kept).iter() {
            let report = &kept.report;
            let key = (
                report.invoice_uuid.clone().unwrap_or_default(),
                format!("{:?}", report.role),
                format!("{:?}", report.submission),
            );
            told.entry(key).or_default().insert(kept.own_name());
        }
        told.into_iter().map(|(key, told)| (key, told.len())).collect()
    }

    /// What came and was no report.
    pub fn unreadable(&self) -> Vec<String> {
        lock(&self.desk.unreadable).clone()
    }

    /// Its service.
    pub fn service(&self) -> &Running {
        &self.desk.service
    }

    /// Ends it.
    pub async fn stop(self) {
        self.shutdown.now();
        // A panic was already reported.
        let _ = self.looking.await;
        if let Some(desk) = Arc::into_inner(self.desk) {
            desk.service.stop().await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Publishes what each authority takes.
async fn publish(service: &Running, owner: &Customer, now: Timestamp) -> Result<(), LabError> {
    let organisation: quoin_delivery::OrganisationId = owner.organisation.parse().map_err(other)?;
    let store = &service.parts.store;
    for regime in Regime::ALL {
        let id = authority(regime);
        let folded: quoin_peppol::identifiers::ParticipantId = id.parse().map_err(other)?;
        let party = PartyRecord {
            id: id.clone(),
            organisation: organisation.clone(),
            identifiers: vec![folded.folded()],
            name: format!("Tax authority, {}", regime.row().title),
            country: regime.row().country.unwrap_or("BE").to_owned(),
            created_on: now,
        };
        store.put_party(party).await.map_err(other)?;
        let served = PublishedService {
            participant: folded.folded(),
            document_type: format!("{DOCUMENT_TYPE_SCHEME}::{}", regime.row().document_type),
            process: format!("{PROCESS_SCHEME}::{PROCESS}"),
            organisation: organisation.clone(),
            explicit: true,
            endpoints: None,
            created_on: now,
        };
        store.put_services(vec![served]).await.map_err(other)?;
    }
    Ok(())
}

/// Looks at what came, again and again, each document once.
async fn look(desk: Arc<OfficeDesk>, owner: Customer, shutdown: Shutdown) {
    let mut seen = BTreeSet::new();
    let mut from = None;
    while !shutdown.asked() {
        match fresh(&desk, &owner, from, &mut seen).await {
            Ok(latest) => from = latest.or(from),
            Err(error) => tracing::warn!(%error, "the tax office could not look at what came"),
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = shutdown.wait() => {}
        }
    }
}

/// Looks at what is there and was not looked at. Answers from when on to look next.
async fn fresh(
    desk: &OfficeDesk,
    owner: &Customer,
    from: Option<Timestamp>,
    seen: &mut BTreeSet<String>,
) -> Result<Option<Timestamp>, LabError> {
    let organisation = owner.organisation.parse().map_err(other)?;
    let mut filter = ListFilter::new(organisation, Direction::Incoming);
    (filter.from, filter.limit) = (from, 500);
    let found = desk.service.parts.store.list(filter).await.map_err(other)?.items;
    let found: Vec<TransactionRecord> = found;
    // From what was not judged yet on, all is looked at again in a moment.
    let unjudged = found.iter().position(|record| !record.transaction.status.is_final());
    let latest = match unjudged.unwrap_or(found.len()).checked_sub(1) {
        Some(last) => found.get(last).map(|record| record.created_on),
        None => from,
    };
    let judged = found.into_iter().filter(|record| record.transaction.status.is_final());
    let fresh = judged.filter(|record| seen.insert(record.transaction.id.to_string()));
    let fresh: Vec<TransactionRecord> = fresh.collect();
    let taken = stream::iter(fresh).map(|record| answered(desk, record)).buffer_unordered(AT_ONCE);
    let taken: Vec<(String, Result<(), LabError>)> = taken.collect().await;
    let mut failed = Ok(latest);
    for (id, taken) in taken {
        if let Err(error) = taken {
            // It is looked at again.
            seen.remove(&id);
            failed = Err(error);
        }
    }
    failed
}

async fn answered(desk: &OfficeDesk, record: TransactionRecord) -> (String, Result<(), LabError>) {
    (record.transaction.id.to_string(), desk.take(&record).await)
}

impl OfficeDesk {
    /// Keeps a report and answers it.
    async fn take(&self, record: &TransactionRecord) -> Result<(), LabError> {
        let store = &self.service.parts.store;
        let document = store.document(record).await.map_err(other)?.unwrap_or_default();
        let report = match read_report(&quoin_formats::read(&document)) {
            Ok(report) => report,
            Err(error) => {
                lock(&self.unreadable).push(error.to_string());
                return Ok(());
            }
        };
        let broken = match record.transaction.status {
            Status::Rejected => answers::broken(store, record).await?,
            _ => Vec::new(),
        };
        let number = report.invoice_number.clone().unwrap_or_default();
        let own = own_name(&report, &document);
        let planned = lock(&self.plan).next(&number, &own);
        let answer = answers::Answer::of(broken, &planned);
        lock(&self.kept).push(KeptReport {
            report,
            envelope: record.instance_id.clone().unwrap_or_default(),
            provider: record.access_point.clone().unwrap_or_default(),
            came_on: record.created_on,
            answer: answer.as_ref().map(|answer| answer.code),
            document,
        });
        let Some(answer) = answer else { return Ok(()) };
        for _ in 0..planned.times {
            let sent = answer.send(&self.service, record).await?;
            if planned.contradicts {
                answers::delivered(store, &sent).await?;
                answers::Answer::accepting().send(&self.service, record).await?;
            }
        }
        Ok(())
    }
}
