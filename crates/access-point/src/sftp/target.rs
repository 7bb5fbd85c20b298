//! What a hook asks for, as it is now: where, and what logs in there.

use quoin_store::Hook;

use super::action::{SftpAction, SftpError};
use super::fault::{SftpFault, SftpFaultKind};
use super::login::SftpLogin;

/// What a hook asks for.
#[derive(Debug, Clone)]
pub struct SftpTarget {
    /// Where.
    pub action: SftpAction,
    /// What logs in.
    pub login: SftpLogin,
}

impl SftpTarget {
    /// What a hook asks for; none where it is gone.
    ///
    /// # Errors
    /// [`SftpFaultKind::Hook`].
    pub fn of(hook: Option<&Hook>) -> Result<SftpTarget, SftpFault> {
        let fault = |cause: String| SftpFault::new(SftpFaultKind::Hook, cause);
        let hook =
            hook.ok_or_else(|| fault("the SFTP hook of the channel is off or gone".to_owned()))?;
        let action = SftpAction::parse(&hook.action).map_err(|error| fault(error.of_hook()))?;
        let lacks = || fault(SftpError::NoLogin.of_hook());
        let secret = hook.secrets.first().ok_or_else(lacks)?;
        let login = SftpLogin::parse(secret.reveal()).map_err(|error| fault(error.of_hook()))?;
        Ok(SftpTarget { action, login })
    }
}
