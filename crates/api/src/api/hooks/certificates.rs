//! What a hook of an authority is given: its certificates, checked on a thread of the pool, since
//! the files say how much work opening them is.

use quoin_access_point::ksef::KsefInit;
use quoin_delivery::OrganisationId;
use quoin_delivery::hook::ActionKind;
use quoin_store::{Hook, Secret};

use super::HookRequest;
use crate::api::Api;
use crate::http::{Problem, codes};

/// The certificates of a request, as they are kept. None for other hooks, and where a hook keeps
/// those that it has.
pub(in crate::api) async fn given(
    api: &Api,
    owner: &OrganisationId,
    request: &HookRequest,
    before: Option<&Hook>,
) -> Result<Option<Secret>, Problem> {
    let clears = |action: &str| ActionKind::of(action).is_some_and(ActionKind::clears);
    if !clears(&request.action) {
        return Ok(None);
    }
    let has_some = before.is_some_and(|hook| clears(&hook.action) && !hook.secrets.is_empty());
    if request.init.is_null() && has_some {
        return Ok(None);
    }
    let (init, now) = (request.init.clone(), api.clock.now());
    let work = move || KsefInit::checked(&init, now);
    let checked = api.settings.judges.run(owner.as_str(), work).await?;
    checked.map(Some).map_err(|error| Problem::new(&codes::BAD_HOOK, error.to_string()))
}
