//! What is assumed of the wire of the DICO network, each in one place. The page of the channel
//! lists the same; the counterpart of the lab can be told to behave otherwise.
//!
//! 1. A message is posted alone, as XML ([`CONTENT_TYPE`]).
//! 2. Application and environment are parameters of the address, by the names that actions have
//!    ([`address`], [`MODES`]).
//! 3. What lets us in is a header, [`DEFAULT_HEADER`] with the scheme [`SCHEME`] where the action
//!    names none ([`credential`]).
//! 4. The id of a message is a header, [`MESSAGE_ID`]; a repeat of the same id is the same message,
//!    and a network that says so says 409.
//! 5. Sender and receiver are the GLNs in the message, and nothing beside it.
//! 6. A status of 2xx is a receipt. Where it has a body with one of the rejections of
//!    [`RECEIPT`] in a member or element of the state, the message is refused all the same,
//!    whatever else it says; where its body cannot be read, it is not known whether it is.
//! 7. 401 and 403 are about the key; 408, 425, 429 and 5xx are for now; other codes are final.
//! 8. What the network says of an invoice later, it posts to the door of the hook, with the header
//!    and the key of assumption 3, as JSON or XML: the id of our message, a state, a reason, and an
//!    id of its own by which a repeat is known ([`LATER`]).
//! 9. The words of states, and what they say of the invoice ([`state`]).

use quoin_store::Secret;
use url::Url;

use crate::partner::{PartnerReceipt, ReceiptWords};

/// Assumption 1.
pub const CONTENT_TYPE: &str = "application/xml; charset=utf-8";
/// Assumption 2: the words of the environments, that of production first.
pub const MODES: [&str; 2] = ["production", "test"];
/// Assumption 3: the header.
pub const DEFAULT_HEADER: &str = "Authorization";
/// Assumption 3: what stands before the key in it.
pub const SCHEME: &str = "Bearer ";
/// Assumption 4.
pub const MESSAGE_ID: &str = "x-message-id";
/// Assumption 6.
pub const RECEIPT: ReceiptWords = ReceiptWords {
    network: "the DICO network",
    states: &["status"],
    rejections: &["rejected", "refused", "failed", "error", "invalid"],
    reasons: &["reason", "message", "description", "error"],
    ids: &["id", "messageId", "receiptId"],
    about: &[],
};
/// Assumption 8.
pub const LATER: ReceiptWords =
    ReceiptWords { ids: &["id", "receiptId"], about: &["messageId"], ..RECEIPT };
/// Assumption 9: the words of a state, and the status of an Invoice Response that it is (UNCL4343
/// in the part that Peppol BIS Invoice Response 3.2 takes).
const STATES: &[(&str, &str)] = &[
    ("received", "AB"),
    ("delivered", "AB"),
    ("processing", "IP"),
    ("accepted", "AP"),
    ("approved", "AP"),
    ("paid", "PD"),
];

/// What a state says of the invoice (assumption 9); none of another word.
pub fn state(receipt: &PartnerReceipt) -> Option<&'static str> {
    if receipt.is_rejection(&LATER) {
        return Some("RE");
    }
    let said = receipt.status.as_deref()?.trim();
    STATES.iter().find(|(word, _)| word.eq_ignore_ascii_case(said)).map(|(_, code)| *code)
}

/// The words of assumption 9, for whoever sent another one.
pub fn states() -> String {
    let words = STATES.iter().map(|(word, _)| *word).chain(LATER.rejections.iter().copied());
    words.collect::<Vec<_>>().join(", ")
}

/// The address of a message (assumption 2).
pub fn address(url: &str, application: &str, mode: &str) -> String {
    let Ok(mut address) = Url::parse(url) else { return url.to_owned() };
    address.query_pairs_mut().append_pair("applicationId", application).append_pair("mode", mode);
    address.into()
}

/// What the header holds (assumption 3).
pub fn credential(header: &str, secret: &Secret) -> String {
    match header.eq_ignore_ascii_case(DEFAULT_HEADER) && !secret.reveal().contains(' ') {
        true => format!("{SCHEME}{}", secret.reveal()),
        false => secret.reveal().to_owned(),
    }
}
