//! Writing messages. One line, no white space between elements, so that nothing has to be guessed
//! about it.

use quoin_xml::write::{escape_attribute, escape_text};

use super::{
    BDMSL_NAMESPACE, CertificateChange, Entries, FaultKind, LOCATOR_NAMESPACE, Move,
    ParticipantPage, Publisher, SOAP_NAMESPACE, SmlAnswer, SmlFault, SmlRequest,
};
use crate::identifiers::{IDENTIFIERS_NAMESPACE, META_SCHEME, ParticipantId};

/// What a message says, with its namespaces.
struct SoapBody(String);

impl SoapBody {
    fn of(element: &str, fill: impl FnOnce(&mut SoapBody)) -> SoapBody {
        let namespaces =
            format!("xmlns=\"{LOCATOR_NAMESPACE}\" xmlns:i=\"{IDENTIFIERS_NAMESPACE}\"");
        let mut body = SoapBody(format!("<{element} {namespaces}>"));
        fill(&mut body);
        body.0.push_str(&format!("</{element}>"));
        body
    }

    fn text(&mut self, element: &str, text: &str) {
        self.0.push_str(&format!("<{element}>"));
        escape_text(text, &mut self.0);
        self.0.push_str(&format!("</{element}>"));
    }

    fn publisher(&mut self, id: &str) {
        self.text("ServiceMetadataPublisherID", id);
    }

    fn participant(&mut self, id: &ParticipantId) {
        self.0.push_str("<i:ParticipantIdentifier scheme=\"");
        escape_attribute(META_SCHEME, &mut self.0);
        self.0.push_str("\">");
        escape_text(id.as_str(), &mut self.0);
        self.0.push_str("</i:ParticipantIdentifier>");
    }

    fn endpoint(&mut self, publisher: &Publisher) {
        self.0.push_str("<PublisherEndpoint>");
        self.text("LogicalAddress", &publisher.logical_address);
        self.text("PhysicalAddress", &publisher.physical_address);
        self.0.push_str("</PublisherEndpoint>");
        self.publisher(&publisher.id);
    }

    /// In a single form the SMP comes first, in a list the participants do.
    fn single(&mut self, entries: &Entries) {
        self.publisher(&entries.publisher);
        entries.participants.iter().for_each(|id| self.participant(id));
    }

    fn list(&mut self, entries: &Entries) {
        entries.participants.iter().for_each(|id| self.participant(id));
        self.publisher(&entries.publisher);
    }

    fn moved(&mut self, moved: &Move) {
        self.publisher(&moved.publisher);
        self.participant(&moved.participant);
        self.text("MigrationKey", &moved.key);
    }

    fn page(&mut self, page: &ParticipantPage) {
        page.participants.iter().for_each(|id| self.participant(id));
        if let Some(publisher) = &page.publisher {
            self.publisher(publisher);
        }
        if let Some(next) = &page.next {
            self.text("NextPageIdentifier", next);
        }
    }
}

fn envelope(content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><s:Envelope xmlns:s=\"{SOAP_NAMESPACE}\">\
         <s:Body>{content}</s:Body></s:Envelope>"
    )
}

pub(super) fn request(request: &SmlRequest) -> String {
    let element = request.operation().row().element;
    // The element of this one is the value itself.
    if let SmlRequest::DeletePublisher(id) = request {
        let mut text = String::new();
        escape_text(id, &mut text);
        return envelope(&format!("<{element} xmlns=\"{LOCATOR_NAMESPACE}\">{text}</{element}>"));
    }
    match request {
        SmlRequest::ChangeCertificate(change) => return envelope(&of_change(element, change)),
        SmlRequest::CreateAs(entries, service) => {
            return envelope(&of_create(element, entries, service));
        }
        SmlRequest::IsAlive => {
            return envelope(&format!("<{element} xmlns=\"{BDMSL_NAMESPACE}\"/>"));
        }
        _ => {}
    }
    let body = SoapBody::of(element, |body| match request {
        SmlRequest::CreatePublisher(publisher)
        | SmlRequest::ReadPublisher(publisher)
        | SmlRequest::UpdatePublisher(publisher) => body.endpoint(publisher),
        SmlRequest::DeletePublisher(id) => body.publisher(id),
        SmlRequest::Create(entries) | SmlRequest::Delete(entries) => body.single(entries),
        SmlRequest::CreateList(entries) | SmlRequest::DeleteList(entries) => body.list(entries),
        SmlRequest::List { publisher, page } => {
            body.publisher(publisher);
            if let Some(page) = page {
                body.text("NextPageIdentifier", page);
            }
        }
        SmlRequest::PrepareToMigrate(moved) | SmlRequest::Migrate(moved) => body.moved(moved),
        // Written above, in a namespace of their own.
        SmlRequest::ChangeCertificate(_) | SmlRequest::CreateAs(..) | SmlRequest::IsAlive => {}
    });
    envelope(&body.0)
}

fn of_change(element: &str, change: &CertificateChange) -> String {
    let mut body = SoapBody(format!("<{element} xmlns=\"{BDMSL_NAMESPACE}\">"));
    body.text("newCertificatePublicKey", &change.certificate_pem);
    if let Some(on) = change.on {
        body.text("migrationDate", &on.to_string());
    }
    body.0.push_str(&format!("</{element}>"));
    body.0
}

fn of_create(element: &str, entries: &Entries, service: &str) -> String {
    let mut inner = SoapBody(String::new());
    inner.single(entries);
    let mut name = String::new();
    escape_text(service, &mut name);
    format!(
        "<b:{element} xmlns:b=\"{BDMSL_NAMESPACE}\" xmlns=\"{LOCATOR_NAMESPACE}\" \
         xmlns:i=\"{IDENTIFIERS_NAMESPACE}\"><b:CreateParticipantIdentifier>{}\
         </b:CreateParticipantIdentifier><b:serviceName>{name}</b:serviceName></b:{element}>",
        inner.0
    )
}

pub(super) fn answer(answer: &SmlAnswer) -> String {
    match answer {
        SmlAnswer::Done => envelope(""),
        SmlAnswer::Publisher(publisher) => {
            let element = "ServiceMetadataPublisherService";
            envelope(&SoapBody::of(element, |body| body.endpoint(publisher)).0)
        }
        SmlAnswer::Page(page) => {
            envelope(&SoapBody::of("ParticipantIdentifierPage", |body| body.page(page)).0)
        }
        SmlAnswer::Fault(fault) => envelope(&of_fault(fault)),
    }
}

/// A fault of SOAP 1.1, section 4.4.
fn of_fault(fault: &SmlFault) -> String {
    let mut text = String::new();
    escape_text(&fault.text, &mut text);
    let who = match fault.kind {
        FaultKind::InternalError | FaultKind::Unspecified => "Server",
        FaultKind::NotFound | FaultKind::Unauthorized | FaultKind::BadRequest => "Client",
    };
    let detail = match fault.kind {
        FaultKind::Unspecified => String::new(),
        kind => {
            let inner = SoapBody::of(kind.element(), |body| body.text("FaultMessage", &fault.text));
            format!("<detail>{}</detail>", inner.0)
        }
    };
    format!(
        "<s:Fault><faultcode>s:{who}</faultcode><faultstring>{text}</faultstring>{detail}</s:Fault>"
    )
}
