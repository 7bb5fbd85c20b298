//! What every case works with: the access point under test, the identities of the testbed, the
//! calls that it makes, and how an answer is judged.

use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use quoin_peppol::as4::{AnswerRefusal, As4Answer, Incoming, Peer, read_answer};
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_peppol::pki::{Certificate, CertificateRole};
use quoin_peppol::sml::UriPolicy;
use rustls::pki_types::CertificateDer;

use super::case::Expect;
use super::forge::{Forge, TestMessage};
use super::interface::Interface;
use super::setup::TestbedSetup;
use super::stage::SimulatedNetwork;
use super::test_identities::{TestIdentities, TestIdentity};
use super::verdict::{CaseFailure, wrong};
use quoin_access_point::authorities;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::lookup::{Lookup, LookupSettings};
use quoin_access_point::net::{self, Dns, Guard, HttpCall, HttpClient, HttpSettings, extra_roots};
use quoin_access_point::trust::{RevocationSettings, TrustService};

/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 1 << 20;
/// Time for a look-up.
const LOOKUP_TIME: Duration = Duration::from_secs(30);

/// What every case works with.
pub struct Bench {
    /// The settings.
    pub setup: TestbedSetup,
    /// The address of the door under test.
    pub url: String,
    /// The certificate of the access point under test.
    pub certificate: Certificate,
    /// Builds messages.
    pub forge: Forge,
    /// The identities.
    pub wardrobe: TestIdentities,
    /// Judges certificates as a correct access point does.
    pub trust: Arc<TrustService>,
    /// Finds the access point under test as a correct sender does.
    pub lookup: Arc<Lookup>,
    /// Resolves names as a correct sender does.
    pub dns: Dns,
    /// Roots of web servers that are believed besides the Mozilla list.
    pub roots: Vec<CertificateDer<'static>>,
    /// Calls other access points and SMPs.
    pub peers: HttpClient,
    /// The interface of the access point under test.
    pub interface: Option<Interface>,
    /// The other side of the network, once it is open.
    pub stage: OnceLock<SimulatedNetwork>,
    ledger: Mutex<Vec<ExpectedDelivery>>,
}

/// What the access point under test should have delivered to its customer.
#[derive(Debug, Clone)]
pub struct ExpectedDelivery {
    /// The case.
    pub case: &'static str,
    /// The number of the document.
    pub number: String,
    /// How often.
    pub times: usize,
}

/// An answer that came.
pub struct ReceivedAnswer {
    /// The answer as it came.
    pub http: net::HttpAnswer,
    /// What it says.
    pub signal: Result<As4Answer, AnswerRefusal>,
}

impl Bench {
    /// Reads certificates and finds the access point under test.
    ///
    /// # Errors
    /// What keeps the run from starting, in a sentence.
    pub async fn open(setup: TestbedSetup) -> Result<Bench, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let clock = Clock::default();
        let roots = extra_roots(&setup.network.extra_ca_files).map_err(|e| text(&e))?;
        let any_address = setup.network.private;
        let client = |guard: Guard| {
            let extra_roots = roots.clone();
            HttpClient::new(&HttpSettings { extra_roots, guard, ..HttpSettings::default() })
                .map_err(|e| text(&e))
        };
        let peers = client(Guard { any_address, ..Guard::default() })?;
        let plain = client(Guard { any_address, plain: true, ..Guard::default() })?;
        let authorities = authorities::load(&setup.trust).map_err(|e| text(&e))?;
        let settings = RevocationSettings::of(&setup.trust);
        let trust = Arc::new(TrustService::new(authorities, settings, plain.clone(), clock));
        let dns = Dns::new(&setup.network.dns_servers).map_err(|e| text(&e))?;
        let budgets = quoin_access_point::budget::Budgets::default();
        let settings = LookupSettings {
            zone: zone(&setup),
            uris: UriPolicy { tolerate_http: false, any_port: any_address },
            limit: LOOKUP_TIME,
        };
        let (names, client) = (dns.clone(), peers.clone());
        let lookup = Arc::new(Lookup::new(names, client, trust.clone(), settings, budgets));
        let (url, certificate) = find(&setup, &lookup).await?;
        let wardrobe = TestIdentities::at(&setup.counterpart.identities);
        let forge = forge(&setup, &wardrobe, &certificate)?;
        trust.prepare(certificate.der(), CertificateRole::AccessPoint).await;
        let interface = match &setup.api {
            Some(api) => Some(Interface::open(api, plain).await?),
            None => None,
        };
        let ledger = Mutex::default();
        Ok(Bench {
            setup,
            url,
            certificate,
            forge,
            wardrobe,
            trust,
            lookup,
            dns,
            roots,
            peers,
            interface,
            stage: OnceLock::new(),
            ledger,
        })
    }

    /// Time that one case may take.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.setup.limits.case_seconds)
    }

    /// Hands a message over and reads what comes back.
    ///
    /// # Errors
    /// There was no answer.
    pub async fn exchange(&self, message: &TestMessage) -> Result<ReceivedAnswer, CaseFailure> {
        let kind = HeaderValue::from_str(&message.http().content_type)
            .map_err(|error| self.wrong_at(message, "a content type", error))?;
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(CONTENT_TYPE, kind)],
            body: Some(Bytes::from(message.http().body.clone())),
            ..HttpCall::get(&self.url, self.patience(), LARGEST_ANSWER)
        };
        let http = self.peers.call(call).await;
        let http = http.map_err(|error| self.wrong_at(message, "an answer", error))?;
        let kind = http.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let signal = self.read(message, kind.unwrap_or_default(), &http.body).await;
        Ok(ReceivedAnswer { http, signal })
    }

    /// Reads an answer as a correct sender does: what is needed to judge its signer comes first.
    pub async fn read(
        &self,
        message: &TestMessage,
        kind: &str,
        body: &[u8],
    ) -> Result<As4Answer, AnswerRefusal> {
        if let Some(signer) = Incoming::read(kind, body).ok().and_then(|it| it.claimed_signer()) {
            self.trust.prepare(&signer, CertificateRole::AccessPoint).await;
        }
        read_answer(kind, body, &message.sent, self.trust.as_ref())
    }

    /// Hands a message over; the answer must be of a kind.
    ///
    /// # Errors
    /// It is of another.
    pub async fn expect(
        &self,
        message: &TestMessage,
        expect: Expect,
    ) -> Result<String, CaseFailure> {
        let answered = self.exchange(message).await?;
        judge(&answered, message, expect)
            .map_err(|(expected, found)| self.wrong_at(message, expected, found))
    }

    /// A failure of the door under test for one message.
    pub fn wrong_at(
        &self,
        message: &TestMessage,
        expected: impl Into<String>,
        found: impl std::fmt::Display,
    ) -> CaseFailure {
        let (what, id) = (&message.what, &message.sent.message_id);
        let place = format!("{}, message {id}, variant: {what}", self.url);
        wrong(expected, found.to_string(), place)
    }

    /// Notes how often a document should be delivered.
    pub fn note(&self, case: &'static str, number: &str, times: usize) {
        if !number.is_empty() {
            let mut ledger = self.ledger.lock().unwrap_or_else(PoisonError::into_inner);
            ledger.push(ExpectedDelivery { case, number: number.to_owned(), times });
        }
    }

    /// What was noted.
    pub fn noted(&self) -> Vec<ExpectedDelivery> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What an answer is, held against what it should be: what was expected and what was found.
fn judge(
    answered: &ReceivedAnswer,
    message: &TestMessage,
    expect: Expect,
) -> Result<String, (String, String)> {
    let status = answered.http.status;
    let seen = describe(answered);
    let fail = |expected: &str| Err((expected.to_owned(), seen.clone()));
    match (expect, &answered.signal) {
        (Expect::Receipt | Expect::ReceiptOnly, Ok(As4Answer::Receipt { .. })) => {
            if (200..300).contains(&status) { Ok(seen) } else { fail("the receipt with HTTP 200") }
        }
        (Expect::Receipt | Expect::ReceiptOnly, _) => {
            fail("a signed receipt that repeats every digest of the message")
        }
        (Expect::Error(codes), Ok(As4Answer::Errors(errors))) => {
            let known = errors.iter().any(|error| codes.contains(&error.code.as_str()));
            let about = errors.iter().filter_map(|error| error.ref_to_message.as_deref());
            if !known {
                fail(&format!("an error with one of the codes {}", codes.join(", ")))
            } else if !about.clone().all(|id| id == message.sent.message_id || id.is_empty()) {
                fail("an error that refers to this message")
            } else {
                Ok(seen)
            }
        }
        (Expect::Error(codes), _) => {
            fail(&format!("no receipt, but an error signal ({})", codes.join(" or ")))
        }
        (Expect::NotServiced, Ok(As4Answer::Errors(errors)))
            if errors.iter().any(|error| error.is_not_serviced()) =>
        {
            Ok(seen)
        }
        (Expect::NotServiced, _) => fail("EBMS:0004 with the detail PEPPOL:NOT_SERVICED"),
        (Expect::NoReceipt, Ok(As4Answer::Errors(_))) => Ok(seen),
        (Expect::NoReceipt, Err(_)) if (400..500).contains(&status) => Ok(seen),
        (Expect::NoReceipt, _) => fail("an error signal, or a status of HTTP 4xx"),
    }
}

/// An answer in a few words.
fn describe(answered: &ReceivedAnswer) -> String {
    let status = answered.http.status;
    match &answered.signal {
        Ok(As4Answer::Receipt { message_id, signer, .. }) => {
            format!("receipt {message_id} of {}", signer.common_name)
        }
        Ok(As4Answer::Errors(errors)) => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            let text: String = errors.join("; ").chars().take(300).collect();
            format!("error {text}")
        }
        Err(refusal) => format!("HTTP {status}; {refusal}"),
    }
}

fn zone(setup: &TestbedSetup) -> String {
    let network = quoin_access_point::config::NetworkSection {
        sml_zone: setup.network.zone.clone(),
        ..Default::default()
    };
    Config { network, trust: setup.trust.clone(), ..Config::default() }.sml_zone()
}

/// Address and certificate of the access point under test: as given, or as published.
async fn find(setup: &TestbedSetup, lookup: &Lookup) -> Result<(String, Certificate), String> {
    let subject = &setup.subject;
    let given = match &subject.certificate_file {
        Some(file) => Some(read_certificate(file)?),
        None => None,
    };
    if let (Some(url), Some(certificate)) = (&subject.as4, &given) {
        return Ok((url.clone(), certificate.clone()));
    }
    let (participant, document_type, process) = identifiers(setup)?;
    let found = lookup.find(&participant, &document_type, &process).await.map_err(|failure| {
        format!(
            "{participant} could not be looked up: {failure} (asked for {}); give subject.as4 and \
             subject.certificate_file instead",
            failure.report.dns_name
        )
    })?;
    let url = subject.as4.clone().unwrap_or(found.endpoint.address);
    Ok((url, given.unwrap_or_else(|| found.endpoint.certificate.certificate().clone())))
}

fn read_certificate(file: &Path) -> Result<Certificate, String> {
    let text = quoin_access_point::pemfile::read(file).map_err(|error| error.to_string())?;
    quoin_access_point::pemfile::certificate(file, &text).map_err(|error| error.to_string())
}

fn identifiers(setup: &TestbedSetup) -> Result<(ParticipantId, DocumentTypeId, ProcessId), String> {
    let subject = &setup.subject;
    let wrong = |name: &str, error: &dyn std::fmt::Display| format!("subject.{name}: {error}");
    Ok((
        subject.receiver.parse().map_err(|error| wrong("receiver", &error))?,
        subject.document_type.parse().map_err(|error| wrong("document_type", &error))?,
        subject.process.parse().map_err(|error| wrong("process", &error))?,
    ))
}

fn forge(
    setup: &TestbedSetup,
    wardrobe: &TestIdentities,
    certificate: &Certificate,
) -> Result<Forge, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let (to, document_type, process) = identifiers(setup)?;
    let seat =
        certificate.seat().map_err(|error| format!("the certificate under test: {error}"))?;
    let peer = Peer::new(certificate.der().to_vec(), seat.to_string(), certificate.spki());
    let document = match &setup.subject.document_file {
        Some(file) => {
            let read = std::fs::read_to_string(file);
            Some(read.map_err(|error| format!("{}: {error}", file.display()))?)
        }
        None => None,
    };
    let run = uuid::Uuid::new_v4().simple().to_string();
    Ok(Forge {
        own: wardrobe.access_point(TestIdentity::Ap).map_err(|e| text(&e))?,
        receiver: Arc::new(peer.map_err(|e| text(&e))?),
        from: setup.counterpart.participant(0).parse().map_err(|e| text(&e))?,
        to,
        document_type,
        process,
        document,
        run: format!("TB-{}", run.get(..6).unwrap_or_default()),
        count: AtomicUsize::new(1),
    })
}
