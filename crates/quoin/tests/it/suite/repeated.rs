//! What a server may say again of what it was shown: some answer with what they were asked.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use url::form_urlencoded::byte_serialize;

/// A secret in every form in which a server may say it again: as it is, as a form or an address
/// carries it, in base64 alone and behind a name, and escaped for JSON and XML.
pub fn forms(secret: &str) -> Vec<String> {
    let carried = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let escaped = |as_written: fn(char) -> String| -> String {
        let letter = |letter: char| match letter.is_ascii_alphanumeric() {
            true => letter.to_string(),
            false => as_written(letter),
        };
        secret.chars().map(letter).collect()
    };
    vec![
        secret.to_owned(),
        carried(secret),
        secret.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        BASE64.encode(secret.as_bytes()),
        BASE64URL_NOPAD.encode(secret.as_bytes()),
        BASE64.encode(carried(secret).as_bytes()),
        escaped(|letter| format!("\\u{:04x}", u32::from(letter))),
        escaped(|letter| format!("&#{};", u32::from(letter))),
    ]
}

/// An answer that says secrets again in every form.
pub fn said_again(secrets: &[&str]) -> &'static str {
    let all: Vec<String> = secrets.iter().flat_map(|secret| forms(secret)).collect();
    format!("no: {} !", all.join(" , ")).leak()
}

/// That a text shows a secret in no form.
pub fn is_hidden(text: &str, secret: &str, place: &str) {
    for form in forms(secret) {
        // Where it is written into JSON.
        let written = form.replace('\\', "\\\\").replace('"', "\\\"");
        let is_shown = text.contains(&form) || text.contains(&written);
        assert!(!is_shown, "{place} shows {form} in {text}");
    }
}
