//! What the configuration declares, at the start.

use quoin_access_point::config::UndeclaredParties;

use super::StartError;
use super::parts::ServiceParts;
use crate::seeds::{self, undeclared};

/// Takes over what the configuration declares, and switches off what it declares no more.
pub(super) async fn declare(parts: &ServiceParts) -> Result<(), StartError> {
    let (config, now) = (&parts.config, parts.clock.now());
    let guard = parts.hook_guard();
    let whose = (config, parts.provider.as_deref());
    let (store, alarms) = (&parts.store, &parts.alarms);
    let taken = seeds::apply(store, &config.organisation, &guard, now).await?;
    let mut refused = undeclared::close(taken, store, whose, alarms, now).await?;
    if !refused.is_empty() && config.undeclared_parties == UndeclaredParties::Withdraw {
        // Another organisation of the file may have had it until now.
        let taken = seeds::apply(store, &config.organisation, &guard, now).await?;
        refused = undeclared::close(taken, store, whose, alarms, now).await?;
    }
    undeclared::tell_refused((alarms, store), &refused, now).await?;
    Ok(())
}
