//! The token issuer: OAuth 2.0 client credentials and password grant (RFC 6749 sections 4.4 and
//! 4.3) at `/connect/token`, with the documents by which clients find it.

mod basic;
mod brake;
mod person;

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use data_encoding::BASE64;
use percent_encoding::percent_decode_str;
use serde::Serialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::auth::{Auth, ClientRecord};
use super::body::read;
use super::password::{AGAIN_SECONDS, PasswordError};
#[cfg(test)]
use super::refusals::Open;
use super::throttle::address_of;
use super::token::SCOPE;
use quoin_access_point::budget::BodyLimits;

pub use basic::SignedIn;
use brake::{judged, waiting};

/// A token request is a short form.
const FORM: BodyLimits = BodyLimits { bytes: 16 * 1024, time: std::time::Duration::from_secs(15) };

/// The answer to a token request (RFC 6749 section 5.1).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TokenAnswer {
    /// The token for the header `Authorization: Bearer`.
    #[cfg_attr(
        test,
        schema(
            example = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhY21lLWVycCJ9.c2lnbmF0dXJl"
        )
    )]
    pub access_token: String,
    /// Seconds until it expires.
    #[cfg_attr(test, schema(example = 3600))]
    pub expires_in: u32,
    /// Always `Bearer`.
    #[cfg_attr(test, schema(example = "Bearer"))]
    pub token_type: &'static str,
    /// `ap`, with `openid` where it was asked for.
    #[cfg_attr(test, schema(example = "ap"))]
    pub scope: String,
}

/// The refusal of a token request (RFC 6749 section 5.2).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TokenRefusal {
    /// `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type` or
    /// `invalid_scope`; `temporarily_unavailable` or `server_error` where it is none of yours.
    #[cfg_attr(test, schema(example = "invalid_client"))]
    pub error: &'static str,
    /// What to change.
    #[cfg_attr(test, schema(example = "client id or secret is wrong"))]
    pub error_description: String,
}

struct GrantRefusal {
    status: StatusCode,
    error: &'static str,
    description: String,
    wait: Option<i64>,
}

fn refused(
    status: StatusCode,
    error: &'static str,
    description: impl Into<String>,
) -> GrantRefusal {
    GrantRefusal { status, error, description: description.into(), wait: None }
}

impl From<PasswordError> for GrantRefusal {
    /// A full budget is no fault: who asks may come again soon.
    fn from(error: PasswordError) -> GrantRefusal {
        match error {
            PasswordError::Full(_) => {
                let text = "too many passwords are being checked; try again in a few seconds";
                let status = StatusCode::SERVICE_UNAVAILABLE;
                let refused = refused(status, "temporarily_unavailable", text);
                GrantRefusal { wait: Some(AGAIN_SECONDS), ..refused }
            }
            cause => {
                tracing::error!(%cause, "a password could not be checked");
                refused(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "try again")
            }
        }
    }
}

impl IntoResponse for GrantRefusal {
    fn into_response(self) -> Response {
        let body = TokenRefusal { error: self.error, error_description: self.description };
        let mut response = (self.status, no_store(), Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let basic = HeaderValue::from_static("Basic realm=\"quoin\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, basic);
        }
        if let Some(wait) = self.wait {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait));
        }
        response
    }
}

/// The routes of the issuer.
pub fn routes(auth: Auth) -> Router {
    Router::new()
        .route("/connect/token", post(token))
        .route("/.well-known/openid-configuration", get(openid_configuration))
        .route("/.well-known/oauth-authorization-server", get(authorization_server))
        .route("/.well-known/jwks.json", get(jwks))
        .with_state(auth)
}

fn no_store() -> HeaderMap {
    HeaderMap::from_iter([
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (PRAGMA, HeaderValue::from_static("no-cache")),
    ])
}

/// Issues an access token.
#[cfg_attr(test, utoipa::path(
    post, path = "/connect/token", tag = "token",
    request_body(content = inline(TokenForm), content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "A token.", body = TokenAnswer),
        (status = 400, description = "The request is not understood.", body = TokenRefusal),
        (status = 401, description = "Client id or secret is wrong.", body = TokenRefusal),
        (status = 429, description = "Too many failures.", body = TokenRefusal),
        (status = 500, description = "The service failed.", body = TokenRefusal),
        (status = 503, description = "Not at the moment.", body = TokenRefusal),
    ),
    security((), ("basic" = []))
))]
pub(crate) async fn token(State(auth): State<Auth>, request: Request) -> Response {
    match grant(&auth, request).await {
        Ok(answer) => (no_store(), Json(answer)).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// The form of a token request. Client id and secret may instead come by HTTP basic.
#[cfg(test)]
#[derive(Debug, Default)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[expect(dead_code, reason = "describes the form; its fields are read by name")]
pub(crate) struct TokenForm {
    /// `client_credentials` for machines, `password` for users.
    #[cfg_attr(test, schema(example = "client_credentials"))]
    grant_type: String,
    /// The client id.
    #[cfg_attr(test, schema(example = "acme-erp"))]
    client_id: Option<String>,
    /// The client secret.
    #[cfg_attr(test, schema(example = "a-long-random-secret"))]
    client_secret: Option<String>,
    /// The user's name, with the grant `password`; `organisation/name` where several have it.
    #[cfg_attr(test, schema(example = json!(null)))]
    username: Option<String>,
    /// The user's password, with the grant `password`.
    #[cfg_attr(test, schema(example = json!(null)))]
    password: Option<String>,
    /// `ap`, with `openid` or without, or left out.
    #[cfg_attr(test, schema(example = "ap"))]
    scope: Option<String>,
}

async fn grant(auth: &Auth, request: Request) -> Result<TokenAnswer, GrantRefusal> {
    const BAD: StatusCode = StatusCode::BAD_REQUEST;
    let from = address_of(request.extensions());
    let (parts, body) = request.into_parts();
    let form = form(&parts.headers, body).await?;
    let field = |name: &str| form.iter().find(|(key, _)| key == name).map(|(_, v)| v.as_str());
    let grant = field("grant_type")
        .ok_or_else(|| refused(BAD, "invalid_request", "the form has no grant_type"))?;
    let scope = scope(field("scope"))?;
    let now = auth.clock.now();
    let issued = match grant {
        "client_credentials" => {
            let (id, secret) =
                credentials(&parts.headers, field("client_id"), field("client_secret"))?;
            let client = authenticate(auth, &id, &secret, from).await?;
            auth.tokens.issue(&client, now)
        }
        "password" => {
            let missing = || refused(BAD, "invalid_request", "give username and password");
            let person = person::Person {
                name: field("username").ok_or_else(missing)?,
                password: field("password").ok_or_else(missing)?,
                client_id: field("client_id"),
                client_secret: field("client_secret"),
            };
            let user = person::person(auth, &parts.headers, person, from).await?;
            auth.tokens.issue(&user, now)
        }
        other => {
            let text = format!("{other:.40} is not possible, use client_credentials or password");
            return Err(refused(BAD, "unsupported_grant_type", text));
        }
    };
    let access_token = issued.map_err(|cause| {
        tracing::error!(%cause, "no token could be issued");
        refused(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "try again")
    })?;
    let expires_in = auth.tokens.lifetime_seconds();
    Ok(TokenAnswer { access_token, expires_in, token_type: "Bearer", scope })
}

/// The scope that is granted: ours, and `openid` where it was asked for.
fn scope(asked: Option<&str>) -> Result<String, GrantRefusal> {
    const OPENID: &str = "openid";
    let words = || asked.unwrap_or(SCOPE).split(' ').filter(|word| !word.is_empty());
    if words().any(|word| !matches!(word, SCOPE | OPENID)) {
        let text = format!("the only scopes are {SCOPE} and {OPENID}");
        return Err(refused(StatusCode::BAD_REQUEST, "invalid_scope", text));
    }
    let openid = words().any(|word| word == OPENID);
    Ok(if openid { format!("{OPENID} {SCOPE}") } else { SCOPE.to_owned() })
}

async fn form(headers: &HeaderMap, body: Body) -> Result<Vec<(String, String)>, GrantRefusal> {
    let bad = |text: &str| refused(StatusCode::BAD_REQUEST, "invalid_request", text);
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if !kind.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        return Err(bad("the body must be application/x-www-form-urlencoded"));
    }
    let bytes = read(body, FORM).await.map_err(|error| bad(&error.to_string()))?;
    let form: Vec<(String, String)> = url::form_urlencoded::parse(&bytes).into_owned().collect();
    let mut names: Vec<&str> = form.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(bad("a parameter is given twice"));
    }
    Ok(form)
}

/// Client id and secret, from the form or from HTTP basic, but not from both (RFC 6749 2.3); the id
/// may stand in the form as well, where it is the same.
fn credentials(
    headers: &HeaderMap,
    named: Option<&str>,
    secret: Option<&str>,
) -> Result<(String, String), GrantRefusal> {
    let missing = || {
        let text = "give client_id and client_secret in the form, or by HTTP basic";
        refused(StatusCode::UNAUTHORIZED, "invalid_client", text)
    };
    let Some(header) = headers.get(AUTHORIZATION) else {
        return match (named, secret) {
            (Some(id), Some(secret)) => Ok((id.to_owned(), secret.to_owned())),
            _ => Err(missing()),
        };
    };
    if secret.is_some() {
        let text = "the secret comes twice: in the form and by HTTP basic";
        return Err(refused(StatusCode::BAD_REQUEST, "invalid_request", text));
    }
    let pair = header
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))
        .and_then(|(_, pair)| BASE64.decode(pair.trim().as_bytes()).ok())
        .and_then(|pair| String::from_utf8(pair).ok())
        .ok_or_else(missing)?;
    let (id, secret) = pair.split_once(':').ok_or_else(missing)?;
    let decode = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let (own, secret) = (decode(id), decode(secret));
    if named.is_some_and(|named| named != own) {
        let text = "the form names another client_id than HTTP basic; name one client";
        return Err(refused(StatusCode::BAD_REQUEST, "invalid_request", text));
    }
    Ok((own, secret))
}

/// An unknown client costs as much as a wrong secret, so that neither time nor text tells which
/// it was.
async fn authenticate(
    auth: &Auth,
    id: &str,
    secret: &str,
    from: IpAddr,
) -> Result<ClientRecord, GrantRefusal> {
    waiting(auth, id, from, auth.clock.now())?;
    let found = known(auth, id, secret).await?;
    judged(auth, (id, from), found.is_some())?;
    found.ok_or_else(|| {
        tracing::warn!(client = format!("{id:.64}"), %from, "no token: client id or secret is wrong");
        let text = "client id or secret is wrong";
        refused(StatusCode::UNAUTHORIZED, "invalid_client", text)
    })
}

/// The client with this id and secret, if there is one.
async fn known(auth: &Auth, id: &str, secret: &str) -> Result<Option<ClientRecord>, GrantRefusal> {
    let now = auth.clock.now();
    let found = auth.clients.find(id).await.map_err(|cause| {
        tracing::error!(%cause, "clients could not be looked up");
        refused(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", "try again")
    })?;
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, secret.as_bytes());
    let newest = found.as_ref().map_or([0; 32], |client| client.secret_sha256);
    let before = found.as_ref().and_then(|client| client.previous);
    let before = before.filter(|(_, until)| now < *until).map_or([0; 32], |(sha256, _)| sha256);
    let same = digest.as_ref().ct_eq(&newest) | digest.as_ref().ct_eq(&before);
    Ok(found.filter(|_| bool::from(same)))
}

/// What clients find the token endpoint by (OpenID Connect Discovery).
#[cfg_attr(test, utoipa::path(
    get, path = "/.well-known/openid-configuration", tag = "token",
    responses(
        (status = 200, description = "The metadata of the issuer.", body = Object,
            example = json!(metadata("https://api.example.org"))),
        Open,
    )
))]
pub(crate) async fn openid_configuration(State(auth): State<Auth>) -> Json<Value> {
    Json(metadata(auth.tokens.issuer()))
}

/// The same under the name of RFC 8414.
#[cfg_attr(test, utoipa::path(
    get, path = "/.well-known/oauth-authorization-server", tag = "token",
    responses(
        (status = 200, description = "The metadata of the issuer.", body = Object,
            example = json!(metadata("https://api.example.org"))),
        Open,
    )
))]
pub(crate) async fn authorization_server(State(auth): State<Auth>) -> Json<Value> {
    Json(metadata(auth.tokens.issuer()))
}

fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "token_endpoint": format!("{issuer}/connect/token"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "grant_types_supported": ["client_credentials", "password"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "scopes_supported": ["openid", SCOPE],
        "claims_supported": ["sub", "client_id", "org", "role", "scope"],
        "response_types_supported": [],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    })
}

/// The keys that tokens are signed with (RFC 7517).
#[cfg_attr(test, utoipa::path(
    get, path = "/.well-known/jwks.json", tag = "token",
    responses(
        (status = 200, description = "The keys.", body = Object,
            example = json!({ "keys": [{
                "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "2026-11",
                "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            }] })),
        Open,
    )
))]
pub(crate) async fn jwks(State(auth): State<Auth>) -> Json<Value> {
    Json(auth.tokens.jwks())
}
