//! The two signatures that every call carries: the HMAC of the raw body in hexadecimal, as clients
//! of this API family check it (conventions A7), and the headers of Standard Webhooks 1.0.

use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use data_encoding::{BASE64, HEXLOWER};
use jiff::{SignedDuration, Timestamp};
use quoin_store::{Hook, Secret};

/// A replaced secret signs beside the new one for so long after its rotation.
pub const ROTATION: SignedDuration = SignedDuration::from_hours(24);

/// Secrets in this form carry the key in base64 (Standard Webhooks).
const STANDARD_PREFIX: &str = "whsec_";

/// The longest secret, in bytes.
const LONGEST_SECRET: usize = 512;

/// Why a text cannot sign. It is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the secret behind # must be 1 to {LONGEST_SECRET} printable ASCII characters, and one that \
     begins with {STANDARD_PREFIX} must have its key behind that, in base64"
)]
pub struct UnusableSecret;

/// A secret that can sign.
///
/// # Errors
/// [`UnusableSecret`].
pub fn checked_secret(secret: &str) -> Result<Secret, UnusableSecret> {
    let fits = (1..=LONGEST_SECRET).contains(&secret.len());
    let has_key = match secret.strip_prefix(STANDARD_PREFIX) {
        Some(encoded) => BASE64.decode(encoded.as_bytes()).is_ok_and(|key| !key.is_empty()),
        None => true,
    };
    match fits && has_key && secret.bytes().all(|b| b.is_ascii_graphic()) {
        true => Ok(Secret::new(secret)),
        false => Err(UnusableSecret),
    }
}

/// The values of the signature headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signatures {
    /// `{prefix}Signature`: `sha256=` and the HMAC-SHA256 of the body in lower-case hexadecimal,
    /// under the newest secret.
    pub hexadecimal: String,
    /// `{prefix}Signature-Previous`: the same under the secret before, during rotation.
    pub previous: Option<String>,
    /// `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, one for
    /// each secret in use, separated by spaces.
    pub standard: String,
    /// `webhook-timestamp`: seconds since 1970.
    pub timestamp: i64,
}

/// The secrets that sign at `now`: the newest, and during rotation the one before.
pub fn secrets_in_use(hook: &Hook, now: Timestamp) -> &[Secret] {
    let count = if previous_until(hook, now).is_some() { 2 } else { 1 };
    hook.secrets.get(..count.min(hook.secrets.len())).unwrap_or_default()
}

/// Until when the secret before the newest one signs along, where it does at `now`.
pub fn previous_until(hook: &Hook, now: Timestamp) -> Option<Timestamp> {
    let until = hook.rotated_on?.saturating_add(ROTATION).unwrap_or(Timestamp::MAX);
    (hook.secrets.len() > 1 && now < until).then_some(until)
}

/// A new secret goes in front, and the one that receivers know signs along for a day. A second
/// change within that day replaces only the newest one: receivers still know the one before.
pub fn rotated(
    before: Option<&Hook>,
    newest: Secret,
    now: Timestamp,
) -> (Vec<Secret>, Option<Timestamp>) {
    let Some(before) = before else { return (vec![newest], None) };
    let known = before.secrets.as_slice();
    match known {
        [] => (vec![newest], None),
        [first, ..] if *first == newest => (known.to_vec(), before.rotated_on),
        [_, second, ..] if previous_until(before, now).is_some() => {
            (vec![newest, second.clone()], before.rotated_on)
        }
        [first, ..] => (vec![newest, first.clone()], Some(now)),
    }
}

/// Signs the raw bytes of a body; `None` where the hook has no secret.
pub fn signatures(secrets: &[Secret], id: &str, now: Timestamp, body: &[u8]) -> Option<Signatures> {
    let newest = secrets.first()?;
    let plain = |secret: &Secret| {
        let key = Key::new(HMAC_SHA256, secret.reveal().as_bytes());
        format!("sha256={}", HEXLOWER.encode(hmac::sign(&key, body).as_ref()))
    };
    let hexadecimal = plain(newest);
    let previous = secrets.get(1).map(plain);
    let timestamp = now.as_second();
    let one = |secret: &Secret| {
        let mut context = hmac::Context::with_key(&Key::new(HMAC_SHA256, &standard_key(secret)));
        context.update(format!("{id}.{timestamp}.").as_bytes());
        context.update(body);
        format!("v1,{}", BASE64.encode(context.sign().as_ref()))
    };
    let standard: Vec<String> = secrets.iter().map(one).collect();
    Some(Signatures { hexadecimal, previous, standard: standard.join(" "), timestamp })
}

/// A secret `whsec_…` holds the key in base64; any other text is the key itself.
fn standard_key(secret: &Secret) -> Vec<u8> {
    let text = secret.reveal();
    text.strip_prefix(STANDARD_PREFIX)
        .and_then(|encoded| BASE64.decode(encoded.as_bytes()).ok())
        .unwrap_or_else(|| text.as_bytes().to_vec())
}

#[cfg(test)]
mod tests;
