//! Records: what is registered for a document type, here or at another SMP.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_model::text::quoted;
use quoin_peppol::codelists::{self, RegistrationRefusal};
use quoin_peppol::identifiers::{DocumentTypeId, TransportProfile};
use quoin_peppol::pki::{Certificate, DistinguishedName};
use quoin_peppol::sml::{UriPolicy, check_endpoint, check_https};
use quoin_peppol::smp::{
    self, Endpoint, Redirect, ServiceInformation, ServiceMetadata, service_metadata_path,
};
use quoin_store::{MetadataRecord, Publication, PublishedService, ServiceEndpoint};

use super::bodies::{bad, read, refused, same};
use super::{LocalSmp, Managed, RecordPath, document_type, xml};
#[cfg(test)]
use super::{ParticipantPath, examples};
use crate::api::Api;
use crate::http::Problem;
#[cfg(test)]
use crate::http::refusals::{Called, HeldRecord, Managing, OfRecord, OfService, RecordBody};
use quoin_access_point::smp_publisher::SmpPublisher;

/// Shows the record of a document type as it is submitted: a `ServiceMetadata`, unsigned. What
/// senders read is the signed one of the SMP itself.
#[cfg_attr(test, utoipa::path(
    get, path = "/smp/{partyId}/services/{documentTypeId}", tag = "smp",
    params(ParticipantPath, RecordPath),
    responses(
        (status = 200, description = "The record, as XML.", body = String,
            content_type = "text/xml", example = json!(examples::record())),
        Called,
        Managing,
        OfService,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn record(
    State(api): State<Api>,
    managed: Managed,
    desk: LocalSmp,
    Path(path): Path<RecordPath>,
) -> Result<Response, Problem> {
    let id = document_type(&path.document_type_id)?;
    let publication = managed.publication(&api).await?;
    let found = desk.publisher()?.metadata(&publication, &managed.id, &id);
    let metadata = found.ok_or_else(|| managed.nothing(&format!("record of {id}")))?;
    Ok(xml(smp::unsigned_metadata(&metadata).map_err(Problem::fault)?))
}

/// Registers a document type of a participant: its processes and endpoints, or a redirect to
/// another SMP. It takes the place of what was registered in this way before.
#[cfg_attr(test, utoipa::path(
    put, path = "/smp/{partyId}/services/{documentTypeId}", tag = "smp",
    params(ParticipantPath, RecordPath),
    request_body(content = String, content_type = "text/xml", description = "Service metadata, \
        without a signature.", example = json!(examples::redirect())),
    responses(
        (status = 200, description = "It is registered."),
        Called,
        Managing,
        OfRecord,
        RecordBody,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn put_record(
    State(api): State<Api>,
    managed: Managed,
    desk: LocalSmp,
    Path(path): Path<RecordPath>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let id = document_type(&path.document_type_id)?;
    let body = read(&api, request).await?;
    let metadata = smp::submitted_metadata(&body).map_err(refused)?;
    let publication = managed.publication(&api).await?;
    listed(&managed, &publication, &id, &metadata)?;
    let publisher = desk.publisher()?;
    let (action, record) = match metadata {
        ServiceMetadata::Information(information) => {
            same(&information.participant, &managed.id)?;
            ("put metadata", services(publisher, &managed, &id, information)?)
        }
        ServiceMetadata::Redirect(to) => ("put redirect", redirect(publisher, &managed, &id, to)?),
    };
    within_room(&publication.services, &id, &record)?;
    api.store.put_record(managed.note(action, &id.to_string()), record).await?;
    Ok(StatusCode::OK)
}

/// Takes away what was registered for a document type by itself.
#[cfg_attr(test, utoipa::path(
    delete, path = "/smp/{partyId}/services/{documentTypeId}", tag = "smp",
    params(ParticipantPath, RecordPath),
    responses(
        (status = 200, description = "It is removed."),
        Called,
        Managing,
        OfService,
        HeldRecord,
    ),
    security(("token" = []), ("basic" = []))
))]
pub(crate) async fn remove_record(
    State(api): State<Api>,
    managed: Managed,
    Path(path): Path<RecordPath>,
) -> Result<StatusCode, Problem> {
    let id = document_type(&path.document_type_id)?;
    api.store.remove_record(managed.note("delete metadata", &id.to_string())).await?;
    Ok(StatusCode::OK)
}

/// Characters of a text about an endpoint: who asks reads a mebibyte of an answer at most.
const LONGEST: usize = 4_000;
/// Characters of a certificate, in Base64.
const CERTIFICATE: usize = 16_384;
/// Bytes of what the endpoints of all document types of a participant say: it is read together.
const TOGETHER: usize = 2 << 20;

/// The code lists allow it: a deprecated type only where it is registered already.
fn listed(
    managed: &Managed,
    publication: &Publication,
    id: &DocumentTypeId,
    metadata: &ServiceMetadata,
) -> Result<(), Problem> {
    let day = managed.now.to_zoned(TimeZone::UTC).date();
    let (value, plain) = (id.to_string(), id.plain());
    let known = publication.services.iter().any(|service| service.document_type == value);
    let row = match codelists::registrable(id, day) {
        Err(RegistrationRefusal::Deprecated { .. }) if known => {
            codelists::DOCUMENT_TYPES.iter().find(|row| row.value == plain)
        }
        found => Some(found.map_err(bad)?),
    };
    if let (Some(row), ServiceMetadata::Information(information)) = (row, metadata) {
        for process in &information.processes {
            row.demand_process(&process.id).map_err(bad)?;
        }
    }
    Ok(())
}

/// Characters of the subject of a certificate that a redirect names, at most.
const SUBJECT: usize = 1_000;

/// What is published of a participant has an end.
fn within_room(
    known: &[PublishedService],
    id: &DocumentTypeId,
    record: &MetadataRecord,
) -> Result<(), Problem> {
    let MetadataRecord::Services(processes) = record else { return Ok(()) };
    let own = id.to_string();
    let others = known.iter().filter(|service| service.document_type != own);
    let endpoints = processes.iter().filter_map(|(_, endpoints)| endpoints.as_ref()).flatten();
    let found = others.map(PublishedService::bytes).sum::<usize>()
        + endpoints.map(ServiceEndpoint::bytes).sum::<usize>();
    if found > TOGETHER {
        return Err(bad(format!(
            "with it the endpoints of all document types of the participant have {found} bytes, \
             expected {TOGETHER} at most"
        )));
    }
    Ok(())
}

fn services(
    publisher: &SmpPublisher,
    managed: &Managed,
    id: &DocumentTypeId,
    information: ServiceInformation,
) -> Result<MetadataRecord, Problem> {
    if information.document_type != *id {
        let found = &information.document_type;
        return Err(bad(format!("the body is about {found}, the address about {id}")));
    }
    smp::publishable(&information).map_err(bad)?;
    let mut processes = Vec::new();
    for process in information.processes {
        let endpoints = process.endpoints.into_iter();
        let endpoints = endpoints.map(|one| endpoint(publisher, managed, one));
        processes.push((process.id.to_string(), Some(endpoints.collect::<Result<_, _>>()?)));
    }
    Ok(MetadataRecord::Services(processes))
}

/// An endpoint that can be used: of a transport in use, at an address that is acceptable, with a
/// certificate that is valid. What is ours is recorded as ours, so that it follows when ours
/// changes.
fn endpoint(
    publisher: &SmpPublisher,
    managed: &Managed,
    endpoint: Endpoint,
) -> Result<ServiceEndpoint, Problem> {
    let profile = &endpoint.transport_profile;
    if profile != TransportProfile::AS4 {
        let wanted = TransportProfile::AS4;
        return Err(bad(format!("transportProfile is {profile:?}: {wanted} is the one in use")));
    }
    let found = endpoint.certificate.chars().count();
    if found > CERTIFICATE {
        let text = format!("Certificate has {found} characters, expected {CERTIFICATE} at most");
        return Err(bad(text));
    }
    check_endpoint(&endpoint.address, publisher.uri_policy()).map_err(bad)?;
    let certificate = Certificate::from_text(&endpoint.certificate)
        .map_err(|error| bad(format!("Certificate: {error}")))?;
    if managed.now < certificate.not_before() || managed.now > certificate.not_after() {
        return Err(bad("Certificate: it is not valid now; publish one that is"));
    }
    for (name, text) in [
        ("ServiceDescription", Some(&endpoint.description)),
        ("TechnicalContactUrl", Some(&endpoint.technical_contact)),
        ("TechnicalInformationUrl", endpoint.technical_information.as_ref()),
    ] {
        let found = text.map_or(0, |text| text.chars().count());
        if found > LONGEST {
            return Err(bad(format!("{name} has {found} characters, expected {LONGEST} at most")));
        }
    }
    let (activation, expiration) =
        dates(endpoint.activation, endpoint.expiration, managed.now).map_err(bad)?;
    let ours = publisher.is_ours(&certificate);
    Ok(ServiceEndpoint {
        address: (!ours || !publisher.is_at(&endpoint.address)).then_some(endpoint.address),
        certificate: (!ours).then(|| certificate.base64()),
        transport_profile: endpoint.transport_profile,
        activation,
        expiration,
        description: endpoint.description,
        technical_contact: endpoint.technical_contact,
        technical_information: endpoint.technical_information,
    })
}

/// From when until when an endpoint is of use. A last day beyond the instants that can be held is
/// the "never" of many programs: it is left out, so that no other day is published.
fn dates(
    activation: Option<Timestamp>,
    expiration: Option<Timestamp>,
    now: Timestamp,
) -> Result<(Option<Timestamp>, Option<Timestamp>), String> {
    let expiration = expiration.filter(|until| *until < Timestamp::MAX);
    let never =
        |name: &str, why: String| Err(format!("{name}: the endpoint is never usable, {why}"));
    if let Some(from) = activation.filter(|from| *from == Timestamp::MAX) {
        return never("ServiceActivationDate", format!("it begins after {from}, the last time"));
    }
    if let Some(until) = expiration.filter(|until| *until <= now) {
        return never("ServiceExpirationDate", format!("it ended on {until}; publish one that is"));
    }
    if let (Some(from), Some(until)) = (activation, expiration)
        && from >= until
    {
        let dates = format!("it begins on {from} and ends on {until}");
        return never("ServiceExpirationDate", dates);
    }
    Ok((activation, expiration))
}

/// A redirect leads to the same record at another SMP, and names who signs there.
fn redirect(
    publisher: &SmpPublisher,
    managed: &Managed,
    id: &DocumentTypeId,
    to: Redirect,
) -> Result<MetadataRecord, Problem> {
    let policy: UriPolicy = publisher.uri_policy();
    check_https(&to.href, policy).map_err(bad)?;
    if smp::leads_to(&to.href, publisher.base(), policy) {
        return Err(bad("Redirect/@href leads to this SMP; redirect to another one"));
    }
    let path = service_metadata_path(&managed.id, id);
    if smp::request_of(&to.href).is_none_or(|found| found != (managed.id.clone(), id.clone())) {
        return Err(bad(format!("Redirect/@href is not the same record: expected BASE{path}")));
    }
    let length = to.certificate_uid.chars().count();
    if length > SUBJECT {
        return Err(bad(format!(
            "CertificateUID has {length} characters, expected at most {SUBJECT}"
        )));
    }
    if DistinguishedName::parse(&to.certificate_uid).is_none() {
        let found = &to.certificate_uid;
        let detail = format!(
            "CertificateUID is {found}: expected a subject (RFC 2253)",
            found = quoted(found, 100)
        );
        return Err(bad(detail));
    }
    Ok(MetadataRecord::Redirect { href: to.href, certificate_uid: to.certificate_uid })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_of_a_participant_has_an_end() {
        let endpoint = |certificate: usize| ServiceEndpoint {
            transport_profile: TransportProfile::AS4.to_string(),
            address: None,
            certificate: Some("A".repeat(certificate)),
            activation: None,
            expiration: None,
            description: String::new(),
            technical_contact: String::new(),
            technical_information: None,
        };
        let service = |id: &DocumentTypeId| PublishedService {
            participant: "0106:12345678".to_owned(),
            document_type: id.to_string(),
            process: String::new(),
            organisation: "acme".parse().unwrap(),
            explicit: true,
            endpoints: Some(vec![endpoint(TOGETHER - 1_000)]),
            created_on: Timestamp::UNIX_EPOCH,
        };
        let row = |number: usize| &codelists::DOCUMENT_TYPES[number];
        let id = |number| -> DocumentTypeId {
            format!("{}::{}", row(number).scheme, row(number).value).parse().unwrap()
        };
        let record =
            |size| MetadataRecord::Services(vec![(String::new(), Some(vec![endpoint(size)]))]);
        let known = [service(&id(0))];
        assert!(within_room(&known, &id(1), &record(500)).is_ok());
        let told = within_room(&known, &id(1), &record(2_000)).unwrap_err();
        assert!(format!("{told:?}").contains("2097152 at most"), "{told:?}");
        assert!(within_room(&known, &id(0), &record(2_000)).is_ok(), "in place of what it was");
    }

    #[test]
    fn an_endpoint_is_of_use_between_its_dates() {
        let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        let now = "2026-11-28T00:00:00Z".parse().unwrap();
        let whole = (at("2020-01-01T00:00:00Z"), at("9999-12-30T00:00:00Z"));
        assert_eq!(dates(whole.0, whole.1, now), Ok(whole), "published as it was put");
        assert_eq!(dates(None, Some(Timestamp::MAX), now), Ok((None, None)), "for ever");
        for (from, until, said) in [
            (None, at("2026-11-27T00:00:00Z"), "ended on 2026-11-27T00:00:00Z"),
            (at("2027-02-01T00:00:00Z"), at("2027-01-01T00:00:00Z"), "begins on 2027-02-01"),
            (Some(Timestamp::MAX), None, "begins after 9999-12-30"),
        ] {
            let told = dates(from, until, now).unwrap_err();
            assert!(told.contains("never usable") && told.contains(said), "{told}");
        }
    }
}
