//! The `action` of a DICO hook: `dico://{endpoint}?applicationId=&mode=&header=` (conventions A9).

use quoin_store::{Hook, Secret};
use subtle::ConstantTimeEq;

use super::assumed::{DEFAULT_HEADER, MESSAGE_ID, MODES, credential};
use crate::partner::{
    PartnerAction, PartnerError, PartnerFault, PartnerFaultKind, PartnerMode, PartnerSecrets,
    with_scheme_folded,
};

/// How the action begins.
pub const DICO: &str = "dico://";

/// Headers that messages have anyway.
const RESERVED: [&str; 6] =
    ["host", "content-length", "content-type", "transfer-encoding", "connection", MESSAGE_ID];

/// A DICO hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DicoAction {
    /// Where it is, and in which environment.
    pub place: PartnerAction,
    /// Which application sends, as the network knows it.
    pub application: String,
    /// The header that carries what lets us in.
    pub header: String,
}

/// What a hook asks for, as it is now.
#[derive(Debug, Clone)]
pub struct DicoTarget {
    /// What the action says.
    pub action: DicoAction,
    /// What lets us in.
    pub secret: Secret,
}

impl DicoAction {
    /// Reads an action without its secret.
    ///
    /// # Errors
    /// [`PartnerError`].
    pub fn parse(text: &str) -> Result<DicoAction, PartnerError> {
        let place = PartnerAction::parse(text, DICO, &["applicationId", "header"])?;
        let application = place.parameter("applicationId").ok_or(PartnerError::Missing {
            name: "applicationId",
            what: "the id of the application that sends",
        })?;
        let header = place.parameter("header").unwrap_or(DEFAULT_HEADER);
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_reserved = RESERVED.iter().any(|name| header.eq_ignore_ascii_case(name));
        if is_reserved || !header.bytes().all(is_token) {
            return Err(PartnerError::Value {
                name: "header".to_owned(),
                found: header.chars().take(80).collect(),
                expected: "the name of the header that carries the key behind #, as in X-Api-Key",
            });
        }
        let (application, header) = (application.to_owned(), header.to_owned());
        Ok(DicoAction { place, application, header })
    }

    /// The word of the environment on the wire.
    pub fn mode(&self) -> &'static str {
        match self.place.mode {
            PartnerMode::Production => MODES[0],
            PartnerMode::Test => MODES[1],
        }
    }
}

impl DicoTarget {
    /// What a hook asks for; none where it is gone.
    ///
    /// # Errors
    /// [`PartnerFaultKind::Hook`].
    pub fn of(hook: Option<&Hook>) -> Result<DicoTarget, PartnerFault> {
        let fault = |cause: String| PartnerFault::new(PartnerFaultKind::Hook, cause);
        let of_hook = |error: PartnerError| fault(format!("the DICO hook: {error}"));
        let hook =
            hook.ok_or_else(|| fault("the DICO hook of the channel is off or gone".to_owned()))?;
        let action = DicoAction::parse(&hook.action).map_err(of_hook)?;
        let secret = hook.secrets.first().ok_or_else(|| of_hook(PartnerError::NoSecret))?;
        let secrets = PartnerSecrets::parse(secret.reveal()).map_err(of_hook)?;
        let mode = action.place.mode;
        let missing = || fault(format!("the DICO hook has no secret for mode={}", mode.as_str()));
        let secret = secrets.of(mode).cloned().ok_or_else(missing)?;
        Ok(DicoTarget { action, secret })
    }
}

/// The hook that shares its key of the environment in use with whoever calls, shown in the header
/// that its action names; `None` where there is none: what is tried settles nothing that counts.
/// Each is compared in a time that says nothing of the key.
pub fn believed(hooks: Vec<Hook>, shown: impl Fn(&str) -> Option<String>) -> Option<Hook> {
    let mut found = None;
    for hook in hooks.into_iter().filter(|hook| hook.is_active) {
        let Ok(action) = DicoAction::parse(&hook.action) else { continue };
        let Some(shown) = shown(&action.header) else { continue };
        let shown = with_scheme_folded(&shown);
        let secrets = hook.secrets.first().and_then(|own| PartnerSecrets::parse(own.reveal()).ok());
        let own = secrets.as_ref().and_then(|secrets| secrets.of(action.place.mode));
        let Some(own) = own else { continue };
        let expected = with_scheme_folded(&credential(&action.header, own));
        if bool::from(expected.as_bytes().ct_eq(shown.as_bytes())) && found.is_none() {
            found = Some(hook);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_names_the_application_and_the_header() {
        let own = DicoAction::parse("dico://n.example/in?applicationId=app-1&mode=test").unwrap();
        assert_eq!((own.application.as_str(), own.mode()), ("app-1", "test"));
        assert_eq!(
            (own.header.as_str(), own.place.url()),
            ("Authorization", "https://n.example/in")
        );
        let own = DicoAction::parse("dico://n.example?applicationId=a&header=X-Api-Key").unwrap();
        assert_eq!((own.header.as_str(), own.mode()), ("X-Api-Key", "production"));
        for (text, word) in [
            ("dico://n.example/in", "applicationId is missing"),
            ("dico://n.example/in?applicationId=a&header=Host", "the name of the header"),
            ("dico://n.example/in?applicationId=a&header=X-Message-Id", "the name of the header"),
            ("dico://n.example/in?applicationId=a&header=X%3A%20y", "the name of the header"),
            ("dico://n.example/in?applicationId=a&header=X%0D%0AY", "1 to 300"),
        ] {
            let error = DicoAction::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn only_the_key_of_the_mode_in_use_is_believed() {
        let hook = |mode: &str| Hook {
            action: format!("dico://n.example/in?applicationId=a&mode={mode}"),
            secrets: vec![Secret::new("production=real&test=tried")],
            ..crate::hooks::bare_hook("of", "net")
        };
        for (mode, key, is_believed) in [
            ("production", "real", true),
            ("production", "tried", false),
            ("test", "tried", true),
            ("test", "real", false),
        ] {
            let shown = |_: &str| Some(format!("bearer {key}"));
            assert_eq!(believed(vec![hook(mode)], shown).is_some(), is_believed, "{mode} {key}");
        }
    }
}
