//! A call at the door of another network, up to where its secret is looked at: there is room for
//! what it brings, nobody guesses at the hook, and nothing of the body is read yet.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{Extensions, HeaderMap};
use bytes::Bytes;
use quoin_delivery::OrganisationId;
use quoin_delivery::hook::ActionKind;
use quoin_store::Hook;

use super::guess_brake::GuessBrake;
use super::{Api, refused};
use crate::http::{Problem, body};

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
    /// All of it, within the limits of bodies.
    ///
    /// # Errors
    /// It is larger, or was not sent in time.
    pub(super) async fn read(self, api: &Api) -> Result<Bytes, Problem> {
        let (limits, budget) = (api.settings.body, &api.settings.uploads);
        Ok(body::read_counted(self.body, limits, budget, &self.extensions).await?)
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
    let Ok(owner) = organisation.parse::<OrganisationId>() else { return Ok(Vec::new()) };
    if !api.store.is_open(&owner).await? {
        return Ok(Vec::new());
    }
    let is_one = |hook: &Hook| {
        let kind = ActionKind::of(&hook.action);
        hook.id.as_str() == id && kind.is_some_and(|kind| kinds.contains(&kind))
    };
    Ok(api.store.hooks_of(&owner).await?.into_iter().filter(is_one).collect())
}
