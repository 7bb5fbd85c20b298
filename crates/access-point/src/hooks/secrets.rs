//! The secrets of a hook when it is registered or changed: what signs, which is rotated, and what
//! logs in, of which there is one.

use jiff::Timestamp;
use quoin_delivery::hook::ActionKind;
use quoin_store::{Hook, Secret};

use super::action::{ActionError, HookAction};
use crate::channels;
use crate::https::rotated;

/// The secrets that a hook has with an action, the newest first, and when the newest took the
/// place of the one behind it. One that is not given again stays: what logs in, where it is for the
/// same place, since it would be shown there; what signs, where the calls go to the same host and
/// port, whatever the path: it belongs to whoever is there.
///
/// # Errors
/// [`ActionError::Channel`] where there is none, and no doing without.
pub fn secrets_after(
    (action, init): (&HookAction, &serde_json::Value),
    before: Option<&Hook>,
    now: Timestamp,
) -> Result<(Vec<Secret>, Option<Timestamp>), ActionError> {
    let channel = channels::reader_of(action.kind);
    if let Some(both) = channel.and_then(|channel| channel.needs_no_secret(&action.url, init)) {
        // One that is on record is none of this login.
        return match &action.secret {
            Some(_) => Err(ActionError::Channel(both)),
            None => Ok((Vec::new(), None)),
        };
    }
    let is_same = |before: &&Hook| match channel {
        Some(channel) if ActionKind::of(&before.action) == Some(action.kind) => {
            channel.keeps_secret(&before.action, &action.url)
                || channel.signs() && is_same_host(&before.action, &action.url)
        }
        _ => before.action == action.url,
    };
    let kept = before.filter(is_same);
    match (&action.secret, channel) {
        (Some(newest), channel) if channel.is_none_or(channels::Channel::signs) => {
            Ok(rotated(before, newest.clone(), now))
        }
        (Some(newest), _) => Ok((vec![newest.clone()], None)),
        (None, _) if kept.is_some_and(|kept| !kept.secrets.is_empty()) => {
            Ok(kept.map(|kept| (kept.secrets.clone(), kept.rotated_on)).unwrap_or_default())
        }
        (None, channel) => match channel.and_then(|channel| channel.lacks_secret(&action.url)) {
            Some(lack) => Err(ActionError::Channel(lack)),
            None => Ok((Vec::new(), None)),
        },
    }
}

/// Whether two addresses are of one host and port, called the same way.
fn is_same_host(one: &str, other: &str) -> bool {
    let origin = |address| url::Url::parse(address).ok().map(|url| url.origin());
    origin(one).is_some_and(|own| own.is_tuple() && Some(own) == origin(other))
}

#[cfg(test)]
mod tests {
    use quoin_delivery::HookId;

    use super::*;
    use crate::channels::Allowed;
    use crate::hooks::bare_hook;

    fn hook(action: &str, secrets: &[&str]) -> Hook {
        Hook {
            key: HookId::peppol(),
            action: action.to_owned(),
            secrets: secrets.iter().map(|secret| Secret::new(*secret)).collect(),
            ..bare_hook("acme", "erp")
        }
    }

    fn after(text: &str, before: Option<&Hook>) -> Result<Vec<String>, String> {
        let action = HookAction::parse(text, &Allowed::default()).unwrap();
        let (secrets, _) =
            secrets_after((&action, &serde_json::Value::Null), before, Timestamp::UNIX_EPOCH)
                .map_err(|error| error.to_string())?;
        Ok(secrets.iter().map(|secret| secret.reveal().to_owned()).collect())
    }

    #[test]
    fn a_secret_that_signs_is_rotated_and_stays_with_its_host() {
        let before = hook("https://erp.example/e", &["one"]);
        assert_eq!(after("https://erp.example/e#two", Some(&before)).unwrap(), ["two", "one"]);
        assert_eq!(after("https://erp.example/e", Some(&before)).unwrap(), ["one"]);
        assert_eq!(after("https://erp.example/f", Some(&before)).unwrap(), ["one"]);
        assert_eq!(after("https://ERP.example:443/e?f", Some(&before)).unwrap(), ["one"]);
        for other in ["https://new.example/e", "https://erp.example:8443/e"] {
            assert!(after(other, Some(&before)).unwrap().is_empty(), "{other}");
        }
        assert!(after("batch://zip", Some(&before)).unwrap().is_empty(), "another kind");
    }

    #[test]
    fn a_secret_that_logs_in_stays_with_its_account() {
        let before = hook("sftp://a@h.example/in", &["one"]);
        assert_eq!(after("sftp://a@h.example/in#two", Some(&before)).unwrap(), ["two"]);
        assert_eq!(after("sftp://a@h.example/out", Some(&before)).unwrap(), ["one"]);
        for other in ["sftp://b@h.example/in", "sftp://a@i.example/in", "sftp://a@h.example:23/in"]
        {
            let lack = after(other, Some(&before)).unwrap_err();
            assert!(lack.contains("behind #"), "{lack}");
        }
        assert!(after("sftp://a@h.example/in", None).is_err());
        let other = hook("https://h.example/in", &["one"]);
        assert!(after("sftp://a@h.example/in", Some(&other)).is_err(), "of another kind");
    }
}
