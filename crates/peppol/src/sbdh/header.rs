//! The header element as values (Business Message Envelope 2.0, sections 2.4 to 2.9).

use jiff::Timestamp;
use quoin_xml::tree::Element;

use super::{CountryC1, MlsType, NAMESPACE, SCOPE_LIMIT, Sbdh, SbdhRefusal, Scope};
use crate::codelists;
use crate::identifiers::{
    DocumentTypeId, DocumentTypeScheme, IdentifierError, META_SCHEME, ParticipantId, ProcessId,
    SeatId,
};
use crate::instant::instant;

type HeaderResult<T> = Result<T, SbdhRefusal>;

/// Reads a `StandardBusinessDocumentHeader` element.
pub(super) fn parse(header: Element<'_>) -> HeaderResult<Sbdh> {
    expect("HeaderVersion", &field(header, "HeaderVersion", "HeaderVersion")?, "1.0")?;
    let sender = partner(header, "Sender", "Sender/Identifier")?;
    let receiver = partner(header, "Receiver", "Receiver/Identifier")?;
    let identification = only(header, "DocumentIdentification", "DocumentIdentification")?;
    let part = |local, path| field(identification, local, path);
    let standard = part("Standard", "DocumentIdentification/Standard")?;
    let version = part("TypeVersion", "DocumentIdentification/TypeVersion")?;
    let instance = part("InstanceIdentifier", "DocumentIdentification/InstanceIdentifier")?;
    let kind = part("Type", "DocumentIdentification/Type")?;
    let created =
        created(&part("CreationDateAndTime", "DocumentIdentification/CreationDateAndTime")?)?;
    let mut scopes = scopes(only(header, "BusinessScope", "BusinessScope")?)?;
    let document_type = document_type(take(&mut scopes, "DOCUMENTID")?)?;
    let process = process(take(&mut scopes, "PROCESSID")?)?;
    let country = country(&take(&mut scopes, "COUNTRY_C1")?.value)?;
    let mls_to = take_if(&mut scopes, "MLS_TO", mls_to);
    let mls_type = take_if(&mut scopes, "MLS_TYPE", |scope| MlsType::from_code(&scope.value));
    let parts = document_type.parts();
    expect("DocumentIdentification/Standard", &standard, parts.root_namespace)?;
    expect("DocumentIdentification/TypeVersion", &version, parts.version)?;
    if let Some(local) = parts.local_name {
        expect("DocumentIdentification/Type", &kind, local)?;
    }
    Ok(Sbdh {
        sender,
        receiver,
        process,
        instance,
        created,
        country,
        mls_to,
        mls_type,
        others: scopes,
        document_type,
    })
}

/// The child that must be there exactly once.
fn only<'d>(parent: Element<'d>, local: &str, field: &'static str) -> HeaderResult<Element<'d>> {
    let mut found = parent.children_named(NAMESPACE, local);
    let first = found.next().ok_or(SbdhRefusal::Missing { field })?;
    match found.count() {
        0 => Ok(first),
        more => Err(SbdhRefusal::Repeated { field, count: more + 1 }),
    }
}

/// The text of a child that must be there exactly once and not be empty.
fn field(parent: Element<'_>, local: &str, field: &'static str) -> HeaderResult<String> {
    let text = plain(only(parent, local, field)?, field)?;
    if text.is_empty() { Err(SbdhRefusal::Missing { field }) } else { Ok(text) }
}

/// The trimmed text of an element that may hold nothing else: what stands inside a child would be
/// read as if it stood beside it.
fn plain(element: Element<'_>, field: &'static str) -> HeaderResult<String> {
    match element.elements().next() {
        None => Ok(element.text().trim().to_owned()),
        Some(child) => {
            let found = format!("the element {}", child.qualified_name());
            Err(SbdhRefusal::Value { field, found, expected: "text only".to_owned() })
        }
    }
}

fn expect(field: &'static str, found: &str, expected: &str) -> HeaderResult<()> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_owned(), format!("'{expected}'"));
    Err(SbdhRefusal::Value { field, found, expected })
}

fn partner(header: Element<'_>, local: &str, path: &'static str) -> HeaderResult<ParticipantId> {
    let identifier = only(only(header, local, path)?, "Identifier", path)?;
    let authority = identifier.attribute("Authority").unwrap_or_default();
    expect(
        if local == "Sender" {
            "Sender/Identifier/@Authority"
        } else {
            "Receiver/Identifier/@Authority"
        },
        authority,
        META_SCHEME,
    )?;
    participant(path, &plain(identifier, path)?)
}

/// A participant in its canonical form: the ICD in digits, no alias and no meta scheme.
fn participant(field: &'static str, text: &str) -> HeaderResult<ParticipantId> {
    let refuse = |error| SbdhRefusal::Identifier { field, error };
    let (icd, value) = text
        .split_once(':')
        .ok_or_else(|| refuse(IdentifierError::Scheme { found: text.to_owned() }))?;
    ParticipantId::new(icd, value).map_err(refuse)
}

fn created(text: &str) -> HeaderResult<Timestamp> {
    let refuse = || SbdhRefusal::Value {
        field: "DocumentIdentification/CreationDateAndTime",
        found: text.to_owned(),
        expected: "a date and time with a time zone, such as 2026-11-20T12:00:00Z (BME 2.9)"
            .to_owned(),
    };
    let time = text.split_once('T').map(|(_, time)| time).ok_or_else(refuse)?;
    if !time.contains(['Z', '+', '-']) {
        return Err(refuse());
    }
    instant(text).ok_or_else(refuse)
}

fn scopes(business_scope: Element<'_>) -> HeaderResult<Vec<Scope>> {
    let mut scopes: Vec<Scope> = Vec::new();
    let count = business_scope.children_named(NAMESPACE, "Scope").count();
    if !(3..=SCOPE_LIMIT).contains(&count) {
        return Err(SbdhRefusal::ScopeCount { count });
    }
    for scope in business_scope.children_named(NAMESPACE, "Scope") {
        let key = field(scope, "Type", "BusinessScope/Scope/Type")?;
        if scopes.iter().any(|other| other.key == key) {
            return Err(SbdhRefusal::RepeatedScope { key });
        }
        // What means nothing to us keeps no document from being received (BME section 2.7).
        let is_read = ["DOCUMENTID", "PROCESSID", "COUNTRY_C1"].contains(&key.as_str());
        let text = |local, field| match scope.child(NAMESPACE, local) {
            Some(child) if is_read => plain(child, field).map(Some),
            child => Ok(child.map(|child| child.text().trim().to_owned())),
        };
        let value = text("InstanceIdentifier", "BusinessScope/Scope/InstanceIdentifier")?;
        let scheme = text("Identifier", "BusinessScope/Scope/Identifier")?;
        let (value, scheme) = (value.unwrap_or_default(), scheme.filter(|text| !text.is_empty()));
        scopes.push(Scope { key, value, scheme });
    }
    Ok(scopes)
}

/// Takes a scope out by its key.
fn take(scopes: &mut Vec<Scope>, key: &'static str) -> HeaderResult<Scope> {
    match scopes.iter().position(|scope| scope.key == key) {
        Some(index) => Ok(scopes.remove(index)),
        None => Err(SbdhRefusal::Missing { field: key }),
    }
}

/// Takes a scope out that may be there. One that means nothing to us stays among the others: it is
/// about a status, and keeps no document from being received (BME section 2.6).
fn take_if<T>(
    scopes: &mut Vec<Scope>,
    key: &str,
    read: impl FnOnce(&Scope) -> Option<T>,
) -> Option<T> {
    let index = scopes.iter().position(|scope| scope.key == key)?;
    let found = read(scopes.get(index)?)?;
    scopes.remove(index);
    Some(found)
}

fn document_type(scope: Scope) -> HeaderResult<DocumentTypeId> {
    const FIELD: &str = "DOCUMENTID";
    let refuse = |error| SbdhRefusal::Identifier { field: FIELD, error };
    let scheme = match scope.scheme {
        Some(scheme) => scheme.parse().map_err(refuse)?,
        None => DocumentTypeScheme::Busdox,
    };
    let id = DocumentTypeId::new(scheme, &scope.value).map_err(refuse)?;
    if id.is_pattern() || codelists::document_type(&id).is_some_and(|row| row.is_abstract) {
        return Err(SbdhRefusal::Value {
            field: FIELD,
            found: scope.value,
            expected: "the full type of a document, not a registration (PFUOI 5.1.2)".to_owned(),
        });
    }
    Ok(id)
}

fn process(scope: Scope) -> HeaderResult<ProcessId> {
    let scheme = scope.scheme.as_deref().unwrap_or(ProcessId::SCHEME);
    ProcessId::new(scheme, &scope.value)
        .map_err(|error| SbdhRefusal::Identifier { field: "PROCESSID", error })
}

fn country(code: &str) -> HeaderResult<CountryC1> {
    CountryC1::new(code).ok_or_else(|| SbdhRefusal::Value {
        field: "COUNTRY_C1",
        found: code.to_owned(),
        expected: "a country of ISO 3166-1 alpha-2 (BME 2.5)".to_owned(),
    })
}

/// The id of a service provider (BME section 2.6.1).
fn mls_to(scope: &Scope) -> Option<ParticipantId> {
    if scope.scheme.as_deref().is_some_and(|scheme| scheme != META_SCHEME) {
        return None;
    }
    let id = participant("MLS_TO", &scope.value).ok()?;
    (id.icd() == SeatId::SPIS && id.check().is_ok()).then_some(id)
}

/// Where a scope about statuses is among those that mean nothing, what it should be. Who writes an
/// envelope is told; who receives one does without it.
pub(super) fn check_statuses(sbdh: &Sbdh) -> HeaderResult<()> {
    let expected = |key: &str| match key {
        "MLS_TO" => Some(("MLS_TO", "a service provider id, 0242 and six digits (BME 2.6.1)")),
        "MLS_TYPE" => Some(("MLS_TYPE", "FAILURE_ONLY or ALWAYS_SEND (BME 2.6.2)")),
        _ => None,
    };
    let wrong = sbdh.others.iter().find_map(|scope| Some((scope, expected(&scope.key)?)));
    let Some((scope, (field, expected))) = wrong else { return Ok(()) };
    let (found, expected) = (scope.value.clone(), expected.to_owned());
    Err(SbdhRefusal::Value { field, found, expected })
}
