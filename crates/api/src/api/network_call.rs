//! A call at the door of another network, up to where its secret is looked at: there is room for
//! what it brings, nobody guesses at the hook, and nothing of the body is read yet.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap};
use bytes::Bytes;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{HookId, OrganisationId};
use quoin_store::Hook;

use super::guess_brake::GuessBrake;
use super::{Api, refused};
use crate::http::Problem;
use crate::http::body::{self, Tenant};
use quoin_access_point::budget::BodyLimits;

/// The largest body of a caller who shows its secret within it, in bytes: files come beside such a
/// message, and are not taken.
const UNKNOWN: u64 = 1 << 20;

/// A call whose caller is not known yet.
pub(super) struct NetworkCall<'a> {
    /// The hooks that it may be for.
    pub(super) hooks: Vec<Hook>,
    /// What slows down who guesses.
    pub(super) brake: GuessBrake<'a>,
    /// What it shows.
    pub(super) headers: HeaderMap,
    /// What it brings.
    pub(super) body: NetworkBody,
}

/// What a call brings, unread.
pub(super) struct NetworkBody {
    body: Body,
    extensions: Extensions,
}

impl NetworkBody {
    /// All of it, within the limits of bodies, of an organisation whose secret was shown.
    ///
    /// # Errors
    /// It is larger, or was not sent in time.
    pub(super) async fn read_of(
        mut self,
        api: &Api,
        organisation: &OrganisationId,
    ) -> Result<Bytes, Problem> {
        self.extensions.insert(Tenant(organisation.as_str().into()));
        let limits = api.settings.body;
        Ok(body::read_counted(self.body, limits, &api.settings.uploads, &self.extensions).await?)
    }

    /// All of it, of somebody who shows a secret within it: as much as a stranger may bring. It is
    /// a message and no container: nobody opens one for a stranger.
    ///
    /// # Errors
    /// As [`NetworkBody::read_of`].
    pub(super) async fn read_unknown(self, api: &Api) -> Result<Bytes, Problem> {
        let limits =
            BodyLimits { bytes: UNKNOWN.min(api.settings.body.bytes), ..api.settings.body };
        Ok(body::read_closed(self.body, limits, &api.settings.uploads, &self.extensions).await?)
    }
}

impl<'a> NetworkCall<'a> {
    /// A call at the door of a hook of these kinds.
    ///
    /// # Errors
    /// There is no room on the disk, or somebody guessed too often.
    pub(super) async fn at(
        api: &'a Api,
        place: (&str, &str),
        kinds: &[ActionKind],
        request: Request,
    ) -> Result<NetworkCall<'a>, Problem> {
        refused::room(&api.settings.disk)?;
        let (parts, body) = request.into_parts();
        let brake = GuessBrake::at(api, place, &parts.extensions)?;
        let hooks = hooks(api, place, kinds).await?;
        let body = NetworkBody { body, extensions: parts.extensions };
        Ok(NetworkCall { hooks, brake, headers: parts.headers, body })
    }
}

/// The hooks of these kinds with an id that a message may be for. An organisation that is closed
/// has none.
async fn hooks(
    api: &Api,
    (organisation, id): (&str, &str),
    kinds: &[ActionKind],
) -> Result<Vec<Hook>, Problem> {
    let (Ok(owner), Ok(id)) = (organisation.parse::<OrganisationId>(), id.parse::<HookId>()) else {
        return Ok(Vec::new());
    };
    if !api.store.is_open(&owner).await? {
        return Ok(Vec::new());
    }
    let is_one =
        |hook: &Hook| ActionKind::of(&hook.action).is_some_and(|kind| kinds.contains(&kind));
    Ok(api.store.hooks_named(&owner, &id).await?.into_iter().filter(is_one).collect())
}
