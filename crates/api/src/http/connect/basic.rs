//! HTTP basic beside tokens, for tools that know nothing else: the id and secret of a client, or
//! the name and password of a user, on every request (RFC 7617).

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::{FromRef, FromRequestParts};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use jiff::Timestamp;
use quoin_model::Language;

use super::{GrantRefusal, credentials, known, person, waiting};
use crate::http::auth::{Auth, Caller};
use crate::http::body::Tenant;
use crate::http::rate::RateMeter;
use crate::http::{Problem, codes};
use quoin_access_point::tls::PeerAddress;

/// What is said of every name alike.
const NOBODY: &str = "no active client or user has this name with this secret or password";

/// Who calls, by HTTP basic or with a token.
pub struct SignedIn(pub Caller);

impl<S> FromRequestParts<S> for SignedIn
where
    Auth: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<SignedIn, Problem> {
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let basic = header.is_some_and(|value| {
            value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic "))
        });
        if !basic {
            return Ok(SignedIn(Caller::from_request_parts(parts, state).await?));
        }
        let auth = Auth::from_ref(state);
        let caller = caller(&auth, parts).await?;
        parts.extensions.insert(Tenant(caller.organisation.as_str().into()));
        if let Some(meter) = parts.extensions.get::<RateMeter>() {
            auth.count(meter, &caller).await?;
        }
        Ok(SignedIn(caller))
    }
}

async fn caller(auth: &Auth, parts: &Parts) -> Result<Caller, Problem> {
    let peer = parts.extensions.get::<PeerAddress>();
    let from = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    let (name, secret) = credentials(&parts.headers, None, None).map_err(problem)?;
    // A client with a wrong secret is asked for as a user, so that what it hears and what it costs
    // does not tell that there is such a client.
    let client = known(auth, &name, &secret).await.map_err(problem)?;
    let (organisation, account) = match client {
        Some(client) => {
            waiting(auth, &person::counted(None, &name), from, auth.clock.now())
                .map_err(problem)?;
            (client.organisation, client.client_id)
        }
        None => {
            let user = person::named(auth, &name, &secret, from).await;
            // Nobody knows which of the two it was meant as.
            let user = user.map_err(|refused| match refused.error {
                "invalid_grant" => refusal(NOBODY),
                _ => problem(refused),
            })?;
            (user.organisation, user.name)
        }
    };
    let standing = auth.clients.standing(&organisation, &account).await.map_err(Problem::fault)?;
    let standing = standing.filter(|standing| standing.active).ok_or_else(|| wrong(&account))?;
    let (role, all_parties, since) = (standing.role, standing.all_parties, Some(standing.since));
    let language = parts.extensions.get::<Language>().copied().unwrap_or_default();
    // It shows its secret with each request, and has no token that ends.
    let (client, outside, until) = (account, false, Timestamp::MAX);
    Ok(Caller { organisation, client, role, all_parties, outside, since, until, language })
}

fn wrong(name: &str) -> Problem {
    let detail = format!("{name:.128} is no active account, or its secret is wrong");
    refusal(&detail)
}

fn refusal(detail: &str) -> Problem {
    Problem::new(&codes::TOKEN_INVALID, detail.to_owned())
        .header(WWW_AUTHENTICATE, "Basic realm=\"quoin\"")
}

/// The refusal of a sign-in, as a problem of this interface.
fn problem(refused: GrantRefusal) -> Problem {
    let code = match refused.status {
        StatusCode::TOO_MANY_REQUESTS => &codes::TOO_MANY,
        StatusCode::SERVICE_UNAVAILABLE => &codes::UNAVAILABLE,
        StatusCode::INTERNAL_SERVER_ERROR => &codes::FAULT,
        _ => &codes::TOKEN_INVALID,
    };
    let problem = Problem::new(code, refused.description);
    match refused.wait {
        Some(wait) => problem.header(RETRY_AFTER, &wait.to_string()),
        None if refused.status.is_server_error() => problem,
        None => problem.header(WWW_AUTHENTICATE, "Basic realm=\"quoin\""),
    }
}
