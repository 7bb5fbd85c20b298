//! A message as its parts: the SOAP envelope and the attachments, with all of their headers, to be
//! put together again in ways that a correct sender would not.

use quoin_peppol::as4::{HttpMessage, parse_mime};

use super::ForgeError;

/// An attachment.
#[derive(Debug, Clone)]
pub struct MessageAttachment {
    /// The lines of its head, without line ends; one that begins with white space continues the
    /// line before.
    pub head: Vec<String>,
    /// Its content as it travels.
    pub body: Vec<u8>,
}

/// A message as its parts.
#[derive(Debug, Clone)]
pub struct MimePackage {
    /// The SOAP envelope.
    pub soap: String,
    /// The lines of the head of the SOAP part.
    pub soap_head: Vec<String>,
    /// The attachments.
    pub parts: Vec<MessageAttachment>,
    /// The boundary between the parts.
    pub boundary: String,
    /// The content type of the whole.
    pub content_type: String,
}

impl MessageAttachment {
    /// Its `Content-ID` without the angle brackets.
    pub fn content_id(&self) -> Option<String> {
        let line = self.head.iter().find_map(|line| line.strip_prefix("Content-ID:"))?;
        Some(line.trim().trim_matches(['<', '>']).to_owned())
    }
}

impl MimePackage {
    /// Takes a message apart that this service sealed.
    pub fn read(http: &HttpMessage) -> Result<MimePackage, ForgeError> {
        let parts = parse_mime(&http.content_type, &http.body).map_err(ForgeError::of)?;
        let boundary = http.content_type.split("boundary=\"").nth(1);
        let boundary = boundary.and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let head = |part: &quoin_peppol::as4::MimePart<'_>| {
            let line =
                |name: &str, value: Option<&str>| value.map(|value| format!("{name}: {value}"));
            let names = ["Content-Type", "Content-Transfer-Encoding", "Content-ID"];
            let lines = names.map(|name| line(name, part.header(&name.to_ascii_lowercase())));
            lines.into_iter().flatten().collect::<Vec<_>>()
        };
        let mut parts = parts.into_iter();
        let soap = parts.next().ok_or_else(|| ForgeError("it has no SOAP part".to_owned()))?;
        Ok(MimePackage {
            soap_head: head(&soap),
            soap: String::from_utf8(soap.body.into_owned()).map_err(ForgeError::of)?,
            parts: parts
                .map(|part| MessageAttachment { head: head(&part), body: part.body.into_owned() })
                .collect(),
            boundary: boundary.to_owned(),
            content_type: http.content_type.clone(),
        })
    }

    /// Puts the message together as it stands.
    pub fn http(&self) -> HttpMessage {
        let mut body = Vec::new();
        let mut put = |head: &[String], content: &[u8]| {
            body.extend_from_slice(format!("--{}\r\n", self.boundary).as_bytes());
            for line in head {
                body.extend_from_slice(line.as_bytes());
                body.extend_from_slice(b"\r\n");
            }
            body.extend_from_slice(b"\r\n");
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        };
        put(&self.soap_head, self.soap.as_bytes());
        for part in &self.parts {
            put(&part.head, &part.body);
        }
        body.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        HttpMessage { content_type: self.content_type.clone(), body }
    }
}
