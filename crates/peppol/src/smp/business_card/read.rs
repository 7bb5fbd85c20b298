//! Reading business cards of every version (Peppol Directory 1.1.1): those that are submitted, and
//! those that a Directory fetches.

use jiff::civil::Date;
use quoin_xml::tree::Element;

use super::{BusinessCard, BusinessContact, BusinessEntity, BusinessIdentifier, BusinessName};
use crate::identifiers::META_SCHEME;
use crate::smp::SmpRefusal;
use crate::smp::read::parse;

/// What the namespaces of business cards begin with; a date and a slash follow.
const NAMESPACES: &str = "http://www.peppol.eu/schema/pd/businesscard/";
/// The dates of the versions.
const VERSIONS: &[&str] = &["20160112/", "20161123/", "20180621/"];
/// Businesses, and names, identifiers, sites or contacts of one, at most.
const MOST: usize = 100;
/// Characters of a text at most.
const LONGEST: usize = 4_000;

/// Reads a business card of version 1, 2 or 3, with the rules of its schema.
///
/// # Errors
/// [`SmpRefusal`] with the first element that breaks them.
pub fn read_business_card(bytes: &[u8]) -> Result<BusinessCard, SmpRefusal> {
    let document = parse(bytes)?;
    let root = document.root();
    let namespace = root.namespace();
    let version = namespace.strip_prefix(NAMESPACES);
    if root.local() != "BusinessCard" || !version.is_some_and(|it| VERSIONS.contains(&it)) {
        let found = root.qualified_name().into_owned();
        return Err(SmpRefusal::Root { found, expected: "BusinessCard" });
    }
    const WHO: &str = "ParticipantIdentifier";
    let id = root.child(namespace, WHO).ok_or(SmpRefusal::Missing { element: WHO })?;
    let scheme = id.attribute("scheme").unwrap_or(META_SCHEME);
    let participant = format!("{scheme}::{}", id.text().trim())
        .parse()
        .map_err(|error| SmpRefusal::Identifier { element: WHO, error })?;
    let entities: Vec<_> = root.children_named(namespace, "BusinessEntity").collect();
    few("BusinessEntity", entities.len())?;
    let entities = entities.into_iter().map(|entity| business(namespace, entity));
    Ok(BusinessCard { participant, entities: entities.collect::<Result<_, _>>()? })
}

fn few(element: &'static str, found: usize) -> Result<(), SmpRefusal> {
    if found <= MOST {
        return Ok(());
    }
    Err(wrong(element, &format!("there {found} times"), "100 at most"))
}

fn wrong(element: &'static str, found: &str, expected: &'static str) -> SmpRefusal {
    let found = found.chars().take(100).collect();
    SmpRefusal::Value { element, found, expected }
}

fn business(namespace: &str, entity: Element<'_>) -> Result<BusinessEntity, SmpRefusal> {
    let one = |name: &'static str| text(name, entity.child(namespace, name));
    let all = |name: &'static str| -> Result<Vec<Element<'_>>, SmpRefusal> {
        let found: Vec<_> = entity.children_named(namespace, name).collect();
        few(name, found.len())?;
        Ok(found)
    };
    let names = all("Name")?.into_iter().map(name).collect::<Result<Vec<_>, _>>()?;
    if names.is_empty() {
        return Err(SmpRefusal::Missing { element: "Name" });
    }
    let country = one("CountryCode")?.ok_or(SmpRefusal::Missing { element: "CountryCode" })?;
    if country.len() != 2 || !country.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(wrong("CountryCode", &country, "two letters (ISO 3166-1)"));
    }
    let registration_date = entity.attribute("registrationDate").map(str::to_owned);
    if let Some(day) = registration_date.as_deref().filter(|day| day.parse::<Date>().is_err()) {
        return Err(wrong("BusinessEntity/@registrationDate", day, "a date, YYYY-MM-DD"));
    }
    let websites = all("WebsiteURI")?.into_iter().map(|site| text("WebsiteURI", Some(site)));
    let websites: Vec<Option<String>> = websites.collect::<Result<_, _>>()?;
    Ok(BusinessEntity {
        names,
        country: country.to_ascii_uppercase(),
        geographical_information: one("GeographicalInformation")?,
        identifiers: all("Identifier")?.into_iter().map(identifier).collect::<Result<_, _>>()?,
        websites: websites.into_iter().flatten().collect(),
        contacts: all("Contact")?
            .into_iter()
            .map(|each| contact(namespace, each))
            .collect::<Result<_, _>>()?,
        additional_information: one("AdditionalInformation")?,
        registration_date,
    })
}

fn name(element: Element<'_>) -> Result<BusinessName, SmpRefusal> {
    let text = text("Name", Some(element))?.ok_or(SmpRefusal::Missing { element: "Name" })?;
    let language = element.attribute("language").map(str::to_owned);
    if let Some(code) = language.as_deref().filter(|code| code.len() != 2) {
        return Err(wrong("Name/@language", code, "two letters (ISO 639-1)"));
    }
    Ok(BusinessName { text, language })
}

fn identifier(element: Element<'_>) -> Result<BusinessIdentifier, SmpRefusal> {
    let scheme =
        element.attribute("scheme").ok_or(SmpRefusal::Missing { element: "Identifier/@scheme" })?;
    let value = text("Identifier", Some(element))?.unwrap_or_default();
    Ok(BusinessIdentifier { scheme: scheme.to_owned(), value })
}

fn contact(namespace: &str, element: Element<'_>) -> Result<BusinessContact, SmpRefusal> {
    let part = |name: &'static str| text(name, element.child(namespace, name));
    Ok(BusinessContact {
        kind: part("Type")?,
        name: part("Name")?,
        phone: part("PhoneNumber")?,
        email: part("Email")?,
    })
}

/// The text of an element, if there is one that is not empty.
fn text(name: &'static str, element: Option<Element<'_>>) -> Result<Option<String>, SmpRefusal> {
    let Some(element) = element else { return Ok(None) };
    let text = element.text().trim().to_owned();
    if text.chars().count() > LONGEST {
        return Err(wrong(name, &text, "4000 characters at most"));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}
