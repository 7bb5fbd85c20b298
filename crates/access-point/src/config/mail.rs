//! The mail server of mail hooks.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

use super::{ConfigSecret, TokenKey};

/// The mail server through which mail hooks send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailSection {
    /// Its address: `smtps://`, `smtp+starttls://`, or `smtp://` on this machine.
    pub server: Option<String>,
    /// User name, where it asks for one.
    pub username: Option<String>,
    /// The password that belongs to it.
    pub password: Option<ConfigSecret>,
    /// A token of OAuth 2.0 in place of the password.
    pub oauth: Option<MailTokenSection>,
    /// Whom mail comes from, as in `Invoices <invoices@example.org>`.
    pub from: Option<String>,
    /// Further domains that a hook may name as sender.
    pub from_domains: Vec<String>,
    /// Time for one mail, in seconds.
    pub timeout_seconds: u64,
    /// Domains that sign the mail that comes from them (DKIM).
    pub dkim: Vec<DkimSection>,
    /// Where mail comes back to that could not be delivered.
    pub bounce_address: Option<String>,
    /// The mailbox in which it is found, `imaps://user@host/folder`.
    pub bounce_mailbox: Option<String>,
    /// The password that belongs to it.
    pub bounce_password: Option<ConfigSecret>,
    /// A token of OAuth 2.0 in place of that password.
    pub bounce_oauth: Option<MailTokenSection>,
}

/// A client of OAuth 2.0 that logs in to a mail server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MailTokenSection {
    /// The token endpoint.
    pub token_url: String,
    /// The client.
    pub client_id: String,
    /// What it shows.
    pub client_secret: Option<ConfigSecret>,
    /// What somebody allowed it, where it does not ask in its own name.
    pub refresh_token: Option<ConfigSecret>,
    /// How it shows itself: `basic`, or `body`.
    pub client_authentication: Option<String>,
    /// What the token is asked for.
    pub scope: Option<String>,
    /// For whom the token is.
    pub audience: Option<String>,
}

/// A domain that signs, with its key: in a file, or in a token.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DkimSection {
    /// The domain.
    pub domain: String,
    /// The name of the key below `_domainkey` of the domain.
    pub selector: String,
    /// PKCS#8 PEM file of the private key, RSA or Ed25519.
    pub key_file: Option<PathBuf>,
    /// The PKCS#11 token that holds the key, RSA, instead.
    pub token: Option<TokenKey>,
}

impl Default for MailSection {
    fn default() -> MailSection {
        MailSection {
            server: None,
            username: None,
            password: None,
            oauth: None,
            from: None,
            from_domains: Vec::new(),
            timeout_seconds: 60,
            dkim: Vec::new(),
            bounce_address: None,
            bounce_mailbox: None,
            bounce_password: None,
            bounce_oauth: None,
        }
    }
}

/// How the connection to a mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// TLS from the first byte.
    Wrapped,
    /// TLS after a command, without which nothing is sent.
    StartTls,
    /// None: for a server on this machine.
    Plain,
}

/// A mail server, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailServer {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The protection.
    pub protection: Protection,
}

impl MailSection {
    /// The server, if one is set and it makes sense.
    ///
    /// # Errors
    /// What is wrong with the setting.
    pub fn parsed_server(&self) -> Result<Option<MailServer>, String> {
        let Some(text) = &self.server else { return Ok(None) };
        let wrong = || {
            format!(
                "{text:?} must be smtps://host:465, smtp+starttls://host:587, or smtp:// with a \
                 loopback address"
            )
        };
        let url = Url::parse(text).map_err(|_| wrong())?;
        let (protection, port) = match url.scheme() {
            "smtps" => (Protection::Wrapped, 465),
            "smtp+starttls" => (Protection::StartTls, 587),
            "smtp" => (Protection::Plain, 25),
            _ => return Err(wrong()),
        };
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(wrong)?.to_owned();
        let bare = url.username().is_empty() && url.password().is_none();
        let here = match Host::parse(&host) {
            Ok(Host::Ipv4(ip)) => ip.is_loopback(),
            Ok(Host::Ipv6(ip)) => ip.is_loopback(),
            Ok(Host::Domain(name)) => name == "localhost",
            Err(_) => false,
        };
        if !bare || (protection == Protection::Plain && !here) {
            return Err(wrong());
        }
        Ok(Some(MailServer { host, port: url.port().unwrap_or(port), protection }))
    }
}
