//! A credential: who somebody is, in the words of a network.

use std::fmt;

use quoin_xml::tree::Element;

/// The domain where none is named: accounts of the network.
const NETWORK_ID: &str = "NetworkID";
/// Characters of a domain or an identity.
pub(super) const LONGEST: usize = 100;

/// Who somebody is: `Credential` with its `@domain` and `Identity`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CxmlCredential {
    /// Whose names these are: `NetworkID`, `DUNS`.
    pub domain: String,
    /// The name.
    pub identity: String,
}

/// The three credentials of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CxmlEnds {
    /// Whose message it is.
    pub from: CxmlCredential,
    /// For whom it is.
    pub to: CxmlCredential,
    /// Who hands it over, and knows the secret.
    pub sender: CxmlCredential,
}

impl CxmlCredential {
    /// Reads `DOMAIN:IDENTITY`, or the identity alone where the domain is `NetworkID`.
    pub fn parse(text: &str) -> Option<CxmlCredential> {
        let (domain, identity) = text.split_once(':').unwrap_or((NETWORK_ID, text));
        let (domain, identity) = (domain.trim(), identity.trim());
        let fits = |text: &str| {
            (1..=LONGEST).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        (fits(domain) && fits(identity))
            .then(|| CxmlCredential { domain: domain.to_owned(), identity: identity.to_owned() })
    }

    /// An account of the network.
    pub fn account(id: impl Into<String>) -> CxmlCredential {
        CxmlCredential { domain: NETWORK_ID.to_owned(), identity: id.into() }
    }

    /// The credential in an element; the first where there are several.
    pub fn of(element: Element<'_>) -> Option<CxmlCredential> {
        let own = element.elements().find(|child| child.local() == "Credential")?;
        CxmlCredential::read(own)
    }

    /// All credentials in an element: one party has several names.
    pub fn all_of(element: Element<'_>) -> Vec<CxmlCredential> {
        let own = element.elements().filter(|child| child.local() == "Credential");
        own.filter_map(CxmlCredential::read).collect()
    }

    fn read(own: Element<'_>) -> Option<CxmlCredential> {
        let identity = own.elements().find(|child| child.local() == "Identity")?;
        Some(CxmlCredential {
            domain: own.attribute("domain").unwrap_or_default().trim().to_owned(),
            identity: identity.string_value().trim().to_owned(),
        })
    }

    /// Whether domain and identity are no longer than those of actions.
    pub fn fits(&self) -> bool {
        [&self.domain, &self.identity].iter().all(|text| text.chars().count() <= LONGEST)
    }

    /// Whether another one names the same: domains are written in any case.
    pub fn is(&self, other: &CxmlCredential) -> bool {
        self.domain.eq_ignore_ascii_case(&other.domain) && self.identity == other.identity
    }
}

impl fmt::Display for CxmlCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.domain, self.identity))
    }
}
