//! Another access point, in the hands of the story: it seals messages as it likes, damages them on
//! the way, and reads the answers.

use bytes::Bytes;
use quoin_access_point::config::KeyPlace;
use quoin_access_point::identity;
use quoin_access_point::net::{self, HttpCall, HttpClient};
use quoin_access_point::plan::{PlanInput, plan};
use quoin_access_point::rules::RuleLibrary;
use quoin_access_point::trust::TrustService;
use quoin_delivery::Family;
use quoin_lab::lab::network::{RECEIVER, SENDER};
use quoin_lab::lab::pki::LeafCertificate;
use quoin_peppol::as4::{
    AnswerRefusal, As4Answer, EbmsError, Entropy, HttpMessage, OwnIdentity, Peer, SealedMessage,
    UserMessage, read_answer, seal,
};
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sbdh::Sbdh;
use quoin_store::SubmitOptions;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use uuid::Uuid;

use super::{PATIENCE, Stage};

/// A message before it is sealed.
pub struct Draft {
    pub message: UserMessage,
    pub payload: Vec<u8>,
}

pub struct Forger {
    own: OwnIdentity,
    receiver: Peer,
    url: String,
    http: HttpClient,
}

impl Forger {
    /// Speaks with the certificate of corner 2 to corner 3.
    pub fn new(stage: &Stage) -> Forger {
        Forger::with(stage, &stage.one.folder.join("ap.pem"), &stage.one.folder.join("ap.key"))
    }

    /// Speaks with any certificate.
    pub fn as_leaf(stage: &Stage, leaf: &LeafCertificate) -> Forger {
        let folder = stage.folder.path().join(format!("forger-{}", Uuid::new_v4()));
        let (certificate, key) = leaf.write(&folder, "ap").unwrap();
        Forger::with(stage, &certificate, &key)
    }

    fn with(stage: &Stage, certificate: &std::path::Path, key: &std::path::Path) -> Forger {
        let files = KeyPlace::files(certificate, key);
        let own = identity::access_point(&files, &[]).unwrap();
        let pem = std::fs::read_to_string(stage.two.folder.join("ap.pem")).unwrap();
        let theirs = Certificate::from_text(&pem).unwrap();
        let seat = theirs.seat().unwrap().to_string();
        let receiver = Peer::new(theirs.der().to_vec(), seat, theirs.spki()).unwrap();
        let (url, http) = (stage.two.as4_url.clone(), stage.around.client().unwrap());
        Forger { own, receiver, url, http }
    }

    /// The certificate (DER) of the receiver.
    pub fn receiver(&self) -> &[u8] {
        &self.receiver.certificate
    }

    /// An invoice to the receiver in an envelope, with fresh identifiers.
    pub fn draft(&self, number: &str) -> Draft {
        let invoice = quoin_formats::samples::invoice(SENDER, RECEIVER, number);
        self.draft_of(&invoice, &Uuid::new_v4().to_string())
    }

    /// Any invoice in an envelope of this id.
    pub fn draft_of(&self, invoice: &str, instance: &str) -> Draft {
        self.draft_from(SENDER, Family::Invoice, invoice, instance)
    }

    /// A Message Level Status of corner 2.
    pub fn status(&self, text: &str) -> Draft {
        self.status_of("0242:000001", text)
    }

    /// A Message Level Status of any provider.
    pub fn status_of(&self, provider: &str, text: &str) -> Draft {
        let instance = Uuid::new_v4().to_string();
        self.draft_from(provider, Family::MessageLevelStatus, text, &instance)
    }

    /// Any document of a sender in an envelope of this id.
    pub fn draft_from(&self, sender: &str, family: Family, invoice: &str, instance: &str) -> Draft {
        let now = jiff::Timestamp::now();
        let own: ParticipantId = sender.parse().unwrap();
        let ask = PlanInput {
            document: invoice.as_bytes(),
            own: &[own],
            country: Some("NL"),
            wishes: &SubmitOptions::default(),
            family,
            on: now,
        };
        let plan = plan(&ask, &RuleLibrary::builtin()).unwrap();
        let sbdh = plan.sbdh(instance.into(), now);
        let payload = quoin_peppol::sbdh::wrap(&sbdh, invoice.as_bytes()).unwrap();
        Draft { message: self.header(&sbdh), payload }
    }

    fn header(&self, sbdh: &Sbdh) -> UserMessage {
        let document_type = &sbdh.document_type;
        UserMessage {
            message_id: format!("{}@forger.test", Uuid::new_v4()),
            conversation_id: sbdh.instance.clone(),
            timestamp: jiff::Timestamp::now(),
            from: self.own.seat_id.clone(),
            to: self.receiver.common_name.clone(),
            service: sbdh.process.value().to_owned(),
            service_type: sbdh.process.scheme().to_owned(),
            action: format!("{}::{}", document_type.scheme(), document_type.value()),
            original_sender: sbdh.sender.to_string(),
            final_recipient: sbdh.receiver.to_string(),
        }
    }

    pub fn seal(&self, draft: &Draft) -> SealedMessage {
        let mut random = [0; Entropy::BYTES];
        for part in random.chunks_mut(16) {
            part.copy_from_slice(&Uuid::new_v4().as_bytes()[..part.len()]);
        }
        let entropy = Entropy::from_bytes(&random);
        seal(&draft.message, &draft.payload, &self.own, &self.receiver, &entropy).unwrap()
    }

    /// Hands a message over, and what came back.
    pub async fn post(&self, http: &HttpMessage) -> net::HttpAnswer {
        let kind = HeaderValue::from_str(&http.content_type).unwrap();
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(CONTENT_TYPE, kind)],
            body: Some(Bytes::from(http.body.clone())),
            ..HttpCall::get(&self.url, PATIENCE, 1 << 20)
        };
        self.http.call(call).await.unwrap()
    }

    /// Hands a message over and reads the signed answer as a sender would.
    pub async fn exchange(
        &self,
        sent: &SealedMessage,
        trust: &TrustService,
    ) -> Result<As4Answer, AnswerRefusal> {
        read(&self.post(&sent.http).await, sent, trust)
    }

    /// Seals and hands over; the receipt must hold.
    #[track_caller]
    pub fn deliver<'a>(
        &'a self,
        draft: &'a Draft,
        trust: &'a TrustService,
    ) -> impl Future<Output = ()> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let answer = self.exchange(&self.seal(draft), trust).await;
            assert!(matches!(answer, Ok(As4Answer::Receipt { .. })), "{place}: {answer:?}");
        }
    }

    /// Hands a message over; the errors that come back.
    pub async fn refused(&self, sent: &SealedMessage, trust: &TrustService) -> Vec<EbmsError> {
        let answer = self.exchange(sent, trust).await;
        let Ok(As4Answer::Errors(errors)) = answer else { panic!("not refused: {answer:?}") };
        errors
    }
}

/// Reads an answer as the sender of a message would.
pub fn read(
    answer: &net::HttpAnswer,
    sent: &SealedMessage,
    trust: &TrustService,
) -> Result<As4Answer, AnswerRefusal> {
    let kind = answer.headers[CONTENT_TYPE].to_str().unwrap();
    read_answer(kind, &answer.body, sent, trust)
}

/// Asserts the one error of a refusal, and a word that tells the cause.
#[track_caller]
pub fn is_error(errors: &[EbmsError], code: &str, word: &str) {
    let [error] = errors else { panic!("expected one error: {errors:?}") };
    assert_eq!(error.code, code, "{error}");
    assert!(error.to_string().contains(word), "{word:?} is not in: {error}");
}

/// Changes the SOAP part of a message on the way; a change of nothing is a mistake of the story.
pub fn edited(sent: &SealedMessage, from: &str, to: &str) -> SealedMessage {
    let body = &sent.http.body;
    let end = find(body, b"Envelope>").unwrap();
    let soap = std::str::from_utf8(&body[..end]).unwrap();
    assert!(soap.contains(from), "nothing to replace: {from}");
    let mut changed = soap.replacen(from, to, 1).into_bytes();
    changed.extend_from_slice(&body[end..]);
    with_body(sent, changed)
}

/// Flips one bit in the middle of the attachment.
pub fn damaged(sent: &SealedMessage) -> SealedMessage {
    let mut body = sent.http.body.clone();
    let end = find(&body, b"Envelope>").unwrap();
    let middle = (end + body.len()) / 2;
    body[middle] ^= 1;
    with_body(sent, body)
}

fn with_body(sent: &SealedMessage, body: Vec<u8>) -> SealedMessage {
    let mut changed = sent.clone();
    changed.http.body = body;
    changed
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}
