//! What a hook asks for, as it is now: where, who sends to whom, and the secret of the environment.

use quoin_delivery::hook::ActionKind;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::{Hook, Secret};

use super::accounts::TradingAccounts;
use super::action::CxmlAction;
use super::credential::CxmlEnds;
use crate::partner::{
    PartnerAction, PartnerError, PartnerFault, PartnerFaultKind, PartnerMode, PartnerSecrets,
};

/// What a hook asks for.
#[derive(Debug, Clone)]
pub struct CxmlTarget {
    /// The address.
    pub url: String,
    /// The environment.
    pub mode: PartnerMode,
    /// Who sends to whom.
    pub ends: CxmlEnds,
    /// The same in each environment.
    pub each: Vec<CxmlEnds>,
    /// What lets us in.
    pub secret: Secret,
}

impl CxmlTarget {
    /// What a hook asks for on the way from a sender to a receiver; none where it is gone.
    ///
    /// # Errors
    /// [`PartnerFaultKind::Hook`], [`PartnerFaultKind::Relationship`].
    pub fn of(
        hook: Option<&Hook>,
        sender: &ParticipantId,
        receiver: &ParticipantId,
    ) -> Result<CxmlTarget, PartnerFault> {
        let gone = || fault("the hook of the channel is off or gone".to_owned());
        let hook = hook.ok_or_else(gone)?;
        let (place, ends, each) = match ActionKind::of(&hook.action) {
            Some(ActionKind::TradingNetwork) => {
                let place = TradingAccounts::place(&hook.action).map_err(of_hook)?;
                let accounts = TradingAccounts::parse(&hook.init).map_err(of_hook)?;
                let ends = |mode| accounts.ends(sender, receiver, mode);
                let each = PartnerMode::ALL.into_iter().map(ends).collect::<Result<_, _>>()?;
                let ends = ends(place.mode)?;
                (place, ends, each)
            }
            _ => {
                let CxmlAction { place, ends, each, .. } =
                    CxmlAction::parse(&hook.action).map_err(of_hook)?;
                (place, ends, each)
            }
        };
        let secret = secret(hook, &place)?;
        Ok(CxmlTarget { url: place.url().to_owned(), mode: place.mode, ends, each, secret })
    }
}

/// The secret of the environment that is in use.
fn secret(hook: &Hook, place: &PartnerAction) -> Result<Secret, PartnerFault> {
    let lacks = || of_hook(PartnerError::NoSecret);
    let secret = hook.secrets.first().ok_or_else(lacks)?;
    let secrets = PartnerSecrets::parse(secret.reveal()).map_err(of_hook)?;
    let missing = || {
        let mode = place.mode.as_str();
        fault(format!("the hook has no secret for mode={mode}; put it behind #, as {mode}=SECRET"))
    };
    secrets.of(place.mode).cloned().ok_or_else(missing)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn of_hook(error: PartnerError) -> PartnerFault {
    fault(format!("the hook of the channel: {error}"))
}

fn fault(cause: String) -> PartnerFault {
    PartnerFault::new(PartnerFaultKind::Hook, cause)
}
