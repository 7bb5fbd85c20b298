//! A sender that believes everything: it follows DNS and SMP without verifying anything, sends, and
//! says that it delivered whatever comes back.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use quoin_access_point::identity;
use quoin_access_point::net::{Dns, HttpCall, HttpClient, NaptrAnswer};
use quoin_lab::lab::network::ZONE;
use quoin_lab::testbed::forge::{INVOICE_PROCESS, INVOICE_TYPE};
use quoin_lab::testbed::lab::Lab;
use quoin_lab::testbed::submission::{ReportedEnding, SubmissionRequest, Trigger};
use quoin_peppol::as4::{Entropy, OwnIdentity, Peer, UserMessage, seal};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId};
use quoin_peppol::lookup::base;
use quoin_peppol::pki::Certificate;
use quoin_peppol::sbdh::{CountryC1, Sbdh, wrap};
use quoin_peppol::sml::{UriPolicy, dns_name};
use quoin_peppol::smp::service_metadata_url;
use quoin_xml::tree::{Document, Limits};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use uuid::Uuid;

const PATIENCE: Duration = Duration::from_secs(10);

pub struct Credulous {
    own: OwnIdentity,
    dns: Dns,
    http: HttpClient,
    endings: Mutex<HashMap<String, ReportedEnding>>,
}

impl Credulous {
    /// With the certificate of the service that it stands in for.
    pub async fn new(lab: &Lab) -> Credulous {
        let place = lab.config.access_point.key_place();
        Credulous {
            own: identity::access_point(&place, &[]).unwrap(),
            dns: Dns::new(&lab.setup.network.dns_servers).unwrap(),
            http: lab.around.client().unwrap(),
            endings: Mutex::default(),
        }
    }

    async fn deliver(&self, order: &SubmissionRequest) -> Result<(), String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let name = dns_name(&order.receiver, ZONE);
        let NaptrAnswer::Records(records) = self.dns.naptr(&name, PATIENCE).await else {
            return Err("no records".to_owned());
        };
        let policy = UriPolicy { tolerate_http: false, any_port: true };
        let smp = base(&records, &name, policy).map_err(|e| text(&e))?;
        let kind: DocumentTypeId = INVOICE_TYPE.parse().unwrap();
        let url = service_metadata_url(&smp, &order.receiver, &kind);
        let answer = self.http.call(HttpCall::get(&url, PATIENCE, 1 << 20)).await;
        let answer = answer.map_err(|e| text(&e))?;
        let document = Document::parse(&answer.body, &Limits::default()).map_err(|e| text(&e))?;
        let said = |local: &str| {
            let found = document.root().descendants().find(|element| element.local() == local);
            found.map(|element| element.text().trim().to_owned()).ok_or(format!("no {local}"))
        };
        let certificate = Certificate::from_text(&said("Certificate")?).map_err(|e| text(&e))?;
        self.post(order, kind, &certificate, &said("Address")?).await
    }

    async fn post(
        &self,
        order: &SubmissionRequest,
        kind: DocumentTypeId,
        certificate: &Certificate,
        url: &str,
    ) -> Result<(), String> {
        let process: ProcessId = INVOICE_PROCESS.parse().unwrap();
        let sbdh = Sbdh {
            sender: order.sender.parse().unwrap(),
            receiver: order.receiver.clone(),
            document_type: kind,
            process,
            instance: order.id.clone(),
            created: jiff::Timestamp::now(),
            country: CountryC1::new("NL").unwrap(),
            mls_to: None,
            mls_type: None,
            others: Vec::new(),
        };
        let seat = certificate.seat().map_err(|error| error.to_string())?.to_string();
        let peer = Peer::new(certificate.der().to_vec(), seat.clone(), certificate.spki());
        let peer = peer.map_err(|error| error.to_string())?;
        let message = UserMessage {
            message_id: format!("{}@credulous.test", order.id),
            conversation_id: order.id.clone(),
            timestamp: jiff::Timestamp::now(),
            from: self.own.seat_id.clone(),
            to: seat,
            service: sbdh.process.value().to_owned(),
            service_type: sbdh.process.scheme().to_owned(),
            action: sbdh.document_type.to_string(),
            original_sender: sbdh.sender.to_string(),
            final_recipient: sbdh.receiver.to_string(),
        };
        let payload = wrap(&sbdh, &order.content).unwrap();
        let sent = seal(&message, &payload, &self.own, &peer, &entropy()).unwrap();
        let kind = HeaderValue::from_str(&sent.http.content_type).unwrap();
        let call = HttpCall {
            method: Method::POST,
            headers: vec![(CONTENT_TYPE, kind)],
            body: Some(Bytes::from(sent.http.body)),
            ..HttpCall::get(url, PATIENCE, 1 << 20)
        };
        self.http.call(call).await.map(|_| ()).map_err(|error| error.to_string())
    }
}

fn entropy() -> Entropy {
    let mut random = [0; Entropy::BYTES];
    for part in random.chunks_mut(16) {
        part.copy_from_slice(&Uuid::new_v4().as_bytes()[..part.len()]);
    }
    Entropy::from_bytes(&random)
}

impl Trigger for Credulous {
    fn send<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let ending = match self.deliver(order).await {
                Ok(()) => ReportedEnding::Delivered,
                Err(problem) => ReportedEnding::Failed(problem),
            };
            self.endings.lock().unwrap().insert(order.id.clone(), ending);
            Ok(())
        }
        .boxed()
    }

    fn ending<'a>(&'a self, order: &'a SubmissionRequest) -> BoxFuture<'a, ReportedEnding> {
        let ending = self.endings.lock().unwrap().get(&order.id).cloned();
        std::future::ready(ending.unwrap_or(ReportedEnding::Unknown)).boxed()
    }
}
