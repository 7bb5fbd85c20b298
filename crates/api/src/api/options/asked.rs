//! The query of a look-up, whose parameters may be repeated.

use quoin_delivery::{DOCUMENT_FAMILIES, DocumentFamily};
use quoin_model::text::quoted;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId};

use super::super::format::document_type;
use super::PARTIES;
use crate::http::{Problem, codes, query};
use quoin_access_point::lookup::OfferFilter;

/// Parameters of the delivery options.
pub(super) const OPTION: &[&str] =
    &["partyIds", "documentFamily", "isCredit", "preferredDocumentTypeId", "documentTypeIds"];
/// Parameters of the recipient look-ups.
pub(super) const RECIPIENT: &[&str] =
    &["documentFamily", "isCredit", "preferredDocumentTypeId", "documentTypeIds", "includeOptions"];

/// Of them, those that may be given several times.
const REPEATED: &[&str] = &["partyIds", "documentTypeIds"];

/// What is asked for.
#[derive(Debug, Default)]
pub(super) struct LookupQuery {
    /// Whom.
    pub parties: Vec<ParticipantId>,
    /// Which document types.
    pub wanted: OfferFilter,
    /// The one that goes before all others.
    pub preferred: Option<DocumentTypeId>,
    /// Whether to tell every way to deliver.
    pub options: bool,
}

impl LookupQuery {
    /// Reads a query that has no other parameters than these.
    pub(super) fn read(query: &str, known: &[&str]) -> Result<LookupQuery, Problem> {
        let bad = |detail: String| Problem::new(&codes::BAD_QUERY, detail);
        let mut asked = LookupQuery::default();
        let (mut ids, mut seen) = (Vec::new(), Vec::new());
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            // One of the public clients numbers the identifiers instead of naming them.
            let number = is_number(&name) && known == OPTION;
            let found = if number { Some("partyIds") } else { query::known(&name, known) };
            let Some(name) = found else {
                let detail = format!(
                    "{name} is not known, expected {}",
                    known.join(", "),
                    name = quoted(&name, 60)
                );
                return Err(bad(detail));
            };
            if seen.contains(&name) && !REPEATED.contains(&name) {
                return Err(bad(format!("{name} is given twice, expected it once")));
            }
            seen.push(name);
            let kind = || document_type(&value).map_err(|error| bad(format!("{name}: {error}")));
            match name {
                "partyIds" => ids.extend(value.split(',').map(|id| id.trim().to_owned())),
                "documentFamily" => asked.wanted.family = Some(family(&value)?),
                "isCredit" => asked.wanted.credit = Some(truth(name, &value)?),
                "includeOptions" => asked.options = truth(name, &value)?,
                "preferredDocumentTypeId" => asked.preferred = Some(kind()?),
                _ => asked.wanted.types.push(kind()?),
            }
        }
        asked.parties = parties(ids.iter().map(String::as_str)).map_err(|mut problem| {
            if known == OPTION {
                problem.detail = format!("partyIds: {}", problem.detail).into();
            }
            problem
        })?;
        Ok(asked)
    }
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

fn truth(name: &str, value: &str) -> Result<bool, Problem> {
    super::super::bool_param::read(value).ok_or_else(|| {
        let detail =
            format!("{name} is {value}, expected true or false", value = quoted(value, 20));
        Problem::new(&codes::BAD_QUERY, detail)
    })
}

fn family(name: &str) -> Result<&'static DocumentFamily, Problem> {
    DocumentFamily::named(name).ok_or_else(|| {
        let known: Vec<&str> = DOCUMENT_FAMILIES.iter().map(|family| family.name).collect();
        let detail = format!(
            "documentFamily is {name}, expected one of {}",
            known.join(", "),
            name = quoted(name, 40)
        );
        Problem::new(&codes::BAD_QUERY, detail)
    })
}

/// Participants in a query or a body.
pub(super) fn parties<'t>(
    ids: impl Iterator<Item = &'t str>,
) -> Result<Vec<ParticipantId>, Problem> {
    let mut parties = Vec::new();
    for id in ids.filter(|id| !id.is_empty()) {
        if parties.len() == PARTIES {
            let detail = format!("found more than {PARTIES} identifiers, expected 1 to {PARTIES}");
            return Err(Problem::new(&codes::BAD_PARTY_ID, detail));
        }
        let wrong = |error| Problem::new(&codes::BAD_PARTY_ID, format!("{id:.80}: {error}"));
        let id: ParticipantId = id.parse().map_err(wrong)?;
        if !parties.contains(&id) {
            parties.push(id);
        }
    }
    Ok(parties)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_are_given_several_times() {
        let both = [OPTION, RECIPIENT].concat();
        let read = |query: &str| LookupQuery::read(query, &both);
        let found = read("partyIds=0106:12345678&partyIds=0106:87654321").unwrap();
        assert_eq!(found.parties.len(), 2);
        for query in [
            "isCredit=true&isCredit=false",
            "documentFamily=Invoice&DocumentFamily=Order",
            "includeOptions=true&includeOptions=true",
            "preferredDocumentTypeId=a&preferreddocumenttypeid=b",
        ] {
            let problem = read(query).unwrap_err();
            assert_eq!(problem.code.id, "API400.Query", "{query}");
        }
        let many: Vec<String> = (0..51).map(|n| format!("partyIds=0106:{n:08}")).collect();
        for query in [&*many.join("&"), "partyIds=12345678"] {
            let problem = LookupQuery::read(query, OPTION).unwrap_err();
            assert_eq!(problem.code.id, "API400.PartyId");
            assert!(problem.detail.to_string().starts_with("partyIds: "), "{}", problem.detail);
        }
        let problem = read("isCredit=true&isCredit=false").unwrap_err();
        assert!(problem.detail.to_string().contains("isCredit is given twice"));
    }
}
