//! The `action` of a hook of procurement network 1: `cxml://host/path?from=…&to=…`.

use quoin_peppol::identifiers::ParticipantId;

use super::credential::{CxmlCredential, CxmlEnds};
use crate::partner::{PartnerAction, PartnerError, PartnerMode};

/// How the action begins.
pub const CXML: &str = "cxml://";
/// Its parameters: three credentials, and the same in the test environment.
const CREDENTIALS: &[&str] = &["from", "to", "sender", "testFrom", "testTo", "testSender"];
/// The parameter that names the buyer as a participant.
const BUYER: &str = "buyer";

/// A hook of procurement network 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CxmlAction {
    /// Where it is, and in which environment.
    pub place: PartnerAction,
    /// The credentials of the environment that is in use.
    pub ends: CxmlEnds,
    /// The same of each environment.
    pub each: Vec<CxmlEnds>,
    /// The buyer as a participant, for what comes in.
    pub buyer: Option<ParticipantId>,
}

impl CxmlAction {
    /// Reads an action without its secret. Both sets of credentials are looked at.
    ///
    /// # Errors
    /// [`PartnerError`].
    pub fn parse(text: &str) -> Result<CxmlAction, PartnerError> {
        let known: Vec<&str> = CREDENTIALS.iter().copied().chain([BUYER]).collect();
        let place = PartnerAction::parse(text, CXML, &known)?;
        for name in CREDENTIALS {
            if let Some(value) = place.parameter(name) {
                credential(name, value)?;
            }
        }
        let each = PartnerMode::ALL.map(|mode| ends(&place, mode));
        let ends = ends(&place, place.mode)?;
        let each = each.into_iter().flatten().collect();
        let buyer = place.parameter(BUYER).map(|text| {
            text.parse().map_err(|_| PartnerError::Value {
                name: BUYER.to_owned(),
                found: text.chars().take(80).collect(),
                expected: "a participant, as in 0208:0123456749",
            })
        });
        let buyer = buyer.transpose()?;
        Ok(CxmlAction { place, ends, each, buyer })
    }
}

/// The credentials of an environment.
fn ends(place: &PartnerAction, mode: PartnerMode) -> Result<CxmlEnds, PartnerError> {
    let required = |name: &'static str, test: &str, what: &'static str| {
        let value = place.in_mode(mode, name, test);
        let value = value.ok_or(PartnerError::Missing { name, what });
        value.and_then(|value| credential(name, value))
    };
    let from = required("from", "testFrom", "the credential of the supplier, DOMAIN:IDENTITY")?;
    let to = required("to", "testTo", "the credential of the buyer, DOMAIN:IDENTITY")?;
    let sender = match place.in_mode(mode, "sender", "testSender") {
        Some(value) => credential("sender", value)?,
        None => from.clone(),
    };
    Ok(CxmlEnds { from, to, sender })
}

fn credential(name: &str, value: &str) -> Result<CxmlCredential, PartnerError> {
    CxmlCredential::parse(value).ok_or_else(|| PartnerError::Value {
        name: name.to_owned(),
        found: value.chars().take(80).collect(),
        expected: "DOMAIN:IDENTITY, as in NetworkID:AN01000000001",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_environment_has_its_credentials() {
        let text = "cxml://n.example/cxml?from=NetworkID:S&to=DUNS:12&testTo=NetworkID:B-T";
        let live = CxmlAction::parse(text).unwrap();
        let shown = |ends: &CxmlEnds| format!("{} {} {}", ends.from, ends.to, ends.sender);
        assert_eq!(shown(&live.ends), "NetworkID:S DUNS:12 NetworkID:S");
        let test = CxmlAction::parse(&format!("{text}&mode=test&testSender=hub")).unwrap();
        assert_eq!(shown(&test.ends), "NetworkID:S NetworkID:B-T NetworkID:hub");
    }

    #[test]
    fn a_credential_that_is_missing_or_wrong_is_named() {
        for (text, word) in [
            ("cxml://n.example/cxml?to=b", "the parameter from is missing"),
            ("cxml://n.example/cxml?from=b", "the parameter to is missing"),
            ("cxml://n.example/cxml?from=a&to=:b", "to is \":b\""),
            ("cxml://n.example/cxml?from=a&to=b&testTo=x:", "testTo is"),
        ] {
            let error = CxmlAction::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
