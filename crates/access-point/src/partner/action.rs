//! The `action` of such a hook: `scheme://host/path?name=value&…` (conventions A9). The call goes
//! to the same place over HTTPS.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use url::Url;

use super::mode::PartnerMode;

/// Characters of a value.
const VALUE: usize = 300;

/// The parameter that names the set that is in use.
const MODE: &str = "mode";
/// The parameter that names the place of the test environment.
const TEST_ENDPOINT: &str = "testEndpoint";

/// A hook of another network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerAction {
    /// The set that is in use.
    pub mode: PartnerMode,
    production: String,
    test: Option<String>,
    parameters: BTreeMap<String, String>,
}

/// Why a text is no such hook. It repeats nothing that may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartnerError {
    /// There is no host.
    #[error("expected {0}host/path, which is called over https")]
    Shape(&'static str),
    /// A user or password in front of the host would be shown with the action.
    #[error("put the secret behind # at the end of the action; in front of @ it would be shown")]
    UserInfo,
    /// A parameter that there is not.
    #[error("there is no parameter {name:?}; there are {known}")]
    Parameter {
        /// What was found.
        name: String,
        /// What there is.
        known: String,
    },
    /// A parameter that is there twice.
    #[error("the parameter {0} is there more than once")]
    Twice(String),
    /// A value.
    #[error("{name} is {found:?}; expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// What was found.
        found: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A parameter that is not there.
    #[error("the parameter {name} is missing: {what}")]
    Missing {
        /// The parameter.
        name: &'static str,
        /// What it is for.
        what: &'static str,
    },
    /// Nothing that lets us in.
    #[error("put the secret behind # at the end of the action")]
    NoSecret,
    /// A secret that cannot be used.
    #[error(
        "what stands behind # is not one secret of 1 to 512 characters that can be printed, nor \
         production=SECRET&test=SECRET with each of them percent-encoded"
    )]
    Secret,
    /// The configuration of the hook.
    #[error("init: {0}")]
    Init(String),
}

impl PartnerAction {
    /// Reads an action without its secret. `prefix` is how it begins, `known` are the parameters
    /// that it may have besides `mode` and `testEndpoint`.
    ///
    /// # Errors
    /// [`PartnerError`].
    pub fn parse(
        text: &str,
        prefix: &'static str,
        known: &[&str],
    ) -> Result<PartnerAction, PartnerError> {
        let rest = text.strip_prefix(prefix).ok_or(PartnerError::Shape(prefix))?;
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut action = PartnerAction {
            mode: PartnerMode::Production,
            production: place_of(place, prefix)?,
            test: None,
            parameters: BTreeMap::new(),
        };
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (name, value) = (decoded(name), decoded(value));
            if !known.contains(&name.as_str()) && name != MODE && name != TEST_ENDPOINT {
                let all = known.iter().chain(&[MODE, TEST_ENDPOINT]).copied();
                let known = all.collect::<Vec<_>>().join(", ");
                return Err(PartnerError::Parameter { name: cut(&name), known });
            }
            let fits = (1..=VALUE).contains(&value.chars().count());
            if !fits || value.chars().any(char::is_control) {
                let expected = "1 to 300 characters that can be printed";
                return Err(PartnerError::Value { name, found: cut(&value), expected });
            }
            if action.parameters.insert(name.clone(), value).is_some() {
                return Err(PartnerError::Twice(name));
            }
        }
        if let Some(mode) = action.parameters.get(MODE) {
            action.mode = PartnerMode::parse(mode).ok_or_else(|| PartnerError::Value {
                name: MODE.to_owned(),
                found: cut(mode),
                expected: "production or test",
            })?;
        }
        if let Some(place) = action.parameters.get(TEST_ENDPOINT) {
            let wrong = |_| PartnerError::Value {
                name: TEST_ENDPOINT.to_owned(),
                found: cut(place),
                expected: "host/path, which is called over https",
            };
            action.test = Some(place_of(place, prefix).map_err(wrong)?);
        }
        Ok(action)
    }

    /// A parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// A parameter of the set of an environment: that of the test environment where there is one.
    pub fn in_mode(&self, mode: PartnerMode, name: &str, test_name: &str) -> Option<&str> {
        let test = (mode == PartnerMode::Test).then(|| self.parameter(test_name)).flatten();
        test.or_else(|| self.parameter(name))
    }

    /// The address that is called.
    pub fn url(&self) -> &str {
        match (self.mode, &self.test) {
            (PartnerMode::Test, Some(test)) => test,
            _ => &self.production,
        }
    }

    /// Every address that may be called, for the guard.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.production.as_str()).chain(self.test.as_deref())
    }

    /// Whether another one goes to the same servers, so that a secret that was given for one may be
    /// used for the other.
    pub fn has_servers_of(&self, other: &PartnerAction) -> bool {
        let origins = |action: &PartnerAction| -> Vec<String> {
            let origin = |url: &str| {
                Url::parse(url).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
            };
            action.urls().map(origin).collect()
        };
        let (own, before) = (origins(self), origins(other));
        own.iter().all(|origin| before.contains(origin))
    }
}

fn place_of(place: &str, prefix: &'static str) -> Result<String, PartnerError> {
    let shape = PartnerError::Shape(prefix);
    let authority = place.split('/').next().unwrap_or_default();
    if authority.is_empty() || place.contains(['?', '#', '\\']) {
        return Err(shape);
    }
    if authority.contains('@') {
        return Err(PartnerError::UserInfo);
    }
    let url = Url::parse(&format!("https://{place}")).map_err(|_| shape)?;
    Ok(url.into())
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "cxml://";

    fn parse(text: &str) -> Result<PartnerAction, String> {
        PartnerAction::parse(text, PREFIX, &["from", "testFrom"]).map_err(|e| e.to_string())
    }

    #[test]
    fn the_set_in_use_follows_the_mode() {
        let text = "cxml://Live.example/cxml?from=A&testFrom=B&testEndpoint=test.example%2Fc";
        let live = parse(text).unwrap();
        assert_eq!((live.mode, live.url()), (PartnerMode::Production, "https://live.example/cxml"));
        assert_eq!(live.in_mode(live.mode, "from", "testFrom"), Some("A"));
        let test = parse(&format!("{text}&mode=test")).unwrap();
        assert_eq!(test.url(), "https://test.example/c");
        assert_eq!(test.in_mode(test.mode, "from", "testFrom"), Some("B"));
        let bare = parse("cxml://live.example:8443?mode=test&from=A").unwrap();
        assert_eq!(bare.url(), "https://live.example:8443/");
        assert_eq!(bare.in_mode(bare.mode, "from", "testFrom"), Some("A"));
    }

    #[test]
    fn what_is_wrong_is_told_by_name() {
        for (text, word) in [
            ("cxml://", "host/path"),
            ("cxml:///x", "host/path"),
            ("cxml://u:p@live.example/", "behind #"),
            ("cxml://live.example/?who=x", "there are from, testFrom, mode, testEndpoint"),
            ("cxml://live.example/?from=a&from=b", "more than once"),
            ("cxml://live.example/?from=", "1 to 300"),
            ("cxml://live.example/?from=a%00b", "1 to 300"),
            ("cxml://live.example/?mode=live", "production or test"),
            ("cxml://live.example/?testEndpoint=%2Fx", "host/path"),
            ("cxml://live example/", "host/path"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_secret_stays_with_the_servers() {
        let of = |text: &str| parse(text).unwrap();
        let both = of("cxml://live.example/a?testEndpoint=test.example%2Fa");
        assert!(of("cxml://live.example/b?mode=test").has_servers_of(&both));
        assert!(!of("cxml://other.example/a").has_servers_of(&both));
        let moved = of("cxml://live.example/a?testEndpoint=other.example%2Fa");
        assert!(!moved.has_servers_of(&both));
        assert!(!of("cxml://live.example:444/a").has_servers_of(&both));
    }
}
