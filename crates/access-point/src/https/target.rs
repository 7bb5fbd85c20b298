//! What a hook asks for, as it is now: where, how, and what is shown there.

use quoin_store::Hook;

use super::action::HttpsAction;
use super::fault::{HttpsFault, HttpsFaultKind};
use super::login::HttpsLogin;

/// What a hook asks for.
#[derive(Debug, Clone)]
pub struct HttpsTarget {
    /// The hook, with the secrets that sign.
    pub hook: Hook,
    /// Where, and how.
    pub action: HttpsAction,
    /// What is shown there.
    pub login: HttpsLogin,
}

impl HttpsTarget {
    /// What a hook asks for; none where it is gone.
    ///
    /// # Errors
    /// [`HttpsFaultKind::Hook`].
    pub fn of(hook: Option<&Hook>) -> Result<HttpsTarget, HttpsFault> {
        let fault = |cause: String| HttpsFault::new(HttpsFaultKind::Hook, cause);
        let hook =
            hook.ok_or_else(|| fault("the HTTPS hook of the channel is off or gone".to_owned()))?;
        // What it is used for was looked at when it was put.
        let action = HttpsAction::parse(&hook.action, &hook.init, false);
        let action = action.map_err(|error| fault(error.of_hook()))?;
        let login = HttpsLogin::parse(&action, &hook.sealed);
        let login = login.map_err(|error| fault(error.of_hook()))?;
        Ok(HttpsTarget { hook: hook.clone(), action, login })
    }
}
