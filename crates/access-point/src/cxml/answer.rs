//! What a network answers: `Response` with its `Status`, and what that means for the document.
//!
//! Source: cXML user's guide, "Response Element" and its table of status codes.

use quoin_store::Secret;

use crate::partner::{PartnerFault, PartnerFaultKind, PartnerReport, PartnerTaken};

/// The status of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CxmlStatus {
    /// Its code: those of HTTP, and some of its own.
    pub code: u16,
    /// What the code means, and what is particular about it.
    pub text: String,
    /// The payload id of the answer.
    pub payload_id: String,
}

impl CxmlStatus {
    /// Reads an answer. No definition is fetched, and one that declares anything is not read.
    pub fn read(body: &[u8]) -> Option<CxmlStatus> {
        let parsed = quoin_formats::read(body);
        let root = parsed.root().filter(|root| root.local().eq_ignore_ascii_case("cXML"))?;
        let response = root.elements().find(|child| child.local() == "Response")?;
        let status = response.elements().find(|child| child.local() == "Status")?;
        let code = status.attribute("code")?.trim().parse().ok()?;
        let said = [status.attribute("text").unwrap_or_default().trim().to_owned(), {
            status.string_value().split_whitespace().collect::<Vec<_>>().join(" ")
        }];
        let said: Vec<String> = said.into_iter().filter(|text| !text.is_empty()).collect();
        let payload_id = root.attribute("payloadID").unwrap_or_default().to_owned();
        Some(CxmlStatus { code, text: said.join(": "), payload_id })
    }
}

/// What an answer means. `may_be_there` says that the answer to an attempt before this one
/// was lost, so that the network may have the document under the same payload id.
///
/// # Errors
/// [`PartnerFault`]: 401 is about the secret, other codes from 400 are final, codes from 500 are
/// for now, as are those that ask to come again, and an answer that cannot be read.
pub fn verdict(
    http: u16,
    status: Option<&CxmlStatus>,
    secret: &Secret,
    may_be_there: bool,
) -> Result<PartnerTaken, PartnerFault> {
    let shown =
        |text: &str| PartnerReport::shown(text, secret).chars().take(500).collect::<String>();
    let (code, text) = match status {
        Some(status) => (status.code, shown(&status.text)),
        None => (http, String::new()),
    };
    let answer_id = status.map(|status| shown(&status.payload_id)).unwrap_or_default();
    let told = match text.as_str() {
        "" => String::new(),
        text => format!(": {text}"),
    };
    let fault = |kind, cause: String| {
        Err(PartnerFault { status: Some(http), ..PartnerFault::new(kind, cause) })
    };
    match (code, status) {
        (200..=299, None) => {
            let cause = "the network answered with no Response of cXML, so that it is not known \
                         whether it has the document";
            let unheard = PartnerFault::new(PartnerFaultKind::Unavailable, cause);
            Err(PartnerFault { status: Some(http), is_unheard: true, ..unheard })
        }
        // No code of the protocol, nor of HTTP.
        (..200, _) => {
            let cause = format!(
                "the network answered with the code {code}{told}, which cXML does not have, so \
                 that it is not known whether it has the document"
            );
            let unheard = PartnerFault::new(PartnerFaultKind::Unavailable, cause);
            Err(PartnerFault { status: Some(http), is_unheard: true, ..unheard })
        }
        (201 | 202, _) => {
            let remark = "The network has it and has still to look at it.".to_owned();
            Ok(PartnerTaken { answer_id, remark: Some(remark) })
        }
        (200..=299, _) => Ok(PartnerTaken { answer_id, remark: None }),
        (409, _) if may_be_there => {
            let remark = "The network says that it had it before, by an attempt whose answer was \
                          lost.";
            Ok(PartnerTaken { answer_id, remark: Some(remark.to_owned()) })
        }
        (401, _) => fault(
            PartnerFaultKind::Secret,
            format!(
                "the network does not believe the shared secret or the credential of the sender \
                 (401{told})"
            ),
        ),
        (408 | 425 | 429 | 500.., _) => fault(
            PartnerFaultKind::Unavailable,
            format!("the network cannot take the document for now ({code}{told})"),
        ),
        (300..=399, _) => fault(
            PartnerFaultKind::Refused,
            format!("the network sends us elsewhere ({code}{told}), which is not followed"),
        ),
        _ => fault(
            PartnerFaultKind::Refused,
            format!("the network refuses the document ({code}{told})"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(inner: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/x.dtd\">\n\
             <cXML payloadID=\"9@n\" timestamp=\"t\"><Response>{inner}</Response></cXML>"
        )
    }

    fn of(http: u16, body: &str, before: bool) -> (String, String) {
        let status = CxmlStatus::read(body.as_bytes());
        match verdict(http, status.as_ref(), &Secret::new("hush&go"), before) {
            Ok(taken) => (taken.answer_id, taken.remark.unwrap_or_default()),
            Err(fault) => (fault.kind.code().to_owned(), fault.cause),
        }
    }

    #[test]
    fn every_code_has_its_meaning() {
        for (http, code, before, found, word) in [
            (200, "0", false, "partner-unavailable", "code 0: why, which cXML does not have"),
            (200, "100", false, "partner-unavailable", "not known"),
            (200, "199", false, "partner-unavailable", "not known"),
            (200, "200", false, "9@n", ""),
            (200, "299", false, "9@n", ""),
            (200, "201", false, "9@n", "still to look"),
            (200, "204", false, "9@n", ""),
            (200, "280", false, "9@n", ""),
            (200, "302", false, "partner-refused", "not followed"),
            (200, "400", false, "partner-refused", "refuses the document (400: why)"),
            (200, "401", false, "partner-secret", "shared secret"),
            (200, "403", false, "partner-refused", "403"),
            (200, "409", false, "partner-refused", "409"),
            (200, "409", true, "9@n", "had it before"),
            (200, "429", false, "partner-unavailable", "for now"),
            (200, "450", false, "partner-refused", "450"),
            (200, "500", false, "partner-unavailable", "for now"),
            (200, "560", false, "partner-unavailable", "for now"),
            (500, "406", false, "partner-refused", "406"),
        ] {
            let body = response(&format!("<Status code=\"{code}\" text=\"why\"/>"));
            let (id, text) = of(http, &body, before);
            assert!(id == found && text.contains(word), "{code}: {id} {text}");
        }
    }

    #[test]
    fn without_a_response_the_status_of_http_decides() {
        for (http, found) in [
            (200, "partner-unavailable"),
            (301, "partner-refused"),
            (401, "partner-secret"),
            (404, "partner-refused"),
            (429, "partner-unavailable"),
            (502, "partner-unavailable"),
        ] {
            for body in ["", "<html/>", "<cXML><Response/></cXML>", "\u{0}", "<cXML"] {
                assert_eq!(of(http, body, true).0, found, "{http} {body:?}");
            }
        }
    }

    #[test]
    fn what_declares_entities_is_not_read_and_a_secret_is_not_repeated() {
        let bomb = "<!DOCTYPE cXML [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\
                    <cXML><Response><Status code=\"200\" text=\"&a;\"/></Response></cXML>";
        assert_eq!(CxmlStatus::read(bomb.as_bytes()), None);
        let body =
            response("<Status code=\"400\" text=\"bad\">you said hush&amp;go\n\nhere</Status>");
        let (_, text) = of(200, &body, false);
        assert!(text.contains("bad: you said *** here"), "{text}");
        let deep = response(&"<a>".repeat(100_000));
        assert_eq!(CxmlStatus::read(deep.as_bytes()), None);
    }
}
