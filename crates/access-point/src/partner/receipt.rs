//! Answers of networks without a protocol of their own: the status of HTTP, and a receipt in JSON
//! or XML that may say that the document is refused all the same.

use quoin_store::Secret;

use super::fault::{PartnerFault, PartnerFaultKind, PartnerTaken};
use super::report::PartnerReport;

/// The words of a network in its receipts; names of members and elements are taken in any case.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptWords {
    /// The network, in sentences.
    pub network: &'static str,
    /// The names of the state.
    pub states: &'static [&'static str],
    /// The states of a document that is refused, in any case.
    pub rejections: &'static [&'static str],
    /// The names of the reason.
    pub reasons: &'static [&'static str],
    /// The names of the id that the network gives.
    pub ids: &'static [&'static str],
    /// The names of the id of the message that it is about, where it comes by itself.
    pub about: &'static [&'static str],
}

/// Elements of a receipt that are looked at.
const MOST: usize = 1_000;

/// A receipt, as far as it says something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartnerReceipt {
    /// The state that it gives the message.
    pub status: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The id that the network gives it.
    pub id: Option<String>,
    /// The id of the message that it is about.
    pub about: Option<String>,
}

impl PartnerReceipt {
    /// Reads a receipt in JSON or XML; anything else says nothing.
    pub fn read(body: &[u8], words: &ReceiptWords) -> PartnerReceipt {
        let mut receipt = PartnerReceipt::default();
        if let Ok(serde_json::Value::Object(members)) = serde_json::from_slice(body) {
            for (name, value) in members {
                let text = match value {
                    serde_json::Value::String(text) => text,
                    serde_json::Value::Number(number) => number.to_string(),
                    _ => continue,
                };
                receipt.take(words, &name, text);
            }
            return receipt;
        }
        let parsed = quoin_formats::read(body);
        let Some(root) = parsed.root() else { return receipt };
        for element in root.descendants().take(MOST) {
            if element.elements().next().is_none() {
                receipt.take(words, element.local(), element.text().trim().to_owned());
            }
        }
        receipt
    }

    fn take(&mut self, words: &ReceiptWords, name: &str, text: String) {
        let is = |names: &[&str]| names.iter().any(|own| own.eq_ignore_ascii_case(name));
        let place = match () {
            () if is(words.states) => &mut self.status,
            () if is(words.reasons) => &mut self.reason,
            () if is(words.about) => &mut self.about,
            () if is(words.ids) => &mut self.id,
            () => return,
        };
        if !text.is_empty() {
            place.get_or_insert(text);
        }
    }

    /// Whether it says that the message is refused.
    pub fn is_rejection(&self, words: &ReceiptWords) -> bool {
        let status = self.status.as_deref().unwrap_or_default();
        words.rejections.iter().any(|own| own.eq_ignore_ascii_case(status.trim()))
    }
}

/// What an answer means. `may_be_there` says that an attempt before this one ended without an
/// answer.
///
/// # Errors
/// [`PartnerFault`].
pub fn receipt_verdict(
    http: u16,
    receipt: &PartnerReceipt,
    words: &ReceiptWords,
    (secret, may_be_there): (&Secret, bool),
) -> Result<PartnerTaken, PartnerFault> {
    let network = words.network;
    let shown = |text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default();
        PartnerReport::shown(text, secret).chars().take(500).collect::<String>()
    };
    let why = match shown(&receipt.reason) {
        why if why.is_empty() => String::new(),
        why => format!(": {why}"),
    };
    let fault = |kind, cause: String| {
        Err(PartnerFault { status: Some(http), ..PartnerFault::new(kind, cause) })
    };
    let answer_id = shown(&receipt.id);
    match http {
        200..=299 if receipt.is_rejection(words) => fault(
            PartnerFaultKind::Refused,
            format!("{network} took the document and refuses it{why}"),
        ),
        202 => {
            let remark = "The network has it and has still to look at it.".to_owned();
            Ok(PartnerTaken { answer_id, remark: Some(remark) })
        }
        200..=299 => Ok(PartnerTaken { answer_id, remark: None }),
        409 if may_be_there => {
            let remark = "The network says that it had it before, by an attempt whose answer was \
                          lost.";
            Ok(PartnerTaken { answer_id, remark: Some(remark.to_owned()) })
        }
        401 | 403 => fault(
            PartnerFaultKind::Secret,
            format!("{network} does not believe the key or who sends ({http}{why})"),
        ),
        408 | 425 | 429 | 500.. => fault(
            PartnerFaultKind::Unavailable,
            format!("{network} cannot take the document for now ({http}{why})"),
        ),
        _ => fault(
            PartnerFaultKind::Refused,
            format!("{network} refuses the document ({http}{why})"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: ReceiptWords = ReceiptWords {
        network: "the network",
        states: &["status"],
        rejections: &["rejected", "invalid"],
        reasons: &["reason", "message"],
        ids: &["id", "messageId"],
        about: &[],
    };

    fn of(http: u16, body: &str, before: bool) -> (String, String) {
        let receipt = PartnerReceipt::read(body.as_bytes(), &WORDS);
        match receipt_verdict(http, &receipt, &WORDS, (&Secret::new("hush"), before)) {
            Ok(taken) => (taken.answer_id, taken.remark.unwrap_or_default()),
            Err(fault) => (fault.kind.code().to_owned(), fault.cause),
        }
    }

    #[test]
    fn every_answer_has_its_meaning() {
        for (http, body, before, found, word) in [
            (200, "", false, "", ""),
            (200, "{\"id\":7,\"status\":\"accepted\"}", false, "7", ""),
            (200, "<r><Status>ok</Status><MessageId>m</MessageId></r>", false, "m", ""),
            (202, "anything", false, "", "still to look"),
            (
                200,
                "{\"status\":\"REJECTED\",\"reason\":\"no hush GLN\"}",
                false,
                "partner-refused",
                "refuses it: no *** GLN",
            ),
            (
                201,
                "<a><b><status>invalid</status></b><message>x</message></a>",
                false,
                "partner-refused",
                "refuses it: x",
            ),
            (302, "", false, "partner-refused", "302"),
            (400, "{\"message\":\"bad\"}", false, "partner-refused", "(400: bad)"),
            (401, "", false, "partner-secret", "key"),
            (403, "", false, "partner-secret", "key"),
            (409, "", false, "partner-refused", "409"),
            (409, "", true, "", "had it before"),
            (429, "", true, "partner-unavailable", "for now"),
            (503, "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", false, "partner-unavailable", "503"),
        ] {
            let (id, text) = of(http, body, before);
            assert!(id == found && text.contains(word), "{http} {body}: {id} {text}");
        }
    }
}
