//! Whether a document would be taken at all.

use quoin_delivery::{Family, OrganisationId};

use super::super::Api;
use super::super::usage::no_room;
use super::answer::DryRun;
use crate::http::Problem;

impl DryRun {
    /// Says of a document that would leave that it is not taken now, where the package of its
    /// organisation is used up.
    pub(super) async fn taken_into(
        &mut self,
        api: &Api,
        owner: &OrganisationId,
    ) -> Result<(), Problem> {
        if !matches!(self.verdict.as_str(), "deliverable" | "uncertain") {
            return Ok(());
        }
        if let Some(full) = no_room(api, owner, Family::Invoice).await? {
            self.verdict = "refused".to_owned();
            self.reason = format!("it would not be taken now: {full}");
        }
        Ok(())
    }
}
