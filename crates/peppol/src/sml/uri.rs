//! Which addresses are acceptable: https, port 443, and nothing that could hide where they lead.

use std::fmt;

use url::Url;

/// Bytes of an address.
const LONGEST: usize = 2_048;
/// Signs of one that are shown where it is refused.
const SHOWN: usize = 200;

/// What a deployment accepts beyond the rules of the network; nothing, unless it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UriPolicy {
    /// Accept `http` too. Only for talking to SMPs that missed the switch of 2026-02-01.
    pub tolerate_http: bool,
    /// Accept ports other than 443. Only for a network of one's own, such as a lab.
    pub any_port: bool,
}

/// An address that breaks the rules of SML 1.3.0 and SMP 1.4.0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{uri}' is not an acceptable address: {why}")]
pub struct UriRefusal {
    /// The address, as far as it is shown: its first signs, and none that cannot be seen.
    pub uri: String,
    /// The rule it breaks.
    pub why: &'static str,
}

impl UriRefusal {
    pub(crate) fn new(uri: &str, why: &'static str) -> UriRefusal {
        let seen = |one: char| match one {
            '\'' | '"' | '\\' => one.to_string(),
            one => one.escape_debug().to_string(),
        };
        UriRefusal { uri: uri.chars().take(SHOWN).map(seen).collect(), why }
    }
}

/// Checks the address of an SMP resource: absolute, https (port 443), no user, no query and no
/// fragment.
///
/// # Errors
/// [`UriRefusal`] names the rule.
pub fn check_https(uri: &str, policy: UriPolicy) -> Result<Url, UriRefusal> {
    let url = check_endpoint(uri, policy)?;
    match url.query() {
        None => Ok(url),
        Some(_) => Err(UriRefusal::new(uri, "it carries a query")),
    }
}

/// Checks the address of an access point: as [`check_https`], but a query is let pass, because SMP
/// 1.4.0 does not forbid it there.
///
/// # Errors
/// [`UriRefusal`] names the rule.
pub fn check_endpoint(uri: &str, policy: UriPolicy) -> Result<Url, UriRefusal> {
    let refuse = |why| Err(UriRefusal::new(uri, why));
    if uri.len() > LONGEST {
        return refuse("it has more than 2,048 bytes");
    }
    if uri.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
        return refuse("it holds white space, a control character or a backslash");
    }
    let Ok(url) = Url::parse(uri) else { return refuse("it is not an absolute URI") };
    let usual = match url.scheme() {
        "https" => 443,
        "http" if policy.tolerate_http => 80,
        _ => return refuse("the scheme must be https (SMP 1.4.0, section 5)"),
    };
    if url.host_str().is_none_or(str::is_empty) {
        return refuse("it has no host");
    }
    if !policy.any_port && url.port_or_known_default() != Some(usual) {
        return refuse("the port must be 443 (SMP 1.4.0, section 5)");
    }
    let authority = uri.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next());
    if authority.is_none_or(|authority| authority.contains('@')) {
        return refuse("it carries a user name or a password");
    }
    if url.fragment().is_some() {
        return refuse("it carries a fragment");
    }
    Ok(url)
}

/// The base address of an SMP, to which resources are appended; it has no slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SmpBase(String);

impl SmpBase {
    /// Reads a base address.
    ///
    /// # Errors
    /// [`UriRefusal`] for an address that breaks the rules.
    pub fn new(uri: &str, policy: UriPolicy) -> Result<Self, UriRefusal> {
        let url = check_https(uri, policy)?;
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// The address, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SmpBase {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_address_is_shown_in_few_signs_that_can_be_seen() {
        let long = format!("https://a.test/{}", "x".repeat(LONGEST));
        let refused = check_endpoint(&long, UriPolicy::default()).unwrap_err();
        assert_eq!((refused.why, refused.uri.len()), ("it has more than 2,048 bytes", SHOWN));
        assert!(check_endpoint(&long[..LONGEST], UriPolicy::default()).is_ok());
        let hidden = check_endpoint("https://a.test/\u{202e}\u{7}\\", UriPolicy::default());
        assert_eq!(hidden.unwrap_err().uri, "https://a.test/\\u{202e}\\u{7}\\");
    }
}
