//! The `action` of a hook of the platform: `collaboration://host/path?from=-0003:XC…#token`.

use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Hook, Secret};
use subtle::ConstantTimeEq;

use crate::partner::{PartnerAction, PartnerError, PartnerFault, PartnerFaultKind, PartnerSecrets};

/// How the action begins.
pub const COLLABORATION: &str = "collaboration://";
/// Under which name a send instruction is kept beside a document.
const INSTRUCTION: &str = "sendInstruction";

/// A hook of the platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollaborationAction {
    /// Where it is, and in which environment.
    pub place: PartnerAction,
    /// Who we are there.
    pub from: Option<ParticipantId>,
    /// What the platform is to do with documents that come without an instruction of their own.
    pub instruction: Option<String>,
}

/// What a hook asks for, as it is now.
#[derive(Debug, Clone)]
pub struct CollaborationTarget {
    /// What the action says.
    pub action: CollaborationAction,
    /// What lets us in.
    pub secret: Secret,
}

impl CollaborationAction {
    /// Reads an action without its secret.
    ///
    /// # Errors
    /// [`PartnerError`].
    pub fn parse(text: &str) -> Result<CollaborationAction, PartnerError> {
        let place = PartnerAction::parse(text, COLLABORATION, &["from", INSTRUCTION])?;
        let wrong = |name: &str, found: &str, expected| PartnerError::Value {
            name: name.to_owned(),
            found: found.chars().take(80).collect(),
            expected,
        };
        let from = place.parameter("from").map(|text| {
            let id = text.parse::<ParticipantId>().ok().filter(|id| !id.is_of_peppol());
            id.ok_or_else(|| {
                wrong("from", text, "an identifier of the platform, as in -0003:XC1234")
            })
        });
        let instruction = place.parameter(INSTRUCTION).map(|text| {
            let expected = "1 to 64 letters, digits and hyphens, as in peppol";
            instruction(text).ok_or_else(|| wrong(INSTRUCTION, text, expected))
        });
        let (from, instruction) = (from.transpose()?, instruction.transpose()?);
        Ok(CollaborationAction { place, from, instruction })
    }
}

/// A send instruction, in lower case; `None` where it is none.
fn instruction(text: &str) -> Option<String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_one = (1..=64).contains(&text.len()) && text.bytes().all(fits);
    is_one.then(|| text.to_ascii_lowercase())
}

/// The send instruction among what was asked beside a document.
pub fn instruction_of(attributes: Option<&str>) -> Option<String> {
    let read: serde_json::Value = serde_json::from_str(attributes?).ok()?;
    instruction(read.get(INSTRUCTION)?.as_str()?)
}

/// The hook that shares its token with whoever shows one; `None` where there is none. Each is
/// compared in a time that says nothing of the token.
pub fn believed(hooks: Vec<Hook>, token: &str) -> Option<Hook> {
    let mut found = None;
    for hook in hooks.into_iter().filter(|hook| hook.is_active) {
        let target = CollaborationTarget::of(Some(&hook)).ok();
        let is_same = target.is_some_and(|target| {
            let own = target.secret.reveal().as_bytes();
            bool::from(own.ct_eq(token.as_bytes()))
        });
        if is_same && found.is_none() {
            found = Some(hook);
        }
    }
    found
}

impl CollaborationTarget {
    /// What a hook asks for; none where it is gone.
    ///
    /// # Errors
    /// [`PartnerFaultKind::Hook`].
    pub fn of(hook: Option<&Hook>) -> Result<CollaborationTarget, PartnerFault> {
        let fault = |cause: String| PartnerFault::new(PartnerFaultKind::Hook, cause);
        let of_hook = |error: PartnerError| fault(format!("the hook of the platform: {error}"));
        let gone = || fault("the hook of the platform is off or gone".to_owned());
        let hook = hook.ok_or_else(gone)?;
        let action = CollaborationAction::parse(&hook.action).map_err(of_hook)?;
        let secret = hook.secrets.first().ok_or_else(|| of_hook(PartnerError::NoSecret))?;
        let secrets = PartnerSecrets::parse(secret.reveal()).map_err(of_hook)?;
        let mode = action.place.mode;
        let missing = || fault(format!("the hook has no secret for mode={}", mode.as_str()));
        let secret = secrets.of(mode).cloned().ok_or_else(missing)?;
        Ok(CollaborationTarget { action, secret })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_names_who_we_are_and_what_is_to_be_done() {
        let text = "collaboration://p.example/in?from=-0003:XC12&sendInstruction=Peppol";
        let own = CollaborationAction::parse(text).unwrap();
        assert_eq!(own.from.unwrap().to_string(), "-0003:XC12");
        assert_eq!(own.instruction.as_deref(), Some("peppol"));
        for (query, word) in [
            ("from=0106:12345678", "from is"),
            ("from=-0003:12", "from is"),
            ("sendInstruction=a%20b", "sendInstruction is"),
            ("to=x", "there is no parameter"),
        ] {
            let text = format!("collaboration://p.example/in?{query}");
            let error = CollaborationAction::parse(&text).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn an_instruction_is_found_beside_a_document() {
        let of = |text: &str| instruction_of(Some(text));
        assert_eq!(of(r#"{"sendInstruction":"PEPPOL","a":"b"}"#).as_deref(), Some("peppol"));
        for none in ["", "[]", "{}", r#"{"sendInstruction":""}"#, r#"{"sendInstruction":"a\r\nb"}"#]
        {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(instruction_of(None), None);
    }
}
