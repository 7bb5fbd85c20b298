//! DKIM: a mail is signed by the domain that it comes from, so that whoever takes it can tell that
//! nobody forged or changed it (RFC 6376; for Ed25519 RFC 8463). Both canonicalizations are
//! `relaxed`, since servers on the way fold headers and trim lines.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use aws_lc_rs::signature::Ed25519KeyPair;
use data_encoding::BASE64;
use jiff::Timestamp;
use quoin_xmldsig::keys::{KeyError, PrivateKey, Signer};

use super::transport::MailerError;
use crate::config::DkimSection;
use crate::{identity, keyfile};

/// What is signed, where a mail has it, in this order.
const SIGNED: &[&str] = &[
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "In-Reply-To",
    "References",
    "MIME-Version",
    "Content-Type",
    "Auto-Submitted",
];
/// Of these, one more than there is: a second one that somebody adds breaks the signature.
const SEALED: &[&str] = &["From", "To", "Subject", "Date", "Reply-To"];
/// Characters of Base64 in a line.
const LINE: usize = 72;

/// A key that signs.
#[derive(Clone)]
enum DkimKey {
    Rsa(Arc<dyn Signer>),
    Ed25519(Arc<Ed25519KeyPair>),
}

/// Whether a domain is another one, or below it.
pub(crate) fn is_below(domain: &str, above: &str) -> bool {
    let (domain, above) = (domain.to_ascii_lowercase(), above.to_ascii_lowercase());
    domain == above || domain.strip_suffix(&above).is_some_and(|rest| rest.ends_with('.'))
}

/// A domain with the key that signs its mail.
#[derive(Clone)]
pub(super) struct DkimSigner {
    domain: String,
    selector: String,
    key: DkimKey,
}

impl DkimSigner {
    /// Opens the key of a domain.
    ///
    /// # Errors
    /// [`MailerError::Dkim`].
    pub(super) fn open(section: &DkimSection) -> Result<DkimSigner, MailerError> {
        let wrong = |why: String| {
            let DkimSection { domain, selector, .. } = section;
            MailerError::Dkim { name: format!("{selector}._domainkey.{domain}"), why }
        };
        let key = match (&section.token, &section.key_file) {
            (Some(token), None) => {
                let key =
                    identity::token_signer(token).map_err(|error| wrong(error.to_string()))?;
                DkimKey::Rsa(key)
            }
            (None, Some(file)) => {
                let der = keyfile::read_pem(file).map_err(|error| wrong(error.to_string()))?;
                key_of(&der).map_err(wrong)?
            }
            _ => return Err(wrong("set key_file or token, one of them".to_owned())),
        };
        let (domain, selector) = (section.domain.to_ascii_lowercase(), section.selector.clone());
        Ok(DkimSigner { domain, selector, key })
    }

    /// Whether it signs for mail that comes from a domain: its own, and those below it, which is
    /// what DMARC calls aligned.
    pub(super) fn is_of(&self, domain: &str) -> bool {
        is_below(domain, &self.domain)
    }

    /// The header that signs a mail, with its line end; it goes in front of the others.
    ///
    /// # Errors
    /// [`KeyError::Operation`] where the key, or the token that has it, fails.
    pub(super) fn header(&self, mail: &[u8], now: Timestamp) -> Result<String, KeyError> {
        let (head, body) = parted(mail);
        let headers = headers(head);
        let (names, mut signed) = signed_part(&headers);
        let algorithm = match self.key {
            DkimKey::Rsa(_) => "rsa-sha256",
            DkimKey::Ed25519(_) => "ed25519-sha256",
        };
        let unsigned = format!(
            "DKIM-Signature: v=1; a={algorithm}; c=relaxed/relaxed;\r\n d={}; s={}; t={};\r\n \
             h={};\r\n bh={};\r\n b=",
            self.domain,
            self.selector,
            now.as_second(),
            names.join(":\r\n  "),
            BASE64.encode(&body_digest(body)),
        );
        let (name, value) = unsigned.split_once(':').unwrap_or_default();
        relaxed(name, value, &mut signed);
        let signature = BASE64.encode(&self.sign(&signed)?);
        let lines = signature.as_bytes().chunks(LINE).map(String::from_utf8_lossy);
        Ok(format!("{unsigned}{}\r\n", lines.collect::<Vec<_>>().join("\r\n  ")))
    }

    fn sign(&self, signed: &str) -> Result<Vec<u8>, KeyError> {
        match &self.key {
            DkimKey::Rsa(key) => key.sign_rsa_sha256(signed.as_bytes()),
            // What Ed25519 signs is the digest (RFC 8463, section 3).
            DkimKey::Ed25519(key) => {
                let mut context = Context::new(&SHA256);
                context.update(signed.as_bytes());
                Ok(key.sign(context.finish().as_ref()).as_ref().to_vec())
            }
        }
    }
}

impl fmt::Debug for DkimSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DkimSigner({}._domainkey.{} ***)", self.selector, self.domain)
    }
}

/// A key in PKCS#8: Ed25519, or RSA.
fn key_of(der: &[u8]) -> Result<DkimKey, String> {
    if let Ok(key) = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der) {
        return Ok(DkimKey::Ed25519(Arc::new(key)));
    }
    let key = PrivateKey::from_pkcs8(der).map_err(|_| {
        "the key is neither an Ed25519 key nor an RSA key of 2048 to 8192 bits".to_owned()
    })?;
    Ok(DkimKey::Rsa(Arc::new(key)))
}

/// Head and body, without the empty line between them.
fn parted(mail: &[u8]) -> (&[u8], &[u8]) {
    let end = mail.windows(4).position(|window| window == b"\r\n\r\n");
    let (head, body) = end.and_then(|end| mail.split_at_checked(end + 2)).unwrap_or((mail, b""));
    (head, body.get(2..).unwrap_or_default())
}

/// The headers as written, folded or not, in their order: name and value.
fn headers(head: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(head);
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.split("\r\n").filter(|line| !line.is_empty()) {
        match (line.starts_with([' ', '\t']), found.last_mut()) {
            (true, Some((_, value))) => {
                value.push_str("\r\n");
                value.push_str(line);
            }
            _ => {
                let (name, value) = line.split_once(':').unwrap_or((line, ""));
                found.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    found
}

/// The names that are signed, and what is signed of them.
fn signed_part(headers: &[(String, String)]) -> (Vec<&'static str>, String) {
    let (mut names, mut signed) = (Vec::new(), String::new());
    for name in SIGNED {
        // From the last one to the first (RFC 6376, section 5.4.2).
        for (own, value) in headers.iter().rev().filter(|(own, _)| own.eq_ignore_ascii_case(name)) {
            names.push(*name);
            relaxed(own, value, &mut signed);
            signed.push_str("\r\n");
        }
    }
    names.extend(SEALED);
    (names, signed)
}

/// A header in its relaxed form (RFC 6376, section 3.4.2), without a line end.
fn relaxed(name: &str, value: &str, into: &mut String) {
    into.push_str(&name.trim().to_ascii_lowercase());
    into.push(':');
    let words = value.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    for (at, word) in words.enumerate() {
        if at > 0 {
            into.push(' ');
        }
        into.push_str(word);
    }
}

/// The digest of a body in its relaxed form (RFC 6376, section 3.4.4).
fn body_digest(body: &[u8]) -> Vec<u8> {
    let mut context = Context::new(&SHA256);
    let mut empty = 0_usize;
    let body = body.strip_suffix(b"\r\n").unwrap_or(body);
    for line in body.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let Some(last) = line.iter().rposition(|byte| !blank(byte)) else {
            empty += 1;
            continue;
        };
        for _ in 0..std::mem::take(&mut empty) {
            context.update(b"\r\n");
        }
        let mut rest = line.get(..=last).unwrap_or_default();
        while let Some(at) = rest.iter().position(blank) {
            let (word, behind) = rest.split_at(at);
            context.update(word);
            context.update(b" ");
            let next = behind.iter().position(|byte| !blank(byte)).unwrap_or(behind.len());
            rest = behind.get(next..).unwrap_or_default();
        }
        context.update(rest);
        context.update(b"\r\n");
    }
    context.finish().as_ref().to_vec()
}

#[cfg(test)]
mod tests;
