//! The password grant (RFC 6749 section 4.3): a user signs in with name and password. Users of
//! several organisations may have one name; a client that identifies itself, or a name written as
//! `organisation/name`, says which, and else the password decides.

use std::net::IpAddr;

use axum::http::{HeaderMap, StatusCode};

use crate::http::auth::{AccountsFault, Auth, UserRecord};

use super::{GrantRefusal, authenticate, credentials, judged, refused, waiting};

/// What is said of every name alike.
const WRONG: &str = "user name or password is wrong; a name that several organisations have is \
    written as organisation/name";

/// Who a user says it is.
pub(super) struct Person<'f> {
    pub name: &'f str,
    pub password: &'f str,
    pub client_id: Option<&'f str>,
    pub client_secret: Option<&'f str>,
}

/// The user with this name and password.
pub(super) async fn person(
    auth: &Auth,
    headers: &HeaderMap,
    person: Person<'_>,
    from: IpAddr,
) -> Result<UserRecord, GrantRefusal> {
    let asks = headers.contains_key(axum::http::header::AUTHORIZATION);
    let organisation = match (person.client_id, person.client_secret) {
        (None, None) if !asks => None,
        (id, secret) => {
            let (id, secret) = credentials(headers, id, secret)?;
            Some(authenticate(auth, &id, &secret, from).await?.organisation)
        }
    };
    let (organisation, name) = match person.name.split_once('/') {
        Some((named, name)) if organisation.as_deref().is_none_or(|o| o == named) => {
            (Some(named.to_owned()), name)
        }
        _ => (organisation, person.name),
    };
    signed_in(auth, organisation.as_deref(), name, person.password, from).await
}

/// The same for a name alone, which may be written as `organisation/name`.
pub(super) async fn named(
    auth: &Auth,
    name: &str,
    password: &str,
    from: IpAddr,
) -> Result<UserRecord, GrantRefusal> {
    let person_of = Person { name, password, client_id: None, client_secret: None };
    person(auth, &HeaderMap::new(), person_of, from).await
}

/// Under which name failures of a user are counted: those of one organisation close nobody of
/// another, where the organisation is named.
pub(super) fn counted(organisation: Option<&str>, name: &str) -> String {
    format!("user {}/{name}", organisation.unwrap_or_default())
}

/// Under which name it is counted how often a password was tried, by the name alone, at a user of
/// this organisation whose it was not.
fn counted_beside(user: &UserRecord) -> String {
    format!("user of {}/{}", user.organisation, user.name)
}

/// An unknown name costs as much as a wrong password. Where nobody says which organisation, each
/// user of the name whose password it is not counts it as a failure, whoever else it fits, so that
/// a user who is made for it is no help in guessing at others; who was tried too often is not
/// looked at.
async fn signed_in(
    auth: &Auth,
    organisation: Option<&str>,
    name: &str,
    password: &str,
    from: IpAddr,
) -> Result<UserRecord, GrantRefusal> {
    let now = auth.clock.now();
    let counted = counted(organisation, name);
    waiting(auth, &counted, from, now)?;
    let fault = |cause: AccountsFault| {
        tracing::error!(%cause, "a user could not be looked up");
        refused(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "try again")
    };
    let mut users = auth.clients.users(organisation, name).await.map_err(fault)?;
    let by_name_alone = organisation.is_none();
    let waits =
        |user: &UserRecord| auth.throttle.wait_seconds(&counted_beside(user), from, now).is_some();
    users.retain(|user| !by_name_alone || !waits(user));
    if users.is_empty() {
        auth.passwords.fits(password, None).await?;
    }
    let mut found = Vec::new();
    for user in users {
        let hash = Some(user.password_hash.as_str());
        let fits = auth.passwords.fits(password, hash).await?;
        // Others may have been tried meanwhile.
        match (by_name_alone && waits(&user), fits) {
            (true, _) => {}
            (false, true) => found.push(user),
            (false, false) if by_name_alone => {
                auth.throttle.missed(&counted_beside(&user), from, now);
            }
            (false, false) => {}
        }
    }
    let found = <[UserRecord; 1]>::try_from(found).ok();
    judged(auth, (&counted, from), found.is_some())?;
    let [user] = found.ok_or_else(|| refused(StatusCode::BAD_REQUEST, "invalid_grant", WRONG))?;
    Ok(user)
}

#[cfg(test)]
mod tests;
